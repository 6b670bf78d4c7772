"""`kieval`: structure-aware scores and correction counts (KIEval, ICDAR 2025).

Groups are matched first; values then count only within matched groups. What is left is what a
person would do to correct the prediction: substitute, add, delete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError
from docassay.kernel.counting import Shares, share_of_sum, table_sums
from docassay.kernel.plain import with_equal
from docassay.metrics.metric import (
    Context,
    DocumentFacts,
    OverallOf,
    Readout,
    Totals,
    Value,
    View,
    metric,
    weighted,
    weighted_values,
)
from docassay.metrics.trade_off import (
    TALLIES,
    Tally,
    area,
    at_tau,
    by_field,
    curve,
    tally_key,
    with_the_unsure,
)
from docassay.model.report import (
    COUNT,
    GROUP,
    LOWER,
    CsvColumn,
    HeadlineLine,
    ReadoutSpec,
    Score,
    Section,
    SectionTable,
    SupportColumn,
    hidden,
)
from docassay.model.stats import Counts, Stats, Table, f1, parts_table, ratio, text_table, total
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.matching.case import Case
    from docassay.matching.tally import Tally as MatchTally

FIELDS = ("tp", "substitutions", "additions", "deletions", "tp_ungrouped")
GROUPS = ("tp", "fp", "fn", "wrong")
DOCUMENTS = ("documents", "exact")
_EXACT = DOCUMENTS.index("exact")


SPECS = (
    ReadoutSpec(
        "aligned",
        label="aligned",
        column=10,
        csv=(CsvColumn(0, "aligned"),),
        short="aligned",
        meaning="share of values that need no correction",
    ),
    ReadoutSpec(
        "entity_f1",
        label="F1 in its row",
        column=30,
        short="f1_in_row",
        meaning="F1 of values, each in its row",
    ),
    ReadoutSpec(
        "entity_recall",
        column=None,
        support=SupportColumn(50, "gold"),
        csv=(CsvColumn(8, "gold_values", "support"),),
    ),
    ReadoutSpec("tp", unit=COUNT, label="right", column=52, unless=("field acc.",)),
    *(
        ReadoutSpec(
            name, unit=COUNT, better=LOWER, label=label, column=place, short=name, meaning=text
        )
        for name, label, place, text in (
            ("substitutions", "≠ subst", 60, "values that are another than gold's"),
            ("additions", "+ add", 61, "values of gold that are missing"),
            ("deletions", "− delete", 62, "values that gold does not have"),
        )
    ),
    ReadoutSpec(
        "corrections",
        unit=COUNT,
        better=LOWER,
        column=None,
        short="corrections",
        meaning="substitutions, additions and deletions together",
    ),
    *hidden("entity_precision", unit="share"),
    ReadoutSpec(
        "weighted_aligned",
        column=None,
        short="weighted_aligned",
        meaning="aligned, weighted by field",
    ),
    ReadoutSpec(
        "structure_gap",
        better=LOWER,
        column=None,
        short="structure_gap",
        meaning="F1 in any row less F1 in its row",
    ),
    *hidden("fp", "fn"),
    *hidden("area", unit="share"),
    ReadoutSpec(
        "auto_rate",
        better=None,
        label="auto rate",
        column=11,
        short="auto_rate",
        meaning="share of predicted values whose confidence reaches kieval.tau",
    ),
    ReadoutSpec(
        "aligned_tau",
        label="aligned, τ",
        column=12,
        short="aligned_tau",
        meaning="aligned when every value below kieval.tau is reviewed",
    ),
    ReadoutSpec(
        "documents_exact",
        unit=COUNT,
        column=None,
        support=SupportColumn(0, "documents"),
        short="documents",
        meaning="documents that are fully correct",
    ),
    ReadoutSpec(
        "group_f1",
        GROUP,
        label="group F1",
        column=10,
        short="group_f1",
        meaning="F1 of groups (rows) that are fully correct",
    ),
    ReadoutSpec(
        "group_precision", GROUP, label="precision", column=20, support=SupportColumn(41, "in pred")
    ),
    ReadoutSpec(
        "group_recall", GROUP, label="recall", column=30, support=SupportColumn(40, "in gold")
    ),
    ReadoutSpec("group_tp", GROUP, COUNT, label="fully correct", column=50),
    *hidden("group_aligned", kind=GROUP, unit="share"),
    *hidden("group_fp", "group_fn", kind=GROUP),
)
MISTAKES = {
    "substitutions": "another value",
    "additions": "missing",
    "deletions": "not in gold",
}
MOST_FIELDS = 5
STEPS_OF_CONFIDENCE = 12
"""Of the arithmetic of a trade-off there are more for each confidence that values have."""


def readouts(totals: Totals, context: Context, *, tau: str | None = None) -> Iterator[Readout]:
    """Yield entity-level, group-level and document-level readouts, by field and by group type."""
    fields, groups = text_table(totals, "fields"), text_table(totals, "groups")
    whole = total(fields.values(), len(FIELDS))
    yield from _entity_level("", whole)
    yield from weighted("aligned", fields, _aligned, context)
    yield from _group_level("", total(groups.values(), len(GROUPS)))
    documents, exact = total(text_table(totals, "documents").values(), 2)
    yield Readout("documents_exact", "", exact, documents)
    tallies = by_field(parts_table(totals, "confidence"))
    every = [tally for column in tallies.values() for tally in column]
    yield from _trade_off("", whole, every, tau, context.most_steps)
    for path, counts in fields.items():
        yield from _entity_level(path, counts)
        yield from _trade_off(path, counts, tallies.get(path, ()), tau, context.most_steps)
    for path, counts in groups.items():
        yield from _group_level(path, counts)


_COLUMNS = tuple(range(len(FIELDS)))
_VALUES = (0, 1, 2, 3)
"""The columns of fields that make up all values: those that are right, and corrections."""


def _aligned(tp: int, subs: int, adds: int, dels: int, _: int) -> float | None:
    return ratio(tp, tp + subs + adds + dels)


def _entity_level(key: str, counts: Counts) -> Iterator[Readout]:
    tp, subs, adds, dels, _ = counts
    gold, pred = tp + (subs + adds), tp + (subs + dels)
    supports = {"entity_precision": pred, "aligned": tp + subs + adds + dels}
    for name, value in _entity_values(*counts).items():
        yield Readout(name, key, value, supports.get(name, gold))


def _entity_values(tp: int, subs: int, adds: int, dels: int, loose: int) -> dict[str, Value]:
    fp, fn = subs + dels, subs + adds
    gold, pred = tp + fn, tp + fp
    grouped = f1(tp, fp, fn)
    ungrouped = f1(loose, pred - loose, gold - loose)
    return {
        "entity_precision": ratio(tp, pred),
        "entity_recall": ratio(tp, gold),
        "entity_f1": grouped,
        "aligned": _aligned(tp, subs, adds, dels, loose),
        "structure_gap": None if ungrouped is None or grouped is None else ungrouped - grouped,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "substitutions": subs,
        "additions": adds,
        "deletions": dels,
        "corrections": subs + adds + dels,
    }


@lru_cache(maxsize=4096)
def _kept_values(*counts: int) -> tuple[Value, ...]:
    """Return the same, kept because a few counts make up most of a run."""
    return (*_entity_values(*counts).values(),)


def _trade_off(
    key: str, counts: Counts, tallies: Sequence[Tally], tau: str | None, most_steps: int | None
) -> Iterator[Readout]:
    if most_steps is not None:
        confidences = {confidence for confidence, _ in tallies}
        if len(confidences) * STEPS_OF_CONFIDENCE > most_steps:
            return
    tp, subs, _, dels, _ = counts
    for name, value in _trade_off_values(counts, tallies, tau).items():
        yield Readout(name, key, value, tp + subs + dels)


def _trade_off_values(
    counts: Sequence[int], tallies: Sequence[Tally], tau: str | None
) -> dict[str, Value]:
    """Return what reviewing the least sure values would bring, if values say how sure they are."""
    if not tallies and tau is None:  # which is most runs
        return {"area": None}
    tp, subs, adds, dels, _ = counts
    every = with_the_unsure(tallies, (tp, subs, dels))
    values: dict[str, Value] = {"area": area(curve(every, adds)) if tallies else None}
    if tau is not None:
        point = at_tau(every, adds, float(tau))
        values["auto_rate"] = None if point is None else point.auto_rate
        values["aligned_tau"] = None if point is None else point.aligned
    return values


def overall(context: Context, *, tau: str | None) -> OverallOf:
    """Return what gives the values of a document's overall readouts."""
    weighs = bool(context.weights)

    def values_of(stats: Stats) -> list[Value]:
        whole = table_sums(stats, "fields", len(FIELDS))
        values = [*_kept_values(*whole)]
        if weighs:
            values += weighted_values(text_table(stats, "fields"), _COLUMNS, _aligned, context)
        values += _kept_group_values(*table_sums(stats, "groups", len(GROUPS)))
        values.append(table_sums(stats, "documents", len(DOCUMENTS))[_EXACT])
        values += _trade_off_values(whole, _tallies(stats), tau).values()
        return values

    return values_of


def _tallies(stats: Stats) -> list[Tally]:
    """Return how sure values are, of all fields."""
    if not stats.get("confidence"):
        return []
    tallies = by_field(parts_table(stats, "confidence"))
    return [tally for column in tallies.values() for tally in column]


def aligned(stats: Stats) -> Value:
    """Return the share of a document's values that need no correction."""
    return share_of_sum(stats, "fields", _VALUES)


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield aligned, corrections and documents; values in their rows and whole groups besides."""
    scores = view.overall()
    kinds = ", ".join(
        count(scores[f"{kind}s"].value, kind) for kind in ("substitution", "addition", "deletion")
    )
    aligned = scores["aligned"]
    of_values = f"of {count(aligned.support, 'value')}"
    right = f"{number(scores['tp'].value)} {of_values} need no correction"
    yield HeadlineLine("aligned", "aligned", right, 10, first=True)
    if "auto_rate" in scores:
        tau = view.context.options["tau"]
        sure = f"of predicted values have a confidence of at least {tau}"
        yield HeadlineLine("auto rate", "auto_rate", sure, 10.1, first=True)
        reviewed = f"when values below {tau} are reviewed"
        yield HeadlineLine("aligned, τ", "aligned_tau", reviewed, 10.2, first=True)
    yield HeadlineLine("corrections", "corrections", kinds, 11, first=True)
    exact = scores["documents_exact"]
    of_documents = f"of {number(exact.support)} fully correct"
    yield HeadlineLine("documents", "documents_exact", of_documents, 13, first=True)
    if "weighted_aligned" in scores:
        by_weight = "each field counted by its weight in the schema"
        yield HeadlineLine("aligned, weighted", "weighted_aligned", by_weight, 20)
    gold = count(scores["entity_recall"].support, "gold value")
    in_row = f"{number(scores['tp'].value)} of {gold} found in its row"
    yield HeadlineLine("F1 in its row", "entity_f1", in_row, 40)
    groups = scores["group_f1"]
    if groups.support or scores["group_precision"].support:
        whole = f"{number(scores['group_tp'].value)} of {count(groups.support, 'group')}"
        yield HeadlineLine("group F1", "group_f1", f"{whole} fully correct", 50)
    if scores["structure_gap"].value is not None:
        yield HeadlineLine("structure gap", "structure_gap", _gap(scores), 60)


def _gap(scores: Mapping[str, Score]) -> str:
    gap, grouped = scores["structure_gap"].value, scores["entity_f1"].value
    if not gap or grouped is None:
        return "every value found is in its row"
    # F1 is 2 tp / (gold + pred), so the gap tells how many more are found in any row
    values = scores["entity_recall"].support + scores["entity_precision"].support
    return f"{count(round(gap * values / 2), 'more value')} found, but in a wrong row"


def sections(view: View) -> Iterator[Section]:
    """Yield the fields that need most corrections, with the most common kind of mistake."""
    counts = {name: view.by_key(name) for name in MISTAKES}
    fields = sorted(
        view.by_key("corrections").values(), key=lambda one: (-(one.value or 0), one.key)
    )
    rows = []
    for score in fields[:MOST_FIELDS]:
        amounts = {name: int(counts[name][score.key].value or 0) for name in MISTAKES}
        most = max(amounts, key=amounts.__getitem__)
        if amounts[most]:
            mistake = f"{MISTAKES[most]} ({number(amounts[most])} of {number(score.value)})"
            rows.append((score.key, number(score.value), number(score.support), mistake))
    if rows:
        head = ("field", "corrections", "gold values", "mostly")
        table = SectionTable(head, tuple(rows), "nrrl")
        yield Section("Most corrections", tables=(table,), summary_only=True)


def documents(stats: Stats) -> DocumentFacts:
    """Return aligned of a document and of each of its fields, and whether it is fully correct."""
    tp, subs, adds, dels, _ = table_sums(stats, "fields", len(FIELDS))
    _, exact = text_table(stats, "documents")[""]
    fields = Shares(text_table(stats, "fields"), 0, _VALUES, 1)
    return DocumentFacts(fields, "", ratio(tp, tp + subs + adds + dels), bool(exact), 10)


def check(*, tau: str | None, **_: object) -> None:
    """Refuse a threshold that is none."""
    try:
        wrong = tau is not None and not 0 <= float(tau) <= 1
    except ValueError:
        wrong = True
    if wrong:
        raise ConfigurationError(f"{tau!r} is not a number from 0 to 1", where="kieval.tau")


def _group_level(key: str, counts: Counts) -> Iterator[Readout]:
    tp, fp, fn, wrong = counts
    supports = {"group_precision": tp + fp, "group_aligned": tp + wrong}
    for name, value in _group_values(*counts).items():
        yield Readout(name, key, value, supports.get(name, tp + fn))


def _group_values(tp: int, fp: int, fn: int, wrong: int) -> dict[str, Value]:
    return {
        "group_precision": ratio(tp, tp + fp),
        "group_recall": ratio(tp, tp + fn),
        "group_f1": f1(tp, fp, fn),
        "group_aligned": ratio(tp, tp + wrong),
        "group_tp": tp,
        "group_fp": fp,
        "group_fn": fn,
    }


@lru_cache(maxsize=4096)
def _kept_group_values(*counts: int) -> tuple[Value, ...]:
    return (*_group_values(*counts).values(),)


@metric(
    "kieval",
    version=1,
    tables={"fields": FIELDS, "groups": GROUPS, "documents": DOCUMENTS, "confidence": TALLIES},
    readouts=readouts,
    specs=SPECS,
    headline=headline,
    sections=sections,
    documents=documents,
    overall=overall,
    singly={"aligned": aligned},
    check=check,
)
def kieval(case: Case, *, flatten: bool = False) -> Stats:
    """KIEval: values within matched groups, corrections by kind, whole groups and documents."""
    tally = case.tally(flatten=flatten)
    stats: dict[str, Table] = {
        "fields": with_equal(tally.fields, case.ungrouped),
        "groups": {path: tuple(counts) for path, counts in tally.groups.items()},
        "documents": {"": (1, int(tally.exact))},
    }
    if case.pred.confident:
        stats["confidence"] = confidences(tally)
    return stats


def confidences(tally: MatchTally) -> Table:
    """Return what became of the values that state how sure they are, by field and confidence."""
    from docassay.matching.confidences import tally_confidences

    tallies = tally_confidences(tally.matcher, tally.gold, tally.pred)
    return {tally_key(path, sure): tuple(counts) for (path, sure), counts in tallies.items()}
