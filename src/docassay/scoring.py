"""Scoring one case: the only function that a runner runs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from docassay.case import Case, make_case
from docassay.model.document import Problem, Violation
from docassay.model.stats import Stats
from docassay.model.vrdu import VrduDocument
from docassay.plan import Bound

NO_TAGS: Mapping[str, str] = MappingProxyType({})


class Row(NamedTuple):
    """What a document contributes: statistics by metric. No times, no paths, no line numbers."""

    id: str
    digest: str
    """Of the gold and pred trees that were scored."""
    type: str
    tags: Mapping[str, str]
    stats: Mapping[str, Stats]
    problems: tuple[Problem, ...]
    outcome: str = ""
    """What became of the raw response that pred was read from, "" when it was none."""
    violations: tuple[Violation, ...] = ()
    """The rules of the schema that gold or pred breaks, when the metric `rules` was measured."""


def digest_of(tree: object) -> str:
    """Return a short digest of a tree, equal for equal content in equal order of keys."""
    return hashlib.blake2b(_encoder.encode(tree), digest_size=8).hexdigest()


_encoder = msgspec.json.Encoder(enc_hook=str)


def score_case(case: Case, bound: Bound, *, tags: Mapping[str, str] = NO_TAGS) -> Row:
    """Return the row of a case."""
    stats = {metric.name: metric.function(case, **metric.options) for metric in bound.metrics}
    digest = digest_of_pair(case.gold.tree, case.pred.tree)
    flaws = tuple(
        Problem(case.id, flaw.side, "", f"{metric.name}: {flaw.message}")
        for metric in bound.metrics
        if metric.flaws is not None
        for flaw in metric.flaws(stats[metric.name])
    )
    violations = _violations(case) if "rules" in stats else ()
    return Row(
        case.id, digest, case.type, tags, stats, case.problems + flaws, violations=violations
    )


def _violations(case: Case) -> tuple[Violation, ...]:
    return tuple(
        Violation(case.id, side, one.rule, one.message)
        for side, outcomes in case.rule_outcomes.items()
        for one in outcomes
        if one.broken
    )


def digest_of_pair(gold: object, pred: object) -> str:
    """Return the digest of a row's inputs."""
    return f"{_digest_or_none(gold)}-{_digest_or_none(pred)}"


def _digest_or_none(tree: object) -> str:
    if isinstance(tree, VrduDocument):
        # the released toolkit also counts by what stands beside the tree
        tree = (dict(tree), tree.items_as_found, tree.meta)
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
) -> Row:
    """Return the row of a gold and a pred tree."""
    return score_case(make_case(id, gold, pred, bound.layouts), bound, tags=tags)
