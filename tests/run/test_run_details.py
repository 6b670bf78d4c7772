"""Details of runs that wider tests pass over."""

from __future__ import annotations

from pathlib import Path

from docassay.api.score import score_run
from docassay.run.ledger import read_ledger
from docassay.run.ledger_writer import writing
from docassay.run.plan import signed_parts, signed_versions


def test_a_ledger_without_rows_reads_back(tmp_path: Path) -> None:
    header = score_run({"d": {"a": "1"}}, {"d": {"a": "1"}}).ledger.header
    with writing(tmp_path, header.plan, resume=False) as writer:
        writer.finish(header)
    assert read_ledger(tmp_path).rows == ()


def test_a_signature_says_its_parts_by_name() -> None:
    signature = "docassay:0.1|metrics:kieval.2+a.b.1|schema:x|kieval.tau=0.5|ignore=a:b,c|gold:9"
    assert signed_parts(signature) == {
        "docassay": "0.1",
        "metrics": "kieval.2+a.b.1",
        "schema": "x",
        "kieval.tau": "0.5",
        "ignore": "a:b,c",
        "gold": "9",
    }
    assert signed_versions(signature) == {"kieval": "2", "a.b": "1"}
