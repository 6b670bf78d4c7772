"""A run in tasks that was cut off goes on with the parts that it had taken, and ends the same."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import docassay as da
from docassay.matching.case import Case
from docassay.run import join, parts
from docassay.run.engines import runner
from docassay.run.ledger import KEPT_PARTS, LEDGER, PART, PARTS
from docassay.run.parts import PartMaker, ReadPair
from docassay.run.score import Row
from docassay.run.worst import DiffKeeper
from tests.run.test_divide import files_in, flawed, shuffled
from tests.run.test_killed import command, wait_for_rows

SIDES = ("gold.jsonl", "pred.jsonl")
SIZE = 5
"""Documents of a task."""


@pytest.fixture(autouse=True)
def in_small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(join, "DOCUMENTS", SIZE)
    monkeypatch.setattr(runner, "WORTH_DIVIDING", 1)


class Watched:
    """What a run has read and scored, and the document at which it is to be interrupted."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.scored: list[str] = []
        self.stop = ""

    def begin(self, stop: str = "") -> None:
        self.read, self.scored, self.stop = [], [], stop


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    seen = Watched()
    score_case, add_all = parts.score_case, PartMaker.add_all

    def scoring(case: Case, *args: object, **options: object) -> Row:
        if case.id == seen.stop:
            raise KeyboardInterrupt
        seen.scored.append(case.id)
        return score_case(case, *args, **options)

    def adding(maker: PartMaker, pairs: Sequence[ReadPair]) -> list[Row]:
        seen.read.extend(pair.id for pair, _ in pairs)
        return add_all(maker, pairs)

    monkeypatch.setattr(parts, "score_case", scoring)
    monkeypatch.setattr(PartMaker, "add_all", adding)
    return seen


def score(folder: Path, out: str, **options: object) -> da.Report:
    sides = (folder / name for name in SIDES)
    return da.score(*sides, out=folder / out / "run", workers=1, **options)  # type: ignore[arg-type]


def cut_off(folder: Path, watched: Watched, stop: str, **options: object) -> None:
    watched.begin(stop)
    with pytest.raises(KeyboardInterrupt):
        score(folder, "cut", **options)
    watched.begin()


def ends_as_a_whole_run(folder: Path, **options: object) -> bool:
    """Whether a run that was cut off has the files of one that was not."""
    score(folder, "whole", **options)
    return files_in(folder / "cut/run") == files_in(folder / "whole/run")


def test_nothing_of_a_kept_part_is_read_or_scored_again(tmp_path: Path, watched: Watched) -> None:
    shuffled(tmp_path, 33)
    cut_off(tmp_path, watched, "doc-017")
    assert (tmp_path / "cut/run" / PARTS).exists()
    score(tmp_path, "cut", resume=True)
    left = [f"doc-{number:03}" for number in range(15, 33)]
    assert watched.read == watched.scored == left
    assert ends_as_a_whole_run(tmp_path)


def test_a_run_that_is_cut_off_again_and_again_goes_on_each_time(
    tmp_path: Path, watched: Watched
) -> None:
    shuffled(tmp_path, 33)
    cut_off(tmp_path, watched, "doc-027")
    cut_off(tmp_path, watched, "doc-028", resume=True)
    cut_off(tmp_path, watched, "doc-032", resume=True)
    score(tmp_path, "cut", resume=True)
    assert watched.scored == [f"doc-{number:03}" for number in range(30, 33)]
    assert ends_as_a_whole_run(tmp_path)


def test_problems_tags_and_totals_of_kept_parts_are_those_of_a_whole_run(
    tmp_path: Path, watched: Watched
) -> None:
    options = flawed(tmp_path)
    cut_off(tmp_path, watched, "doc-021", **options)
    score(tmp_path, "cut", resume=True, **options)
    assert 0 < len(watched.read) < 25
    assert ends_as_a_whole_run(tmp_path, **options)


def test_a_run_keeps_the_diffs_that_may_be_among_the_worst(
    tmp_path: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    shuffled(tmp_path, 33)
    monkeypatch.setattr(DiffKeeper.__init__, "__defaults__", (4,))
    cut_off(tmp_path, watched, "doc-032")
    score(tmp_path, "cut", resume=True)
    assert len(watched.read) == 3
    assert ends_as_a_whole_run(tmp_path)


def test_parts_of_which_something_else_is_wanted_are_made_again(
    tmp_path: Path, watched: Watched
) -> None:
    shuffled(tmp_path, 20)
    cut_off(tmp_path, watched, "doc-012")
    score(tmp_path, "cut", resume=True, verdicts="all")
    assert len(watched.read) == 20
    assert watched.scored == [f"doc-{number:03}" for number in range(10, 20)]
    assert ends_as_a_whole_run(tmp_path, verdicts="all")


def test_parts_of_other_inputs_are_made_again(tmp_path: Path, watched: Watched) -> None:
    shuffled(tmp_path, 20)
    cut_off(tmp_path, watched, "doc-012")
    pred = tmp_path / SIDES[1]
    pred.write_text(pred.read_text().replace("doc-003", "doc-303"))
    score(tmp_path, "cut", resume=True)
    assert len(watched.read) == 20
    assert ends_as_a_whole_run(tmp_path)


def test_parts_of_tasks_of_another_size_are_made_again(
    tmp_path: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    shuffled(tmp_path, 20)
    cut_off(tmp_path, watched, "doc-012")
    monkeypatch.setattr(join, "DOCUMENTS", SIZE + 1)
    score(tmp_path, "cut", resume=True)
    assert len(watched.read) == 20
    assert ends_as_a_whole_run(tmp_path)


def test_a_run_in_one_piece_goes_on_with_rows_where_there_are_parts(
    tmp_path: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    shuffled(tmp_path, 20)
    cut_off(tmp_path, watched, "doc-012")
    monkeypatch.setattr(runner, "WORTH_DIVIDING", 1 << 30)
    score(tmp_path, "cut", resume=True)
    assert watched.scored == [f"doc-{number:03}" for number in range(10, 20)]
    assert ends_as_a_whole_run(tmp_path)


def test_a_run_that_starts_anew_forgets_the_parts_of_before(
    tmp_path: Path, watched: Watched
) -> None:
    shuffled(tmp_path, 20)
    cut_off(tmp_path, watched, "doc-012")
    score(tmp_path, "cut")
    assert len(watched.scored) == 20
    assert ends_as_a_whole_run(tmp_path)


def test_parts_that_were_set_aside_before_their_rows_are_found_all_the_same(
    tmp_path: Path, watched: Watched
) -> None:
    shuffled(tmp_path, 20)
    cut_off(tmp_path, watched, "doc-012")
    run = tmp_path / "cut/run"
    (run / PARTS).rename(run / KEPT_PARTS.format(1))
    score(tmp_path, "cut", resume=True)
    assert watched.read == [f"doc-{number:03}" for number in range(10, 20)]
    assert ends_as_a_whole_run(tmp_path)


@pytest.mark.parametrize(
    ("name", "torn"), [(PART, True), (PARTS, True), (PARTS, False)], ids=str
)  # damaged rows are refused
def test_what_was_torn_or_damaged_counts_for_nothing(
    name: str, torn: bool, tmp_path: Path, watched: Watched
) -> None:
    shuffled(tmp_path, 20)
    cut_off(tmp_path, watched, "doc-017")
    run = tmp_path / "cut/run"
    kept = files_in(run)
    score(tmp_path, "whole")
    whole = files_in(tmp_path / "whole/run")
    size = len(kept[name])
    header = kept[name].index(b"\n") + 1 if name == PART else 0
    for at in [*range(header, size, max(1, size // 12)), size - 1]:
        for file in run.iterdir():
            file.unlink()
        for other, content in kept.items():
            (run / other).write_bytes(content)
        left = b"" if torn else bytes([kept[name][at] ^ 1]) + kept[name][at + 1 :]
        (run / name).write_bytes(kept[name][:at] + left)
        watched.begin()
        score(tmp_path, "cut", resume=True)
        assert len(watched.read) % SIZE == 0
        assert files_in(run) == whole


@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_that_was_killed_goes_on_with_any_number_of_workers(
    workers: int, tmp_path: Path, watched: Watched
) -> None:
    shuffled(tmp_path, 400)
    process = subprocess.Popen(command(tmp_path, "cut/run", "--workers", "2"))
    wait_for_rows(process, tmp_path / "cut/run" / PART, 60)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not (tmp_path / "cut/run" / LEDGER).exists()
    watched.begin()
    sides = [tmp_path / name for name in SIDES]
    da.score(*sides, metrics=["entity"], out=tmp_path / "cut/run", resume=True, workers=workers)
    if workers == 1:
        assert 0 < len(watched.read) <= 345
    assert ends_as_a_whole_run(tmp_path, metrics=["entity"])
