"""`grounded`: whether values stand in the text of their document.

A predicted value that stands nowhere is likely invented, or misread; a gold value that stands
nowhere may be wrong itself, or be said by the document in another way. How a value may be written
is up to the comparison of its field's type (`matching/standing.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from docassay.matching.standing import Finder, SourcePlace
from docassay.metrics.metric import (
    ORIGINALS,
    Context,
    Flaw,
    Readout,
    Totals,
    View,
    metric,
)
from docassay.model.document import Entity
from docassay.model.problem import ProblemCode
from docassay.model.report import (
    HeadlineLine,
    ReadoutSpec,
    Records,
    Section,
    SectionTable,
    SupportColumn,
)
from docassay.model.stats import Counts, Parts, Stats, parts_table, ratio, text_table, total
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.matching.case import Case

SIDES = {"predicted": "pred", "gold": "gold"}
COLUMNS = ("values", "standing")
CORRECTIONS = "kieval"
MOST_LISTED = 20
LONGEST = 120
NOWHERE = "not-in-source.csv"
HEAD = ("document", "side", "field", "value", "times")
SPECS = (
    ReadoutSpec(
        "predicted",
        label="in source",
        column=84,
        support=SupportColumn(85, "predicted"),
        short="grounded",
        meaning="share of predicted values that stand in the text of their document",
    ),
    ReadoutSpec("gold", label="gold in source", column=86),
)


class PlacedValue(NamedTuple):
    """A value of one side, and where it stands in the text; None for nowhere."""

    side: str
    entity: Entity
    place: SourcePlace | None


def placed_values(case: Case, leave_out: tuple[str, ...] = ()) -> Iterator[PlacedValue]:
    """Yield each value of gold and pred with its place in the text; none where there is none."""
    original = case.original
    if original is None or original.flaw:
        return
    finder = Finder(original)
    schema = case.layout.schema
    for side, document in (("gold", case.gold), ("pred", case.pred)):
        for entity in document.root.entities():
            field = case.layout.field(entity.field)
            # what a document is stands in no place of it
            says_type = bool(schema.types) and entity.field == schema.type_field
            if field.spec.type not in leave_out and not says_type:
                yield PlacedValue(side, entity, finder.find(field, entity.reading))


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield the shares of values that stand in the source."""
    scores = view.overall()
    names = (("in the source", "predicted"), ("gold in the source", "gold"))
    for place, (label, readout) in enumerate(names, start=380):
        score = scores[readout]
        if score.value is not None:
            standing = round(float(score.value) * score.support)
            values = count(score.support, f"{readout} value")
            note = f"{number(standing)} of {values} found in the text"
            # whoever names a source wants to see it beside the score of corrections
            first = readout == "predicted" and CORRECTIONS in view.others
            yield HeadlineLine(label, readout, note, place, first=first)


def sections(view: View) -> Iterator[Section]:
    """Yield the values that stand nowhere, predictions first."""
    scores = view.overall()
    if not any(score.support for score in scores.values()):
        yield Section(
            "Values in the source",
            ("No document has a text to look in: --source DIR names a folder of ID.txt.",),
        )
        return
    rows = [
        (row.id, side, field, text, times)
        for row in view.rows()
        for (side, field, text), (times,) in parts_table(row.stats, "nowhere").items()
    ]
    rows.sort(key=lambda row: row[1] == "gold")
    amounts = Counter[str]()
    for _, side, *_, times in rows:
        amounts[side] += times
    above = tuple(
        f"{count(amounts[side], f'{readout} value')} of {number(scores[readout].support)} "
        f"{'stands' if amounts[side] == 1 else 'stand'} nowhere in the text: {meaning}."
        for readout, side, meaning in (
            ("predicted", "pred", "invented, misread, or worked out by the model"),
            ("gold", "gold", "look at them before the models"),
        )
        if amounts[side]
    )
    if not rows:
        yield Section("Values in the source", ("Every value stands in the text.",))
        return
    shown = tuple((id, side, field, text) for id, side, field, text, _ in rows[:MOST_LISTED])
    more = len(rows) - len(shown)
    below = (f"{number(more)} more are in {NOWHERE} of a run folder.",) if more else ()
    table = SectionTable(("document", "side", "field", "value"), shown, "nlnn")
    about = "values that stand nowhere in the text of their document"
    yield Section(
        "Values that stand nowhere in the source",
        above,
        (table,),
        below,
        records=Records(NOWHERE, about, HEAD, tuple(rows)),
    )


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield the shares of values that stand in the source, overall and by field."""
    tables = {readout: text_table(totals, side) for readout, side in SIDES.items()}
    for readout, table in tables.items():
        values, standing = total(table.values(), len(COLUMNS))
        yield Readout(readout, "", ratio(standing, values), values)
    for readout, table in tables.items():
        for path, (values, standing) in table.items():
            yield Readout(readout, path, ratio(standing, values), values)


def flaws(stats: Stats) -> Iterator[Flaw]:
    """Yield why a document has no text."""
    for message in text_table(stats, "flaws"):
        yield Flaw(message, code=ProblemCode.NO_SOURCE)


@metric(
    "grounded",
    version=1,
    tables={"pred": COLUMNS, "gold": COLUMNS, "nowhere": ("values",), "flaws": ("documents",)},
    readouts=readouts,
    specs=SPECS,
    flaws=flaws,
    headline=headline,
    sections=sections,
    needs=(ORIGINALS,),
)
def grounded(case: Case, *, leave_out: tuple[str, ...] = ("boolean",)) -> Stats:
    """Shares of predicted, and of gold, values that stand in the text of their document."""
    original = case.original
    if original is not None and original.flaw:
        return {"pred": {}, "gold": {}, "nowhere": {}, "flaws": {original.flaw: (1,)}}
    tables: dict[str, dict[str, Counts]] = {"pred": {}, "gold": {}}
    nowhere: Counter[Parts] = Counter()
    for side, entity, place in placed_values(case, leave_out):
        values, there = tables[side].get(entity.field, (0, 0))
        tables[side][entity.field] = (values + 1, there + int(place is not None))
        if place is None:
            nowhere[side, entity.field, _short(entity.reading.text)] += 1
    return {**tables, "nowhere": {key: (times,) for key, times in nowhere.items()}, "flaws": {}}


def _short(text: str) -> str:
    collapsed = " ".join(text.split())
    return collapsed if len(collapsed) <= LONGEST else f"{collapsed[: LONGEST - 1]}…"
