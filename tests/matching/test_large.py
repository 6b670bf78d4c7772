"""Thousands of wrong rows: bounded matrices, exact within the limits, and said beyond them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel.rows import Row, token_length
from docassay.matching import large, values
from docassay.matching.case import PARTED, Case, make_case
from docassay.matching.groups import Matcher
from docassay.model.problem import Problem, ProblemCode
from docassay.run.open import prepare
from tests.matching.test_groups import TOLERANT, Reference, totals

WORD = st.sampled_from(["a", "b", "c", "dd", "eee"])
ANY_ROWS = st.lists(st.dictionaries(st.sampled_from(["n", "p", "q"]), WORD, min_size=1), max_size=5)
SAME_FIELDS = st.lists(st.fixed_dictionaries({"n": WORD, "p": WORD}), max_size=5)


def case_of(golds: list, preds: list, schema: object = None) -> Case:
    return make_case("x", {"items": golds}, {"items": preds}, prepare(schema=schema).layouts)


def rows_of(golds: list, preds: list) -> tuple[list[Row], list[Row]]:
    """Return the rows that are left when identical ones are paired."""
    case = case_of(golds, preds)
    matcher = Matcher(case.layout, case.pairwise)
    groups = (case.gold.root.groups.get("items", ()), case.pred.root.groups.get("items", ()))
    settled = matcher.settle(*groups)
    return [*settled.golds], [*settled.preds]


def limits(patch: pytest.MonkeyPatch, **amounts: int) -> None:
    for name, amount in amounts.items():
        patch.setattr(large, name, amount)


@pytest.mark.parametrize("edges", [0, 10**6], ids=["one packed matrix", "the pairs that share"])
@given(golds=ANY_ROWS, preds=ANY_ROWS)
def test_within_the_limits_many_rows_are_matched_as_well_as_by_trying_every_matching(
    edges: int, golds: list, preds: list
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        limits(patch, MAX_PLAIN_CELLS=0, MAX_EDGES=edges)
        patch.setattr("docassay.matching.groups.FEW", 0)
        case = case_of(golds, preds)
        assert totals(case) == Reference(case).totals()
        assert case.problems == ()


@given(golds=SAME_FIELDS, preds=SAME_FIELDS)
def test_rows_of_the_same_fields_need_only_the_pairs_that_share_a_value(
    golds: list, preds: list
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        limits(patch, MAX_PLAIN_CELLS=0, MAX_CELLS=0)
        patch.setattr("docassay.matching.groups.FEW", 0)
        patch.setattr(large, "pack_rows", None)  # no matrix is made
        case = case_of(golds, preds)
        assert totals(case) == Reference(case).totals()
        assert case.problems == ()


@given(golds=ANY_ROWS, preds=ANY_ROWS)
def test_rows_matched_by_key_that_are_identical_are_exact_in_a_packed_matrix_too(
    golds: list, preds: list
) -> None:
    schema = {
        "groups": {"items": {"match": {"key": "k"}, "fields": dict.fromkeys("knpq", "exact")}}
    }
    sides = [[{**row, "k": "1"} for row in rows] for rows in (golds, preds)]
    plain = case_of(*sides, schema)
    with pytest.MonkeyPatch.context() as patch:
        limits(patch, MAX_PLAIN_CELLS=0)
        patch.setattr("docassay.matching.groups.FEW", 0)
        case = case_of(*sides, schema)
        assert totals(case) == totals(plain)
        for column in range(4):
            columns = [
                [counts[column] for counts in each.tally().fields.values()]
                for each in (case, plain)
            ]
            assert sum(columns[0]) == sum(columns[1])


@pytest.mark.parametrize(
    ("schema", "nested"),
    [(None, False), (TOLERANT, False), (None, True)],
    ids=["by keys", "with a tolerance", "with rows inside"],
)
@given(golds=ANY_ROWS, preds=ANY_ROWS, reverse=st.booleans())
def test_beyond_the_limits_every_row_is_matched_once_and_the_problem_is_counted(
    schema: object, nested: bool, golds: list, preds: list, reverse: bool
) -> None:
    if nested:
        golds, preds = (
            [{**row, "sub": [{"n": row.get("n", "z")}]} for row in rows] for rows in (golds, preds)
        )
    best = case_of(golds, preds, schema)
    with pytest.MonkeyPatch.context() as patch:
        limits(patch, MAX_PLAIN_CELLS=0, MAX_NESTED_CELLS=0, MAX_CELLS=0, MAX_EDGES=-1)
        limits(patch, BLOCK=2, NESTED_BLOCK=2)
        patch.setattr("docassay.matching.groups.FEW", 0)
        case = case_of(golds[::-1] if reverse else golds, preds, schema)
        counts = totals(case)
        assert counts["tp"] <= totals(best)["tp"]
        assert counts["corrections"] >= totals(best)["corrections"]
        right, extra, missing, _ = case.tally().groups.get("items", [0, 0, 0, 0])
        assert (right + missing, right + extra) == (
            len(case.gold.root.groups.get("items", ())),
            len(case.pred.root.groups.get("items", ())),
        )
        if counts != totals(best):
            assert Problem(ProblemCode.METRIC_LIMIT, "x", "pred", "items", PARTED) in case.problems
        assert set(case.problems) <= {
            Problem(ProblemCode.METRIC_LIMIT, "x", "pred", "items", PARTED),
            *best.problems,
        }


@given(golds=SAME_FIELDS, preds=SAME_FIELDS, order=st.randoms(use_true_random=False))
def test_beyond_the_limits_the_order_of_rows_changes_no_count(
    golds: list, preds: list, order: object
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        limits(patch, MAX_PLAIN_CELLS=0, MAX_CELLS=0, MAX_EDGES=-1, BLOCK=2)
        patch.setattr("docassay.matching.groups.FEW", 0)
        fields = case_of(golds, preds).tally().fields
        order.shuffle(golds)  # type: ignore[attr-defined]
        order.shuffle(preds)  # type: ignore[attr-defined]
        assert case_of(golds, preds).tally().fields == fields


def recorded(patch: pytest.MonkeyPatch, owner: object, name: str) -> list[int]:
    """Return the list that the number of pairs in each call of a function is added to."""
    cells: list[int] = []
    function: Callable[..., object] = getattr(owner, name)

    def count(*sides: list) -> object:
        cells.append(len(sides[-2]) * len(sides[-1]))
        return function(*sides)

    patch.setattr(owner, name, count)
    return cells


def test_no_matrix_is_larger_than_a_block_beyond_the_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits(monkeypatch, MAX_PLAIN_CELLS=500, MAX_CELLS=500, MAX_EDGES=10, BLOCK=20)
    cells = recorded(monkeypatch, large, "pack_rows")
    golds = [{"n": f"item {i}", "q": str(i % 7), "t": str(i % 5)} for i in range(210)]
    preds = [{"n": f"itm {i}", "q": str(i % 7), "t": str(i % 5)} for i in range(190)]
    case = case_of(golds, preds)
    right, substituted, added, deleted = case.tally().fields["items.q"]
    assert max(cells) <= 20 * 20
    assert right >= 150
    assert (right + substituted, added, deleted) == (190, 20, 0)
    assert case.problems == (Problem(ProblemCode.METRIC_LIMIT, "x", "pred", "items", PARTED),)


@pytest.mark.parametrize("inside", [False, True], ids=["tolerance", "rows inside"])
def test_rows_compared_pair_by_pair_are_compared_in_blocks_beyond_the_limits(
    monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    limits(monkeypatch, MAX_PLAIN_CELLS=500, MAX_NESTED_CELLS=500, BLOCK=20, NESTED_BLOCK=10)
    cells = recorded(monkeypatch, Matcher, "_aims")
    fields = {"p": {"type": "number", "absolute": "1"}}
    schema = {"extra": "count", "groups": {"items": {"fields": fields}}}
    golds, preds = (
        [
            {"n": f"{name} {i}", **({"sub": [{"a": str(i)}]} if inside else {"p": str(3 * i)})}
            for i in range(60)
        ]
        for name in ("item", "itm")
    )
    case = case_of(golds, preds, None if inside else schema)
    field = "items.sub.a" if inside else "items.p"
    assert case.tally().fields[field] == [60, 0, 0, 0]
    assert max(cells) <= (100 if inside else 400)
    assert case.problems == (Problem(ProblemCode.METRIC_LIMIT, "x", "pred", "items", PARTED),)


def test_values_beyond_the_limit_are_linked_in_blocks_and_said_to_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(values, "MAX_VALUE_CELLS", 30)
    monkeypatch.setattr(values, "BLOCK", 5)
    schema = {"fields": {"p": {"type": "number", "absolute": "1"}}}
    golds, preds = [str(100 + 3 * i) for i in range(12)], [str(101 + 3 * i) for i in range(12)]
    case = make_case("x", {"p": golds}, {"p": [*preds, "7"]}, prepare(schema=schema).layouts)
    cells = recorded(monkeypatch, type(case.layout.field("p")), "similarities")
    right, substituted, added, deleted = case.tally().fields["p"]
    assert right >= 9
    assert (right + substituted + added, right + substituted + deleted) == (12, 13)
    assert max(cells) <= 25
    assert case.problems == (Problem(ProblemCode.METRIC_LIMIT, "x", "pred", "p", PARTED),)


def test_as_many_wrong_values_stand_for_missed_ones_beyond_the_limit_as_within_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    field = prepare().layouts.plain.field("x")
    golds = [field.readings[f"gold {i}"] for i in range(13)]
    preds = [field.readings[f"pred {i}"] for i in range(9)]
    monkeypatch.setattr(values, "MAX_VALUE_CELLS", 10)
    monkeypatch.setattr(values, "BLOCK", 3)
    for left, right in ((golds, preds), (preds, golds)):
        pairs = values.pair_the_wrong(field, left, right)  # type: ignore[arg-type]
        assert [len({*side}) for side in zip(*pairs, strict=True)] == [9, 9]


def joined_by_hand(golds: list[Row], preds: list[Row]) -> list[tuple[list[int], list[int]]]:
    """Return the clusters by spreading from every row until nothing is added."""
    nodes = [*((0, i) for i in range(len(golds))), *((1, j) for j in range(len(preds)))]
    everything = len(golds) * len(preds)

    def common(token: str) -> bool:
        have = [sum(token in tokens for tokens, _ in rows) for rows in (golds, preds)]
        return have[0] * have[1] == everything or 0 in have

    def near(a: tuple[int, int], b: tuple[int, int]) -> bool:
        tokens = [(golds, preds)[side][at][0] for side, at in (a, b)]
        return any(not common(token) for token in tokens[0] & tokens[1])

    clusters = set()
    for node in nodes:
        reached = {node}
        while True:
            more = reached | {b for a in reached for b in nodes if near(a, b)}
            if more == reached:
                break
            reached = more
        clusters.add(frozenset(reached))
    found = (
        tuple(sorted(at for side, at in cluster if side == wanted) for wanted in (0, 1))
        for cluster in clusters
    )
    return sorted((left, right) for left, right in found if left and right)


@given(golds=ANY_ROWS, preds=ANY_ROWS)
def test_clusters_are_the_rows_that_share_values_directly_or_through_others(
    golds: list, preds: list
) -> None:
    left, right = rows_of(golds, preds)
    assert large.clusters(left, right, 10**6) == joined_by_hand(left, right)


@given(golds=ANY_ROWS, preds=ANY_ROWS, cells=st.integers(1, 6))
def test_no_cluster_is_larger_than_allowed_and_no_row_is_in_two(
    golds: list, preds: list, cells: int
) -> None:
    clusters = large.clusters(*rows_of(golds, preds), cells)
    assert all(len(left) * len(right) <= cells for left, right in clusters)
    for side in (0, 1):
        members = [at for cluster in clusters for at in cluster[side]]
        assert len(members) == len({*members})


def test_the_rarest_value_joins_first() -> None:
    golds = [{"n": "a", "p": "rare"}, {"n": "a", "p": "1"}]
    preds = [{"n": "a", "p": "2"}, {"n": "b", "p": "rare"}]
    left, right = rows_of(golds, preds)
    (cluster,) = large.clusters(left, right, 1)
    tokens = left[cluster[0][0]][0] & right[cluster[1][0]][0]
    assert [token.split("\x1f")[1] for token in tokens] == ["rare"]


@given(golds=ANY_ROWS, preds=ANY_ROWS)
def test_a_packed_worth_orders_assignments_by_equal_values_then_overlap_then_length(
    golds: list, preds: list
) -> None:
    left, right = rows_of(golds, preds)
    if not left or not right:
        assert large.assign_packed(left, right) == []
        return
    packed = large.pack_rows(left, right)
    assert large.packable(left, right)

    def worth(i: int, j: int) -> tuple[int, int, int]:
        shared = left[i][0] & right[j][0]
        overlap = len(left[i][1].values.keys() & right[j][1].values.keys())
        return len(shared), overlap, sum(map(token_length, shared))

    short = min(len(left), len(right))
    ranked = []
    for rows in permutations(range(len(left)), short):
        for columns in permutations(range(len(right)), short):
            pairs = [*zip(rows, columns, strict=True)]
            sums = np.sum([worth(i, j) for i, j in pairs], axis=0)
            ranked.append((tuple(sums.tolist()), float(sum(packed[i, j] for i, j in pairs))))
        if len(ranked) > 200:
            break
    ranked.sort()
    amounts = [amount for _, amount in ranked]
    assert amounts == sorted(amounts)
    for (sums, amount), (next_sums, next_amount) in pairwise(ranked):
        assert (sums == next_sums) == (amount == next_amount)


def test_texts_too_long_to_pack_are_matched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    limits(monkeypatch, MAX_PLAIN_CELLS=0)
    monkeypatch.setattr("docassay.matching.groups.FEW", 0)
    monkeypatch.setattr(large, "EXACT", 10)
    case = case_of([{"n": "a", "p": "1"}, {"n": "a", "p": "2"}], [{"n": "a", "p": "3"}])
    assert case.tally().fields["items.n"] == [1, 0, 1, 0]
    assert case.problems == (Problem(ProblemCode.METRIC_LIMIT, "x", "pred", "items", PARTED),)


@pytest.mark.parametrize(
    ("left", "right", "block", "sizes"),
    [
        (0, 5, 2, []),
        (5, 0, 2, []),
        (4, 4, 2, [(2, 2), (2, 2)]),
        (5, 5, 5, [(5, 5)]),
        (6, 5, 5, [(3, 2), (3, 3)]),
        (5, 1, 2, [(2, 1)]),
    ],
)
def test_blocks_cut_both_sides_into_as_many_parts(
    left: int, right: int, block: int, sizes: list[tuple[int, int]]
) -> None:
    cut = large.blocks([*range(left)], [*range(right)], block)
    assert [(len(rows), len(columns)) for rows, columns in cut] == sizes
    assert all(rows == sorted(rows) and columns == sorted(columns) for rows, columns in cut)


def test_sides_stay_apart_in_a_packed_matrix_of_rows_matched_by_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits(monkeypatch, MAX_PLAIN_CELLS=0)
    monkeypatch.setattr("docassay.matching.groups.FEW", 0)
    schema = {"groups": {"items": {"match": {"key": "k"}, "fields": dict.fromkeys("knp", "exact")}}}
    golds = [{"k": "1", "n": "a"}, {"k": "1", "n": "b"}]
    preds = [{"k": "1", "n": "a", "p": "x"}, {"k": "1", "n": "b", "p": "y"}]
    assert case_of(golds, preds, schema).tally().fields["items.p"] == [0, 0, 0, 2]


SHARES = st.lists(
    st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.5, 0.6, 0.75, 1.0]), min_size=4, max_size=4),
    min_size=1,
    max_size=6,
)


def compared(table: list[list[float]], seen: list[tuple[int, int]]) -> Callable[..., np.ndarray]:
    """Return a comparison of row and column numbers by a table, which notes how many it got."""

    def compare(golds: tuple[int, ...], preds: tuple[int, ...]) -> np.ndarray:
        seen.append((len(golds), len(preds)))
        return np.array(table)[np.ix_(golds, preds)]

    return compare


@pytest.mark.parametrize("edges", [-1, 10**6], ids=["from one table", "from the pairs alike"])
@given(table=SHARES, turned=st.booleans())
def test_the_best_likeness_is_that_of_trying_every_pairing(
    edges: int, table: list[list[float]], turned: bool
) -> None:
    shares = np.array(table).T if turned else np.array(table)
    rows, columns = map(range, shares.shape)
    flat = shares if len(rows) <= len(columns) else shares.T
    best = max(
        sum(flat[row, column] for row, column in enumerate(order))
        for order in permutations(range(flat.shape[1]), flat.shape[0])
    )
    with pytest.MonkeyPatch.context() as patch:
        sides = (tuple(rows), tuple(columns), compared(shares.tolist(), []))
        assert large.best_likeness(*sides) == pytest.approx(best, abs=1e-9)
        limits(patch, MAX_PLAIN_CELLS=0, MAX_EDGES=edges, SLAB=5)
        assert large.best_likeness(*sides) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("size", [40, 80])
def test_no_more_than_a_slab_of_likeness_is_worked_out_at_a_time(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    limits(monkeypatch, MAX_PLAIN_CELLS=0, SLAB=200)
    monkeypatch.setattr("scipy.optimize.linear_sum_assignment", None)  # no table is made
    table = [[float(row == size - 1 - column) for column in range(size)] for row in range(size)]
    seen: list[tuple[int, int]] = []
    numbers = tuple(range(size))
    assert large.best_likeness(numbers, numbers, compared(table, seen)) == size
    assert max(rows * columns for rows, columns in seen) <= 200
    assert sum(rows * columns for rows, columns in seen) == size * size + size


def test_a_row_matched_by_key_goes_to_the_row_that_is_exactly_it() -> None:
    schema = {
        "groups": {
            "items": {
                "match": {"key": "k"},
                "fields": dict.fromkeys("kpq", "exact"),
                "groups": {"sub": {"fields": {"n": "exact"}}},
            }
        }
    }
    more = {"k": "y", "q": "2", "p": ["10", "10"], "sub": [{"n": "1"}]}
    for golds in ([more, {"k": "y", "q": "2"}], [{"k": "y", "q": "2"}, more]):
        case = case_of(golds, [{"k": "y", "q": "2"}], schema)
        assert case.tally().groups["items"][0] == 1


NESTED = st.lists(
    st.fixed_dictionaries(
        {"n": WORD},
        optional={
            "sub": st.lists(
                st.dictionaries(st.sampled_from(["a", "b"]), WORD, min_size=1), max_size=3
            )
        },
    ),
    max_size=4,
)


@given(golds=NESTED, preds=NESTED)
def test_rows_inside_rows_that_share_nothing_are_worth_what_their_matching_says(
    golds: list, preds: list
) -> None:
    case = case_of(golds, preds)
    assert totals(case) == Reference(case).totals()


@pytest.mark.parametrize("kept", [0, 10**6], ids=["none kept", "all kept"])
def test_few_rows_inside_rows_are_matched_where_they_share_nothing(
    monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr("docassay.matching.groups.MANY_MATCHES", kept)
    cells = recorded(monkeypatch, Matcher, "_match")
    golds, preds = (
        [
            {"n": f"{name} {i}", "sub": [{"a": f"{i}"}, {"a": f"{name} {-i}"}]}
            for i in range(-15, 15)
        ]
        for name in ("gold", "pred")
    )
    assert case_of(golds, preds).tally().fields["items.sub.a"] == [30, 30, 0, 0]
    # of 900 pairs of rows, those that share a value and those that were chosen
    assert len(cells) <= 100
