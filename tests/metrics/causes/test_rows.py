"""Rows that were split or merged are found among few pairs, and all of them are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.case import make_case
from docassay.metrics.causes import SPLIT
from docassay.metrics.causes.rows import Pair, Seams, pairs_of, row_causes
from docassay.model.document import Group
from docassay.run.open import prepare

TEXT = st.lists(st.sampled_from(["red", "tea", "pot", "big"]), min_size=1, max_size=4).map(" ".join)
ROWS = st.lists(
    st.fixed_dictionaries({}, optional={"name": TEXT, "code": st.sampled_from("123")}),
    max_size=6,
)


def pairs(golds: list, preds: list) -> list[Pair]:
    sides = ({"items": golds}, {"items": preds})
    return [*pairs_of(make_case("x", *sides, prepare().layouts)).walk()]


def everything(rows: list[Pair]) -> tuple[object, object]:
    """Return the causes of rows and the seams, by place instead of identity."""
    causes = row_causes(rows)
    place = {id(pair): number for number, pair in enumerate(rows)}
    return (
        {place[pair]: names for pair, names in causes.alone.items()},
        {(place[pair], path) for pair, path in causes.seams},
    )


@given(golds=ROWS, preds=ROWS)
def test_the_index_of_words_and_values_misses_no_row(golds: list, preds: list) -> None:
    rows = pairs(golds, preds)
    with pytest.MonkeyPatch.context() as patch:
        indexed = everything(rows)
        whole = [pair for pair in rows if pair.gold is not None and pair.pred is not None]
        whole = [pair for pair in whole if pair.type and pair.wrong]
        patch.setattr(Seams, "candidates", lambda *_: whole)
        assert indexed == everything(rows)


def test_words_that_all_rows_have_do_not_make_each_row_meet_every_other() -> None:
    golds = [{"name": f"a large tea pot {number}", "code": f"{number}"} for number in range(60)]
    preds = [
        {"name": f"a large tea pot {number} and a lid", "code": "9"} for number in range(50, 80)
    ]
    met: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        candidates = Seams.candidates

        def count(seams: Seams, row: Group) -> list[Pair]:
            hits = candidates(seams, row)
            met.append(len(hits))
            return hits

        patch.setattr(Seams, "candidates", count)
        row_causes(pairs(golds, preds))
    assert len(met) >= 30  # the rows that have no partner
    assert 0 < sum(met) <= len(met)  # each of them meets about one pair


def test_a_row_is_found_in_another_whose_field_has_several_values() -> None:
    golds = [{"name": "red tea", "code": "1"}, {"name": "big pot", "code": "2"}]
    preds = [{"name": ["red tea", "big pot"], "code": "1"}]
    causes = row_causes(pairs(golds, preds))
    assert [names[0] for names in causes.alone.values()] == [SPLIT]
    assert [path for _, path in causes.seams] == ["items.name"]
