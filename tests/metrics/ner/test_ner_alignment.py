"""The alignment of characters and what Nerval makes of it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.metrics.ner import alignment as edits
from docassay.metrics.ner.alignment import (
    GOLD_ONLY,
    PAIR,
    PRED_ONLY,
    align_characters,
    best_in_order,
    offers,
    plain_steps,
)
from docassay.model.document import Block
from tests.metrics.ner.plain import BLOCKS, distance, entities

FEW = st.text("ab ", max_size=40)


@given(gold=FEW, pred=FEW)
def test_an_alignment_takes_as_few_edits_as_there_can_be(gold: str, pred: str) -> None:
    ours, theirs = iter(gold), iter(pred)
    count = 0
    for step in plain_steps(gold, pred).tolist():
        one = next(ours) if step != PRED_ONLY else None
        other = next(theirs) if step != GOLD_ONLY else None
        count += one != other
    assert next(ours, None) is next(theirs, None) is None
    assert count == distance(gold, pred)


TIES = [
    pytest.param("aa", "a", [PAIR, GOLD_ONLY], id="a gold character at the end faces a gap"),
    pytest.param("a", "aa", [PAIR, PRED_ONLY], id="a pred character at the end faces a gap"),
    pytest.param("ab", "ba", [PRED_ONLY, PAIR, GOLD_ONLY], id="gaps go before pairs"),
    pytest.param("", "ab", [PRED_ONLY, PRED_ONLY], id="no gold"),
    pytest.param("ab", "", [GOLD_ONLY, GOLD_ONLY], id="no pred"),
]


@pytest.mark.parametrize(("gold", "pred", "steps"), TIES)
def test_ties_fall_as_in_edlib(gold: str, pred: str, steps: list[int]) -> None:
    assert plain_steps(gold, pred).tolist() == steps


@given(gold=FEW, pred=FEW)
def test_edlib_and_the_plain_alignment_agree(gold: str, pred: str) -> None:
    pytest.importorskip("edlib", reason="edlib is not installed")
    fast = edits._fast_steps(gold, pred)
    assert fast is None or np.array_equal(fast, plain_steps(gold, pred))


@pytest.mark.parametrize("size", [1600, 1900, 4000])
def test_edlib_and_the_plain_alignment_agree_on_texts_that_are_cut_in_two(size: int) -> None:
    pytest.importorskip("edlib", reason="edlib is not installed")
    dice = random.Random(size)
    gold = "".join(dice.choices("abc ", k=size))
    near = "".join(dice.choice("abc") if dice.random() < 0.2 else one for one in gold)
    for pred in (near, "".join(dice.choices("abc ", k=size * 2 // 3)), near[: size // 9]):
        fast = edits._fast_steps(gold, pred)
        assert fast is not None
        assert np.array_equal(fast, plain_steps(gold, pred))


def test_texts_of_more_symbols_than_edlib_knows_are_aligned() -> None:
    dice = random.Random(1)
    shared = [chr(0x4E00 + i) for i in range(400)]
    gold = "".join(dice.choices(shared, k=900))
    pred = "".join(one for one in gold if dice.random() > 0.1)
    assert len(align_characters(gold, pred).gold) == len(gold)
    assert edits._fast_steps(gold, pred) is None
    # of one side's own symbols there may be any number
    alone = "".join(chr(0xAC00 + i) for i in range(300))
    fast = edits._fast_steps("ab" + alone, "ba")
    if fast is not None:
        assert np.array_equal(fast, plain_steps("ab" + alone, "ba"))


def test_no_offer_depends_on_edlib(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(3)
    words = ["".join(dice.choices("abcd", k=3)) for _ in range(90)]
    gold = [Block(dice.choice(["X", "Y", None]), " ".join(dice.choices(words, k=2))) for _ in words]
    pred = [one for one in gold if dice.random() > 0.2]
    with_it = offers(gold, pred)
    monkeypatch.setattr(edits, "_edlib", lambda: None)
    assert offers(gold, pred) == with_it


X = [Block("X", "aaa"), Block(None, "-"), Block("X", "bbb")]
OFFERS = [
    pytest.param(X, X, [("aaa", "aaa"), ("bbb", "bbb")], id="equal texts"),
    pytest.param(X, [Block("X", "aaa - bbb")], [("aaa", "aaa - bbb")], id="merged: the first"),
    pytest.param(
        [Block("X", "aaa bbb")],
        [Block("X", "aaa"), Block("X", "bbb")],
        [("aaa bbb", "aaa")],
        id="split: the first part alone",
    ),
    pytest.param(
        X,
        [Block("Y", "aaa"), Block(None, "-"), Block("X", "bbb")],
        [("bbb", "bbb")],
        id="another category is no offer",
    ),
    pytest.param(
        [Block(None, "aa"), Block("X", "bb")],
        [Block("X", "aa bb")],
        [("bb", "aa bb")],
        id="a pred entity that begins earlier is taken whole",
    ),
    pytest.param([], X, [], id="no gold"),
    pytest.param(X, [], [], id="no pred"),
]


@pytest.mark.parametrize(("gold", "pred", "expected"), OFFERS)
def test_a_gold_entity_is_offered_the_first_pred_entity_over_it(
    gold: list[Block], pred: list[Block], expected: list[tuple[str, str]]
) -> None:
    assert [(one.text, other.text) for one, other in offers(gold, pred)] == expected


@given(gold=BLOCKS, pred=BLOCKS)
def test_no_gold_entity_is_offered_twice_and_categories_agree(
    gold: list[Block], pred: list[Block]
) -> None:
    found = offers(gold, pred)
    assert len(found) <= len(entities(gold))
    assert all(one.category == other.category for one, other in found)


def test_rows_come_in_stretches_without_changing_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(5)
    gold, pred = (dice.choice(["X", "Y"], size).tolist() for size in (40, 30))
    sizes = {one: (gold.count(one), pred.count(one)) for one in ("X", "Y")}
    known = {one: dice.integers(0, 9, (2, *size), dtype=np.int32) for one, size in sizes.items()}

    def weights(category: str, start: int, stop: int) -> np.ndarray:
        return known[category][:, start:stop]

    whole = best_in_order(gold, pred, weights, layers=2, other=1)
    monkeypatch.setattr("docassay.metrics.ner.alignment.CELLS", 200)
    assert best_in_order(gold, pred, weights, layers=2, other=1) == whole


def test_edlib_is_named_in_one_module_alone() -> None:
    source = Path(edits.__file__).parents[1]
    naming = [path.name for path in source.rglob("*.py") if '"edlib"' in path.read_text("utf-8")]
    assert naming == ["alignment.py"]
