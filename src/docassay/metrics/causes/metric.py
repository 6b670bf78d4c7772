"""`causes`: why points are lost, and what each cause would give back if it were gone.

Every correction of `kieval` and every lost part of `fields.overall_accuracy` has exactly one cause,
so the causes add up to what is missing from 1. What fixing a cause, or a field, would give is not
read off its share: the documents are scored again with gold's values in place of the wrong ones.

With `rescore=false`, as in a run that asks for no metrics, corrections are counted by cause and
nothing is scored again: what fixing a cause gives follows from its substitutions, additions and
deletions, as if no row found another partner by it, and `fields` is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from docassay.kernel.counting import column_sums, count_right
from docassay.matching.tally import KINDS
from docassay.metrics.causes import ALL, CAUSES, WRONG_ROW
from docassay.metrics.fields.methods import STRICT, Rules
from docassay.metrics.fields.metric import accuracies
from docassay.metrics.fields.readouts import AUTO
from docassay.metrics.fields.readouts import check as check_fields
from docassay.metrics.metric import (
    METRICS,
    Context,
    OverallOf,
    Readout,
    Totals,
    Value,
    View,
    metric,
)
from docassay.model.chart import Picture, Stacks, Waterfall, Waterfalls
from docassay.model.report import (
    COUNT,
    LOWER,
    CauseLine,
    ReadoutSpec,
    Records,
    Score,
    Section,
    SectionTable,
    Sentence,
    hidden,
)
from docassay.model.stats import (
    PARTS,
    Counts,
    Parts,
    Stats,
    Table,
    parts_table,
    ratio,
    text_table,
    total,
)
from docassay.model.words import count

if TYPE_CHECKING:
    from docassay.matching.case import Case
    from docassay.metrics.causes.corrections import Correction, ExplainedCase
    from docassay.metrics.causes.rows import Pair


CAUSE = "cause"
READOUTS = ("corrections", "kieval_loss", "kieval_gain", "fields_loss", "fields_gain")
SPECS = (
    ReadoutSpec("corrections", CAUSE, COUNT, LOWER, column=None),
    *(
        ReadoutSpec(f"{name}_loss", CAUSE, better=LOWER, column=None)
        for name in ("kieval", "fields")
    ),
    *hidden("kieval_gain", "fields_gain", kind=CAUSE, unit="share"),
)
HEADS = dict(
    zip(
        READOUTS,
        ("to correct", "aligned lost", "if fixed", "accuracy lost", "if fixed"),
        strict=True,
    )
)
"""The heads of columns by readout."""
SCORES = (("kieval.aligned", "kieval_loss"), ("fields.overall_accuracy", "fields_loss"))
"""What loses, and the readout that says how much."""
MOST_PLACES = 5
MOST_FIELDS = 20
BAR = 6
"""Characters of the longest bar."""


class Step(NamedTuple):
    """A cause, in one field or ("") in all, with what it takes and what fixing it would give."""

    field: str
    cause: str
    scores: Mapping[str, Score]

    def value(self, readout: str) -> float | int | None:
        """Return a readout, None when it is undefined or not given for this key."""
        score = self.scores.get(readout)
        return None if score is None else score.value

    def amount(self, readout: str) -> float:
        """Return a readout, 0 where there is none."""
        return float(self.value(readout) or 0)

    @property
    def losses(self) -> tuple[float, float]:
        """What it takes from aligned, and from accuracy."""
        return self.amount("kieval_loss"), self.amount("fields_loss")


def every_step(scores: Sequence[Score]) -> list[Step]:
    """Return every cause, over all fields and by field, by what it takes from aligned first."""
    by_key: dict[tuple[str, ...], dict[str, Score]] = {}
    for score in scores:
        if score.parts:
            by_key.setdefault(score.parts, {})[score.readout] = score
    steps = [
        Step(parts[0] if len(parts) > 1 else "", parts[-1], own) for parts, own in by_key.items()
    ]
    return sorted(
        steps, key=lambda step: (*(-loss for loss in step.losses), step.field, step.cause)
    )


def steps_of(scores: Sequence[Score]) -> list[Step]:
    """Return the causes that take anything, the largest first."""
    return [step for step in every_step(scores) if not step.field and any(step.losses)]


def sections(view: View) -> Iterator[Section]:
    """Yield why points are lost, and what fixing the worst field would give."""
    steps, every = steps_of(view.scores), every_step(view.scores)
    if not steps:
        return
    # the first takes most from aligned, or where nobody takes anything, from accuracy
    at = 0 if steps[0].losses[0] else 1
    longest = steps[0].losses[at]
    shown = _shown_readouts(view)
    # of a cause in one field no fixing is tried
    placed = [name for name in shown if not name.endswith("gain")]
    causes = tuple(
        (
            step.cause,
            *(_cell(step, name) for name in shown),
            "█" * max(1, round(BAR * step.losses[at] / longest)),
        )
        for step in steps
    )
    places = [step for step in every if step.field and step.cause != ALL and any(step.losses)]
    fields = tuple(
        (step.field, step.cause, *(_cell(step, name) for name in placed))
        for step in places[:MOST_PLACES]
    )
    worst = max(
        (step for step in every if step.field and step.cause == ALL),
        key=lambda step: step.amount("kieval_loss"),
        default=None,
    )
    yield Section(
        _lead(view),
        tables=(
            SectionTable(
                (CAUSE, *(HEADS[name] for name in shown), ""),
                causes,
                "l" + "r" * len(shown) + "l",
            ),
            SectionTable(
                ("field", CAUSE, *(HEADS[name] for name in placed)),
                fields,
                "nl" + "r" * len(placed),
            ),
        ),
        below=() if worst is None else tuple(advice(worst)),
        records=Records(
            "causes.csv",
            "what each cause takes, over all fields and by field",
            ("field", CAUSE, *shown),
            tuple(
                (step.field, step.cause, *(step.value(name) for name in shown))
                for step in sorted(every, key=lambda step: bool(step.field))
                if any(step.losses)
            ),
        ),
    )


def _shown_readouts(view: View) -> list[str]:
    """Return the readouts that the run has, in the order of their columns."""
    measured = {score.readout for score in view.scores}
    return [name for name in READOUTS if name in measured]


def cause_lines(view: View) -> Iterator[CauseLine]:
    """Yield how many values each cause makes wrong, and what fixing it would give."""
    for step in steps_of(view.scores):
        values = int(step.amount("corrections"))
        if values:
            yield CauseLine(step.cause, values, step.amount("kieval_gain"))


def _lead(view: View) -> str:
    """Return what is lost in all, in words."""
    overall = view.overall()
    parts = [
        f"{name} loses {loss:.4f}"
        for name, readout in SCORES
        if readout in overall and (loss := overall[readout].value) is not None
    ]
    amount = count(overall["corrections"].value, "correction")
    return f"why points are lost: {', '.join((*parts, amount))}"


def advice(worst: Step) -> Iterator[Sentence]:
    """Yield what fixing the worst field would give, if that is known."""
    gain, accuracy = worst.value("kieval_gain"), worst.value("fields_gain")
    if gain is not None:
        more = "" if accuracy is None else f", fields.overall_accuracy by {accuracy:.4f}"
        raised = f", the worst field, would raise kieval.aligned by {gain:.4f}{more}"
        yield ("fixing ", worst.field, raised)


def _cell(step: Step, name: str) -> str:
    value = step.value(name)
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    sign = "+" if name.endswith("gain") else "−"
    return f"{sign}{value:.4f}" if value >= 0 else f"{value:.4f}"


def pictures(view: View) -> Iterator[Picture]:
    """Yield the way from each score to 1, and the corrections of each field by cause."""
    falls = waterfalls(view)
    if not falls:
        return
    yield Picture("loss-waterfall", Waterfalls(tuple(falls)), (CAUSE,))
    fields = _by_field(view)[:MOST_FIELDS]
    if fields:
        leading = tuple(step.cause for step in steps_of(view.scores))
        title = "Corrections by field and cause, most first"
        yield Picture("loss-by-field", Stacks(title, "corrections", tuple(fields), leading))


def waterfalls(view: View) -> list[Waterfall]:
    """Return the panels of the scores that have lost something."""
    panels = []
    for name, readout in SCORES:
        score = view.overall().get(readout)
        if score is not None and (loss := score.value):
            losses = [(step.cause, step.amount(readout)) for step in steps_of(view.scores)]
            taken = sorted((drop for drop in losses if drop[1]), key=lambda drop: -drop[1])
            panels.append(Waterfall(name, 1 - loss, tuple(taken)))
    return panels


def _by_field(view: View) -> list[tuple[str, tuple[tuple[str, float], ...]]]:
    """Return the fields that need corrections, each with its causes, the most corrections first."""
    fields: dict[str, list[tuple[str, float]]] = {}
    for step in every_step(view.scores):
        if step.field and step.cause != ALL and step.value("corrections"):
            fields.setdefault(step.field, []).append((step.cause, step.amount("corrections")))
    ordered = sorted(fields.items(), key=lambda one: (-sum(amount for _, amount in one[1]), one[0]))
    return [(name, tuple(parts)) for name, parts in ordered]


EVERYWHERE: tuple[Parts, ...] = tuple((cause,) for cause in CAUSES)
"""Keys that every report has, however little is lost."""
TOTALS = ("right", "values", "accuracy", "scored")
"""Right values and all that `kieval.aligned` counts; parts of accuracy and scored documents."""


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield what is lost overall, by cause, and by field and cause; and what fixing would give."""
    documents = text_table(totals, "documents").get("", (0, 0, 0, 0))
    corrections, losses = parts_table(totals, "corrections"), parts_table(totals, "lost")
    rescored = bool(context.options["rescore"])
    whole = sum(total(corrections.values(), len(KINDS)))
    yield from _corrected((), whole, documents)
    if rescored:
        yield _lost((), sum(total(losses.values(), 1)), documents)
    tallied = _by_parts(corrections, len(KINDS))
    lost = {parts: sum(counts) for parts, counts in _by_parts(losses, 1).items()}
    fixed = _rescored(totals) if rescored else {parts: _fixed(tallied[parts]) for parts in tallied}
    for parts in (*EVERYWHERE, *sorted({*tallied, *lost} - {(), *EVERYWHERE}, key=_shown)):
        if parts in tallied or parts in EVERYWHERE:
            yield from _corrected(parts, sum(tallied.get(parts, ())), documents)
        if rescored and (parts in lost or parts in EVERYWHERE):
            yield _lost(parts, lost.get(parts, 0), documents)
        if len(parts) == 1 or (parts in fixed and parts[-1:] == (ALL,)):
            gains = _gained(parts, documents, fixed.get(parts, (0, 0, 0, 0)))
            yield from gains if rescored else [next(gains)]


def overall(context: Context) -> OverallOf:
    """Return what gives the values of a document's overall readouts."""
    rescored = bool(context.options["rescore"])

    def values_of(stats: Stats) -> list[Value]:
        documents = text_table(stats, "documents").get("", (0, 0, 0, 0))
        amount = sum(column_sums(parts_table(stats, "corrections"), len(KINDS)))
        values = [amount, _kieval_loss(amount, documents)]
        if rescored:
            (lost,) = column_sums(parts_table(stats, "lost"), 1)
            values.append(_fields_loss(lost, documents))
        return values

    return values_of


def _corrected(parts: Parts, amount: int, documents: Counts) -> Iterator[Readout]:
    _, values, _, _ = documents
    key = _shown(parts)
    yield Readout("corrections", key, amount, values, parts)
    yield Readout("kieval_loss", key, _kieval_loss(amount, documents), values, parts)


def _kieval_loss(amount: int, documents: Counts) -> float | None:
    _, values, _, _ = documents
    return ratio(amount, values)


def _lost(parts: Parts, lost: int, documents: Counts) -> Readout:
    loss = _fields_loss(lost, documents)
    return Readout("fields_loss", _shown(parts), loss, documents[-1], parts)


def _fields_loss(lost: int, documents: Counts) -> float | None:
    return ratio(lost, documents[-1] * PARTS)


def _rescored(totals: Totals) -> dict[Parts, Counts]:
    """Return what fixing a cause or a field changes, as rescoring has it."""
    return {
        (field, cause) if field else (cause,): counts
        for (field, cause), counts in parts_table(totals, "fixed").items()
    }


def _fixed(tallied: Counts) -> Counts:
    """Return the same as corrections have it: what is deleted is right no more than it counts."""
    substitutions, additions, deletions = tallied
    return substitutions + additions, -deletions, 0, 0


def _gained(parts: Parts, documents: Counts, changes: Counts) -> Iterator[Readout]:
    right, values, accuracy, scored = (
        (before, before + more) for before, more in zip(documents, changes, strict=True)
    )
    for name, shares, wholes, unit in (
        ("kieval_gain", right, values, 1),
        ("fields_gain", accuracy, scored, PARTS),
    ):
        before, after = (
            ratio(part, whole * unit) for part, whole in zip(shares, wholes, strict=True)
        )
        gain = None if before is None or after is None else after - before
        yield Readout(name, _shown(parts), gain, wholes[0], parts)


def _shown(parts: Parts) -> str:
    """Return the key as reports spell it."""
    return ": ".join(parts)


def _by_parts(table: Mapping[Parts, Counts], width: int) -> dict[Parts, Counts]:
    """Return a table's counts by field and cause, by cause alone, by field alone and in all."""
    rows: dict[Parts, list[Counts]] = {}
    for (field, cause), counts in table.items():
        every: tuple[Parts, ...] = ((), (cause,), (field, cause), (field, ALL))
        for parts in every:
            rows.setdefault(parts, []).append(counts)
    return {parts: total(same, width) for parts, same in rows.items()}


class CauseSettings(NamedTuple):
    """The options of `fields` and of `kieval` that decide what is lost."""

    method: str
    substitution: str
    item_similarity: float
    item_words: float
    count_absent: bool
    flatten: bool

    def scores(self, case: Case) -> dict[str, float]:
        """Return the scores whose mean is the document's accuracy."""
        return accuracies(
            case,
            method=self.method,
            substitution=self.substitution,
            item_similarity=self.item_similarity,
            item_words=self.item_words,
            count_absent=self.count_absent,
        )

    @property
    def rules(self) -> Rules:
        """What decides whether items match."""
        return Rules(self.item_similarity, self.item_words, self.substitution == "fn")


def check(*, flatten: bool, rescore: bool, **options: object) -> None:
    """Refuse options that `fields` would refuse."""
    check_fields(**{**METRICS.get("fields").options, **options})


def ready(cases: Sequence[Case], *, flatten: bool, **_: object) -> None:
    """Work out why values are wrong in all cases that need a correction."""
    wrong = [case for case in cases if not case.tally(flatten=flatten).exact]
    if wrong:
        # loaded for the first document that needs a correction
        from docassay.metrics.causes.corrections import explain

        explain(wrong, flatten=flatten)


@metric(
    "causes",
    version=2,
    tables={
        "corrections": tuple(f"{kind}s" for kind in KINDS),
        "lost": ("parts",),
        "fixed": TOTALS,
        "documents": TOTALS,
    },
    readouts=readouts,
    specs=SPECS,
    sections=sections,
    pictures=pictures,
    causes=cause_lines,
    check=check,
    follows=("fields", "kieval"),
    overall=overall,
    ready=ready,
)
def causes(
    case: Case,
    *,
    rescore: bool = True,
    method: str = AUTO,
    substitution: str = "both",
    item_similarity: float = STRICT.item_similarity,
    item_words: float = STRICT.item_words,
    count_absent: bool = False,
    flatten: bool = False,
) -> Stats:
    """Why points are lost, cause by cause, and what fixing a cause or a field would give back."""
    if not rescore:
        return _tallied(case, flatten)
    settings = CauseSettings(
        method, substitution, item_similarity, item_words, count_absent, flatten
    )
    scores = settings.scores(case)
    before = _totals(case, scores, settings)
    stats: dict[str, Table] = {
        "documents": {"": before},
        "corrections": {},
        "lost": {},
        "fixed": {},
    }
    if before[0] < before[1] or (scores and before[2] < PARTS):
        stats |= _explained(case, settings, scores, before)
    return stats


def _tallied(case: Case, flatten: bool) -> Stats:
    """Return the corrections of a document by field and cause, as the matching has them."""
    right, values = count_right(case.tally(flatten=flatten).fields)
    before = {"": (right, values, 0, 0)}
    if right == values:
        return {"documents": before, "corrections": {}}
    counted = _explaining()(case, flatten=flatten).by_kind()
    return {"documents": before, "corrections": counted}


@cache
def _explaining() -> Callable[..., ExplainedCase]:
    """Return what explains a case, loaded for the first document that needs a correction."""
    from docassay.metrics.causes.corrections import explained

    return explained


def _totals(case: Case, scores: Mapping[str, float], settings: CauseSettings) -> Counts:
    """Return what a document adds to the totals."""
    right, values = count_right(case.tally(flatten=settings.flatten).fields)
    accuracy = round(sum(scores.values()) / len(scores) * PARTS) if scores else 0
    return right, values, accuracy, int(bool(scores))


def _explained(
    case: Case, settings: CauseSettings, scores: Mapping[str, float], before: Counts
) -> dict[str, Table]:
    from docassay.metrics.causes.losses import Blame

    explained = _explaining()
    found = explained(case)
    root, fixes = found.root, found.corrections
    # `kieval` may count with rows flattened, while `fields` never does
    counted = explained(case, flatten=settings.flatten).by_kind()
    blame = Blame(case, root, fixes, method=settings.method, rules=settings.rules)
    lost = blame.lost(scores)
    losses: dict[Parts, Counts] = {key: (parts,) for key, parts in lost.items()}
    return {
        "corrections": counted,
        "lost": losses,
        "fixed": _gains(case, settings, root, fixes, {cause for _, cause in lost}, before),
    }


def _gains(
    case: Case,
    settings: CauseSettings,
    root: Pair,
    found: Iterable[Correction],
    blamed: Iterable[str],
    before: Counts,
) -> Table:
    """Return what changes when each cause is fixed in all fields (""), and each field."""
    from docassay.metrics.causes.losses import fixed

    plans: dict[Parts, list[Correction]] = {("", cause): [] for cause in blamed}
    for fix in found:
        plans.setdefault(("", fix.cause), []).append(fix)
        plans.setdefault((fix.fate.field.path, ALL), []).append(fix)
    gains: dict[Parts, Counts] = {}
    for key, chosen in plans.items():
        after = fixed(case, root, chosen, in_order=key == ("", WRONG_ROW))
        totals = _totals(after, settings.scores(after), settings)
        gains[key] = tuple(b - a for a, b in zip(before, totals, strict=True))
    return gains
