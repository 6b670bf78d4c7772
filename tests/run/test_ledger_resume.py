"""Runs that are cut off more than once, and what a ledger keeps of raw responses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import FileError
from docassay.matching.case import Case
from docassay.run import parts
from docassay.run.ledger import LEDGER, PART, read_ledger
from docassay.run.score import Row

GOLD = {f"d{number}": {"x": f"{number}"} for number in range(5)}


@pytest.fixture
def cut_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Return a way to stop scoring at a document; it gives the ids of those that are scored."""
    score_case = parts.score_case

    def cut(stop: str) -> list[str]:
        scored: list[str] = []

        def stopped(case: Case, *args: object, **options: object) -> Row:
            if case.id == stop:
                raise KeyboardInterrupt
            scored.append(case.id)
            return score_case(case, *args, **options)

        monkeypatch.setattr(parts, "score_case", stopped)
        return scored

    return cut


def test_rows_are_kept_however_often_a_run_is_cut_off(
    cut_at: Callable[[str], list[str]], tmp_path: Path
) -> None:
    for resume, stop, expected in (
        (False, "d2", ["d0", "d1"]),
        (True, "d2", []),
        (True, "d3", ["d2"]),
        (True, "", ["d3", "d4"]),
    ):
        scored = cut_at(stop)
        if stop:
            with pytest.raises(KeyboardInterrupt):
                da.score(GOLD, GOLD, out=tmp_path, metrics=["entity"], resume=resume)
            assert not (tmp_path / LEDGER).exists()
        else:
            da.score(GOLD, GOLD, out=tmp_path, metrics=["entity"], resume=resume)
        assert scored == expected
    da.score(GOLD, GOLD, out=tmp_path / "whole", metrics=["entity"])
    assert (tmp_path / LEDGER).read_bytes() == (tmp_path / "whole" / LEDGER).read_bytes()


def test_a_first_row_that_was_torn_is_scored_again(
    cut_at: Callable[[str], list[str]], tmp_path: Path
) -> None:
    cut_at("d0")
    with pytest.raises(KeyboardInterrupt):
        da.score(GOLD, GOLD, out=tmp_path, metrics=["entity"])
    with (tmp_path / PART).open("ab") as part:
        part.write(b'{"id": "d')
    scored = cut_at("")
    report = da.score(GOLD, GOLD, out=tmp_path, metrics=["entity"], resume=True)
    assert scored == [*GOLD]
    assert report["entity.tp"].value == 5


def test_what_became_of_a_raw_response_is_kept(tmp_path: Path) -> None:
    texts = {"a": '{"x": "1"}', "b": "{'x': '1'}", "c": "Sorry."}
    (tmp_path / "pred").mkdir()
    for name, text in texts.items():
        (tmp_path / "pred" / f"{name}.txt").write_text(text)
    gold = {name: {"x": "1"} for name in texts}
    report = da.score(gold, tmp_path / "pred", pred_format="response", out=tmp_path / "run")
    outcomes = [str(row.outcome) for row in read_ledger(tmp_path / "run").rows]
    assert outcomes == [str(line.outcome) for line in report.lines]
    kinds = ("clean", "repaired", "unparseable")
    assert all(kind in outcome for kind, outcome in zip(kinds, outcomes, strict=True))


def test_a_folder_that_cannot_be_made_is_an_error_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot"):
        da.score(GOLD, GOLD, out=tmp_path / "file" / "run")


def test_documents_added_one_by_one_have_the_rows_of_a_run(tmp_path: Path) -> None:
    scorer = da.Scorer(metrics=["entity"])
    for id, tree in GOLD.items():
        scorer.add(id, tree, tree)
    da.score(GOLD, GOLD, out=tmp_path, metrics=["entity"])
    assert scorer.ledger().rows == read_ledger(tmp_path).rows
