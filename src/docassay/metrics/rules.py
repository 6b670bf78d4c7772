"""`rules`: what a schema says must hold inside a document, asked of gold and pred separately.

Gold and pred are not compared. A gold document that breaks a rule is suspicious: it is the gold
that may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from docassay.kernel.counting import table_sums
from docassay.metrics.metric import (
    Context,
    OverallOf,
    Readout,
    Totals,
    Unseen,
    Value,
    View,
    metric,
)
from docassay.model.problem import Violation
from docassay.model.report import COUNT, LOWER, HeadlineLine, ReadoutSpec, hidden
from docassay.model.stats import Counts, Stats, ratio, text_table, total
from docassay.model.words import count, number
from docassay.schema.rules.check import BROKEN, HOLDS, SKIPPED

if TYPE_CHECKING:
    from docassay.matching.case import Case

SIDES = ("gold", "pred")
COLUMNS = ("checked", "broken", "skipped")
DOCUMENTS = ("documents", "suspicious")


RULE = "rule"
SPECS = (
    *(
        ReadoutSpec(
            f"{side}_{name}",
            RULE,
            COUNT,
            LOWER if (side, name) == ("pred", "broken") else None,
            f"{side} {name}",
            10 * place,
        )
        for place, (side, name) in enumerate(product(SIDES, ("checked", "broken")), start=1)
    ),
    *hidden(*(f"{side}_skipped" for side in SIDES), kind=RULE),
    *hidden(*(f"{side}_holds" for side in SIDES), kind=RULE, unit="share"),
    *hidden("documents_suspicious", kind=RULE),
)


def violations(case: Case) -> Iterator[Violation]:
    """Yield the rules that gold or pred breaks."""
    for side, outcomes in case.rule_outcomes.items():
        for outcome in outcomes.broken():
            yield Violation(case.id, side, outcome.rule, outcome.message)


def suspicious(case: Case) -> Iterator[Violation]:
    """Yield the rules that gold breaks, of which the first screen tells."""
    if case.rules is not None:
        for outcome in case.rules.check_document(case.gold, case.type).broken():
            yield Violation(case.id, "gold", outcome.rule, outcome.message)


UNSEEN = Unseen(
    lambda schema, metrics: False, lambda case: True, behind="kieval", violations=suspicious
)
"""Its tables stand behind those of fields, and are shown where no field is wrong."""


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield how often rules hold, in gold and in pred."""
    scores = view.overall()
    for place, side in enumerate(SIDES, start=400):
        checked, broken = scores[f"{side}_checked"], scores[f"{side}_broken"]
        if checked.value:
            note = f"{count(broken.value, 'rule')} broken of {number(checked.value)} checked"
            yield HeadlineLine(f"rules in {side}", f"{side}_holds", note, place)


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield how often rules were checked, held and were broken, overall and by rule."""
    titles = () if context.schema is None else [rule.title for rule in context.schema.rules]
    has_rules = bool(titles)
    tables = {side: text_table(totals, side) for side in SIDES}
    for side in SIDES:
        counts = total(tables[side].values(), len(COLUMNS))
        yield from _of("", side, counts, defined=has_rules)
    documents, suspicious = text_table(totals, "documents").get("", (0, 0))
    yield Readout("documents_suspicious", "", suspicious if has_rules else None, documents)
    for side in SIDES:
        for rule in titles:
            if rule in tables[side]:
                yield from _of(rule, side, tables[side][rule])


def overall(context: Context) -> OverallOf:
    """Return what gives the values of a document's overall readouts."""
    has_rules = context.schema is not None and bool(context.schema.rules)

    def values_of(stats: Stats) -> list[Value]:
        values: list[Value] = []
        for side in SIDES:
            values += _kept_values(*table_sums(stats, side, len(COLUMNS)), has_rules)
        _, suspicious = text_table(stats, "documents").get("", (0, 0))
        values.append(suspicious if has_rules else None)
        return values

    return values_of


def _of(key: str, side: str, counts: Counts, *, defined: bool = True) -> Iterator[Readout]:
    checked, broken, skipped = counts
    holds, *amounts = _values(checked, broken, skipped, defined)
    yield Readout(f"{side}_holds", key, holds, checked)
    for name, amount in zip(COLUMNS, amounts, strict=True):
        yield Readout(f"{side}_{name}", key, amount, checked + skipped)


def _values(checked: int, broken: int, skipped: int, defined: bool) -> tuple[Value, ...]:
    amounts = (checked, broken, skipped) if defined else (None, None, None)
    return (ratio(checked - broken, checked), *amounts)


_kept_values = lru_cache(maxsize=4096)(_values)
"""Kept, because a few counts make up most of a run."""


@metric(
    "rules",
    version=1,
    tables={"gold": COLUMNS, "pred": COLUMNS, "documents": DOCUMENTS},
    readouts=readouts,
    specs=SPECS,
    headline=headline,
    overall=overall,
    violations=violations,
    needs=(),
    unseen=UNSEEN,
)
def rules(case: Case) -> Stats:
    """Rules of the schema, such as sums and checksums, asked of gold and of pred on their own."""
    outcomes = case.rule_outcomes
    tables: dict[str, Mapping[str, Counts]] = dict.fromkeys(SIDES, NO_COUNTS)
    for side, of_side in outcomes.items():
        tables[side] = _counted(of_side.titles, of_side.states)
    suspicious = STATES[BROKEN] in tables["gold"].values()
    return {**tables, "documents": {"": (1, int(suspicious))}}


STATES: Mapping[str, Counts] = {HOLDS: (1, 0, 0), BROKEN: (1, 1, 0), SKIPPED: (0, 0, 1)}
"""What an outcome counts as."""
NO_COUNTS: Mapping[str, Counts] = {}
STATES_KEPT = 4096
"""How many ways in which the rules of a document may come out are remembered."""


@lru_cache(maxsize=STATES_KEPT)
def _counted(titles: tuple[str, ...], states: tuple[str, ...]) -> Mapping[str, Counts]:
    return {title: STATES[state] for title, state in zip(titles, states, strict=True)}
