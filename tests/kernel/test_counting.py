"""How much trees hold and what tables come to: by their definition, the same in both forms."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docassay.model.document import Number
from docassay.model.stats import mean
from tests.kernel.forms import FORMS, IMPORTED, Form

LEAF = st.one_of(
    st.text(max_size=2), st.just(Number("1.5")), st.integers(), st.booleans(), st.none()
)
TREE = st.recursive(
    LEAF,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=1), inner, max_size=3)
    ),
    max_leaves=12,
)
NEAR_EXACT = st.builds(
    lambda sign, more: sign * (2**52 + more), st.sampled_from((-1, 1)), st.integers(-2, 2)
)
COUNT = st.one_of(st.just(0), st.integers(-3, 3), st.just(10**30), NEAR_EXACT)
KEY = st.sampled_from(["", "a", "b", ("a",), ("a", "b")])
TABLE = st.dictionaries(KEY, st.tuples(COUNT, COUNT, COUNT), max_size=4)
TABLES = st.lists(st.dictionaries(st.sampled_from(["x", "y"]), TABLE, max_size=2), max_size=6)
BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
Table = dict[object, tuple[int, ...]]


def inside(node: object) -> list[object]:
    """Return what stands directly in a node."""
    if isinstance(node, Mapping):
        return [*node.values()]
    return [*node] if isinstance(node, list | tuple) else []


def levels_of(node: object) -> int:
    """Return how many objects and lists stand in each other."""
    if not isinstance(node, Mapping | list):
        return 0
    return 1 + max(map(levels_of, inside(node)), default=0)


@BOTH
@given(tree=TREE)
def test_the_members_of_a_tree_are_the_keys_of_all_its_objects(form: Form, tree: object) -> None:
    def count(node: object) -> int:
        own = len(node) if isinstance(node, dict) else 0
        return own + sum(map(count, inside(node)))

    deep = levels_of(tree)
    assert form.counting.members(tree, deep) == count(tree)
    assert form.counting.members(tree, deep + 1) == count(tree)
    if deep:
        assert form.counting.members(tree, deep - 1) == -1


@BOTH
@given(tree=TREE, most=st.integers(0, 15))
def test_leaves_are_counted_as_far_as_they_are_of_interest(
    form: Form, tree: object, most: int
) -> None:
    def count(node: object) -> int:
        return sum(map(count, inside(node))) if isinstance(node, dict | list) else 1

    counted = form.counting.leaves(tree, most)
    assert counted == count(tree) if count(tree) <= most else most < counted <= count(tree)


@BOTH
def test_leaves_of_other_mappings_and_of_tuples_count_as_well(form: Form) -> None:
    tree = MappingProxyType({"a": (1, object(), [None, 2.5]), "b": MappingProxyType({"c": "x"})})
    assert form.counting.leaves(tree, 100) == 5


@BOTH
@given(tree=TREE)
def test_leaves_are_seen_at_sight_where_the_items_of_lists_are_alike(
    form: Form, tree: object
) -> None:
    def evened(node: object) -> object:
        if isinstance(node, dict):
            return {key: evened(child) for key, child in node.items()}
        return [evened(node[0])] * len(node) if isinstance(node, list) and node else node

    alike = evened(tree)
    assert form.counting.leaves_at_sight(tree, 50) == form.counting.leaves(alike, 10**6)


@BOTH
def test_what_lies_deep_is_one_leaf_at_sight(form: Form) -> None:
    tree: object = ["x", "y"]
    for _ in range(9):
        tree = {"a": tree, "b": None}
    assert form.counting.leaves_at_sight(tree, 10) == 9 + 2
    assert form.counting.leaves_at_sight(tree, 9) == 9 + 1
    assert form.counting.leaves_at_sight(tree, 0) == 1


def numbered(tree: object, form: Form) -> object:
    """Return a tree with the numbers of one form of the kernel."""
    if isinstance(tree, dict):
        return {key: numbered(child, form) for key, child in tree.items()}
    if isinstance(tree, list):
        return [numbered(child, form) for child in tree]
    return form.readings.Number(tree) if type(tree) is Number else tree


FEW = st.recursive(
    st.sampled_from(["", "1", 1, 0, True, None, 1.5, Number("1"), Number("1.5")]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)


@BOTH
@given(first=FEW, second=FEW)
@example(first=0, second=[""])
def test_trees_of_the_same_content_have_the_same_hash(
    form: Form, first: object, second: object
) -> None:
    one, other = (
        form.counting.content_hash(numbered(tree, form), 9, repr) for tree in (first, second)
    )
    # kinds of leaves and the order of keys are part of it: 1, True, "1" and 1 as written differ
    same = written(first) == written(second)
    assert (one == other) is same
    assert IMPORTED.counting.content_hash(first, 9, repr) == one


def written(tree: object) -> str:
    """Return a tree as a text that also tells kinds of leaves apart."""
    if isinstance(tree, dict):
        return "{" + ",".join(f"{key}:{written(child)}" for key, child in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(map(written, tree)) + "]"
    return f"{type(tree).__name__} {tree!r}"


@BOTH
def test_what_lies_deep_is_left_to_another_hash(form: Form) -> None:
    asked: list[object] = []
    tree = {"a": [["x"], "y"], "b": None}
    form.counting.content_hash(tree, 2, lambda part: asked.append(part) or "other")
    assert asked == [["x"], None]


@BOTH
@given(
    trees=st.lists(st.dictionaries(st.sampled_from(["a", "b", "c", 1]), TREE, max_size=4)),
    known=st.sets(st.sampled_from(["a", "b"])),
    most=st.integers(0, 3),
)
def test_plain_leaves_are_gathered_by_key_and_all_else_is_handed_on_in_turn(
    form: Form, trees: list[dict[object, object]], known: set[object], most: int
) -> None:
    number = form.readings.Number
    trees = [
        {key: number(leaf) if type(leaf) is Number else leaf for key, leaf in tree.items()}
        for tree in trees
    ]
    members = form.counting.WaitingMembers(("place",), 1)
    members.lists.update({key: [] for key in known})
    others: list[tuple[object, object]] = []

    def take(own: object, key: object, item: object) -> None:
        assert own is members
        others.append((key, item))
        members.lists.setdefault(key, [])

    expected: dict[object, list[object]] = {key: [] for key in known}
    left: list[tuple[object, object]] = []
    for key, item in (member for tree in trees for member in tree.items()):
        if type(item) in (str, int, number) and key in expected:
            expected[key] += [item] if len(expected[key]) < most else []
        elif item is not None or key not in expected:
            left.append((key, item))
            expected.setdefault(key, [])
    form.counting.gather(map(MappingProxyType, trees[:1]), members, frozenset(), take, most)
    form.counting.gather(trees[1:], members, frozenset(), take, most)
    assert members.lists == expected
    assert others == left
    assert (members.enclosing, members.depth, members.rows) == (("place",), 1, 0)


@BOTH
def test_rows_under_a_known_key_are_gathered_at_once(form: Form) -> None:
    members, below = (form.counting.WaitingMembers(place, 0) for place in ((), ("items",)))
    members.inner["items"] = below
    below.lists["n"] = []
    others: list[object] = []
    trees = [
        {"items": [{"n": "1"}, {"n": "2", "p": "3"}]},
        {"items": [{"n": "4"}, {"n": "5", "value": "6"}]},
        {"items": [{"n": "7"}, "8"]},
        {"items": []},
        {"items": {"n": "9"}},
        {"items": [{"n": "10"}]},
        {"items": [{"n": "11"}]},
    ]
    marks = frozenset({"value"})
    form.counting.gather(trees, members, marks, lambda *call: others.append(call), 3)
    assert below.lists == {"n": ["1", "2", "10"]}
    assert (members.rows, below.rows) == (0, 4)
    handed_on = [(members, "items", tree["items"]) for tree in trees[1:5]]
    assert others == [(below, "p", "3"), *handed_on]


@BOTH
@given(
    lists=st.lists(
        st.lists(
            st.dictionaries(
                st.sampled_from(["a", "a", "b", "value"]),
                st.sampled_from(["x", 1, None, True]),
                max_size=2,
            ),
            max_size=2,
        ),
        max_size=8,
    ),
    most=st.integers(0, 2),
)
@example(lists=[[{"a": None}], [{"a": "x"}]], most=1)
@example(lists=[[{"a": "x"}], [{"a": 1}], [{"a": True}]], most=1)
@example(lists=[[{"a": "x"}], [{"a": "x"}], [{"b": "x"}], []], most=1)
def test_rows_that_add_nothing_are_passed_over(
    form: Form, lists: list[list[dict[object, object]]], most: int
) -> None:
    def gathered(*, anew: bool) -> tuple[object, ...]:
        waiting = {"a": [], "b": []}
        others: list[tuple[object, object]] = []
        rows = 0
        members, below = (form.counting.WaitingMembers((), 0) for _ in range(2))
        below.lists.update(waiting)
        for items in lists:
            if anew:  # as if nothing were known of the rows before
                below = form.counting.WaitingMembers((), 0)
                below.lists.update(waiting)
            members.inner["items"] = below
            before = below.rows
            form.counting.gather(
                [{"items": items}],
                members,
                frozenset({"value"}),
                lambda _, key, item: others.append((key, item)),
                most,
            )
            rows += below.rows - before
        return waiting, others, rows

    assert gathered(anew=False) == gathered(anew=True)


@BOTH
def test_a_place_forgets_what_it_knew_of_rows(form: Form) -> None:
    members, below = (form.counting.WaitingMembers((), 0) for _ in range(2))
    members.inner["items"] = below
    others: list[object] = []
    trees = [{"items": [{"n": "1"}]}]
    below.lists["n"] = ["0"]
    for _ in range(2):
        form.counting.gather(trees, members, frozenset(), lambda *call: others.append(call), 1)
    assert (below.full, others) == (("n",), [])
    below.forget()
    form.counting.gather(trees, members, frozenset(), lambda *call: others.append(call), 1)
    assert (below.full, below.lists, others) == ((), {}, [(below, "n", "1")])


@BOTH
def test_rows_are_objects_that_are_surely_no_values(form: Form) -> None:
    are_rows, marks = form.counting.are_rows, frozenset({"value"})
    assert are_rows([{"n": 1}, {}], marks)
    assert not are_rows([], marks)
    assert not are_rows([{"n": 1}, "2"], marks)
    assert not are_rows([{"n": 1}, {"value": 2}], marks)


@BOTH
@given(
    texts=st.lists(st.one_of(st.sampled_from("abcd"), st.just(Number("5"))), max_size=12),
    most=st.integers(0, 4),
)
def test_the_first_texts_are_counted(form: Form, texts: list[str], most: int) -> None:
    amounts: dict[str, int] = {}
    form.counting.count_texts(amounts, texts[:5], most)
    form.counting.count_texts(amounts, texts[5:], most)
    first = [*dict.fromkeys(map(str, texts))][:most]
    assert [*amounts.items()] == [(text, texts.count(text)) for text in first]
    assert {*map(type, amounts)} <= {str}


ROW = st.dictionaries(
    st.sampled_from("ab"), st.one_of(LEAF, st.just(1.5), st.just([]), st.just({})), max_size=2
)


@BOTH
@settings(max_examples=100)
@given(items=st.lists(st.one_of(ROW, LEAF), max_size=6))
def test_rows_tell_nothing_new_if_they_are_plain_under_the_keys_of_the_one_before(
    form: Form, items: list[object]
) -> None:
    expected = []
    keys = None
    for item in items:
        if isinstance(item, dict):
            plain = not any(isinstance(value, dict | list) for value in item.values())
            if plain and [*item] == keys:
                continue
            keys = [*item] if plain else None
        expected.append(item)
    assert form.counting.telling_rows(numbered(items, form)) == expected


@BOTH
@given(parts=TABLES)
def test_tables_add_up_by_name_and_key(form: Form, parts: list[dict[str, Table]]) -> None:
    sums: dict[str, dict[object, object]] = {}
    expected: dict[str, Table] = {}
    for tables in parts:
        form.counting.add_tables(sums, tables)
        for name, table in tables.items():
            own = expected.setdefault(name, {})
            for key, counts in table.items():
                before = own.get(key, (0,) * len(counts))
                own[key] = tuple(map(sum, zip(before, counts, strict=True)))
        totals = {
            name: {key: row.total() for key, row in rows.items()}  # type: ignore[attr-defined]
            for name, rows in sums.items()
        }
        assert totals == expected


@BOTH
@given(first=TABLES, second=TABLES)
def test_documents_add_up_by_metric(
    form: Form, first: list[dict[str, Table]], second: list[dict[str, Table]]
) -> None:
    documents = [{"m": tables} for tables in first] + [
        {"n": tables, "m": tables} for tables in second
    ]
    sums: dict[str, dict[str, dict[object, object]]] = {}
    form.counting.add_by_metric(sums, documents)
    alone: dict[str, dict[str, dict[object, object]]] = {}
    for stats in documents:
        for metric, tables in stats.items():
            form.counting.add_tables(alone.setdefault(metric, {}), tables)
    assert [*sums] == [*alone]
    assert counted(sums) == counted(alone)


def counted(sums: dict[str, dict[str, dict[object, object]]]) -> object:
    """Return what tables of metrics add up to."""
    return {
        metric: {
            name: {key: row.total() for key, row in rows.items()}  # type: ignore[attr-defined]
            for name, rows in tables.items()
        }
        for metric, tables in sums.items()
    }


@BOTH
def test_equal_rows_in_succession_count_each_time(form: Form) -> None:
    row = form.counting.RowSum((1, 0))
    for counts in ((1, 0), (1, 0), (0, 2), (1, 0)):
        row.add(counts)
    assert row.total() == (4, 2)
    row.add((0, 2))
    assert row.total() == row.total() == (4, 4)


@BOTH
@given(table=TABLE)
def test_columns_add_up(form: Form, table: Table) -> None:
    expected = [sum(counts[at] for counts in table.values()) for at in range(2)]
    assert form.counting.column_sums(table, 2) == expected
    assert form.counting.column_sums(MappingProxyType(table), 2) == expected


@BOTH
@given(parts=TABLES, shared=st.booleans())
def test_counts_are_placed_by_their_tables_and_keys(
    form: Form, parts: list[dict[str, Table]], *, shared: bool
) -> None:
    places = {"x": {"a": 0, ("a", "b"): 3}, "y": {"a": 6}}
    width = 9
    rows = 1 if shared else len(parts)
    starts = [0 if shared else number * width for number in range(len(parts))]
    cells = array("d", [0.0]) * (rows * width)
    form.counting.place_counts(memoryview(cells), starts, parts, places)
    expected = [0.0] * (rows * width)
    for start, tables in zip(starts, parts, strict=True):
        for name, table in tables.items():
            for key, place in places[name].items():
                for at, count in enumerate(table.get(key, ())):
                    expected[start + place + at] += count
    assert [*cells] == expected


@BOTH
def test_tables_of_any_kind_are_taken(form: Form) -> None:
    tables = MappingProxyType({"x": MappingProxyType({"a": (1, 2)})})
    sums: dict[str, dict[object, object]] = {}
    form.counting.add_tables(sums, tables)
    assert sums["x"]["a"].total() == (1, 2)  # type: ignore[attr-defined]
    cells = array("d", [0.0, 0.0])
    form.counting.place_counts(memoryview(cells), [0], [tables], {"x": {"a": 0}})
    assert [*cells] == [1.0, 2.0]


def order(item: tuple[object, object]) -> tuple[tuple[object, ...], bool]:
    """Return what rows are sorted by: a text goes before the tuples that begin with it."""
    key, _ = item
    return (key, True) if isinstance(key, tuple) else ((key,), False)


@BOTH
@given(stats=st.dictionaries(st.sampled_from("zyx"), TABLE))
def test_keys_are_sorted_and_tables_stay_themselves_where_they_are(
    form: Form, stats: dict[str, Table]
) -> None:
    ordered = form.counting.in_order(stats)
    assert [*ordered] == [*stats]
    for name, table in stats.items():
        assert [*ordered[name].items()] == sorted(table.items(), key=order)
        assert (ordered[name] is table) == ([*table] == [*ordered[name]])
    assert (ordered is stats) == all(ordered[name] is stats[name] for name in stats)


@BOTH
@given(stats=st.dictionaries(st.sampled_from("zyx"), TABLE))
def test_keys_in_order_say_whether_all_of_them_are_texts(
    form: Form, stats: dict[str, Table]
) -> None:
    for table in stats.values():
        keys, are_texts = form.counting.keys_in_order(table)
        assert [*keys] == [key for key, _ in sorted(table.items(), key=order)]
        assert are_texts == all(isinstance(key, str) for key in table)


@BOTH
def test_many_keys_are_sorted_as_few_are(form: Form) -> None:
    table = {str(number): (number,) for number in range(form.counting.FEW_KEYS + 1)}
    ordered = form.counting.in_order({"x": table})["x"]
    assert [*ordered.items()] == sorted(table.items())


@BOTH
@given(tree=st.dictionaries(st.text(max_size=1), TREE, max_size=3))
def test_an_object_that_holds_an_object_is_told_from_others(
    form: Form, tree: dict[object, object]
) -> None:
    assert form.counting.holds_object(tree) == any(isinstance(each, dict) for each in inside(tree))


SHAPE: dict[str, object] = {"a": {}, "rows": {"n": {}, "m": {}}}


@BOTH
@pytest.mark.parametrize(
    ("tree", "known"),
    [
        pytest.param({}, True, id="nothing"),
        pytest.param({"a": "1", "rows": []}, True, id="known keys"),
        pytest.param({"rows": [{"n": 1}, {"m": None, "n": 1.5}]}, True, id="rows of known keys"),
        pytest.param({"rows": [{"n": 1}, {"n": 2}, {"x": 3}]}, True, id="a row behind the first"),
        pytest.param({"b": "1"}, False, id="another key"),
        pytest.param({"rows": [{"n": 1}, {"x": 3}]}, False, id="another key in a row"),
        pytest.param({"rows": [{"n": [1]}]}, False, id="a list in a row"),
        pytest.param({"rows": [{"n": []}]}, True, id="an empty list in a row"),
        pytest.param({"rows": ["1"]}, False, id="no rows"),
        pytest.param({"a": {"value": "1"}}, False, id="an object"),
        pytest.param({"a": ("1",)}, False, id="a tuple"),
        pytest.param([{"a": "1"}], False, id="a list"),
    ],
)
def test_an_object_that_certainly_adds_no_key_is_seen(
    form: Form, tree: object, known: bool
) -> None:
    assert form.counting.is_within_shape(tree, SHAPE, 2) == known


@BOTH
def test_rows_that_are_one_and_the_same_add_up_as_often_as_they_stand_there(form: Form) -> None:
    same = (1, 0, 2)
    table = {"a": same, "b": same, "c": (3, 1, 1), "d": same, "e": same, "f": same}
    assert form.counting.sums_of(table, (2, 0)) == [11, 8]
    assert form.counting.sums_of({}, (2, 0)) == [0, 0]


@BOTH
def test_numbers_beyond_a_machine_word_add_up(form: Form) -> None:
    for number in (1 << 60, (1 << 62) - 1, 1 << 62, 1 << 63, 1 << 64):
        for sign in (-1, 1):
            for rows in range(1, 12):
                table = {key: (1, sign * number) for key in range(rows)}
                assert form.counting.column_sums(table, 2) == [rows, rows * sign * number]


@BOTH
def test_many_columns_add_up_as_few_do(form: Form) -> None:
    for width in range(12):
        table = {key: tuple(range(width)) for key in "abc"}
        assert form.counting.column_sums(table, width) == [3 * at for at in range(width)]


@BOTH
def test_a_table_that_is_not_there_adds_up_to_nothing(form: Form) -> None:
    assert form.counting.table_sums({"x": {"a": (1, 2), "b": (3, 4)}}, "x", 2) == [4, 6]
    assert form.counting.table_sums({"x": {"a": (1, 2)}}, "y", 2) == [0, 0]


@BOTH
@given(
    st.lists(
        st.sampled_from(["NOT_FOUND", "Not_Found ", " ", "\u3000", "", "a | b", "a|b", "12.50"])
        | st.text(" _|a\n\u00e9\u3000", max_size=8)
    )
)
def test_what_are_single_values_has_no_list_and_no_blank_among_them(
    form: Form, values: list[str]
) -> None:
    are_single_values = form.counting.are_single_values
    assert are_single_values(["a", "Acme Ltd_", Number("1.50"), "\u00e9"], 9)
    assert not are_single_values(["a", "Acme Ltd__"], 9)
    if are_single_values(values, 20):
        parts = [part for value in values for part in value.split(" | ")]
        assert parts == values
        assert {"", "not_found"}.isdisjoint(part.strip().casefold() for part in parts)


@BOTH
@given(table=TABLE)
def test_the_first_of_some_columns_has_a_share_in_their_sum(form: Form, table: Table) -> None:
    share_of_sum = form.counting.share_of_sum
    part, other = (sum(counts[at] for counts in table.values()) for at in (1, 2))
    expected = part / (part + other) if part + other else None
    assert share_of_sum({"x": table}, "x", (1, 2)) == expected
    assert share_of_sum({"x": table}, "y", (1, 2)) is None


@BOTH
@given(table=TABLE)
def test_some_columns_add_up(form: Form, table: Table) -> None:
    expected = [sum(counts[at] for counts in table.values()) for at in (2, 0)]
    assert form.counting.sums_of(table, (2, 0)) == expected
    rows = {key: [*counts] for key, counts in table.items()}
    assert form.counting.sums_of(MappingProxyType(rows), (2, 0)) == expected


@BOTH
@given(table=TABLE, times=st.integers(1, 3))
def test_shares_are_those_of_each_key_and_undefined_where_there_is_nothing(
    form: Form, table: Table, times: int
) -> None:
    wholes = {key: (counts[0] + counts[2]) * times for key, counts in table.items()}
    expected = {key: table[key][1] / whole if whole else None for key, whole in wholes.items()}
    rows = {key: [*counts] for key, counts in table.items()}
    for given_rows in (table, MappingProxyType(rows)):
        shares = form.counting.Shares(given_rows, 1, (0, 2), times)
        assert dict(shares) == expected
        assert len(shares) == len(expected)
        assert [shares.get(key) for key in [*expected, "none"]] == [*expected.values(), None]
        with pytest.raises(KeyError):
            shares["none"]


TEXT_TABLE = st.dictionaries(
    st.text(max_size=2), st.sampled_from([(1, 0, 0), (1, 0, 2)]) | st.tuples(COUNT, COUNT, COUNT)
)


@BOTH
@given(table=TEXT_TABLE)
def test_what_rows_come_to_is_told_in_the_order_of_their_keys(form: Form, table: Table) -> None:
    ordered = dict(sorted(table.items()))
    shares = form.counting.Shares(table, 1, (0, 2), 1)
    assert repr(shares) == repr({key: shares.get(key) for key in ordered})
    assert [*shares] == [*ordered]
    rows = MappingProxyType({key: [*counts] for key, counts in table.items()})
    for given_rows in (table, rows):
        for most in (1, 9):
            formula = form.counting.KeptFormula("{}".format, most)
            for _ in range(2):
                assert formula.of_rows(given_rows) == [*map(str, ordered.values())]
        by_f1 = mean([form.counting.f1(*counts) for counts in ordered.values()])
        assert repr(form.counting.mean_f1(given_rows)) == repr(by_f1)
        by_share = mean([form.counting.ratio(row[1], row[2] * 3) for row in ordered.values()])
        assert repr(form.counting.mean_share(given_rows, 1, 2, 3)) == repr(by_share)


@BOTH
@given(
    table=TEXT_TABLE, weights=st.dictionaries(st.text(max_size=1), COUNT), other=st.integers(1, 3)
)
def test_weighted_columns_add_up(form: Form, table: Table, weights: dict, other: int) -> None:
    expected = [
        sum(counts[at] * weights.get(key, other) for key, counts in table.items()) for at in (2, 0)
    ]
    for rows in (table, MappingProxyType(table)):
        assert form.counting.weighted_sums(rows, (2, 0), weights, other) == expected


@BOTH
@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 9), min_size=4, max_size=4)))
def test_right_values_and_all_are_added_up(form: Form, fields: dict[str, list[int]]) -> None:
    right = sum(counts[0] for counts in fields.values())
    every = sum(map(sum, fields.values()))
    assert form.counting.count_right(fields) == (right, every)
    assert form.counting.count_right({key: (*counts,) for key, counts in fields.items()}) == (
        right,
        every,
    )
