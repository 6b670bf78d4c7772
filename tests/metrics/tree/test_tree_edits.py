"""Edits between long texts: as many as the whole table says, found in a band."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from docassay.metrics.tree import edits as module
from docassay.metrics.tree.anls_star import anls_star
from docassay.metrics.tree.edits import LONG, edit_table, edits, likely_edits
from docassay.metrics.tree.nted import nted

TEXT = st.text(alphabet="abc ", max_size=80)


def prose(size: int, seed: int = 1) -> str:
    letters = random.Random(seed)
    return "".join(letters.choices("etaoin shrdlu", k=size))


def misread(text: str, share: float, seed: int = 2) -> str:
    """Return the text with a share of its characters replaced, dropped or doubled."""
    chance = random.Random(seed)
    return "".join(
        chance.choice(("#", "", letter * 2)) if chance.random() < share else letter
        for letter in text
    )


def plain_edits(gold: str, pred: str) -> int:
    """Return the edits row by row, as the definition has them."""
    row = [*range(len(pred) + 1)]
    for i, letter in enumerate(gold, 1):
        above, row = row, [i]
        for j, other in enumerate(pred, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != other)))
    return row[-1]


@given(gold=TEXT, pred=TEXT)
def test_a_band_gives_the_edits_of_the_whole_table(gold: str, pred: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LONG", 30)
        patch.setattr(module, "NARROWEST", 1)
        assert edits(gold, pred) == plain_edits(gold, pred)


@given(gold=TEXT, pred=TEXT, most=st.integers(0, 90))
def test_edits_beyond_the_most_that_matter_are_any_number_above_it(
    gold: str, pred: str, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LONG", 30)
        patch.setattr(module, "NARROWEST", 1)
        exact = plain_edits(gold, pred)
        assert min(edits(gold, pred, most=most), most + 1) == min(exact, most + 1)


@given(golds=st.lists(TEXT, min_size=1, max_size=4), preds=st.lists(TEXT, min_size=1, max_size=4))
def test_a_table_has_the_edits_of_every_pair(golds: list[str], preds: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LONG", 30)
        table = edit_table(golds, preds)
    assert table.tolist() == [[Levenshtein.distance(g, p) for p in preds] for g in golds]
    assert table.dtype == np.int32


@pytest.mark.parametrize(
    ("pred", "least", "greatest"),
    [
        (prose(LONG), 64, 64),
        (misread(prose(LONG), 0.05), 300, 900),
        ("a head of the page " * 20 + misread(prose(LONG), 0.02), 380, 600),
        (misread(prose(LONG), 0.02) + " a foot of the page" * 20, 380, 600),
    ],
    ids=["equal", "one letter in twenty", "text before it", "text after it"],
)
def test_the_guess_of_how_many_edits_is_near(pred: str, least: int, greatest: int) -> None:
    guess = likely_edits(prose(LONG), pred)
    assert guess is not None
    assert least <= guess <= greatest


def test_unlike_texts_get_no_band() -> None:
    assert likely_edits("x" * LONG, "y" * LONG) is None


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.4, 0.9])
def test_a_long_text_scores_as_by_the_whole_table(share: float) -> None:
    gold = prose(LONG + 500)
    pred = misread(gold, share)
    distance = Levenshtein.distance(gold.strip(), pred.strip())
    assert nted({"a": gold, "b": "x"}, {"a": pred, "b": "x"}).distance == distance
    folded = [" ".join(text.split()) for text in (gold, pred)]
    similarity = Levenshtein.normalized_similarity(*folded)
    score = anls_star({"a": gold}, {"a": pred})
    assert score is not None
    assert score.score == pytest.approx(similarity if similarity >= 0.5 else 0.0, abs=1e-9)


@pytest.mark.parametrize("share", [0.01, 0.9])
def test_long_texts_in_a_list_score_as_by_the_whole_table(share: float) -> None:
    pages = [prose(LONG + 10, seed) for seed in range(5)]
    others = [misread(page, share, seed) for seed, page in enumerate(pages)]
    with pytest.MonkeyPatch.context() as patch:
        banded = nted({"p": pages}, {"p": others}), anls_star({"p": pages}, {"p": others})
        patch.setattr(module, "LONG", 10**9)
        assert banded == (nted({"p": pages}, {"p": others}), anls_star({"p": pages}, {"p": others}))
