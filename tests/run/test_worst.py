"""The worst documents: the same are kept whichever were drawn at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.load.format import Record
from docassay.load.pairing import Paired
from docassay.matching.case import make_case
from docassay.model.report import KeptDiff, Rank
from docassay.run.open import prepare
from docassay.run.verdict_file import CaseValues, ValueLines
from docassay.run.worst import DiffKeeper, DiffLines, rank_of, ranks_of
from tests.strategies import TREE

BOUND = prepare()
RANKS = st.builds(
    lambda shares: [(share / 4, share, f"d{at}") for at, share in enumerate(shares)],
    st.lists(st.integers(0, 4), max_size=12),
)


def drawn(rank: Rank) -> tuple[Rank, KeptDiff]:
    return rank, KeptDiff(rank[2], rank[1], (), (), (), memoryview(b"{}"))


@given(ranks=RANKS, at_once=st.sets(st.integers(0, 11)), size=st.integers(1, 5))
def test_the_same_documents_are_kept_whichever_were_drawn_at_once(
    ranks: list[Rank], at_once: set[int], size: int
) -> None:
    keeper = DiffKeeper(4)
    for start in range(0, len(ranks), size):
        own = ranks[start : start + size]
        keeper.add(own, [drawn(rank) for at, rank in enumerate(own, start) if at in at_once])
    undrawn = keeper.undrawn()
    keeper.draw([drawn(ranks[number]) for number in undrawn])
    worst = sorted(ranks, reverse=True)[:4]
    assert undrawn == [at for at, rank in enumerate(ranks) if rank in worst and at not in at_once]
    shown = sorted(worst, key=lambda rank: (-rank[0], rank[2]))
    assert [diff.id for diff in keeper.kept().read()] == [id for _, _, id in shown]
    assert keeper.kept().of == len(ranks)
    assert keeper.undrawn() == []


@pytest.mark.parametrize(
    ("documents", "size", "place"),
    [
        pytest.param(400, 64, 22, id="a quarter of them, and what chance may add"),
        pytest.param(200, 16, 12, id="half of them"),
        pytest.param(400, 4, 3, id="few tell little"),
        pytest.param(200, 2, None, id="too few tell nothing"),
        pytest.param(400, 0, None, id="none"),
    ],
)
def test_a_sample_tells_what_is_probably_not_among_the_worst(
    documents: int, size: int, place: int | None
) -> None:
    keeper = DiffKeeper(100)
    sample: list[Rank] = [(at / 100, at, f"d{at}") for at in range(size)]
    keeper.expect(documents, lambda: sample[::-1])
    assert keeper.floor == (None if place is None else sample[-place])


def test_nothing_is_asked_of_a_sample_where_most_documents_are_shown() -> None:
    keeper = DiffKeeper(100)
    keeper.expect(199, lambda: pytest.fail("asked"))
    assert keeper.floor is None


def test_what_is_known_goes_before_what_was_expected() -> None:
    low, middle, *others = ((share / 10, 1, f"d{share}") for share in range(5))
    keeper = DiffKeeper(2)
    keeper.expect(8, lambda: [low, low, middle, middle, middle, *others])
    assert keeper.floor == middle
    keeper.add([middle, low], [])
    assert keeper.floor == middle
    keeper.add(others, map(drawn, others))
    assert keeper.floor == others[1]


@given(gold=TREE, pred=TREE)
def test_a_document_has_one_rank_and_its_wrong_values_the_same_lines(
    gold: dict[str, object], pred: dict[str, object]
) -> None:
    paired = Paired("a", Record("a", gold, "gold:1"), Record("a", pred, "pred:1"))
    case = make_case("a", gold, pred, BOUND.layouts)
    assert [DiffLines().rank(case)] == [rank_of(case)] == ranks_of([paired], BOUND)
    lines = []
    for whole in (True, False):
        maker = ValueLines("wrong")
        maker.add([CaseValues(case, whole=whole)], [paired])
        lines.append(maker.take())
    assert lines[0] == lines[1]
