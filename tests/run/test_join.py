"""Joining two sides by ids alone, and the tasks that follow from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.load import files, places
from docassay.load.places import PLACE
from docassay.load.records import ID_KEYS, Way
from docassay.model.document import hash_of
from docassay.run import join
from docassay.run.join import (
    LATER,
    NONE,
    Joined,
    SideIndex,
    index_stretches,
    join_by_id,
    join_by_position,
    scratch_files,
)
from docassay.run.tasks import ABSENT, result_of, run_task

IDS = st.lists(st.sampled_from("abcdefghijkl"), max_size=30)


def side(ids: list[str], sizes: int = 10) -> SideIndex:
    places = np.zeros(len(ids), PLACE)
    places["line"] = np.arange(1, len(ids) + 1)
    places["size"] = sizes
    hashes = np.array([*map(hash_of, ids)], "<u8")
    return SideIndex(["file"], hashes, places, places[:0], stemless=True)


def expected(golds: list[str], preds: list[str]) -> list[int]:
    """The same by looking at every id."""
    return [
        LATER if id in golds[:number] else preds.index(id) if id in preds else NONE
        for number, id in enumerate(golds)
    ]


@pytest.mark.parametrize("bits", [22, 1])
@given(golds=IDS, preds=IDS)
def test_the_first_of_equal_ids_pair(bits: int, golds: list[str], preds: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(join, "BUCKET_BITS", bits)
        joined = join_by_id(side(golds), side(preds))
    assert joined.match.tolist() == expected(golds, preds)
    repeated = {n: preds.index(id) for n, id in enumerate(preds) if id in preds[:n]}
    later, first = joined.pred_repeated
    assert dict(zip(later.tolist(), first.tolist(), strict=True)) == repeated
    free = [n for n, id in enumerate(preds) if id not in golds and n not in repeated]
    assert joined.without_gold().tolist() == free


@given(golds=IDS, preds=IDS)
def test_tasks_have_every_document_once_in_the_order_of_gold(
    golds: list[str], preds: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(join, "DOCUMENTS", 3)
        joined = join_by_id(side(golds), side(preds))
        tasks = [*joined.tasks()]
    lines = [line for task in tasks for line in task.gold.array()["line"].tolist()]
    assert lines == [n + 1 for n, match in enumerate(expected(golds, preds)) if match != LATER]
    matches = [
        NONE if place["file"] == ABSENT else int(place["line"]) - 1
        for task in tasks
        for place in task.pred.array()
    ]
    assert matches == [match for match in expected(golds, preds) if match != LATER]


@given(golds=IDS, some=st.sets(st.integers(0, 11)))
def test_some_documents_make_tasks_of_those_that_follow_each_other(
    golds: list[str], some: set[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(join, "DOCUMENTS", 3)
        joined = join_by_id(side(golds), side([]))
        every = joined.numbers()
        numbers = every[[place for place in sorted(some) if place < len(every)]]
        tasks = [*joined.tasks_of(numbers)]
    lines = [task.gold.array()["line"].tolist() for task in tasks]
    assert [line - 1 for own in lines for line in own] == numbers.tolist()
    assert all(
        own == [*range(task.first, task.first + len(own))] and len(own) <= 3
        for own, task in zip(lines, tasks, strict=True)
    )


def test_large_documents_make_small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join, "TEXTS", 100)
    names = [*map(str, range(7))]
    sizes = [
        len(task.gold.array()) for task in join_by_id(side(names, 20), side(names, 20)).tasks()
    ]
    assert sizes == [2, 2, 2, 1]
    sizes = [len(task.gold.array()) for task in join_by_id(side(names, 200), side([])).tasks()]
    assert sizes == [1] * 7


def test_documents_without_ids_have_their_numbers() -> None:
    unnamed = side(["a", "b"])
    unnamed = SideIndex(["file"], unnamed.hashes[:0], unnamed.places[:0], unnamed.places, True)
    joined: Joined = join_by_position(unnamed, unnamed)
    assert joined.match.tolist() == [0, 1]
    assert joined.gold.hashes.tolist() == [hash_of("1"), hash_of("2")]
    assert [task.first for task in joined.tasks()] == [1]


def test_the_lowest_hashes_stand_for_all_documents() -> None:
    names = [*map(str, range(50))]
    joined = join_by_id(side(names), side(names))
    lowest = sorted(names, key=hash_of)[:5]
    assert [names[number] for number in joined.lowest(5)] == lowest


def test_places_name_only_the_files_they_are_in(tmp_path: Path) -> None:
    places = np.zeros(3, PLACE)
    places["file"] = [4, 2, 4]
    index = SideIndex([*"abcde"], np.arange(3, dtype="<u8"), places, places[:0], True)
    task = index.side([2, -1, 1])
    assert task.files == ["c", "e"]
    assert task.array()["file"].tolist() == [1, ABSENT, 0]


def indexed(path: Path) -> tuple[list[object], list[object]]:
    """Return the hashes of the ids in a file, and the places of lines without any."""
    with scratch_files(None) as scratch:
        index = index_stretches(
            str(path),
            Way(ID_KEYS),
            lambda tasks: (result_of(run_task(b"", task)) for task in tasks),
            scratch,
            table=False,
        )
        return index.hashes.tolist(), index.left_out.tolist()


def test_lines_of_a_large_file_without_ids_are_not_searched_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": "1"}\n \n{"a": \n\n{"a": "2"}')
    monkeypatch.setattr(join, "STRETCH", 7)
    expected = indexed(path)
    monkeypatch.setattr(files, "LARGE", 1)
    with monkeypatch.context() as patch:
        patch.setattr(places, "id_in", lambda line, way: pytest.fail("searched"))
        assert indexed(path) == expected == ([], [(0, 1, 0, 11), (0, 3, 13, 7), (0, 5, 21, 10)])
    path.write_text('{"a": "1"}\n{"id": "x"}\n')
    assert indexed(path) == ([hash_of("x")], [(0, 1, 0, 11)])
