"""The overall values of one document are those of its readouts, in whatever order its keys are."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.case import make_case
from docassay.metrics.metric import METRICS, Context, overall_values, weighted, weighted_values
from docassay.model.stats import Stats, f1, in_order
from docassay.run.open import prepare
from tests.strategies import TREE

WEIGHTED = {"fields": {"total": {"type": "text", "weight": 2.5}}}
RULES = {"fields": {"total": {"type": "number"}}, "rules": ["total >= 1", "total <= 2"]}
METRICS_WITH_OVERALL = ("causes", "effort", "entity", "fields", "kieval", "rules")
SETTINGS = (
    {},
    {"effort.hourly_rate": 30.0, "effort.deletion_minutes": 0.1, "effort.addition_minutes": 0.3},
    {"kieval.tau": "0.5", "causes.rescore": False},
    {"effort.review_minutes": 0.0, "effort.substitution_minutes": 0.0},
)


def test_the_metrics_that_are_tested_are_all_that_state_overall_values() -> None:
    stating = [entry.name for entry in METRICS.entries() if entry.overall is not None]
    assert sorted(stating) == [*METRICS_WITH_OVERALL]


@pytest.mark.parametrize("name", METRICS_WITH_OVERALL)
@given(
    trees=st.tuples(TREE, TREE),
    schema=st.sampled_from([None, WEIGHTED, RULES]),
    settings=st.sampled_from(SETTINGS),
    random=st.randoms(use_true_random=False),
)
def test_overall_values_are_those_of_readouts_in_any_order_of_keys(
    name: str, trees: tuple, schema: dict | None, settings: dict, random: Random
) -> None:
    bound = prepare(schema=schema, metrics=[*METRICS_WITH_OVERALL], settings=settings)
    (metric,) = (metric for metric in bound.metrics if metric.name == name)
    stats = metric.metric.function(make_case("x", *trees, bound.layouts), **metric.counting)
    context = Context(1, bound.plan.schema, metric.options)
    expected = overall_values(metric.metric.readouts(in_order(stats), context, **metric.display))
    assert metric.metric.overall is not None
    values_of = metric.metric.overall(context, **metric.display)
    assert metric.metric.overall_names(context, metric.display) == (*expected,)
    for given_stats in (stats, mixed(stats, random)):
        values = values_of(given_stats)
        assert [*map(repr, values)] == [*map(repr, expected.values())]
        singly = {one: value(given_stats) for one, value in metric.metric.singly.items()}
        assert repr(singly) == repr({one: expected[one] for one in singly})
        if metric.metric.documents is not None:
            facts = metric.metric.documents(given_stats)
            assert repr(facts) == repr(metric.metric.documents(in_order(stats)))


NUMBER = st.integers(0, 10**12)


@given(
    counts=st.dictionaries(st.sampled_from("abcd"), st.tuples(NUMBER, NUMBER, NUMBER)),
    weights=st.dictionaries(st.sampled_from("abc"), st.floats(0.001, 1000), min_size=1),
)
def test_a_weighted_value_is_that_of_the_weighted_readout(counts: dict, weights: dict) -> None:
    schema = {"fields": {name: {"type": "text", "weight": w} for name, w in weights.items()}}
    context = Context(1, prepare(schema=schema).plan.schema, {})
    expected = overall_values(weighted("f1", counts, f1, context))
    assert weighted_values(counts, (0, 1, 2), f1, context) == [*expected.values()]


def mixed(stats: Stats, random: Random) -> Stats:
    """Return statistics with their keys in another order."""
    tables = {}
    for name, table in stats.items():
        items = [*table.items()]
        random.shuffle(items)
        tables[name] = dict(items)
    return tables


def test_a_document_without_values_has_the_same_overall_values() -> None:
    bound = prepare(metrics=[*METRICS_WITH_OVERALL])
    for metric in bound.metrics:
        context = Context(1, bound.plan.schema, metric.options)
        expected = overall_values(metric.metric.readouts({}, context, **metric.display))
        assert metric.metric.overall is not None
        values = metric.metric.overall(context, **metric.display)({})
        assert [*map(repr, values)] == [*map(repr, expected.values())]
