"""A small corpus on disk, and a way to run commands on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docassay.cli import run
from docassay.report import folder
from tests.cli.cli_corpus import Command, Corpus, Ended, write_corpus


@pytest.fixture(autouse=True)
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out drawing, which takes seconds and has its own tests."""
    monkeypatch.setattr(folder, "draw", lambda *_, **__: [])


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return write_corpus(tmp_path)


@pytest.fixture
def docassay(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: str) -> Ended:
        capsys.readouterr()
        code = run(arguments)
        return Ended(code, *capsys.readouterr())

    return command
