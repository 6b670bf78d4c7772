"""`rules`: what a schema says must hold inside a document, asked of gold and pred separately.

Gold and pred are not compared. A gold document that breaks a rule is suspicious: it is the gold
that may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from docassay.metrics import Context, Readout, Totals, metric
from docassay.model.stats import Counts, Stats, ratio, total
from docassay.rules import BROKEN, HOLDS, SKIPPED, Outcome

if TYPE_CHECKING:
    from docassay.case import Case

SIDES = ("gold", "pred")
COLUMNS = ("checked", "broken", "skipped")
DOCUMENTS = ("documents", "suspicious")


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield how often rules were checked, held and were broken, overall and by rule."""
    titles = () if context.schema is None else [rule.title for rule in context.schema.rules]
    has_rules = bool(titles)
    tables = {side: totals.get(side, {}) for side in SIDES}
    for side in SIDES:
        counts = total(tables[side].values(), len(COLUMNS))
        yield from _of("", side, counts, defined=has_rules)
    documents, suspicious = totals.get("documents", {}).get("", (0, 0))
    yield Readout("documents_suspicious", "", suspicious if has_rules else None, documents)
    for side in SIDES:
        for rule in titles:
            if rule in tables[side]:
                yield from _of(rule, side, tables[side][rule])


def _of(key: str, side: str, counts: Counts, *, defined: bool = True) -> Iterator[Readout]:
    checked, broken, skipped = counts
    yield Readout(f"{side}_holds", key, ratio(checked - broken, checked), checked)
    for name, count in zip(COLUMNS, counts, strict=True):
        yield Readout(f"{side}_{name}", key, count if defined else None, checked + skipped)


@metric(
    "rules",
    version=1,
    tables={"gold": COLUMNS, "pred": COLUMNS, "documents": DOCUMENTS},
    readouts=readouts,
)
def rules(case: Case) -> Stats:
    """Rules of the schema, such as sums and checksums, asked of gold and of pred on their own."""
    outcomes = case.rule_outcomes
    tables = {side: _counted(outcomes[side]) for side in SIDES}
    suspicious = any(broken for _, broken, _ in tables["gold"].values())
    return {**tables, "documents": {"": (1, int(suspicious))}}


def _counted(outcomes: Sequence[Outcome]) -> dict[str, Counts]:
    states = {HOLDS: (1, 0, 0), BROKEN: (1, 1, 0), SKIPPED: (0, 0, 1)}
    return {one.rule: states[one.state] for one in outcomes}
