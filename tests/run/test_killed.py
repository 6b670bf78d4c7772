"""A run that is killed, or interrupted, goes on with --resume and ends with the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

import docassay as da
from docassay.run.ledger import LEDGER, PART
from tests.run.test_divide import files_in, shuffled

SCORE = """
import sys
from docassay.cli import run
from docassay.run import join
join.DOCUMENTS = 5
sys.exit(run(sys.argv[1:]))
"""


def command(folder: Path, out: str, *more: str) -> list[str]:
    sides = [str(folder / f"{side}.jsonl") for side in ("gold", "pred")]
    options = ["--out", str(folder / out), "--metrics", "entity", "--quiet", *more]
    return [sys.executable, "-c", SCORE, "score", *sides, *options]


def wait_for_rows(process: subprocess.Popen[bytes], part: Path, rows: int) -> None:
    """Return when so many rows are written, or the process has ended."""
    while process.poll() is None:
        if part.exists() and part.read_bytes().count(b"\n") > rows:
            return
        sleep(0.005)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on_to_the_same_bytes(
    how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    shuffled(tmp_path, 400)
    process = subprocess.Popen(command(tmp_path, "cut/run", "--workers", "2"))
    wait_for_rows(process, tmp_path / "cut/run" / PART, 40)
    os.kill(process.pid, how)
    assert process.wait() == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert not (tmp_path / "cut/run" / LEDGER).exists()
    sides = (tmp_path / "gold.jsonl", tmp_path / "pred.jsonl")
    da.score(*sides, metrics=["entity"], out=tmp_path / "cut/run", resume=True)
    da.score(*sides, metrics=["entity"], out=tmp_path / "whole/run")
    assert files_in(tmp_path / "cut/run") == files_in(tmp_path / "whole/run")
