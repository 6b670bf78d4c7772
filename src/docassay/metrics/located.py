"""`located`: values that are right in text and in place.

A predicted value is in the right place when its box and that of a gold value of the same field
overlap: `iou` asks for an intersection over union above a threshold, `docile` for the same centres
of characters, as DocILE does, and `words` aligns the values of all fields by their places first and
then asks whether the field is right. With `text=false` the place alone counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.matching.overlap import BoxPlace, most_pairs, overlaps
from docassay.matching.values import link_by_equality, link_by_key
from docassay.metrics.metric import GOLD, Context, Flaw, Readout, Totals, View, metric
from docassay.model.document import Reading
from docassay.model.problem import ProblemCode
from docassay.model.report import COUNT, HeadlineLine, ReadoutSpec, Section, SupportColumn, hidden
from docassay.model.stats import Counts, Stats, f1, ratio, text_table, total
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.matching.case import Case
    from docassay.values.field import BoundField

MATCHES = ("iou", "words", "docile")
COLUMNS = ("tp", "fp", "fn", "text", "place", "both")
"""Right and wrong values, and of the values with boxes those right in text, place, and in both."""
SPECS = (
    ReadoutSpec("f1", label="located F1", column=88, support=SupportColumn(89, "boxes")),
    ReadoutSpec("placed", label="in place", column=90),
    *hidden("precision", "recall", "read", unit="share"),
    ReadoutSpec("tp", unit=COUNT, column=None),
    *hidden("fp", "fn"),
)


def check(match: str, threshold: float, **_: object) -> None:
    """Refuse a way to match that does not exist, and a threshold that no box can pass."""
    if match not in MATCHES:
        raise UnknownName("value of located.match", str(match), MATCHES)
    if not 0 <= threshold < 1:
        raise ConfigurationError(
            f"option located.threshold: {threshold:g} is outside 0..1",
            hint="the overlap of two boxes must be above it, and is 1 at most",
        )


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield how many values are right in text and place."""
    scores = view.overall()
    if scores["f1"].value is None:
        return
    boxes = count(scores["recall"].support, "gold value")
    what = "text and place" if str(view.context.options["text"]) == "True" else "place"
    note = f"{number(scores['tp'].value)} of {boxes} with a box right in {what}"
    yield HeadlineLine("located F1", "f1", note, 61)
    if scores["placed"].value is not None:
        texts = count(scores["placed"].support, "right text")
        yield HeadlineLine("in place", "placed", f"of {texts} with a box", 62)


def sections(view: View) -> Iterator[Section]:
    """Yield a word on documents that cannot be judged."""
    documents = without = 0
    for row in view.rows():
        judged = text_table(row.stats, "documents").get("", (1, 0))[1]
        documents, without = documents + 1, without + int(not judged)
    if without:
        amount = f"{number(without)} of {count(documents, 'document')}"
        yield Section("Places of values", (f"No places to compare in {amount}: no boxes.",))


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield precision, recall and F1 of located values, overall and by field."""
    fields = text_table(totals, "fields")
    yield from _of("", total(fields.values(), len(COLUMNS)))
    for path, counts in fields.items():
        yield from _of(path, counts)


def _of(key: str, counts: Counts) -> Iterator[Readout]:
    tp, fp, fn, text, place, both = counts
    yield Readout("precision", key, ratio(tp, tp + fp), tp + fp)
    yield Readout("recall", key, ratio(tp, tp + fn), tp + fn)
    yield Readout("f1", key, f1(tp, fp, fn), tp + fn)
    yield Readout("placed", key, ratio(both, text), text)
    yield Readout("read", key, ratio(both, place), place)
    for name, amount in zip(("tp", "fp", "fn"), (tp, fp, fn), strict=True):
        yield Readout(name, key, amount, tp + fn)


def flaws(stats: Stats) -> Iterator[Flaw]:
    """Yield that a document has no words to tell centres of characters from."""
    if text_table(stats, "documents").get("no words"):
        message = "match=docile needs the words of documents with their boxes (--source)"
        yield Flaw(message, code=ProblemCode.METRIC_INPUT)


@metric(
    "located",
    version=1,
    tables={"fields": COLUMNS, "documents": ("documents", "judged")},
    readouts=readouts,
    specs=SPECS,
    check=check,
    flaws=flaws,
    headline=headline,
    sections=sections,
    needs=(GOLD,),
)
def located(case: Case, *, match: str = "iou", threshold: float = 0.5, text: bool = True) -> Stats:
    """Precision, recall and F1 of values that are right in text and in place, where boxes are."""
    golds, preds = _values(case.gold.root.entities()), _values(case.pred.root.entities())
    places = any(value.box for value in golds)
    if not places or (preds and not any(value.box for value in preds)):
        return {"fields": {}, "documents": {"": (1, 0)}}
    boxed_golds = [value for value in golds if value.box]
    boxed_preds = [value for value in preds if value.box]
    if match == "docile":
        centres = _centres(case)
        if not centres:
            return {"fields": {}, "documents": {"": (1, 0), "no words": (1, 0)}}
        shares = _same_centres(boxed_golds, boxed_preds, centres)
    else:
        shares = [
            {j: share for j, share in row.items() if share > threshold}
            for row in overlaps(_placed(boxed_golds), _placed(boxed_preds))
        ]
    if match == "words":
        shares = _aligned(boxed_golds, boxed_preds, shares)
    gold_fields, pred_fields = _by_field(golds), _by_field(preds)
    counts: dict[str, Counts] = {}
    for path in sorted({*gold_fields, *pred_fields}):
        field = case.layout.field(path)
        by_key = path not in case.pairwise
        counts[path] = _counts(
            link_by_key if by_key else partial(link_by_equality, field),
            field,
            gold_fields.get(path, NO_VALUES),
            pred_fields.get(path, NO_VALUES),
            shares,
            with_text=text,
        )
    counted = {path: own for path, own in counts.items() if any(own)}
    return {"fields": counted, "documents": {"": (1, 1)}}


Links = Callable[[Sequence[Reading], Sequence[Reading]], Sequence[object]]
"""Pairs equal values of gold and pred."""


class BoxedValue(NamedTuple):
    """A value with its field; one without a box has none."""

    field: str
    reading: Reading

    @property
    def box(self) -> tuple[float, ...] | None:
        """Where it stands on its page."""
        return self.reading.box


def _values(entities: Iterator[tuple[str, str, Reading]]) -> list[BoxedValue]:
    return [BoxedValue(field, reading) for field, _, reading in entities]


def _placed(values: Sequence[BoxedValue]) -> list[BoxPlace]:
    return [BoxPlace(value.box or (), value.reading.page) for value in values]


Shares = Sequence[Mapping[int, float]]


def _aligned(golds: Sequence[BoxedValue], preds: Sequence[BoxedValue], shares: Shares) -> Shares:
    """Return each gold value with the one predicted value that stands in its place, if any.

    The pairs that overlap most go first; of equal ones those of the same field and text.
    """
    names = [[(value.field, value.reading.text) for value in values] for values in (golds, preds)]
    pairs = sorted(
        (
            *(-share, golds[i].field != preds[j].field, names[0][i] != names[1][j]),
            *(names[0][i], names[1][j], i, j),
        )
        for i, row in enumerate(shares)
        for j, share in row.items()
    )
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for *_, i, j in pairs:
        if i not in partners and j not in taken:
            partners[i] = j
            taken.add(j)
    return [{partners[i]: 1.0} if i in partners else {} for i in range(len(golds))]


class FieldSide(NamedTuple):
    """The values of one field on one side: those with a box by their number, and the others."""

    boxed: dict[int, Reading]
    others: list[Reading]


def _by_field(values: Sequence[BoxedValue]) -> dict[str, FieldSide]:
    """Return the values by field; those with a box are numbered through all fields."""
    fields: dict[str, FieldSide] = {}
    number_ = 0
    for value in values:
        side = fields.setdefault(value.field, FieldSide({}, []))
        if value.box:
            side.boxed[number_] = value.reading
            number_ += 1
        else:
            side.others.append(value.reading)
    return fields


NO_VALUES = FieldSide({}, [])


def _counts(
    equal_values: Links,
    field: BoundField,
    gold: FieldSide,
    pred: FieldSide,
    shares: Shares,
    *,
    with_text: bool,
) -> Counts:
    """Return what is right and wrong of one field."""
    near = [[j for j in shares[i] if j in pred.boxed] for i in gold.boxed]
    equal = [
        [j for j in row if field.equal(reading, pred.boxed[j])]
        for reading, row in zip(gold.boxed.values(), near, strict=True)
    ]
    both, place = most_pairs(equal), most_pairs(near)
    text = equal_values([*gold.boxed.values()], [*pred.boxed.values()])
    right = both if with_text else place
    # what is right in text of a gold value without a box can be judged neither way
    left = [reading for j, reading in pred.boxed.items() if j not in right]
    wrong = [*left, *pred.others]
    excused = equal_values(gold.others, wrong)
    missed = len(gold.boxed) - len(right)
    return len(right), len(wrong) - len(excused), missed, len(text), len(place), len(both)


Centre = tuple[int, float, float]


def _centres(case: Case) -> list[Centre]:
    """Return the centres of the characters of a document: page, x and y.

    A word is as many boxes of one width as it has characters.
    """
    original = case.original
    return [
        (word.page, left + (at + 0.5) * (right - left) / size, (top + bottom) / 2)
        for word in (() if original is None else original.words)
        if word.box is not None
        for left, top, right, bottom in [word.box]
        for size in [word.end - word.start]
        for at in range(size)
    ]


def _same_centres(
    golds: Sequence[BoxedValue], preds: Sequence[BoxedValue], centres: Sequence[Centre]
) -> Shares:
    """Return for each gold value the predicted ones that cover the same centres, and some."""
    by_centres: dict[frozenset[int], list[int]] = {}
    for j, value in enumerate(preds):
        by_centres.setdefault(_covered(value, centres), []).append(j)
    covered = [_covered(value, centres) for value in golds]
    return [dict.fromkeys(by_centres.get(own, ()) if own else (), 1.0) for own in covered]


def _covered(value: BoxedValue, centres: Sequence[Centre]) -> frozenset[int]:
    page, box = value.reading.page or 1, value.box
    if box is None:
        return frozenset()
    left, top, right, bottom = box
    return frozenset(
        number
        for number, (own, x, y) in enumerate(centres)
        if own == page and left <= x <= right and top <= y <= bottom
    )
