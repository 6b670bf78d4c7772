"""Gold has values where pred has objects, or the reverse: a problem that shows both."""

from __future__ import annotations

import pytest

from docassay.matching.case import Layouts, make_case
from docassay.model.problem import ProblemCode
from docassay.model.schema import Schema


def shapes(gold: object, pred: object) -> list[tuple[str, str]]:
    case = make_case("x", gold, pred, Layouts(Schema()))
    flaws = [flaw for flaw in case.problems if flaw.code == ProblemCode.OTHER_SHAPE]
    return [(flaw.field, flaw.message) for flaw in flaws]


@pytest.mark.parametrize(
    ("gold", "pred", "field", "message"),
    [
        pytest.param(
            {"a": "12 Main St"},
            {"a": {"street": "Main St", "no": "12"}},
            "a",
            "gold has texts ('12 Main St') where pred has objects with no, street",
            id="an object for a text",
        ),
        pytest.param(
            {"a": [{"n": "1"}, {"n": "2"}]},
            {"a": ["1", "2"]},
            "a",
            "gold has objects with n where pred has texts ('1')",
            id="texts for objects",
        ),
        pytest.param(
            {"rows": [{"n": "1"}, {"n": "2", "tax": "3"}]},
            {"rows": [{"n": "1", "tax": {"rate": "3"}}, {"n": "2", "tax": {"rate": "4"}}]},
            "rows.tax",
            "gold has texts ('3') where pred has objects with rate",
            id="inside rows",
        ),
        pytest.param(
            {"a": "1"},
            {"a": {"k1": 1, "k2": 1, "k3": 1, "k4": 1, "k5": 1}},
            "a",
            "gold has texts ('1') where pred has objects with k1, k2, k3, k4, …",
            id="many keys",
        ),
    ],
)
def test_another_shape_is_one_problem_a_field(
    gold: object, pred: object, field: str, message: str
) -> None:
    assert shapes(gold, pred) == [(field, f"{message}: none of them can be equal")]


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        ({"a": "1"}, {"b": {"n": "1"}}),
        ({"a": "1"}, {"a": {"value": "1", "confidence": 0.5}}),
        ({"a": "1"}, {"a": {"n": None}}),
        ({"a": None}, {"a": {"n": "1"}}),
        ({"a": [{"n": "1"}]}, {"a": {"n": "2"}}),
        ({"a": ["1", "2"]}, {"a": "1"}),
        ({"a": ["x", {"b": "y"}]}, {"a": ["x"]}),
    ],
)
def test_equal_shapes_and_absent_values_are_no_problem(gold: object, pred: object) -> None:
    assert shapes(gold, pred) == []
