"""Values of documents that a run notes: those that its rows give, wherever they lie."""

from __future__ import annotations

from pathlib import Path

import pytest

import docassay as da
from docassay.analysis import intervals
from docassay.analysis.aggregate import _Views
from docassay.api.score import score_run
from docassay.metrics.fields.levels import lead
from docassay.report.folder import read_folder
from docassay.report.page_data import run_data
from docassay.run import document_values
from docassay.run.document_values import ranked_readouts
from docassay.run.engines import serial
from docassay.run.plan import bind

GOLD = {f"d{at}": {"a": str(at), "b": "x", "rows": [{"n": str(at)}] * (at % 3)} for at in range(9)}
PRED = {
    name: tree if at % 4 else {**tree, "a": "?", "c": "1"}
    for at, (name, tree) in enumerate(GOLD.items())
} | {"d3": {}}


@pytest.mark.parametrize("held", [document_values.HELD_BYTES, 200, 0], ids=["all", "some", "none"])
def test_noted_values_are_those_of_the_rows(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_values, "HELD_BYTES", held)
    monkeypatch.setattr(serial, "PART_SIZE", 2)
    noted = da.score(GOLD, PRED, out=tmp_path)
    again = read_folder(tmp_path)
    assert noted.ledger is not None
    names = ranked_readouts(bind(noted.ledger.header.plan))
    assert "kieval.aligned" in names
    assert "kieval.fp" not in names
    for name in (*names, "kieval.fp"):
        assert [*noted.document_values(name)] == [*again.document_values(name)]
    assert noted.details.sections == again.details.sections
    assert noted.details.facts["summary"] == again.details.facts["summary"]


def test_the_weakest_documents_are_the_worst_ones() -> None:
    report = da.score(GOLD, PRED)
    assert report.ledger is not None
    bound = bind(report.ledger.header.plan)
    leading = lead(_Views(bound, report.scores, report.ledger.rows, None)["fields"])
    weakest = [document[:4] for document in leading.weakest(4)]
    assert weakest == [document[:4] for document in leading.worst(4)]
    assert weakest[0][0] == "d3"


@pytest.mark.parametrize("metrics", [None, ["hybrid"], ["fields"], ["vrdu", "entity"]])
def test_a_page_lists_what_was_noted_as_it_lists_lines(
    metrics: list[str] | None, tmp_path: Path
) -> None:
    """Also where the documents are ranked by a readout that is worked out of all readouts."""
    report = score_run(GOLD, PRED, metrics=metrics, out=tmp_path).report
    noted = [diff.line for diff in report.diffs.read() if diff.line is not None]
    assert len(noted) == len(GOLD)
    assert run_data(report, lines=noted)["list"] == run_data(report)["list"]


def test_blocks_of_documents_go_by_the_ids_that_were_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intervals, "MOST_DOCUMENTS", 20)
    monkeypatch.setattr(intervals, "BLOCKS", 20)
    gold = {f"d{at}": dict.fromkeys("abcdefgh", "x") for at in range(60)}
    pred = {name: dict.fromkeys("abcdefgh"[: at % 8], "x") for at, name in enumerate(gold)}
    noted, again = da.score(gold, pred, out=tmp_path), read_folder(tmp_path)
    ends = [(score.address, score.low, score.high) for score in noted.scores]
    assert any(low is not None for _, low, _ in ends)
    assert ends == [(score.address, score.low, score.high) for score in again.scores]
