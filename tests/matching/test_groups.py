"""Group matching against brute force over every possible pairing, nested and with tolerances."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from docassay.matching.case import Case, make_case
from docassay.model.document import Group
from docassay.run.open import prepare
from tests.strategies import TREE

TOLERANT = {
    "extra": "count",
    "fields": {"total": {"type": "number", "absolute": "1"}},
    "groups": {
        "items": {
            "fields": {
                "p": {"type": "number", "absolute": "1"},
                "n": {"type": "text", "accept": 0.5},
            },
            "groups": {"sub": {"fields": {"n": {"type": "number", "absolute": "1"}}}},
        },
        "extra": {"fields": {"n": {"type": "text", "accept": 0.5}}},
    },
}
NUMBERS = st.sampled_from(["1", "2", "3", "4", "a", "ab", "abc", ""])
NUMBER_ROW = st.dictionaries(st.sampled_from(["n", "p"]), NUMBERS, max_size=2)
NUMBER_TREE = st.fixed_dictionaries(
    {},
    optional={
        "total": st.lists(NUMBERS, max_size=3),
        "items": st.lists(
            st.builds(
                lambda row, sub: {**row, **({"sub": sub} if sub else {})},
                NUMBER_ROW,
                st.lists(NUMBER_ROW, max_size=2),
            ),
            max_size=3,
        ),
    },
)


class Reference:
    """KIEval by trying every matching: (equal, -corrections, exact rows, length), best first."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def equal(self, path: str, gold: Group, pred: Group) -> tuple[int, int]:
        """The most equal values of a field in two groups, and the greatest length for that."""
        golds, preds = gold.values.get(path, []), pred.values.get(path, [])
        field = self.case.layout.field(path)
        flipped = len(golds) > len(preds)
        short, long = (preds, golds) if flipped else (golds, preds)
        best = (0, 0)
        for order in permutations(long, len(short)):
            pairs = zip(order, short, strict=True) if flipped else zip(short, order, strict=True)
            same = [a for a, b in pairs if field.similarity(a, b) >= field.spec.accept]
            best = max(best, (len(same), sum(len(one.canonical) for one in same)))
        return best

    def pair(self, gold: Group, pred: Group) -> tuple[int, int, int, int]:
        """Equal, corrections spared (negative corrections), exact groups inside, length."""
        equal = corrections = length = inner = 0
        for path in {*gold.values, *pred.values}:
            same, size = self.equal(path, gold, pred)
            n, m = len(gold.values.get(path, [])), len(pred.values.get(path, []))
            equal += same
            length += size
            corrections += max(n, m) - same
        for path in {*gold.groups, *pred.groups}:
            found = self.rows(gold.groups.get(path, []), pred.groups.get(path, []))
            equal += found[0]
            corrections -= found[1]
            inner += found[2]
            length += found[3]
        return (equal, -corrections, inner, length)

    def rows(self, golds: list[Group], preds: list[Group]) -> tuple[int, int, int, int]:
        swapped = len(golds) > len(preds)
        short, long = (preds, golds) if swapped else (golds, preds)
        best: tuple[int, int, int, int] | None = None
        for order in permutations(long, len(short)):
            total = [0, 0, 0, 0]
            for one, other in zip(short, order, strict=True):
                gold, pred = (other, one) if swapped else (one, other)
                worth = self.pair(gold, pred)
                whole = worth[0] == gold.size == pred.size
                for i, amount in enumerate(worth):
                    total[i] += amount + (whole if i == 2 else 0)
            total[1] -= sum(row.size for row in long if not any(row is used for used in order))
            best = max(best, tuple(total)) if best is not None else tuple(total)  # type: ignore[assignment]
        assert best is not None
        return best

    def totals(self) -> dict[str, int]:
        equal, minus, exact, _ = self.pair(self.case.gold.root, self.case.pred.root)
        return {"tp": equal, "corrections": -minus, "group_tp": exact}


def totals(case: Case) -> dict[str, int]:
    tally = case.tally()
    sums = [sum(column) for column in zip(*tally.fields.values(), strict=True)] or [0] * 4
    return {
        "tp": sums[0],
        "corrections": sum(sums[1:]),
        "group_tp": sum(counts[0] for counts in tally.groups.values()),
    }


@hypothesis_settings(max_examples=50)
@given(gold=TREE, pred=TREE)
def test_matching_by_keys_is_as_good_as_trying_every_matching(gold: dict, pred: dict) -> None:
    case = make_case("x", gold, pred, prepare().layouts)
    assert totals(case) == Reference(case).totals()


@hypothesis_settings(max_examples=50)
@given(gold=NUMBER_TREE, pred=NUMBER_TREE)
def test_matching_with_a_tolerance_is_as_good_as_trying_every_matching(
    gold: dict, pred: dict
) -> None:
    case = make_case("x", gold, pred, prepare(schema=TOLERANT).layouts)
    assert totals(case) == Reference(case).totals()


@given(gold=TREE, pred=TREE)
def test_values_equal_in_any_group_are_counted_as_a_multiset(gold: dict, pred: dict) -> None:
    case = make_case("x", gold, pred, prepare().layouts)
    for path, found in case.ungrouped.items():
        golds = [one.reading.key for one in case.gold.root.entities() if one.field == path]
        preds = [one.reading.key for one in case.pred.root.entities() if one.field == path]
        assert found == sum(min(golds.count(key), preds.count(key)) for key in set(golds))


@pytest.mark.parametrize(
    ("match", "right", "rows_right"),
    [
        pytest.param("best", 6, 3, id="best finds the rows wherever they stand"),
        pytest.param("order", 2, 1, id="in order compares row by row"),
        pytest.param({"key": "n"}, 6, 3, id="by key pairs rows of one name"),
    ],
)
def test_rows_pair_up_as_the_schema_says(match: object, right: int, rows_right: int) -> None:
    schema = {"groups": {"items": {"match": match, "fields": {"n": "exact", "p": "exact"}}}}
    rows = [{"n": "a", "p": "1"}, {"n": "b", "p": "2"}, {"n": "c", "p": "3"}]
    case = make_case(
        "x", {"items": rows}, {"items": [rows[1], rows[0], rows[2]]}, prepare(schema=schema).layouts
    )
    assert totals(case)["tp"] == right
    assert case.tally().groups["items"][0] == rows_right


def test_rows_of_different_keys_are_never_paired() -> None:
    schema = {"groups": {"items": {"match": {"key": "n"}, "fields": {"n": "exact", "p": "exact"}}}}
    case = make_case(
        "x",
        {"items": [{"n": "a", "p": "1"}]},
        {"items": [{"n": "b", "p": "1"}]},
        prepare(schema=schema).layouts,
    )
    assert case.tally().fields["items.p"] == [0, 0, 1, 1]


def test_a_set_of_rows_counts_repeated_rows_once() -> None:
    schema = {"groups": {"items": {"match": "set", "fields": {"n": "exact"}}}}
    case = make_case(
        "x",
        {"items": [{"n": "a"}]},
        {"items": [{"n": "a"}, {"n": "a"}]},
        prepare(schema=schema).layouts,
    )
    assert case.tally().exact


def test_three_hundred_rows_in_another_order_are_all_right() -> None:
    rows = [{"n": f"item {i % 7}", "p": str(i % 11), "q": str(i)} for i in range(300)]
    case = make_case("x", {"items": rows}, {"items": rows[::-1]}, prepare().layouts)
    assert case.tally().exact
