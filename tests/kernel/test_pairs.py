"""What is wrong in pairs of groups, and which rows are alone: by definition, in both forms."""

from __future__ import annotations

import re
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS, Form
from tests.kernel.test_kernel import ROWS, Items, pairs_of

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
FIELDS = {path: SimpleNamespace(path=path) for path in ("a", "b")}
LINE = st.text("aB1 &.", max_size=6)


def unreachable(*asked: object) -> list[object]:
    raise AssertionError(asked)


@BOTH
@given(golds=ROWS, preds=ROWS)
def test_mistakes_are_noted_in_their_pairs_and_found_once(
    form: Form, golds: Items, preds: Items
) -> None:
    left, right = pairs_of(form, golds, preds)
    pairs = [
        *(form.pairs.GroupPair(None, "items", *rows) for rows in zip(left, right, strict=False)),
        *(form.pairs.GroupPair(None, "items", gold, None) for gold in left),
        form.pairs.GroupPair(None, "items", None, None, True),
    ]
    find = form.pairs.wrong_values
    wrong = find(pairs, frozenset(), str, unreachable, unreachable)
    assert wrong == [(pair, *mistake) for pair in pairs for mistake in pair.found]
    for pair in pairs:
        mistakes = form.mistakes.mistakes_in(pair.gold, pair.pred, frozenset(), str, unreachable)
        assert pair.found == mistakes
    assert find(pairs, frozenset(), unreachable, unreachable, unreachable) == wrong


@BOTH
def test_what_has_several_values_is_spelt_out(form: Form) -> None:
    (gold,), (pred,) = pairs_of(form, [{"n": "a"}], [{"n": "b"}])
    gold.single = False
    pair = form.pairs.GroupPair(None, "items", gold, pred)
    spelt = [("n", None, None)]
    wrong = form.pairs.wrong_values([pair], frozenset(), str, unreachable, lambda _: spelt)
    assert wrong == [(pair, "n", None, None)]
    assert pair.found is spelt


@BOTH
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"),
            st.sampled_from([(True, True), (True, False), (False, True)]),
            st.sampled_from("xy"),
        )
    )
)
def test_mistakes_are_counted_by_field_cause_and_kind(
    form: Form, values: list[tuple[str, tuple[bool, bool], str]]
) -> None:
    one = form.readings.Reading("1", str)
    wrong = [
        (None, FIELDS[path], one if gold else None, one if pred else None)
        for path, (gold, pred), _ in values
    ]
    kinds = Counter((path, cause, kind) for path, kind, cause in values)
    assert form.pairs.count_by_kind(wrong, [cause for _, _, cause in values]) == {
        (path, cause): tuple(
            kinds[path, cause, kind] for kind in [(True, True), (True, False), (False, True)]
        )
        for path, _, cause in values
    }


def field_of(path: str) -> object:
    return SimpleNamespace(path=path)


def row_pair(form: Form, gold: object, pred: object, path: str = "items") -> object:
    pair = form.pairs.GroupPair(None, path, gold, pred)
    form.pairs.wrong_values([pair], frozenset(), field_of, unreachable, unreachable)
    return pair


@BOTH
@pytest.mark.parametrize(
    ("gold", "pred", "asked"),
    [
        ({"n": "a", "p": "1"}, {"n": "b", "p": "2"}, True),
        ({"n": "a", "p": "1"}, {"n": "b", "p": "1"}, False),  # one is right
        ({"n": "a"}, {"n": "b"}, False),  # one alone may just be wrong
        ({"n": "a"}, {"n": "b", "p": "1"}, True),
        ({"n": "a", "p": "1"}, {"n": "a", "q": "2"}, False),
    ],
)
@pytest.mark.parametrize("read", [True, False])
def test_rows_of_which_nothing_is_right_may_be_strangers(
    form: Form, gold: dict[str, object], pred: dict[str, object], asked: bool, read: bool
) -> None:
    (left,), (right,) = pairs_of(form, [gold], [pred])
    assert not read or (left.values and right.values)
    pair = row_pair(form, left, right)
    for answer in (True, False):
        alone = form.pairs.lone_rows([pair], lambda _, answer=answer: answer)
        assert alone == ({"items": [pair]} if asked and answer else {})


@BOTH
def test_rows_without_a_partner_are_alone_by_type_if_they_are_in_a_list(form: Form) -> None:
    (gold,), (pred,) = pairs_of(form, [{"n": "a"}], [{"n": "b"}])
    (other,), _ = pairs_of(form, [{"n": "c"}], [])
    pairs = [
        row_pair(form, None, pred),
        row_pair(form, gold, None, "others"),
        row_pair(form, gold, None, ""),
        form.pairs.GroupPair(None, "items", gold, None, True),
        row_pair(form, other, None),
    ]
    other.index = None
    alone = form.pairs.lone_rows(pairs, unreachable)
    assert alone == {"items": pairs[:1], "others": pairs[1:2]}


@BOTH
@pytest.mark.parametrize(
    ("gold", "pred", "of_gold", "of_pred"),
    [
        ({"n": "red tea"}, {"n": "red tea X pot"}, True, False),
        ({"n": "red tea"}, {"n": "red tea big pot"}, False, False),  # no row begins with those
        ({"n": "red tea"}, {"n": "big pot"}, False, False),
        ({"p": "red"}, {"p": "tea&"}, True, False),
        ({"n": "red"}, {"n": "tea&"}, False, False),
        ({"n": "."}, {"n": "tea"}, False, False),
        ({"n": "é"}, {"n": "tea"}, True, True),
        ({"n": "a", "p": "1"}, {"n": "a"}, False, True),
        ({"q": "a"}, {"q": "a", "p": "1"}, True, False),
        ({"p": "1", "n": "b"}, {"p": "2"}, False, False),  # pred has a field of the row
        ({"n": "a"}, {"n": "a"}, False, False),
    ],
)
def test_a_pair_may_hold_another_row_by_more_words_or_values(
    form: Form, gold: dict[str, object], pred: dict[str, object], of_gold: bool, of_pred: bool
) -> None:
    (left,), (right,) = pairs_of(form, [gold], [pred])
    rows, _ = pairs_of(form, [{"n": "x", "p": "y"}, {"p": "& y"}], [])
    pair = row_pair(form, left, right)
    find = form.pairs.may_hold_any
    assert find([pair], rows, True) == [pair] * of_gold
    assert find([pair], rows, False) == [pair] * of_pred
    for side in (left, right):
        side.single = False
        assert find([pair], rows, True) == find([pair], rows, False) == [pair]
        assert find([pair], [], True) == []
        side.single = True
    alone = row_pair(form, left, None)
    assert find([alone], rows, True) == find([alone], rows, False) == []


@BOTH
@given(LINE)
def test_an_ampersand_counts_as_a_word(form: Form, line: str) -> None:
    assert form.pairs.count_words(line) == len(re.findall("[a-zA-Z0-9]+|&", line))


@BOTH
def test_rows_inside_either_side_are_seen(form: Form) -> None:
    (plain,), (inner,) = pairs_of(form, [{"n": "a"}], [{"n": "b"}])
    nested = form.readings.Group("", None, {}, {"items": [inner]})
    pair = form.pairs.GroupPair
    assert not form.pairs.hold_rows([pair(None, "", plain, None), pair(None, "", plain, plain)])
    assert form.pairs.hold_rows([pair(None, "", plain, None), pair(None, "", nested, None)])
    assert form.pairs.hold_rows([pair(None, "", plain, nested)])


def inside_of(form: Form, gold: object, pred: object) -> list[tuple[str, object, object]]:
    """Return the rows inside two groups, by definition."""
    own = {} if gold is None else gold.groups
    other = {} if pred is None else pred.groups
    return [(path, own.get(path, ()), other.get(path, ())) for path in sorted({*own, *other})]


@BOTH
def test_rows_inside_are_sorted_by_their_type(form: Form) -> None:
    (one, two), _ = pairs_of(form, [{"n": "a"}, {"n": "b"}], [])
    gold = form.readings.Group("", None, {}, {"z": [one], "b": [two]})
    pred = form.readings.Group("", None, {}, {"b": [one], "a": [two]})
    for sides in [(gold, pred), (gold, None), (None, pred), (one, pred), (one, None)]:
        assert form.rows.rows_inside(*sides) == inside_of(form, *sides)


@BOTH
def test_a_pair_is_followed_by_the_pairs_of_other_rows_each_before_those_inside_it(
    form: Form,
) -> None:
    rows, _ = pairs_of(form, [{"n": name} for name in "abcd"], [])
    group, make = form.readings.Group, form.pairs.GroupPair
    inner = group("items", 0, {}, {"items.parts": rows[:2]})
    gold = group("", None, {}, {"items": [inner, rows[2]], "a": [rows[3]]})
    asked = []

    def match(golds: list, preds: list, path: str) -> SimpleNamespace:
        asked.append(path)
        return SimpleNamespace(others=[(row, None) for row in golds])

    root = make("matching", "", gold, None)
    pairs = form.pairs.with_others(root, make, match)
    assert pairs[0] is root
    assert [pair.gold for pair in pairs[1:]] == [rows[3], inner, *rows[:2], rows[2]]
    assert [pair.type for pair in pairs[1:]] == ["a", "items", *["items.parts"] * 2, "items"]
    assert {pair.matching for pair in pairs} == {"matching"}
    assert asked == ["a", "items", "items.parts"]
    assert form.pairs.with_others(root, make, unreachable) == pairs  # noted in their pairs


@BOTH
@pytest.mark.parametrize(
    ("golds", "preds", "company"),
    [
        ([{"n": "x pot"}], [], ("whole", None)),  # the pair has these words in pred
        ([{"n": "y pot"}], [], None),
        ([], [{"n": "x pot"}], None),
        ([{"n": "y"}], [{"n": "z"}], (None, None)),
        ([], [{"n": "tea"}], None),
    ],
)
def test_rows_have_company_on_both_sides_or_in_pairs_that_may_hold_them(
    form: Form, golds: list, preds: list, company: tuple[str | None, str | None] | None
) -> None:
    (left,), (right,) = pairs_of(form, [{"n": "red tea"}], [{"n": "red tea X pot"}])
    pair = row_pair(form, left, right)
    other = row_pair(form, left, right, "others")
    right_pair = row_pair(form, left, left)
    own, its = pairs_of(form, golds, preds)
    alone = [row_pair(form, row, None) for row in own] + [row_pair(form, None, row) for row in its]
    found = form.pairs.company_of(alone, [pair, other, right_pair, *alone])
    wholes = None if company is None else [[pair] if side else [] for side in company]
    assert found == (None if wholes is None else (own, its, *wholes))


WORDS = ("type", "split", "missing", "hallucinated")


@BOTH
@pytest.mark.parametrize(
    ("sides", "row", "seam", "by_text", "cause", "settled"),
    [
        ("both", None, False, "unlike", "unlike", False),
        ("both", None, False, "sure", "sure", True),
        ("both", None, True, "sure", "sure", True),
        ("both", None, True, "unlike", "split", True),
        ("both", ("gone", "new"), True, "unlike", "split", True),
        ("both", ("gone", "new"), False, "unlike", "gone", False),
        ("both", ("gone", "split"), False, "unlike", "split", False),
        ("both", ("gone", "new"), False, "sure", "sure", True),
        ("gold", None, False, None, "missing", False),
        ("pred", None, False, None, "hallucinated", False),
        ("gold", None, True, None, "split", True),
        ("pred", None, True, None, "split", True),
        ("gold", ("gone", "new"), True, None, "gone", True),
        ("pred", ("gone", "new"), True, None, "new", True),
    ],
)
@pytest.mark.parametrize("special", [None, "type field", "unlisted"])
def test_the_first_cause_is_by_text_type_row_or_absence(
    form: Form,
    sides: str,
    row: tuple[str, str] | None,
    seam: bool,
    by_text: str | None,
    cause: str,
    settled: bool,
    special: str | None,
) -> None:
    one, two = form.readings.Reading("1", str), form.readings.Reading("2", str)
    gold, pred = (None if sides == "pred" else one), (None if sides == "gold" else two)
    field, pair = field_of("a"), object()

    def between(*asked: object) -> str:
        assert asked == (gold, pred, field)
        return by_text

    first = form.pairs.FirstCauses(between, frozenset({"sure"}), form.pairs.CauseWords(*WORDS))
    if (special == "type field" and by_text == "unlike") or (
        special == "unlisted" and sides == "gold"
    ):
        cause, settled = "type", True
    found = first.of(
        [(pair, field, gold, pred)],
        {} if row is None else {id(pair): row},
        {(id(pair), "a")} if seam else set(),
        "a" if special == "type field" else "b",
        (lambda path: path == "a") if special == "unlisted" else None,
    )
    assert found == ([cause], [] if settled else [0])


@BOTH
def test_causes_are_in_the_order_of_their_values(form: Form) -> None:
    one = form.readings.Reading("1", str)
    first = form.pairs.FirstCauses(unreachable, frozenset(), form.pairs.CauseWords(*WORDS))
    pair, lone = object(), object()
    wrong = [(pair, FIELDS["a"], one, None), (lone, FIELDS["a"], None, one)]
    wrong += [(pair, FIELDS["b"], None, one)]
    causes, doubtful = first.of(wrong, {id(lone): ("gone", "new")}, set(), "", None)
    assert causes == ["missing", "new", "hallucinated"]
    assert doubtful == [0, 2]
