"""Comparing runs over the same gold: which is better, in what, by how much, and is that sure.

Every score with a direction is tested by paired randomisation (see `paired`). The score that the
headline begins with is tested alone. Of the other scores, those that belong together are corrected
together by Holm's method: the overall ones, and the fields (groups, categories, slices) of each
score. A run is better or worse by the corrected p; where that does not decide, runs are equivalent
if the 90 % interval of their difference lies within a margin, and tied otherwise.

What a cause contributes to a difference is what it costs the one run less what it costs the other.
All that is missing from 1 has exactly one cause, so the contributions add up to the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from docassay.analysis.aggregate import build, slices_of
from docassay.analysis.comparable import SharedRuns, shared_runs
from docassay.analysis.notes import SPREADS
from docassay.analysis.paired import (
    ENOUGH,
    PAIRED_DRAWS,
    Pair,
    PairedDifference,
    PairedSample,
    paired_differences,
)
from docassay.errors import ConfigurationError, DataError
from docassay.metrics.metric import Context
from docassay.model.comparison import (
    BETTER,
    BROKEN,
    EQUIVALENT,
    FIXED,
    TIED,
    WORSE,
    ComparedCause,
    ComparedDocument,
    ComparedRun,
    ComparedScore,
    Comparison,
    LeaderboardPlace,
    RunDifference,
)
from docassay.model.report import FEWEST, LOWER, ReadoutSpec, Report, Score
from docassay.model.words import count
from docassay.run.plan import Bound
from docassay.run.reopen import NamedRun
from docassay.run.score import Row
from docassay.run.totals import UNTAGGED

CAUSES = "causes"
TYPE = "type"
MOST_STEPS_BY_KEY = 200
"""Of how many steps the formula of one field's score may be made to be tested."""
MOST_FULL_PAIRS = 15
"""Up to how many pairs of runs are tested in every score, so that winners can be named."""

Specs = Mapping[str, ReadoutSpec]
Tests = Mapping[Pair, Mapping[str, PairedDifference]]
"""Pair of runs -> address of a score -> its test."""


def compare_runs(
    runs: Sequence[NamedRun],
    *,
    against: int = 0,
    metrics: Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    margin: float = 0.01,
    seed: int = 0,
    draws: int = PAIRED_DRAWS,
    cluster: str | None = None,
) -> Comparison:
    """Return how runs over the same gold compare with one of them.

    `by` adds slices by tags; documents of several types are sliced by type in any case. With a
    `cluster`, documents that share a value of this tag are swapped and drawn together.
    """
    _check(runs, against, alpha=alpha, margin=margin, draws=draws)
    shared = shared_runs(runs, against=against, metrics=metrics, besides=[CAUSES])
    rows = [ledger.rows for ledger in shared.ledgers]
    tags = _tags(rows[against], by)
    reports = [build(ledger, by=tags, seed=seed, cluster=cluster) for ledger in shared.ledgers]
    specs = {name: spec for report in reports for name, spec in report.specs.items()}
    headline = _headline(reports[against], specs)
    others = [run for run in range(len(runs)) if run != against]
    pairs = [_turned(pair, against) for pair in combinations(range(len(runs)), 2)]
    test = _Testing(shared, specs, cluster=cluster, seed=seed, draws=draws)
    if len(pairs) <= MOST_FULL_PAIRS:
        tests = test.everything(pairs, tags)
    else:
        tests = _joined(
            test.everything([pair for pair in pairs if against in pair], tags),
            test.headline(pairs, headline),
        )
    compared = _compared(reports, specs, tests, headline, _Rule(against, others, alpha, margin))
    return Comparison(
        runs=tuple(
            ComparedRun(
                run.name, run.ledger.header.signature, len(run.ledger.rows), _spreads(report)
            )
            for run, report in zip(runs, reports, strict=True)
        ),
        against=against,
        documents_compared=shared.documents,
        scores=tuple(compared),
        headline=headline,
        alpha=alpha,
        margin=margin,
        standings=tuple(_standings(reports, specs, tests, headline, alpha)),
        documents=tuple(_documents(runs, shared, reports, headline, against)),
        causes=tuple(_causes(reports, headline, against, others)),
        leading=tuple(dict.fromkeys(line.readout for line in reports[against].headline)),
        specs=specs,
        notes=(*shared.notes, *_notes(shared, tags, cluster)),
        facts={
            **{"seed": seed, "draws": draws},
            **({"by": by} if by else {}),
            **({} if cluster is None else {"cluster": cluster}),
        },
    )


def _check(
    runs: Sequence[NamedRun], against: int, *, alpha: float, margin: float, draws: int
) -> None:
    if len(runs) < 2:
        raise ConfigurationError("two runs or more are compared", hint="name another run")
    if not 0 <= against < len(runs):
        raise ConfigurationError(f"there is no run {against} to compare with")
    if not 0 < alpha < 1:
        raise ConfigurationError(f"alpha is {alpha:g}", hint="it lies between 0 and 1, as 0.05")
    if not 0 <= margin < float("inf"):
        raise ConfigurationError(f"the margin is {margin:g}", hint="give 0 or more, as 0.01")
    if draws < 1:
        raise ConfigurationError(f"{draws} draws are none", hint=f"{PAIRED_DRAWS} is usual")


def _tags(rows: Sequence[Row], by: str | Sequence[str] | None) -> list[str]:
    """Return what documents are sliced by: the tags asked for, and types where there are some."""
    asked = [by] if isinstance(by, str) else [*(by or ())]
    types = len({row.type for row in rows}) > 1
    return [*dict.fromkeys((*asked, *([TYPE] if types else ())))]


def _turned(pair: Pair, against: int) -> Pair:
    """Return a pair with the run that all are compared with first."""
    first, second = pair
    return (second, first) if second == against else pair


def _headline(report: Report, specs: Specs) -> str:
    """Return the score that decides: what the report begins with, or its first column."""
    overall = [score.name for score in report.scores if not score.key and not score.slice]
    for line in report.headline:
        if line.readout in overall and specs[line.readout].better is not None:
            return line.readout
    directed = [name for name in overall if specs[name].better is not None]
    if not directed:
        raise DataError("the runs have no score by which one could be better")
    columns = [name for name in directed if specs[name].column is not None]
    return min(columns, key=lambda name: specs[name].column or 0.0, default=directed[0])


class _Testing(NamedTuple):
    """What is needed to test the scores of runs."""

    shared: SharedRuns
    specs: Specs
    cluster: str | None
    seed: int
    draws: int

    def everything(self, pairs: Sequence[Pair], tags: Sequence[str]) -> Tests:
        """Return the tests of all scores that have a direction, those of slices included."""
        rows = [ledger.rows for ledger in self.shared.ledgers]
        tests = self._tests(rows, pairs, "", by_key=True)
        for tag in tags:
            slices = [slices_of(own, tag) for own in rows]
            for part in slices[0]:
                some = self._tests([own[part] for own in slices], pairs, part, by_key=False)
                tests = _joined(tests, some)
        return tests

    def headline(self, pairs: Sequence[Pair], headline: str) -> Tests:
        """Return the tests of one overall score."""
        rows = [ledger.rows for ledger in self.shared.ledgers]
        return self._tests(rows, pairs, "", by_key=False, only=headline)

    def _tests(
        self,
        rows: Sequence[Sequence[Row]],
        pairs: Sequence[Pair],
        part: str,
        *,
        by_key: bool,
        only: str | None = None,
    ) -> Tests:
        bound = self.shared.bound
        scored = [metric for metric in bound.metrics if metric.name != CAUSES]
        samples = []
        for metric in scored:
            prefix = f"{metric.name}."

            def wanted(name: str, key: str, steps: int, prefix: str = prefix) -> bool:
                if only is not None and prefix + name != only:
                    return False
                spec = self.specs.get(prefix + name)
                directed = spec is not None and spec.better is not None
                return directed and (not key or (by_key and steps <= MOST_STEPS_BY_KEY))

            context = Context(len(rows[0]), bound.plan.schema, metric.options)
            samples.append(PairedSample(metric, rows, context, cluster=self.cluster, wanted=wanted))
        results = paired_differences(samples, pairs, seed=self.seed, draws=self.draws)
        return {
            pair: {
                _address(f"{metric.name}.{name}", key, part): difference
                for metric, own in zip(scored, differences, strict=True)
                for (name, key), difference in own.items()
            }
            for pair, differences in results.items()
        }


def _address(name: str, key: str, part: str) -> str:
    metric, _, readout = name.partition(".")
    return Score(metric, readout, key, part, None, 0).address


def _joined(former: Tests, latter: Tests) -> Tests:
    pairs = (*former, *latter)
    return {pair: {**latter.get(pair, {}), **former.get(pair, {})} for pair in pairs}


class _Rule(NamedTuple):
    """What verdicts depend on."""

    against: int
    others: Sequence[int]
    alpha: float
    margin: float


def _compared(
    reports: Sequence[Report], specs: Specs, tests: Tests, headline: str, rule: _Rule
) -> Iterator[ComparedScore]:
    """Yield the scores of all runs side by side, in the order of the run compared with."""
    tables = [{score.address: score for score in report.scores} for report in reports]
    first = {score.address: score for score in reports[rule.against].scores}
    every = {**first, **{address: score for table in tables for address, score in table.items()}}
    shown = [score for score in every.values() if score.metric != CAUSES]
    adjusted = {pair: _adjusted(shown, own, headline) for pair, own in tests.items()}
    for score in shown:
        row = tuple(table.get(score.address) for table in tables)
        better = specs[score.name].better
        differences = tuple(
            _difference(row, score.address, run, rule, tests, adjusted, better)
            for run in rule.others
        )
        winner = _winner(row, score.address, adjusted, rule.alpha, better)
        yield ComparedScore(row, differences, winner)


def _difference(
    row: Sequence[Score | None],
    address: str,
    run: int,
    rule: _Rule,
    tests: Tests,
    adjusted: Mapping[Pair, Mapping[str, float]],
    better: str | None,
) -> RunDifference:
    pair = (rule.against, run)
    before, after = (None if (score := row[each]) is None else score.value for each in pair)
    value = None if before is None or after is None else after - before
    test = tests[pair].get(address)
    if test is None or value is None:
        return RunDifference(run, value, None, None, None, None, None)
    p = adjusted[pair][address]
    low, high = test.interval or (None, None)
    verdict = _verdict(test, p, rule, better)
    return RunDifference(run, value, low, high, test.p, p, verdict)


def _verdict(test: PairedDifference, p: float, rule: _Rule, better: str | None) -> str:
    if p <= rule.alpha:
        return BETTER if (test.value < 0) == (better == LOWER) else WORSE
    if test.narrow is None:
        return TIED
    low, high = test.narrow
    return EQUIVALENT if -rule.margin <= low and high <= rule.margin else TIED


def _adjusted(
    scores: Iterable[Score], tests: Mapping[str, PairedDifference], headline: str
) -> dict[str, float]:
    """Return the corrected p of each score that was tested."""
    families: dict[tuple[str, ...], list[str]] = {}
    for score in scores:
        if score.address in tests:
            families.setdefault(_family(score, headline), []).append(score.address)
    return {
        address: p
        for family in families.values()
        for address, p in zip(family, holm([tests[address].p for address in family]), strict=True)
    }


def _family(score: Score, headline: str) -> tuple[str, ...]:
    """Return what a score is corrected together with."""
    if score.slice:
        return ("slices", score.name, score.slice.partition("=")[0])
    if score.key:
        return (score.kind, score.name)
    return (headline,) if score.name == headline else ("overall",)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's method, in the order given."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, values[at] * (len(values) - rank)))
        corrected[at] = highest
    return corrected


def _winner(
    row: Sequence[Score | None],
    address: str,
    adjusted: Mapping[Pair, Mapping[str, float]],
    alpha: float,
    better: str | None,
) -> int | None:
    """Return the run that is better than every other that has the score, None for a tie."""
    values = {
        run: score.value
        for run, score in enumerate(row)
        if score is not None and score.value is not None
    }
    if better is None or len(values) < 2:
        return None
    best = (min if better == LOWER else max)(values, key=lambda run: values[run])
    for run in values:
        pair = (best, run) if (best, run) in adjusted else (run, best)
        if run != best and adjusted.get(pair, {}).get(address, 1.0) > alpha:
            return None
    return best


def _standings(
    reports: Sequence[Report], specs: Specs, tests: Tests, headline: str, alpha: float
) -> Iterator[LeaderboardPlace]:
    """Yield the runs by the headline score, the best first.

    A run's place is one more than the number of runs that are better than it by a test; the tests
    of all pairs are corrected together.
    """
    lower = specs[headline].better == LOWER
    values: dict[int, float] = {}
    for run, report in enumerate(reports):
        value = report[headline].value if headline in report else None
        if value is not None:
            values[run] = float(value)
    pairs = [pair for pair in tests if headline in tests[pair] and {*pair} <= {*values}]
    ps = holm([tests[pair][headline].p for pair in pairs])
    apart = {frozenset(pair) for pair, p in zip(pairs, ps, strict=True) if p <= alpha}
    order = sorted(values, key=lambda run: (values[run] if lower else -values[run], run))
    for at, run in enumerate(order):
        ahead = sum(frozenset((run, other)) in apart for other in order[:at])
        tied = tuple(
            other for other in order if other != run and frozenset((run, other)) not in apart
        )
        yield LeaderboardPlace(1 + ahead, run, reports[run][headline], tied)


def _documents(
    runs: Sequence[NamedRun],
    shared: SharedRuns,
    reports: Sequence[Report],
    headline: str,
    against: int,
) -> Iterator[ComparedDocument]:
    """Yield the documents that differ, the largest changes first."""
    values = [dict(report.document_values(headline)) for report in reports]
    exact = [[_is_exact(row, shared.bound) for row in ledger.rows] for ledger in shared.ledgers]
    documents = []
    for at, row in enumerate(shared.ledgers[against].rows):
        own = tuple(_float(table[row.id]) for table in values)
        base = own[against]
        changes = [value - base for value in own if value is not None and base is not None]
        states = tuple(_state(exact[against][at], run[at]) for run in exact)
        change = max(changes, key=abs, default=0.0)
        if change or any(states) or len({value is None for value in own}) > 1:
            commands = tuple(run.explaining(row.id) for run in runs)
            documents.append(ComparedDocument(row.id, row.type, own, change, states, commands))
    yield from sorted(documents, key=lambda document: (-abs(document.change), document.id))


def _float(value: float | int | None) -> float | None:
    return None if value is None else float(value)


def _is_exact(row: Row, bound: Bound) -> bool | None:
    """Return whether a document is fully correct, None where no metric says."""
    facts = [
        metric.metric.documents(row.stats[metric.name])
        for metric in bound.metrics
        if metric.metric.documents is not None
    ]
    facts.sort(key=lambda own: own.place)
    return next((own.exact for own in facts if own.exact is not None), None)


def _state(before: bool | None, after: bool | None) -> str:
    if before is None or after is None or before == after:
        return ""
    return BROKEN if before else FIXED


def _causes(
    reports: Sequence[Report], headline: str, against: int, others: Sequence[int]
) -> Iterator[ComparedCause]:
    """Yield what each cause takes from the headline score, what explains most first."""
    from docassay.metrics.causes.metric import SCORES

    loss = dict(SCORES).get(headline)
    if loss is None:
        return
    readouts = ("corrections", loss, loss.replace("_loss", "_gain"))
    tables: list[dict[str, dict[str, float]]] = [{name: {} for name in readouts} for _ in reports]
    for table, report in zip(tables, reports, strict=True):
        for score in report.of(CAUSES):
            if score.readout in table and len(score.parts) == 1 and score.value is not None:
                table[score.readout][score.parts[0]] = score.value
    corrections, lost, gained = ([table[name] for table in tables] for name in readouts)
    causes = []
    for name in dict.fromkeys(name for own in lost for name in own):
        losses = [own.get(name, 0.0) for own in lost]
        if any(losses):
            causes.append(
                ComparedCause(
                    name,
                    tuple(int(own.get(name, 0)) for own in corrections),
                    tuple(own.get(name, 0.0) for own in gained),
                    tuple(losses[against] - losses[run] for run in others),
                )
            )
    yield from sorted(
        causes,
        key=lambda cause: (-max(map(abs, cause.differences)), -max(cause.values), cause.name),
    )


def _spreads(report: Report) -> dict[str, Mapping[str, float]]:
    """Return what the predictions of a run took: times, tokens and costs."""
    spreads: dict[str, Mapping[str, float]] = {}
    for name in SPREADS:
        spread = report.facts.get(name)
        if isinstance(spread, Mapping):
            spreads[name] = spread
    return spreads


def _notes(shared: SharedRuns, tags: Sequence[str], cluster: str | None) -> Iterator[str]:
    rows = shared.ledgers[0].rows
    for tag in tags:
        if [*slices_of(rows, tag)] == [f"{tag}={UNTAGGED}"]:
            yield f"no document has a {tag}: there is one slice, {tag}={UNTAGGED}"
    what, number = "document", len(rows)
    slices: dict[str, list[Row]] = {}
    if cluster is not None:
        slices = slices_of(rows, cluster)
        alone = len(slices.pop(f"{cluster}={UNTAGGED}", ()))
        what, number = "cluster", len(slices) + alone
    if cluster is not None and not slices:
        what = "document"
        yield f"no document has a {cluster}: documents are drawn and swapped one by one"
    elif cluster is not None:
        yield f"documents are drawn and swapped by {cluster}: {count(number, 'cluster')}"
    if number < FEWEST:
        yield f"{count(number, what)}: too few for intervals of differences"
    elif number < ENOUGH:
        yield (
            f"{count(number, what)}: intervals of differences allow for one more {what} in which "
            "the runs differ by a half or more"
        )
    plan = shared.bound.plan
    # without gold there are no wrong values, and nothing that causes them
    if not plan.without_gold and not any(call.name == CAUSES for call in plan.metrics):
        yield "not all runs have counted causes alike: what explains the difference is not known"
