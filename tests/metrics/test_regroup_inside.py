"""Right rows where rows inside them hold values that only a comparison can match."""

from __future__ import annotations

import pytest

from docassay.matching.case import Layouts, make_case
from docassay.metrics.vrdu_rows import best_regrouping, right_rows
from docassay.schema.source import load_schema

NEAR = {"type": "number", "absolute": "1"}
SCHEMA = load_schema(
    {
        "groups": {
            "r": {
                "fields": {"a": "exact", "b": NEAR},
                "groups": {"s": {"fields": {"x": NEAR}}},
            }
        }
    }
)


def counted(gold: list[dict[str, object]], pred: list[dict[str, object]]) -> tuple[int, int]:
    case = make_case("d", {"r": gold}, {"r": pred}, Layouts(SCHEMA))
    sides = case.gold.root.groups["r"], case.pred.root.groups["r"]
    matcher = case.matching().matcher
    return right_rows(matcher, *sides), best_regrouping(matcher, *sides).right


@pytest.mark.parametrize(
    ("gold", "pred", "right"),
    [
        pytest.param([{"a": "1", "b": "5"}], [{"a": "1", "b": "6"}], 1, id="near"),
        pytest.param([{"a": "1", "b": "5"}], [{"a": "1", "b": "7"}], 0, id="not near"),
        pytest.param(
            [{"a": "1", "s": [{"x": "5"}]}], [{"a": "1", "s": [{"x": "6"}]}], 1, id="near inside"
        ),
        pytest.param(
            [{"a": "1", "s": [{"x": "5"}]}],
            [{"a": "1", "s": [{"x": "7"}]}],
            0,
            id="not near inside",
        ),
        pytest.param(
            [{"a": "1", "s": [{"x": "5"}, {"x": "9"}]}],
            [{"a": "1", "s": [{"x": "8"}, {"x": "4"}]}],
            1,
            id="near inside, in another order",
        ),
        pytest.param(
            [{"a": "1", "s": [{"x": "5"}, {"x": "9"}]}],
            [{"a": "1", "s": [{"x": "5"}, {"x": "5"}]}],
            0,
            id="one value cannot serve twice",
        ),
        pytest.param(
            [{"a": "1", "b": "5"}, {"a": "1", "b": "7"}],
            [{"a": "1", "b": "6"}, {"a": "1", "b": "4"}],
            2,
            id="the one pairing in which both are near",
        ),
        pytest.param(
            [{"a": "1", "s": [{"x": "5"}]}, {"a": "1", "s": [{"x": "7"}]}],
            [{"a": "1", "s": [{"x": "6"}]}, {"a": "1", "s": [{"x": "4"}]}],
            2,
            id="the same inside",
        ),
    ],
)
def test_rows_are_right_when_every_value_is_near(
    gold: list[dict[str, object]], pred: list[dict[str, object]], right: int
) -> None:
    assert counted(gold, pred)[0] == right
    assert counted(gold, pred)[1] >= right


def test_values_that_are_near_only_through_a_third_do_not_serve_each_other() -> None:
    # 6 is near 5 and 7, but 4 is near 5 alone: of the two rows with a 4 only one can be made
    gold: list[dict[str, object]] = [
        {"a": "1", "b": "4"},
        {"a": "2", "b": "4"},
        {"a": "9", "b": "6"},
    ]
    assert counted(gold, [{"a": "1", "b": "5"}, {"a": "2", "b": "7"}]) == (1, 1)
    assert counted(gold, [{"a": "1", "b": "5"}, {"a": "2", "b": "3"}]) == (2, 2)
