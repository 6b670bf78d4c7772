"""What `fields` looks at, against the plain rules: places of items, and likeness of lists."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import docassay as da
from docassay.kernel.columns import Contrast
from docassay.matching.case import Case, make_case
from docassay.metrics.fields import likeness
from docassay.metrics.fields.contrast import (
    ABSENT,
    Items,
    any_contents,
    contents,
    contrast,
    items_of,
)
from docassay.metrics.fields.likeness import Likeness
from docassay.metrics.fields.methods import STRICT, Judge, Rules
from docassay.metrics.fields.metric import fields
from docassay.model.document import Reading
from docassay.model.schema import Field, Schema
from docassay.run.open import prepare
from docassay.values.field import BoundField
from docassay.values.read.text import LONGEST
from tests.matching.test_plain import SCHEMAS, documents
from tests.strategies import TREE

CELLS = st.sampled_from(["a", "b", "c", "5", "x y", ""])
ROWS = st.lists(st.dictionaries(st.sampled_from("npq"), CELLS, max_size=3), max_size=6)
PLAIN_TREE = st.fixed_dictionaries(
    {}, optional={"total": CELLS, "date": CELLS, "items": ROWS, "extra": ROWS}
)


def case_of(gold: object, pred: object) -> Case:
    return make_case("d", gold, pred, prepare(schema=None).layouts)


def told(difference: Contrast) -> tuple[object, ...]:
    """All that a contrast says, readings by their identity and in any order of places."""
    return (
        *(difference.group, difference.golds, difference.preds, difference.shared),
        difference.same,
        Counter((id(gold), id(pred)) for gold, pred in zip(*difference.cells, strict=True)),
        *([*map(id, side)] for side in difference.items),
    )


@given(gold=st.one_of(TREE, PLAIN_TREE), pred=st.one_of(TREE, PLAIN_TREE))
def test_documents_walked_together_differ_as_their_items_do(gold: object, pred: object) -> None:
    case = case_of(gold, pred)
    right, others, flat = contents(case)
    golds, preds = items_of(case.gold.root), items_of(case.pred.root)
    assert {*right, *others} == {*golds, *preds}
    assert len(right) + len(others) == len({*golds, *preds})
    for path in right:
        plain = contrast(golds[path], preds[path])
        assert (plain.group, plain.golds, plain.all_same) == ("", 1, True)
    for path, difference in others.items():
        plain = contrast(golds.get(path, ABSENT), preds.get(path, ABSENT))
        assert told(difference) == told(plain)
    rows = [
        row for side in (case.gold, case.pred) for each in side.root.groups.values() for row in each
    ]
    assert not flat or not any(row.groups for row in rows)


RULES = st.sampled_from([{}, {"substitution": "fn"}, {"item_similarity": 0.5, "item_words": 0.5}])


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=[*SCHEMAS])
@given(both=documents(), rules=RULES, method=st.sampled_from(["auto", "correlation_f1"]))
def test_fields_score_the_same_whatever_is_known_of_them_without_looking(
    schema: object, both: tuple[object, object], rules: dict[str, Any], method: str
) -> None:
    scored = []
    for look in (contents, lambda case: any_contents(case.gold.root, case.pred.root)):
        with mock.patch("docassay.metrics.fields.metric.contents", look):
            case = make_case("d", *both, prepare(schema=schema).layouts)  # type: ignore[arg-type]
            stats = fields(case, method=method, **rules)
            scored.append({name: dict(table) for name, table in stats.items()})
    for table, rows in scored[0].items():
        assert rows.keys() == scored[1][table].keys()
        for key, counts in rows.items():
            # the order in which rates are added up may be another
            assert counts == pytest.approx(scored[1][table][key], abs=1)


def test_a_row_lost_takes_no_likeness_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = {"d": {"items": [{"name": f"Wireless mouse {i}"} for i in range(40)]}}
    pred = {"d": {"items": gold["d"]["items"][:10] + gold["d"]["items"][11:]}}
    monkeypatch.delattr(likeness, "_SCORER")
    report = da.score(gold, pred, metrics=["fields"], types="text")
    assert report["fields.anls@items.name"].value == 39 / 40


def test_a_misread_letter_takes_no_look_at_what_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"Wireless mouse {i}" for i in range(8)]
    gold = {"d": {"items": [{"name": name} for name in names]}}
    pred = {"d": {"items": [{"name": name} for name in ["Wireless mause 0", *names[1:]]]}}
    monkeypatch.delattr(Likeness, "chained")
    report = da.score(gold, pred, metrics=["fields"], types="text")
    assert report["fields.anls@items.name"].value == pytest.approx((7 + 15 / 16) / 8)


TEXTS = st.text(alphabet="abc ", min_size=1, max_size=8).map(lambda text: text.strip() or "a")
LISTS = st.lists(TEXTS, min_size=1, max_size=3)


def likeness_of(kind: str, floor: float = 0.5) -> tuple[Likeness, BoundField]:
    field = BoundField(Field("f", kind), Schema())
    return Likeness(field, floor, by_letters=kind == "text"), field


def readings_of(field: BoundField, texts: list[str]) -> tuple[Reading, ...]:
    readings = [field.readings[text] for text in texts]
    return tuple(reading for reading in readings if reading is not None)


@pytest.mark.parametrize("kind", ["text", "exact", "words"])
@given(
    golds=LISTS,
    preds=LISTS,
    settled=st.lists(TEXTS, min_size=1, max_size=4, unique=True),
    floor=st.sampled_from([0.0, 0.5, 0.8]),
)
def test_values_beside_settled_ones_are_worth_what_all_of_them_together_are(
    kind: str, golds: list[str], preds: list[str], settled: list[str], floor: float
) -> None:
    alike, field = likeness_of(kind, floor)
    left, right, both = (readings_of(field, texts) for texts in (golds, preds, settled))
    beside = alike.best_beside(left, right, lambda _: both)
    together = alike.best(left + both, right + both)
    assert beside is None or len(both) + beside == pytest.approx(together, abs=1e-12)
    assert together >= len(both) + alike.best(left, right) - 1e-12


def test_settled_values_are_parted_where_that_is_better() -> None:
    # each is two letters of three away from what lies between them, and they share nothing
    alike, field = likeness_of("text")
    gold, pred, between = readings_of(field, ["ab", "ba", "aba"])
    assert alike.best_beside((gold,), (pred,), lambda _: {between}) is None
    assert alike.best((gold, between), (pred, between)) == pytest.approx(4 / 3)


def test_a_likeness_that_is_exactly_the_floor_counts() -> None:
    alike, field = likeness_of("text", 0.8)
    gold, pred = readings_of(field, ["abcde", "abcdx"])
    assert alike.of(gold, pred) == alike.matrix((gold,), (pred,))[0, 0] == 0.8


@pytest.mark.parametrize("kind", ["text", "exact"])
@given(
    golds=st.lists(st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=4),
    preds=st.lists(TEXTS, min_size=1, max_size=4),
    long=st.booleans(),
)
def test_likeness_in_a_table_is_that_of_each_pair(
    kind: str, golds: list[list[str]], preds: list[str], long: bool
) -> None:
    alike, field = likeness_of(kind)
    ours = [readings_of(field, texts) for texts in golds]
    left = tuple(one.located(alternatives=(one, *more)) if more else one for one, *more in ours)
    right = readings_of(field, [*preds, "a" * (LONGEST + 1)] if long else preds)
    table = alike.matrix(left, right).tolist()
    assert table == [[alike.of(gold, pred) for pred in right] for gold in left]


@pytest.mark.parametrize("kind", ["number", "money", "date", "id", "boolean", "choice", "phone"])
@given(gold=st.text("0123456789.,-$ yesno", min_size=1), pred=st.text("0123456789.$", min_size=1))
def test_a_value_that_is_right_or_wrong_has_the_marks_of_the_plain_rule(
    kind: str, gold: str, pred: str
) -> None:
    field = BoundField(Field("f", kind), Schema())
    both = readings_of(field, [gold, pred])
    if len(both) == 2:
        judge, plain = Judge(field, STRICT), Judge(field, STRICT)
        plain.all_or_nothing = False
        marks, expected = judge._single(*both), plain._single(*both)
        assert [getattr(marks, name) for name in MARKS] == [
            getattr(expected, name) for name in MARKS
        ]


SPELT = {
    "text": ["Abc", "abc.", "abd"],
    "words": ["a b", "b a", "a c"],
    "name": ["ACME Inc.", "Acme, Inc", "Acme Ltd", "Adams Ltd"],
    "address": ["12 Main Street, Berlin", "12 Main St., Berlin", "12 Main Street, Bern", "13 Main"],
}
"""Texts of some types, the first two of which mean the same."""


@pytest.mark.parametrize("kind", SPELT)
def test_a_single_value_is_as_alike_as_its_comparator_says(kind: str) -> None:
    judge = Judge(BoundField(Field("f", kind), Schema()), STRICT)
    texts = readings_of(judge.field, SPELT[kind])
    assert judge.item_matches(*texts[:2])
    for gold, pred in permutations(texts, 2):
        similarity = judge.field.similarity(gold, pred)
        assert judge._single(gold, pred).f1 == (similarity if similarity >= judge._floor else 0.0)
    several = texts[0].located(alternatives=(texts[2],))
    expected = judge.field.similarity(several, texts[0])
    assert judge._single(several, texts[0]).f1 == (expected if expected >= judge._floor else 0.0)


MARKS = ("exact", "anls", "f1", "order_aware_f1", "kieval_cost", "tp", "fp", "fn", "parted")


NAMES = st.lists(
    st.text(alphabet="abB ", min_size=1, max_size=4).filter(str.strip), min_size=1, max_size=6
)


@pytest.mark.parametrize("kind", ["text", "exact", "words"])
@given(golds=NAMES, preds=NAMES, sure=st.booleans(), turned=st.booleans())
@example(golds=["aba", "ab"], preds=["aba", "ba"], sure=True, turned=False)  # better parted
@example(golds=["a b", "bb"], preds=["b a", "a"], sure=False, turned=False)  # the same words
@example(golds=["a b", "b"], preds=["b a", "b"], sure=False, turned=False)
@example(golds=["aab", "b"], preds=["aaB", "b"], sure=False, turned=False)
def test_texts_that_the_matching_left_over_are_as_alike_as_all_texts_are(
    kind: str, golds: list[str], preds: list[str], sure: bool, turned: bool
) -> None:
    schema = {"fields": {"name": kind}, "groups": {"items": {"fields": {"name": kind}}}}
    if turned:
        preds = [*reversed(golds), preds[0]]
    leaves = [{"value": text, "confidence": 0.5} if sure else text for text in preds]
    gold, pred = (
        {"name": texts[0], "items": [{"name": text} for text in texts]} for texts in (golds, leaves)
    )
    case = make_case("d", gold, pred, prepare(schema=schema).layouts)  # type: ignore[arg-type]
    right, others, _ = contents(case)
    plain = any_contents(case.gold.root, case.pred.root).others
    for path in {"name", "items.name"}.difference(right):
        judge = Judge(case.layout.field(path), STRICT)
        marks, expected = judge.judge(others[path]), judge.judge(plain[path])
        told = [getattr(marks, name) for name in MARKS]
        assert told == pytest.approx([getattr(expected, name) for name in MARKS], abs=1e-12)
        whole = judge.likeness_of_all(plain[path]) / max(plain[path].golds, plain[path].preds)
        assert marks.anls == pytest.approx(whole, abs=1e-12)


def test_a_value_that_is_more_than_the_form_of_its_text_is_left_to_the_general_rule() -> None:
    alike, field = likeness_of("text")
    gold, pred = readings_of(field, ["abcd", "abcx"])
    assert alike.of_forms(gold, pred) == alike.of(gold, pred) == 0.75
    several = gold.located(alternatives=(gold, pred))
    stated = Reading(gold.text, gold.make, gold.made, normalised=True)
    for left, right in ((several, pred), (stated, pred), (pred, stated)):
        assert alike.of_forms(left, right) == -1.0
    assert alike.best_beside((several,), (pred,), lambda _: ()) is None
    words, other = likeness_of("words")
    assert words.of_forms(*readings_of(other, ["abcd", "abcx"])) == -1.0


@pytest.mark.parametrize("own", ["x", "z"])
def test_a_field_that_stands_beside_rows_and_in_them_is_one_list(own: str) -> None:
    case = case_of({"items.n": "x", "items": [{"n": "y"}]}, {"items.n": own, "items": [{"n": "y"}]})
    right, others, _ = contents(case)
    assert (right, {*others}) == ([], {"items.n"})
    assert (others["items.n"].golds, others["items.n"].preds) == (2, 2)


AMOUNTS = st.lists(st.sampled_from(["5", "5.00", "$5", "€5", "7", "$7", "?"]), max_size=4)


@given(golds=AMOUNTS, preds=AMOUNTS)
def test_amounts_match_as_often_as_in_the_best_pairs(golds: list[str], preds: list[str]) -> None:
    judge = Judge(BoundField(Field("f", "money"), Schema()), STRICT)
    left, right = (readings_of(judge.field, texts) for texts in (golds, preds))
    plain = [[judge.field.similarity(gold, pred) >= 1 for pred in right] for gold in left]
    assert [[judge.item_matches(gold, pred) for pred in right] for gold in left] == plain
    short, long = sorted((left, right), key=len)
    most = max(
        sum(judge.item_matches(one, other) for one, other in zip(short, order, strict=True))
        for order in permutations(long, len(short))
    )
    assert judge._matched(left, right) == most


def test_items_that_are_the_same_are_parted_where_more_match_that_way() -> None:
    loose = Judge(BoundField(Field("f", "text"), Schema()), Rules(0.75, 0.0, False))
    texts = loose.field.readings
    golds, preds = (
        (texts[one], texts[other]) for one, other in (("abc", "abcd"), ("abcd", "xbcd"))
    )
    marks = loose.judge(contrast(items(golds), items(preds)))
    assert (marks.tp, marks.fp, marks.fn) == (2, 0, 0)


def items(readings: tuple[Reading, ...]) -> Items:
    return Items(readings, tuple((place,) for place in range(len(readings))))
