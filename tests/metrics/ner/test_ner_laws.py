"""Laws of `ner`: the definitions by brute force, what order changes, and what adds up."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, UnknownName
from docassay.metrics.ner import counts
from docassay.model.document import Block
from docassay.model.stats import PARTS, Stats, fold
from tests.metrics.ner.plain import (
    BLOCK,
    BLOCKS,
    characters,
    distance,
    edit_cost,
    entities,
    free_cost,
    most_matches,
    stats_of,
    word_credit,
)

LIMITS = ("0", "0.5", "1")
FREE = ("oiecer", "oinerval", "bt", "be", "bow")
ORDERED = ("cer", "ecer", "nerval", "iehhr")


@given(gold=BLOCKS, pred=BLOCKS)
def test_ecer_and_ewer_are_the_edit_distance_of_entity_sequences(
    gold: list[Block], pred: list[Block]
) -> None:
    ours, theirs = entities(gold), entities(pred)
    found = stats_of(gold, pred, only=("ecer",))["ecer"][""]
    assert found == (
        len(ours),
        edit_cost(ours, theirs, characters),
        edit_cost(ours, theirs, str.split),
    )


@settings(max_examples=25, deadline=None)
@given(gold=st.lists(BLOCK, max_size=5), pred=st.lists(BLOCK, max_size=5))
def test_the_free_scores_are_the_best_of_all_assignments(
    gold: list[Block], pred: list[Block]
) -> None:
    ours, theirs = entities(gold), entities(pred)
    found = stats_of(gold, pred, thresholds=LIMITS)
    assert found["oiecer"][""] == (
        len(ours),
        free_cost(ours, theirs, characters),
        free_cost(ours, theirs, str.split),
    )
    limits = (300_000_000, 0, 500_000_000, PARTS)
    best = (most_matches(ours, theirs, limit) for limit in limits)
    assert found["oinerval"][""] == (len(ours), len(theirs), *best)


@given(gold=BLOCKS, pred=BLOCKS)
def test_iehhr_is_the_best_alignment_of_tagged_words(gold: list[Block], pred: list[Block]) -> None:
    ours, theirs = entities(gold), entities(pred)
    words = sum(len(one.text.split()) for one in ours)
    assert stats_of(gold, pred)["iehhr"][""] == (words, word_credit(ours, theirs))


@given(gold=BLOCKS, pred=BLOCKS)
def test_cer_and_wer_are_edits_of_the_whole_text(gold: list[Block], pred: list[Block]) -> None:
    ours, theirs = (" ".join(one.text for one in side) for side in (gold, pred))
    assert stats_of(gold, pred)["cer"][""] == (
        distance(ours, theirs),
        len(ours),
        distance(ours.split(), theirs.split()),
        len(ours.split()),
    )


@given(gold=BLOCKS, pred=BLOCKS)
def test_more_words_than_there_are_characters_are_compared_alike(
    gold: list[Block], pred: list[Block]
) -> None:
    stats = stats_of(gold, pred)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "LAST_LETTER", 1)
        assert stats_of(gold, pred) == stats


@given(gold=BLOCKS, pred=BLOCKS)
def test_a_category_counts_as_its_entities_alone_do(gold: list[Block], pred: list[Block]) -> None:
    whole = stats_of(gold, pred, thresholds=LIMITS)
    for category in {one.category for one in entities([*gold, *pred])}:
        assert category is not None
        alone = stats_of(
            [one for one in gold if one.category == category],
            [one for one in pred if one.category == category],
            thresholds=LIMITS,
        )
        for part in ("cer", "ecer", "oiecer", "oinerval", "bt", "be", "bow", "iehhr"):
            assert whole[part][category] == alone[part][category] == alone[part][""], part


@given(gold=BLOCKS, pred=BLOCKS, seed=st.integers(0, 1000))
def test_shuffling_blocks_changes_no_digit_of_the_free_scores(
    gold: list[Block], pred: list[Block], seed: int
) -> None:
    dice = random.Random(seed)
    shuffled = [dice.sample(side, len(side)) for side in (gold, pred)]
    before, after = stats_of(gold, pred), stats_of(*shuffled)
    for part in FREE:
        assert before[part] == after[part]


@given(gold=BLOCKS, pred=BLOCKS)
def test_free_order_never_costs_more_than_kept_order(gold: list[Block], pred: list[Block]) -> None:
    found = stats_of(gold, pred)
    for key, (_, *costs) in found["oiecer"].items():
        assert all(one <= other for one, other in zip(costs, found["ecer"][key][1:], strict=True))


@given(gold=BLOCKS, pred=BLOCKS)
def test_matches_of_categories_add_up_to_the_total(gold: list[Block], pred: list[Block]) -> None:
    found = stats_of(gold, pred, thresholds=LIMITS)
    for part in ("nerval", "oinerval", "bt", "be"):
        rows = [row[:3] for key, row in found[part].items() if key]
        assert tuple(map(sum, zip((0, 0, 0), *rows, strict=True))) == found[part][""][:3], part


@given(blocks=BLOCKS)
def test_a_sequence_against_itself_is_perfect(blocks: list[Block]) -> None:
    found = stats_of(blocks, blocks)
    count = len(entities(blocks))
    assert found["ecer"][""] == found["oiecer"][""] == (count, 0, 0)
    assert found["nerval"][""] == found["oinerval"][""] == (count, count, count)
    words, right = found["iehhr"][""]
    assert right == words * PARTS


def rates(stats: Stats) -> dict[str, float]:
    """Errors for each part, and for the others what is missing of the best."""
    cer, ecer, nerval, iehhr = (stats[part][""] for part in ORDERED)
    return {
        "cer": cer[0] / cer[1],
        "wer": cer[2] / cer[3],
        "ecer": ecer[1] / ecer[0],
        "ewer": ecer[2] / ecer[0],
        "nerval": 1 - 2 * nerval[2] / (nerval[0] + nerval[1]),
        "iehhr": 1 - iehhr[1] / (iehhr[0] * PARTS),
    }


def test_on_average_shuffling_makes_every_ordered_score_worse() -> None:
    dice = random.Random(7)
    words = ["".join(dice.choices("abcdefgh", k=dice.randint(2, 7))) for _ in range(300)]
    corpus = []
    for _ in range(100):
        gold = [
            Block(dice.choice(["X", "Y", "Z", None]), " ".join(dice.choices(words, k=2)))
            for _ in range(dice.randint(8, 12))
        ]
        pred = [one._replace(text=one.text.replace("a", "e", 1)) for one in gold]
        corpus.append((gold, pred))
    before = rates(fold(stats_of(*pair) for pair in corpus))
    after = [
        rates(fold(stats_of(gold, dice.sample(pred, len(pred))) for gold, pred in corpus))
        for _ in range(3)
    ]
    for name, value in before.items():
        assert sum(one[name] for one in after) / len(after) > value, name


@pytest.mark.parametrize("threshold", [-0.1, 1.01, 30.0])
def test_a_threshold_that_is_no_ratio_is_an_error(threshold: float) -> None:
    with pytest.raises(ConfigurationError, match=r"0\.3 is 30 %"):
        stats_of([], [], threshold=threshold)


def test_an_unknown_part_is_an_error_that_lists_what_exists() -> None:
    with pytest.raises(UnknownName, match="oinerval"):
        stats_of([], [], only=("ecre",))


def test_only_the_parts_asked_for_are_counted() -> None:
    assert set(stats_of([], [], only=("bt", "oiecer"))) == {"oiecer", "bt", "documents"}


def test_a_text_beyond_the_limit_is_counted_and_left_out_where_it_is_aligned_whole() -> None:
    blocks = [Block("X", "abc"), Block("X", "de")]
    found = stats_of(blocks, blocks, max_chars=5)
    assert set(found) == {"ecer", "oiecer", "oinerval", "bt", "be", "bow", "documents"}
    assert found["documents"] == {"": (1, 1)}
    assert stats_of(blocks, blocks, max_chars=6)["documents"] == {"": (1, 0)}


def test_one_endless_entity_is_not_compared() -> None:
    found = stats_of([Block("X", "a" * 50)], [Block("X", "b" * 50)], max_chars=10)
    assert set(found) == {"bt", "be", "bow", "documents"}


def test_more_pairs_than_the_limit_are_counted_and_left_out() -> None:
    found = stats_of([Block("X", "a")] * 3, [Block("X", "b")] * 3, max_pairs=8)
    assert set(found) == {"cer", "nerval", "bt", "be", "bow", "iehhr", "documents"}
    assert found["documents"] == {"": (1, 1)}


def test_the_least_of_several_right_texts_is_what_an_entity_costs() -> None:
    gold = [Block("X", "12 May 1770", ("12/05/1770", "May 1770"))]
    found = stats_of(gold, [Block("X", "12/05/1771")])
    assert found["ecer"]["X"] == found["oiecer"]["X"] == (1, 100_000_000, PARTS)
    assert found["nerval"]["X"] == found["oinerval"]["X"] == (1, 1, 1)
    assert found["be"]["X"] == (1, 1, 0, 1)
