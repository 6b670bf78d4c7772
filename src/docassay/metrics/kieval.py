"""`kieval`: structure-aware scores and correction counts (KIEval, ICDAR 2025).

Groups are matched first; values then count only within matched groups. What is left is what a
person would do to put the prediction right: substitute, add, delete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from docassay.align.confidences import tally_confidences
from docassay.errors import ConfigurationError
from docassay.metrics import Context, Readout, Totals, metric
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
from docassay.metrics.weights import weighted
from docassay.model.stats import Counts, Stats, Table, f1, ratio, total

if TYPE_CHECKING:
    from docassay.align.tally import Tally as MatchTally
    from docassay.case import Case

FIELDS = ("tp", "substitutions", "additions", "deletions", "tp_ungrouped")
GROUPS = ("tp", "fp", "fn", "wrong")
DOCUMENTS = ("documents", "exact")


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield entity-level, group-level and document-level readouts, by field and by group type."""
    fields, groups = totals.get("fields", {}), totals.get("groups", {})
    whole = total(fields.values(), len(FIELDS))
    yield from _entity_level("", whole)
    yield from weighted("aligned", fields, _aligned, context)
    yield from _group_level("", total(groups.values(), len(GROUPS)))
    documents, exact = total(totals.get("documents", {}).values(), 2)
    yield Readout("documents_exact", "", exact, documents)
    tallies = by_field(totals.get("confidence", {}))
    every = [one for found in tallies.values() for one in found]
    yield from _trade_off("", whole, every, context)
    for path, counts in fields.items():
        yield from _entity_level(path, counts)
        yield from _trade_off(path, counts, tallies.get(path, ()), context)
    for path, counts in groups.items():
        yield from _group_level(path, counts)


def _aligned(tp: int, subs: int, adds: int, dels: int, _: int) -> float | None:
    return ratio(tp, tp + subs + adds + dels)


def _entity_level(key: str, counts: Counts) -> Iterator[Readout]:
    tp, subs, adds, dels, loose = counts
    fp, fn = subs + dels, subs + adds
    gold, pred = tp + fn, tp + fp
    grouped = f1(tp, fp, fn)
    ungrouped = f1(loose, pred - loose, gold - loose)
    yield Readout("entity_precision", key, ratio(tp, pred), pred)
    yield Readout("entity_recall", key, ratio(tp, gold), gold)
    yield Readout("entity_f1", key, grouped, gold)
    yield Readout("aligned", key, _aligned(*counts), tp + subs + adds + dels)
    gap = None if ungrouped is None or grouped is None else ungrouped - grouped
    yield Readout("structure_gap", key, gap, gold)
    amounts = {
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "substitutions": subs,
        "additions": adds,
        "deletions": dels,
        "corrections": subs + adds + dels,
    }
    for name, count in amounts.items():
        yield Readout(name, key, count, gold)


def _trade_off(
    key: str, counts: Counts, tallies: Sequence[Tally], context: Context
) -> Iterator[Readout]:
    """Yield what reviewing the least sure values would bring, if values state how sure they are."""
    tp, subs, adds, dels, _ = counts
    predicted = tp + subs + dels
    every = with_the_unsure(tallies, (tp, subs, dels))
    yield Readout("area", key, area(curve(every, adds)) if tallies else None, predicted)
    tau = context.options.get("tau")
    if tau is not None:
        point = at_tau(every, adds, float(str(tau)))
        yield Readout("auto_rate", key, None if point is None else point.auto_rate, predicted)
        yield Readout("aligned_tau", key, None if point is None else point.aligned, predicted)


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
    yield Readout("group_precision", key, ratio(tp, tp + fp), tp + fp)
    yield Readout("group_recall", key, ratio(tp, tp + fn), tp + fn)
    yield Readout("group_f1", key, f1(tp, fp, fn), tp + fn)
    yield Readout("group_aligned", key, ratio(tp, tp + wrong), tp + wrong)
    for name, count in (("group_tp", tp), ("group_fp", fp), ("group_fn", fn)):
        yield Readout(name, key, count, tp + fn)


@metric(
    "kieval",
    version=1,
    tables={"fields": FIELDS, "groups": GROUPS, "documents": DOCUMENTS, "confidence": TALLIES},
    readouts=readouts,
    check=check,
)
def kieval(case: Case, *, flatten: bool = False, tau: str | None = None) -> Stats:
    """KIEval: values within matched groups, corrections by kind, whole groups and documents."""
    tally = case.tally(flatten=flatten)
    ungrouped = case.ungrouped
    stats: dict[str, Table] = {
        "fields": {path: (*counts, ungrouped[path]) for path, counts in tally.fields.items()},
        "groups": {path: tuple(counts) for path, counts in tally.groups.items()},
        "documents": {"": (1, int(tally.exact))},
    }
    if case.pred.confident:
        stats["confidence"] = confidences(tally)
    return stats


def confidences(tally: MatchTally) -> Table:
    """Return what became of the values that state how sure they are, by field and confidence."""
    found = tally_confidences(tally.matcher, tally.gold, tally.pred)
    return {tally_key(path, sure): tuple(counts) for (path, sure), counts in found.items()}
