"""The measures of `ner` as their definitions read: slow, short, and what the fast must equal."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import permutations

from hypothesis import strategies as st

from docassay.metrics.ner.counts import statistics
from docassay.metrics.ner.metric import settings_of
from docassay.model.document import Block
from docassay.model.stats import PARTS, Stats

WORD = st.sampled_from(["a", "b", "ab", "abc", "é-"])
TEXT = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
OTHERS = st.sampled_from([(), (), (), ("ab b",)])
BLOCK = st.builds(Block, st.sampled_from([None, "X", "X", "Y"]), TEXT, OTHERS)
BLOCKS = st.lists(BLOCK, max_size=6)


def stats_of(gold: Sequence[Block], pred: Sequence[Block], **options: object) -> Stats:
    return statistics(gold, pred, settings_of(**options))  # type: ignore[arg-type]


def entities(blocks: Sequence[Block]) -> list[Block]:
    return [one for one in blocks if one.category is not None]


def distance(gold: Sequence[Hashable], pred: Sequence[Hashable]) -> int:
    row = list(range(len(pred) + 1))
    for i, one in enumerate(gold, start=1):
        above, row[0] = row[0], i
        for j, other in enumerate(pred, start=1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (one != other))
    return row[-1]


def characters(text: str) -> Sequence[Hashable]:
    return text


def cost(gold: Block, pred: Block, units: Callable[[str], Sequence[Hashable]]) -> int:
    """The cost of a pair, in whole parts per billion."""
    if gold.category != pred.category:
        return PARTS
    return min(
        min(PARTS, round(distance(units(text), units(pred.text)) * PARTS / len(units(text))))
        for text in (gold.text, *gold.others)
    )


def edit_cost(
    gold: Sequence[Block], pred: Sequence[Block], units: Callable[[str], Sequence[Hashable]]
) -> int:
    @cache
    def rest(i: int, j: int) -> int:
        if i == len(gold) or j == len(pred):
            return (len(gold) - i + len(pred) - j) * PARTS
        pair = rest(i + 1, j + 1) + cost(gold[i], pred[j], units)
        return min(pair, rest(i + 1, j) + PARTS, rest(i, j + 1) + PARTS)

    return rest(0, 0)


def every_assignment(
    gold: Sequence[Block], pred: Sequence[Block]
) -> list[list[tuple[Block, Block]]]:
    if len(gold) <= len(pred):
        return [list(zip(gold, some, strict=True)) for some in permutations(pred, len(gold))]
    return [list(zip(some, pred, strict=True)) for some in permutations(gold, len(pred))]


def free_cost(
    gold: Sequence[Block], pred: Sequence[Block], units: Callable[[str], Sequence[Hashable]]
) -> int:
    alone = abs(len(gold) - len(pred)) * PARTS
    return alone + min(
        sum(cost(one, other, units) for one, other in pairs)
        for pairs in every_assignment(gold, pred)
    )


def most_matches(gold: Sequence[Block], pred: Sequence[Block], limit: int) -> int:
    return max(
        sum(
            one.category == other.category and cost(one, other, characters) <= limit
            for one, other in pairs
        )
        for pairs in every_assignment(gold, pred)
    )


def word_credit(gold: Sequence[Block], pred: Sequence[Block]) -> int:
    ours, theirs = ([Block(b.category, w) for b in s for w in b.text.split()] for s in (gold, pred))

    @cache
    def rest(i: int, j: int) -> int:
        if i == len(ours) or j == len(theirs):
            return 0
        pair = rest(i + 1, j + 1) + PARTS - cost(ours[i], theirs[j], characters)
        return max(pair, rest(i + 1, j), rest(i, j + 1))

    return rest(0, 0)
