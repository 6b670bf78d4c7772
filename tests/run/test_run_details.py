"""Details of runs that wider tests pass over."""

from __future__ import annotations

from pathlib import Path

from docassay.api.score import score_run
from docassay.run.ledger import read_ledger, writing


def test_a_ledger_without_rows_reads_back(tmp_path: Path) -> None:
    header = score_run({"d": {"a": "1"}}, {"d": {"a": "1"}}).ledger.header
    with writing(tmp_path, header.plan, resume=False) as writer:
        writer.finish(header, ())
    assert read_ledger(tmp_path).rows == ()
