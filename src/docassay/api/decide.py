"""Deciding by runs: what needs no review, which run is better, what may go out, what is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError
from docassay.run.ledger import Ledger

if TYPE_CHECKING:
    from docassay.analysis.gate_rules import GivenRule
    from docassay.analysis.power import PowerStudy
    from docassay.analysis.runs import RunList, Trend
    from docassay.analysis.sensitivity import Sensitivity
    from docassay.analysis.tabulate import Tabulation
    from docassay.analysis.thresholds.curves import Prices, Thresholds
    from docassay.analysis.verify import Verification
    from docassay.api.runs import GivenRun
    from docassay.api.score import ScoredReport
    from docassay.model.comparison import Comparison
    from docassay.model.gate import Gate
    from docassay.model.report import KeptDiff, KeptDiffs
    from docassay.run.reopen import NamedRun


def thresholds(
    run: str | Path | Ledger | ScoredReport,
    *,
    target_error: float = 0.01,
    confidence: float = 0.95,
    budget: float | None = None,
    prices: Prices | Mapping[str, float] | None = None,
    by: str = "field",
    independent: str = "documents",
    out: str | Path | None = None,
) -> Thresholds:
    """Return from which confidence on values of a run need no review; `out` keeps it in a folder.

    `target_error` is the share of wrong values allowed among those not reviewed, which is kept for
    all fields together with this `confidence`. A `budget` is the share of values that can be
    reviewed, `prices` those of a review, a correction and a missed error.
    """
    from docassay.analysis.thresholds.analysis import find_thresholds
    from docassay.api.runs import as_runs

    named = as_runs([run])[0]
    study = find_thresholds(
        named.ledger if named.folder is None else named.folder,
        target_error=target_error,
        confidence=confidence,
        budget=budget,
        prices=prices,
        by=by,
        independent=independent,
    )
    if out is None:
        return study
    from docassay.report.thresholds import write_thresholds

    return replace(study, notes=(*study.notes, *write_thresholds(Path(out), study)))


def compare(
    *runs: GivenRun,
    baseline: GivenRun | int | None = None,
    names: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    margin: float = 0.01,
    seed: int = 0,
    draws: int = 10_000,
    cluster: str | None = None,
    rescore: bool = False,
    schema: object = None,
    gold: object = None,
    out: str | Path | None = None,
    charts: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Return how runs over the same gold compare with the first, or with a `baseline`.

    A run is a folder that `score` wrote, or a report in memory. A baseline that is not among the
    runs is compared with all of them. Runs that were scored in different ways are refused; with
    `rescore` all are scored again from their inputs by one schema, that of the first or `schema`,
    and if asked for against one `gold`. `out` keeps it in a folder, with `charts` if asked for.
    """
    from docassay.analysis.compare import compare_runs
    from docassay.api.runs import as_runs, rescored

    if charts:
        if out is None:
            raise ConfigurationError("charts need a folder", hint="say --out DIR")
        from docassay.report.charts.canvas import check_drawing

        check_drawing()
    if not rescore and (schema is not None or gold is not None):
        name = "schema" if gold is None else "gold"
        raise ConfigurationError(
            f"another {name} needs scoring again", hint="ask for it with --rescore (rescore=True)"
        )
    given = [*runs]
    against = 0
    if isinstance(baseline, int):
        against = baseline
    elif baseline is not None:
        places = [place for place, run in enumerate(given) if _is_same_run(run, baseline)]
        given = given if places else [baseline, *given]
        against = places[0] if places else 0
        if names is not None and not places:
            names = ["baseline", *names]
    wanted = [metrics] if isinstance(metrics, str) else metrics
    compared = as_runs(given, names)
    notes: tuple[str, ...] = ()
    if rescore and compared:
        compared, notes = rescored(
            compared, given, schema=schema, gold=gold, metrics=wanted, progress=progress
        )
    comparison = compare_runs(
        compared,
        against=against,
        metrics=wanted,
        by=by,
        alpha=alpha,
        margin=margin,
        seed=seed,
        draws=draws,
        cluster=cluster,
    )
    diffs = tuple(_changed_documents(run, comparison, rescore=rescore) for run in compared)
    comparison = replace(comparison, notes=(*notes, *comparison.notes), diffs=diffs)
    if out is not None:
        from docassay.report.compare import write_comparison

        write_comparison(Path(out), comparison, charts=charts)
    return comparison


def _changed_documents(run: NamedRun, comparison: Comparison, *, rescore: bool) -> KeptDiffs:
    """Return the documents that changed by the wrong values that a run has kept.

    There are none of a run in memory, nor of one that was scored again in another way.
    """
    from docassay.model.report import NO_DIFFS, KeptDiffs

    folder = run.folder
    if folder is None or rescore:
        return NO_DIFFS

    def read() -> Iterable[KeptDiff]:
        from docassay.report.folder import stored_documents

        return stored_documents(folder, {each.id: each.type for each in comparison.documents})

    return KeptDiffs(comparison.documents_compared, read, whole=False)


def tabulate(
    *runs: GivenRun,
    names: Sequence[str] | None = None,
    scores: Sequence[str] | None = None,
    datasets: Mapping[str, str] | None = None,
    models: Mapping[str, str] | None = None,
    shuffled: int = 0,
    alpha: float = 0.05,
    seed: int = 0,
    draws: int = 10_000,
    rows: str | None = None,
    percent: bool = False,
    out: str | Path | None = None,
) -> Tabulation:
    """Return scores of runs by model and data set, the best of each data set marked.

    A run is a folder that `score` wrote, or a report in memory. `scores` are addresses, or sums and
    differences of them (`kieval.fp + kieval.fn`). `datasets` and `models` map runs, by folder or
    name, to what they are called. `shuffled` also scores predictions with their blocks in another
    order, so many times. `out` keeps the table in a folder; `rows` and `percent` are for that.
    """
    from docassay.analysis.tabulate import tabulate_runs
    from docassay.api.runs import as_runs

    table = tabulate_runs(
        as_runs([*runs], names),
        scores=[scores] if isinstance(scores, str) else scores,
        datasets=datasets,
        models=models,
        shuffled=shuffled,
        alpha=alpha,
        seed=seed,
        draws=draws,
    )
    if out is not None:
        from docassay.report.tabulate import write_table

        write_table(Path(out), table, rows=rows, percent=percent)
    return table


def _is_same_run(run: GivenRun, other: GivenRun) -> bool:
    if isinstance(run, str | Path) and isinstance(other, str | Path):
        return Path(run).resolve() == Path(other).resolve()
    return run is other


def gate(
    run: GivenRun,
    *,
    baseline: GivenRun | None = None,
    rules: str | Path | GivenRule | Sequence[GivenRule] | None = None,
    max_drop: float | None = None,
    seed: int = 0,
) -> Gate:
    """Return whether a run passes rules, and all that fails.

    `rules` is a YAML file, or what stands in one: "aligned >= 0.9", or {"no_regression":
    {"scores": ["aligned", "aligned@*"], "max_drop": 0.01}}. Without any, those of the nearest
    pyproject.toml hold ([tool.docassay] gate), else aligned must not drop significantly by more
    than 0.01. `max_drop` goes for rules that state none.
    """
    from docassay.analysis.gate import gate_runs
    from docassay.analysis.gate_rules import rules_of
    from docassay.api.runs import as_runs

    chosen = rules_of(rules, max_drop=max_drop)
    named, *others = as_runs([run] if baseline is None else [run, baseline])
    explain = getattr(run, "explaining", None)
    return gate_runs(named, others[0] if others else None, chosen, seed=seed, explain=explain)


def power(
    *runs: GivenRun,
    difference: float = 0.01,
    power: float = 0.8,
    alpha: float = 0.05,
    correlation: float | None = None,
    cluster: str | None = None,
) -> PowerStudy:
    """Return how many documents show a difference, overall and by field, and what these show.

    Of two runs over the same documents it follows from how they differ. Of one run, another is
    taken to vary as much, with a `correlation` of their errors (0 where none is given).
    """
    from docassay.analysis.power import PowerQuestion, study_power
    from docassay.api.runs import as_runs

    question = PowerQuestion(difference, power, alpha)
    return study_power(as_runs(runs), question, correlation=correlation, cluster=cluster)


def verify(
    run: str | Path | ScoredReport,
    *,
    gold: str | Path | None = None,
    pred: str | Path | None = None,
    claims: str | Sequence[str] = (),
    signature: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Verification:
    """Make the numbers of a run folder, or of a report.json, again and say what differs.

    `gold` and `pred` say where the inputs are now. `claims` are numbers that somebody quotes, such
    as "aligned=0.972", and `signature` is one that was quoted with them.
    """
    from docassay.analysis.verify import verify_run
    from docassay.api.runs import stored_folder

    texts = (claims,) if isinstance(claims, str) else tuple(claims)
    verified = verify_run(
        stored_folder(run, "verify"),
        gold=gold,
        pred=pred,
        claims=texts,
        signature=signature,
        progress=progress,
    )
    if verified.folder is None or verified.report is None:
        return verified.verification
    from docassay.report.folder import stale_files

    return replace(verified.verification, stale=stale_files(verified.folder, verified.report))


def runs(
    folder: str | Path = ".",
    *,
    where: Mapping[str, str] | Sequence[str] | str | None = None,
    sort: str = "made",
    score: str | None = None,
) -> RunList:
    """Return the runs below a folder, the newest first, each with its headline.

    `where` keeps those with a tag (or a model, schema, gold, name) of a value, given as a dict or
    as texts "name=value"; `*` stands for any characters. `sort` is made, name, documents, score or
    the name of a tag. `score` is an address to be shown instead of the headline.
    """
    from docassay.analysis.runs import list_runs
    from docassay.run.made import tags_given

    return list_runs(folder, where=tags_given(where), sort=sort, score=score)


def tag_run(run: str | Path, tags: Mapping[str, str] | Sequence[str] | str) -> dict[str, str]:
    """Give a stored run tags beside those it has and return all; an empty value takes one away."""
    from docassay.run.made import change_tags, tags_given

    return change_tags(Path(run), tags_given(tags))


def trend(
    score: str,
    folder: str | Path = ".",
    *,
    by: str | None = None,
    where: Mapping[str, str] | Sequence[str] | str | None = None,
    out: str | Path | None = None,
) -> Trend:
    """Return how a score went over the runs below a folder; `out` draws it as SVG or PNG.

    `by` is the name of a tag: the runs of each of its values are a series of their own.
    """
    from docassay.analysis.runs import find_trend
    from docassay.run.made import tags_given

    course = find_trend(score, folder, by=by, where=tags_given(where))
    if out is not None:
        from docassay.report.runs import write_trend

        write_trend(Path(out), course)
    return course


def sensitivity(
    *runs: str | Path | ScoredReport,
    score: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    gold: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sensitivity:
    """Return what other reasonable settings make of stored runs, and whether another run wins.

    `score` is the address of the score that decides, by default that of the headline. With a
    `limit` so many documents are drawn by the `seed`. A lead is beyond chance up to a p of `alpha`.
    `gold` says where the gold of the runs is now.
    """
    from docassay.analysis.sensitivity import find_sensitivity
    from docassay.api.runs import stored_folder

    return find_sensitivity(
        [stored_folder(run, "sensitivity") for run in runs],
        score=score,
        limit=limit,
        seed=seed,
        alpha=alpha,
        gold=gold,
        progress=progress,
    )
