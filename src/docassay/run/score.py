"""Scoring one case: the only function that a runner runs."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from docassay.load.format import AnnotatedTree
from docassay.load.pairing import Paired
from docassay.matching.case import Case, make_case
from docassay.metrics.metric import (
    LINKS,
    METRICS,
    ORIGINALS,
    Flaw,
    Metric,
    Violations,
)
from docassay.model.problem import Problem, ResponseOutcome, Violation
from docassay.model.report import EMPTY_META, MetaValue
from docassay.model.stats import Stats
from docassay.run.plan import Bound, BoundMetric
from docassay.schema.selection import Aside, PartialTree

NO_TAGS: Mapping[str, str] = MappingProxyType({})
BESIDE = "+"
"""Before the digest of what stands beside a tree."""
BESIDE_TREES = frozenset({ORIGINALS, LINKS})
"""What metrics may need that stands in no tree."""
USUAL_SIZE = 1 << 12
"""Bytes of JSON for which there is room before a tree is encoded: growing takes longer."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the search for cycles.

    Trees and cases have none, and looking takes a tenth of the time of scoring and half of reading.
    What was made meanwhile counts as old afterwards, so that the search does not begin with it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():  # what others have frozen stays so
                gc.freeze()
                gc.unfreeze()
            gc.enable()


class Row(NamedTuple):
    """What a document contributes: statistics by metric. No times, no paths, no line numbers."""

    id: str
    digest: str
    """Of the gold and pred trees that were scored, "" where nobody wants to know."""
    type: str
    tags: Mapping[str, str]
    stats: Mapping[str, Stats]
    problems: tuple[Problem, ...]
    outcome: ResponseOutcome | None = None
    """What became of the raw response that pred was read from, None when it was none."""
    violations: tuple[Violation, ...] = ()
    """The rules of the schema that gold or pred breaks, when a metric asks for them."""
    aside: tuple[Aside, ...] = ()
    """What of gold and pred was left out, and why."""
    meta: Mapping[str, MetaValue] = EMPTY_META
    """Processing time, tokens, cost and model of the prediction, as far as they are known."""

    def tagged(self, tag: str) -> str:
        """Return the value of a tag, or the document type for `type`; "" where there is none."""
        return self.type if tag == "type" else self.tags.get(tag, "")


def digest_of(tree: object) -> str:
    """Return a short digest of a tree, equal for equal content in equal order of keys."""
    content = bytearray(USUAL_SIZE)
    _encoder.encode_into(tree, content)
    return hashlib.blake2b(content, digest_size=8).hexdigest()


_encoder = msgspec.json.Encoder(enc_hook=str)


class Roles(NamedTuple):
    """What the metrics of a run do for each document."""

    counting: tuple[BoundMetric, ...]
    """Those that count."""
    judging: tuple[tuple[BoundMetric, Violations | None], ...]
    """Those that may name flaws, or violations, and what yields these."""


def roles_of(bound: Bound, unseen: Collection[str] = ()) -> Roles:
    """Return what metrics do; those that are `unseen` only tell what the first screen does."""
    return Roles(
        tuple(metric for metric in bound.metrics if metric.name not in unseen),
        tuple(
            (metric, _violations(metric.metric, metric.name in unseen))
            for metric in bound.metrics
            if metric.metric.flaws is not None or metric.metric.violations is not None
        ),
    )


def _violations(metric: Metric, unseen: bool) -> Violations | None:
    fewer = metric.unseen.violations if unseen and metric.unseen is not None else None
    return fewer or metric.violations


def is_wrong(metric: str, stats: Stats) -> bool:
    """Whether a value is wrong by what a metric has counted, in a document or in many."""
    facts_of = METRICS.get(metric).documents
    score = None if facts_of is None or not stats else facts_of(stats).score
    return score is not None and score < 1


def count_cases(cases: Sequence[Case], roles: Roles) -> list[dict[str, Stats]]:
    """Return what metrics count of cases, by name: one metric after the other."""
    counted: list[dict[str, Stats]] = [{} for _ in cases]
    for metric in roles.counting:
        name, count, options = metric.name, metric.metric.function, metric.counting
        if metric.metric.ready is not None:
            metric.metric.ready(cases, **options)
        for case, stats in zip(cases, counted, strict=True):
            stats[name] = count(case, **options)
    return counted


def score_case(
    case: Case,
    bound: Bound,
    *,
    tags: Mapping[str, str] = NO_TAGS,
    digested: bool = True,
    roles: Roles | None = None,
    stats: dict[str, Stats] | None = None,
) -> Row:
    """Return the row of a case; one that is not `digested` does not say of which content it is.

    `roles` are those of the metrics, and `stats` what they have counted, if these are at hand.
    """
    roles = roles_of(bound) if roles is None else roles
    if stats is None:
        (stats,) = count_cases([case], roles)
    digest = digest_of_case(case, bound) if digested else ""
    problems = case.problems
    violations: tuple[Violation, ...] = ()
    for metric, violations_of in roles.judging:
        if metric.metric.flaws is not None:
            for flaw in _flaws(case, metric, stats.get(metric.name)):
                message = f"{metric.name}: {flaw.message}"
                problems += (Problem(flaw.code, case.id, flaw.side, "", message),)
        if violations_of is not None:
            violations += (*violations_of(case),)
    return Row(case.id, digest, case.type, tags, stats, problems, None, violations, case.aside)


def _flaws(case: Case, bound: BoundMetric, stats: Stats | None) -> Iterable[Flaw]:
    """Return what a metric could not do, counting for that if it was left out and there may be."""
    metric = bound.metric
    assert metric.flaws is not None
    if stats is None:
        if metric.unseen is not None and metric.unseen.flaws(case):
            return ()
        stats = metric.function(case, **bound.counting)
    return metric.flaws(stats)


def digest_of_case(case: Case, bound: Bound) -> str:
    """Return the digest of all that the row of a case depends on."""
    return digest_with_beside(digest_of_pair(*case.given), case.origin, bound)


def digest_with_beside(digest: str, origin: Paired | None, bound: Bound) -> str:
    """Return the digest of a pair with that of what stands beside it, where a metric needs that."""
    if origin is None or BESIDE_TREES.isdisjoint(bound.needed):
        return digest
    gold, pred = digest.split("-")
    if bound.needs(ORIGINALS) and origin.original is not None:
        pred += f"{BESIDE}{digest_of(origin.original())}"
    if bound.needs(LINKS):
        from docassay.load.links import links_beside

        gold, pred = (
            f"{own}{BESIDE}{digest_of(links)}" if (links := links_beside(record)) else own
            for own, record in ((gold, origin.gold), (pred, origin.pred))
        )
    return f"{gold}-{pred}"


def without_beside(digest: str) -> str:
    """Return the digest of a row for its gold and pred alone."""
    return "-".join(part.partition(BESIDE)[0] for part in digest.split("-"))


def digest_of_pair(gold: object, pred: object) -> str:
    """Return the digest of a row's inputs."""
    return f"{_digest_or_none(gold)}-{_digest_or_none(pred)}"


def _digest_or_none(tree: object) -> str:
    if isinstance(tree, AnnotatedTree):
        tree = (dict(tree), *tree.beside)
    elif isinstance(tree, PartialTree):
        tree = (dict(tree), tree.labelled)
    try:
        return digest_of(tree)
    except (RecursionError, UnicodeError, OverflowError):
        # deeper, or with other characters or numbers, than JSON can carry: told apart by type only
        return hashlib.blake2b(type(tree).__name__.encode(), digest_size=8).hexdigest()


def score_trees(
    id: str,
    gold: object,
    pred: object,
    bound: Bound,
    *,
    tags: Mapping[str, str] = NO_TAGS,
    digested: bool = True,
) -> Row:
    """Return the row of a gold and a pred tree."""
    case = make_case(id, gold, pred, bound.layouts)
    return score_case(case, bound, tags=tags, digested=digested)
