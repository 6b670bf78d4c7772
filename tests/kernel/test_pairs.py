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


def unreachable(pair: object) -> list[object]:
    raise AssertionError(pair)


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
    wrong = find(pairs, frozenset(), str, unreachable)
    assert wrong == [(pair, *mistake) for pair in pairs for mistake in pair.found]
    for pair in pairs:
        assert pair.found == form.mistakes.mistakes_in(pair.gold, pair.pred, frozenset(), str)
    assert find(pairs, frozenset(), unreachable, unreachable) == wrong


@BOTH
def test_what_keys_do_not_tell_is_spelt_out(form: Form) -> None:
    (gold,), (pred,) = pairs_of(form, [{"n": "a"}], [{"n": "b"}])
    pair = form.pairs.GroupPair(None, "items", gold, pred)
    spelt = [("n", None, None)]
    wrong = form.pairs.wrong_values([pair], frozenset({"n"}), str, lambda _: spelt)
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
    form.pairs.wrong_values([pair], frozenset(), field_of, unreachable)
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
