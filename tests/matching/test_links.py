"""Equal values within a field, and which wrong value stands for which missed one."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.values import (
    equal_keys,
    link,
    link_by_equality,
    link_by_key,
    pair_the_wrong,
)
from docassay.model.document import Reading
from docassay.model.stats import PARTS
from docassay.run.open import prepare
from docassay.values.field import BoundField

SCHEMA = {
    "fields": {
        "n": "exact",
        "t": {"type": "text", "accept": 0.5},
        "p": {"type": "number", "absolute": "1"},
        "o": {"type": "exact", "match": "order"},
        "r": {"type": "number", "absolute": "1", "match": "order"},
    }
}
SURE = st.sampled_from([None, 0.1, 0.5, 0.9])
VALUES = st.lists(st.tuples(st.sampled_from(["1", "2", "3", "ab", "abc"]), SURE), max_size=4)


def field(path: str) -> BoundField:
    return prepare(schema=SCHEMA).layouts.plain.field(path)


def read(path: str, values: list) -> list[Reading]:
    readings = [(field(path).readings[text], sure) for text, sure in values]
    return [one.located(confidence=sure) for one, sure in readings if one is not None]


def best(path: str, golds: list[Reading], preds: list[Reading], *, like: bool) -> tuple:
    """The most pairs (equal, or of greatest likeness), by trying all."""
    bound = field(path)
    flipped = len(golds) > len(preds)
    short, long = (preds, golds) if flipped else (golds, preds)
    worths = []
    for order in permutations(long, len(short)):
        pairs = [(b, a) if flipped else (a, b) for a, b in zip(short, order, strict=True)]
        if like:
            worths.append((sum(round(bound.similarity(a, b) * PARTS) for a, b in pairs),))
            continue
        right = [b for a, b in pairs if bound.equal(a, b)]
        worths.append((len(right),))
    return max(worths)


@pytest.mark.parametrize("path", ["n", "t", "p"])
@given(golds=VALUES, preds=VALUES)
def test_as_many_values_are_linked_as_by_trying_every_way(
    path: str, golds: list, preds: list
) -> None:
    left, right = read(path, golds), read(path, preds)
    links = [link_by_equality(field(path), left, right)]
    if path == "n":
        links.append(link_by_key(left, right))
        assert equal_keys(left, right) == len(links[1])
    for pairs in links:
        assert all(field(path).equal(left[i], right[j]) for i, j in pairs)
        assert (len(pairs),) == best(path, left, right, like=False)
        assert all(len({*side}) == len(pairs) for side in zip(*pairs, strict=True))


@pytest.mark.parametrize("path", ["n", "p"])
@given(golds=VALUES, preds=VALUES)
def test_of_equal_predicted_values_the_most_confident_are_linked(
    path: str, golds: list, preds: list
) -> None:
    left, right = read(path, golds), read(path, preds)
    links = link_by_key(left, right) if path == "n" else link_by_equality(field(path), left, right)
    taken = {j for _, j in links}
    for _, j in links:
        for k, other in enumerate(right):
            if k not in taken and other.key == right[j].key and other.text == right[j].text:
                assert (other.confidence or 0.0) <= (right[j].confidence or 0.0)


@pytest.mark.parametrize("by_key", [True, False])
@pytest.mark.parametrize("order", [(0.2, 0.7), (0.7, 0.2), (None, 0.7), (0.7, None)])
def test_the_more_confident_of_two_equal_values_is_the_right_one(
    by_key: bool, order: tuple[float | None, float | None]
) -> None:
    golds, preds = read("n", [("1", None)]), read("n", [("1", sure) for sure in order])
    links = link_by_key(golds, preds) if by_key else link_by_equality(field("n"), golds, preds)
    assert [preds[j].confidence for _, j in links] == [0.7]


def test_of_equally_confident_values_the_first_by_content_is_linked() -> None:
    golds, preds = read("t", [("abcd", None)]), read("t", [("abcx", 0.5), ("abca", 0.5)])
    assert link_by_equality(field("t"), golds, preds) == [(0, 1)]


def test_single_values_are_linked_when_equal_and_only_then() -> None:
    for path, other in (("n", "2"), ("p", "3")):
        golds = read(path, [("1", None)])
        bound = field(path)
        assert link_by_equality(bound, golds, read(path, [("1", None)])) == [(0, 0)]
        assert link_by_equality(bound, golds, read(path, [(other, None)])) == []
    assert link_by_key(read("n", [("1", None)]), read("n", [("2", None)])) == []
    assert link_by_key(read("n", [("1", None)]), read("n", [("1", None)])) == [(0, 0)]


@pytest.mark.parametrize(
    ("path", "golds", "preds", "links"),
    [
        ("o", ["a", "b", "c"], ["a", "c", "b"], [(0, 0)]),
        ("o", ["a", "", "b"], ["a", "b"], [(0, 0)]),
        ("o", ["", "b"], ["a", "b"], [(0, 1)]),
        ("o", ["a"], ["b"], []),
        ("r", ["1", "5", "9"], ["2", "9", "8"], [(0, 0), (2, 2)]),
        ("n", ["a", "b"], ["b", "a"], [(0, 1), (1, 0)]),
        ("n", [], ["b"], []),
        ("p", ["1", "5"], ["6", "9"], [(1, 0)]),
    ],
)
def test_links_of_a_field_follow_its_way_to_match(
    path: str, golds: list, preds: list, links: list
) -> None:
    from docassay.matching.case import make_case

    case = make_case("x", {path: golds}, {path: preds}, prepare(schema=SCHEMA).layouts)
    by_key = path in ("n", "o")
    found = link(field(path), case.gold.root, case.pred.root, by_key=by_key)
    assert sorted(found) == links
    assert link(field(path), None, case.pred.root, by_key=by_key) == []
    assert link(field(path), case.gold.root, None, by_key=by_key) == []


@given(golds=VALUES, preds=VALUES)
def test_wrong_values_stand_for_the_missed_ones_they_are_most_like(
    golds: list, preds: list
) -> None:
    left, right = read("t", golds), read("t", preds)
    pairs = pair_the_wrong(field("t"), left, right)
    assert len(pairs) == min(len(left), len(right))
    likeness = sum(round(field("t").similarity(left[i], right[j]) * PARTS) for i, j in pairs)
    assert not pairs or (likeness,) == best("t", left, right, like=True)


def test_which_wrong_value_stands_for_which_does_not_depend_on_their_order() -> None:
    golds, preds = ["kx", "ky"], ["za", "zb", "zc"]
    first = pair_the_wrong(field("t"), *(read("t", [(t, None) for t in s]) for s in (golds, preds)))
    flipped = (golds[::-1], preds[::-1])
    second = pair_the_wrong(field("t"), *(read("t", [(t, None) for t in s]) for s in flipped))
    assert {(golds[i], preds[j]) for i, j in first} == {
        (flipped[0][i], flipped[1][j]) for i, j in second
    }
