"""Rows that were split or merged are found among few pairs, and all of them are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel.pairs import Company
from docassay.matching.case import make_case
from docassay.metrics.causes import SPLIT
from docassay.metrics.causes import rows as causes_of_rows
from docassay.metrics.causes.corrections import ExplainedCase, explain, explained
from docassay.metrics.causes.metric import ready
from docassay.metrics.causes.rows import Joint, Pair, Seams, pairs_of, row_causes, wrong_in
from docassay.model.document import Group
from docassay.run.open import prepare

TEXT = st.lists(st.sampled_from(["red", "tea", "pot", "big"]), min_size=1, max_size=4).map(" ".join)
ROWS = st.lists(
    st.fixed_dictionaries({}, optional={"name": TEXT, "code": st.sampled_from("123")}),
    max_size=6,
)


def pairs(golds: list, preds: list) -> list[Pair]:
    sides = ({"items": golds}, {"items": preds})
    found = pairs_of(make_case("x", *sides, prepare().layouts)).walk()
    wrong_in(found)
    return found


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
    every = everything(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(causes_of_rows, "FEW_JOINTS", 0)
        assert every == everything(rows)


def all_pairs(alone: list[Pair], pairs: list[Pair]) -> Company[Pair]:
    """Return rows of a type that are alone with all pairs that have mistakes."""
    golds = [pair.gold for pair in alone if pair.gold is not None]
    preds = [pair.pred for pair in alone if pair.pred is not None]
    wrong = [pair for pair in pairs if pair.type == alone[0].type and pair.found]
    return golds, preds, wrong, wrong


@given(golds=ROWS, preds=ROWS)
def test_pairs_that_are_left_out_hold_no_row(golds: list, preds: list) -> None:
    rows = pairs(golds, preds)
    every = everything(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(causes_of_rows, "company_of", all_pairs)
        assert every == everything(rows)


@given(golds=ROWS, preds=ROWS)
def test_rows_belong_to_the_pairs_that_hold_their_words_or_lent_their_values(
    golds: list, preds: list
) -> None:
    rows = pairs(golds, preds)
    whole = [pair for pair in rows if pair.gold is not None and pair.pred is not None]
    wrong = [pair for pair in whole if pair.type and pair.wrong]
    for gold in (True, False):
        seams = Seams(wrong, gold=gold)
        for lost in rows:
            row = lost.gold if gold else lost.pred
            if row is None or not lost.type:
                continue
            found = {(id(pair), fields) for pair, fields in seams.of(lost)}
            expected = {
                (id(pair), fields)
                for pair in wrong
                if pair is not lost and (fields := fields_of_seam(row, pair, gold=gold))
            }
            assert found == expected


def fields_of_seam(row: Group, pair: Pair, *, gold: bool) -> frozenset[str]:
    """Return in which fields a pair shows that a row belongs to it, by definition."""
    partner, whole = (pair.gold, pair.pred) if gold else (pair.pred, pair.gold)
    assert partner is not None
    assert whole is not None

    def words(group: Group, path: str) -> list[str]:
        return [word for reading in group.values[path] for word in reading.text.split()]

    def is_stretch(part: list[str], path: str) -> bool:
        all_words = words(whole, path)
        starts = range(len(all_words) - len(part) + 1)
        return any(all_words[start : start + len(part)] == part for start in starts)

    joined = {
        path
        for path in {fate.field.path for fate in pair.wrong}
        if all(path in group.values for group in (row, partner, whole))
        and len(words(row, path)) + len(words(partner, path)) <= len(words(whole, path))
        and is_stretch(words(row, path), path)
        and is_stretch(words(partner, path), path)
    }
    lent = all(
        path not in partner.values
        and path in whole.values
        and [reading.text for reading in readings]
        == [reading.text for reading in whole.values[path]]
        for path, readings in row.values.items()
    )
    return frozenset(joined or (row.values if lent else ()))


def test_words_that_all_rows_have_do_not_make_each_row_meet_every_other() -> None:
    golds = [{"name": f"a large tea pot {number}", "code": f"{number}"} for number in range(60)]
    preds = [
        {"name": f"a large tea pot {number} and a lid", "code": "9"} for number in range(50, 80)
    ]
    met: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        candidates = Seams.candidates

        def count(seams: Seams, row: Group) -> Sequence[Joint]:
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


@given(documents=st.lists(st.tuples(ROWS, ROWS), max_size=4))
def test_cases_that_are_explained_together_are_explained_as_alone(documents: list) -> None:
    layouts = prepare().layouts
    sides = [({"items": golds}, {"items": preds}) for golds, preds in documents]
    cases, others = ([make_case("x", *pair, layouts) for pair in sides] for _ in range(2))
    together = explain(cases)
    assert [each.by_kind() for each in together] == [explained(case).by_kind() for case in others]
    assert [explained(case) for case in cases] == together  # kept by each case


def test_only_cases_that_need_a_correction_are_explained_beforehand() -> None:
    layouts = prepare().layouts
    right, wrong = (make_case("x", {"a": "1"}, {"a": text}, layouts) for text in "12")
    ready([right, wrong], flatten=False)
    assert not right.kept
    assert [*wrong.kept] == [(ExplainedCase, False)]
