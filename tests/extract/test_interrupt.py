"""Ctrl-C ends an extraction at once and loses nothing that was answered."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.extract.recording import Reply, Request, answer, recording

ALIVE = 30.0
"""Seconds after which the test gives up; nothing is measured by them."""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_keeps_what_was_answered(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    for name in "abcdef":
        (tmp_path / "documents" / f"{name}.txt").write_text(f"receipt {name}")
    (tmp_path / "schema.yaml").write_text("fields: {store: name}\n")
    waiting, ended = threading.Event(), threading.Event()

    def script(number: int, _: Request) -> Reply:
        if number >= 2:  # two are answered, the third hangs
            waiting.set()
            ended.wait(ALIVE)
        return answer({"store": "ACME"})

    with recording(script) as server:
        command = [sys.executable, "-m", "docassay", "extract", "documents", "--model", "m"]
        command += ["--schema", "schema.yaml", "--endpoint", server.url, "--out", "pred.jsonl"]
        process = subprocess.Popen(
            [*command, "--concurrency", "1"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        assert waiting.wait(ALIVE)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=ALIVE)
        ended.set()
    assert process.returncode == 130
    assert "--resume goes on" in errors
    assert "Traceback" not in errors
    lines = (tmp_path / "pred.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "b"]
