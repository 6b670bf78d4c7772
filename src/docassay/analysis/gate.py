"""The gate: whether a run may go out, by rules on its scores and on how it differs from a baseline.

A rule is checked on every score that it names, and a check that cannot be made never passes in
silence: an undefined value and a score that too few documents have fail where the rule names the
score. Where a rule takes all fields or slices (`aligned@*`), such a score is set aside as untested
and shown as that; a rule of which nothing could be tested fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from docassay.analysis.gate_evidence import BASELINE, RUN, GateEvidence, newly_broken
from docassay.analysis.gate_rules import (
    MAX_DROP,
    NEWLY_BROKEN,
    NO_REGRESSION,
    NON_INFERIOR,
    GateRule,
    GateRules,
    NonInferior,
    NoRegression,
    ValueRule,
)
from docassay.analysis.power import fewest_documents
from docassay.analysis.require import OPERATORS, Requirement, is_pattern, matching, meets, shortfall
from docassay.errors import ConfigurationError
from docassay.model.gate import FAILED, PASSED, UNTESTED, Gate, GateCheck, GatedRun, GateResult
from docassay.model.report import LOWER, Report, Score
from docassay.model.words import chance, count, number
from docassay.run.reopen import NamedRun

BOUND = "bound"
"""The kind of a rule on the value of a score."""
ROUNDING = 1e-9
"""How far a drop may exceed its limit by the arithmetic of fractions alone."""


def gate_runs(
    run: NamedRun,
    baseline: NamedRun | None,
    rules: GateRules,
    *,
    seed: int = 0,
    explain: Callable[[str], str] | None = None,
) -> Gate:
    """Check a run by rules, against a baseline where rules compare.

    `explain` gives the command or call that explains a document of a run that is in no folder.
    """
    for rule in rules.rules:
        if rule.compares and baseline is None:
            raise ConfigurationError(
                f"{rule} compares with an earlier run, and none is given",
                where=rule.where,
                hint="say --baseline RUN",
            )
    evidence = GateEvidence(run, baseline, rules.rules, seed, explain)
    results = tuple(_checked(rule, evidence) for rule in rules.rules)
    whole = evidence.whole if any(rule.compares for rule in rules.rules) else None
    return Gate(
        _about(run),
        None if baseline is None else _about(baseline),
        None if whole is None else whole.documents_compared,
        results,
        () if whole is None else tuple(newly_broken(whole)),
        rules.source,
        () if whole is None else whole.notes,
    )


def _about(run: NamedRun) -> GatedRun:
    return GatedRun(run.name, run.ledger.header.signature, len(run.ledger.rows))


def _checked(rule: GateRule, evidence: GateEvidence) -> GateResult:
    """Return what becomes of a rule; a score that does not exist is a mistake in the rule."""
    if isinstance(rule, ValueRule) and rule.counts_broken:
        checks: tuple[GateCheck, ...] = (_check_broken(rule, evidence),)
        return GateResult(str(rule), NEWLY_BROKEN, rule.where, checks)
    try:
        targets = [
            (target, is_pattern(address))
            for address in rule.scores
            for target in evidence.targets(address, both=rule.compares)
        ]
    except ConfigurationError as error:
        raise ConfigurationError(error.what, where=rule.where, hint=error.hint) from None
    if isinstance(rule, ValueRule):
        kind = BOUND
        checks = tuple(_check_bound(rule.limit, score, evidence) for score, _ in targets)
    else:
        kind = NO_REGRESSION if isinstance(rule, NoRegression) else NON_INFERIOR
        pairs = [(_pair(score, rule, evidence), several) for score, several in targets]
        checks = tuple(_check_pair(rule, pair, several) for pair, several in pairs)
    return GateResult(str(rule), kind, rule.where, _never_in_silence(checks))


def _never_in_silence(checks: tuple[GateCheck, ...]) -> tuple[GateCheck, ...]:
    """Return the checks, all of them failed where none could be made."""
    if any(check.state != UNTESTED for check in checks):
        return checks
    return tuple(check._replace(state=FAILED) for check in checks)


def checked_requirements(
    report: Report, requirements: Iterable[Requirement]
) -> tuple[GateResult, ...]:
    """Return what becomes of requirements on a report, without a document to look at."""
    return tuple(
        GateResult(
            str(limit),
            BOUND,
            None,
            tuple(_check_bound(limit, score) for score in matching(report, limit.address)),
        )
        for limit in requirements
    )


def _check_bound(
    limit: Requirement, score: Score, evidence: GateEvidence | None = None
) -> GateCheck:
    passed = meets(score, limit)
    document, explain = ("", "") if passed or evidence is None else evidence.worst(score)
    why = shortfall(score, limit._replace(address=score.address))
    if not passed:
        why += f", and must be {limit.sign} {limit.bound:g}"
    return GateCheck(
        score.address,
        PASSED if passed else FAILED,
        why,
        score.value,
        low=score.low,
        high=score.high,
        document=document,
        explain=explain,
    )


def _check_broken(rule: ValueRule, evidence: GateEvidence) -> GateCheck:
    """Count the documents that were fully correct in the baseline and are not in the run."""
    if not evidence.tells_exact:
        return GateCheck(
            NEWLY_BROKEN,
            FAILED,
            "unknown: no metric of the runs says which documents are fully correct",
        )
    broken = [*newly_broken(evidence.whole)]
    limit = rule.limit
    many = count(len(broken), "document")
    if OPERATORS[limit.sign](len(broken), limit.bound):
        return GateCheck(NEWLY_BROKEN, PASSED, many, len(broken))
    listed = ", ".join(broken[:3]) + (", …" if broken[3:] else "")
    worst = broken[0] if broken else ""
    return GateCheck(
        NEWLY_BROKEN,
        FAILED,
        f"{many} ({listed})" if broken else many,
        len(broken),
        document=worst,
        explain=evidence.explaining(worst) if worst else "",
    )


class _Pair(NamedTuple):
    """One score of the two runs, over the documents that both have."""

    check: GateCheck
    """What is known of it; its state is open."""
    drop: float | None
    """By how much the run is worse: the difference against the direction of the score."""
    surely: float | None
    """By how much it may be worse at most, with 97.5 %."""
    is_compared: bool = True
    gone: bool = False
    """Whether the run has it, but undefined where the baseline's was not: nothing predicted."""
    documents: int | None = None
    """In how many documents the score finds something, where that can be said."""


def _pair(score: Score, rule: NoRegression | NonInferior, evidence: GateEvidence) -> _Pair:
    spec = evidence.report.specs[score.name]
    if spec.better is None:
        raise ConfigurationError(
            f"{score.name} cannot become worse: neither more nor less of it is better",
            where=rule.where,
            hint=f"say what it must be: {score.address} <= 10",
        )
    compared = evidence.compared(score)
    values = (None, None) if compared is None else (compared.values[BASELINE], compared.values[RUN])
    check = GateCheck(score.address, UNTESTED, "", values[RUN], values[BASELINE])
    if compared is None:
        return _Pair(check, None, None, is_compared=False)
    gone = compared.scores[RUN] is not None and values[RUN] is None and values[BASELINE] is not None
    difference = next((each for each in compared.differences if each.run == RUN), None)
    if difference is None or difference.value is None:
        return _Pair(check, None, None, gone=gone)
    low, high = difference.low, difference.high
    check = check._replace(
        difference=difference.value,
        low=low,
        high=high,
        p=difference.p,
        p_adjusted=difference.p_adjusted,
    )
    less = spec.better == LOWER
    drop = difference.value if less else -difference.value
    surely = high if less else None if low is None else -low
    if drop > 0:
        document, explain = evidence.worst(score)
        check = check._replace(document=document, explain=explain)
    return _Pair(check, drop, surely, documents=evidence.documents_with(score))


def _check_pair(rule: NoRegression | NonInferior, pair: _Pair, several: bool) -> GateCheck:
    check = pair.check
    if pair.drop is None:
        untested = UNTESTED if several and not pair.gone else FAILED
        return check._replace(state=untested, why=_undefined(pair))
    shown = _change(check)
    untested = UNTESTED if several else FAILED
    if isinstance(rule, NonInferior):
        if pair.surely is None:
            return check._replace(state=untested, why=f"{shown}, and too few documents to be sure")
        if pair.surely < rule.margin:
            return _fine(check, shown)
        return check._replace(
            state=FAILED,
            why=f"{shown}: it may be worse by {pair.surely:.4f}, the margin is {rule.margin:g}",
        )
    limit = MAX_DROP if rule.max_drop is None else rule.max_drop
    if pair.drop <= limit + ROUNDING:
        return _fine(check, shown)
    p = check.p_adjusted
    if p is not None and p <= rule.alpha:
        return check._replace(
            state=FAILED, why=f"{shown}: worse by {pair.drop:.4f}, allowed is {limit:g}"
        )
    few = pair.documents
    if p is None or (few is not None and few < fewest_documents(rule.alpha)):
        many = "no test is possible" if few is None else f"{count(few, 'document')} cannot tell"
        return check._replace(
            state=untested,
            why=f"{shown}: worse by {pair.drop:.4f}, and {many} whether that is chance",
        )
    return _fine(check, f"{shown}: worse by {pair.drop:.4f}, which may be chance")


def _fine(check: GateCheck, why: str) -> GateCheck:
    return check._replace(state=PASSED, why=why, document="", explain="")


def _undefined(pair: _Pair) -> str:
    check = pair.check
    if not pair.is_compared:
        return "not compared: the runs do not both have it, or no difference of it is tested"
    if check.value is None and check.baseline is None:
        return "undefined in both runs, nothing was counted"
    place = "the run" if check.value is None else "the baseline"
    return f"undefined in {place}, nothing to compare"


def _change(check: GateCheck) -> str:
    """Return both values and their difference with its interval and p."""
    ends = "" if check.low is None else f" [{check.low:+.4f}, {check.high:+.4f}]"
    p = "" if check.p_adjusted is None else f", {chance(check.p_adjusted)}"
    difference = check.difference or 0.0
    return f"{number(check.baseline)} → {number(check.value)}, {difference:+.4f}{ends}{p}"
