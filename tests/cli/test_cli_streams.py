"""Closed, full and abandoned streams, pipes as input, and interrupts at any time."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from docassay.__main__ import INTERRUPTED
from docassay.errors import EXIT_INTERRUPTED
from tests.cli.cli_corpus import Corpus

DOCASSAY = f"{shlex.quote(sys.executable)} -m docassay"
SCRIPT = f"{shlex.quote(sys.executable)} -c 'from docassay.__main__ import main; main()'"


def shell(line: str, *paths: Path, **places: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, paths), *sys.path])}
    command = line.format(docassay=DOCASSAY, script=SCRIPT, **places)
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=environment, check=False
    )


LINES = {
    "stdout is closed": (0, "{docassay} score {gold} {pred} -q >&-"),
    "stderr is closed": (0, "{docassay} score {gold} {pred} 2>&-"),
    "all streams are closed": (0, "{docassay} score {gold} {pred} <&- >&- 2>&-"),
    "help without stdout": (0, "{docassay} --help >&-"),
    "an error without stderr": (74, "{docassay} score {gold} none.jsonl 2>&-"),
    "an unmet requirement without stdout": (
        1,
        "{docassay} score {gold} {pred} --require 'entity.f1 > 0.999' >&-",
    ),
    "stdin is closed": (3, "{docassay} parse - <&-"),
    "the disk of stdout is full": (74, "{docassay} list metrics >/dev/full"),
    "the disk of stderr is full": (0, "{docassay} score {gold} {pred} --format json 2>/dev/full"),
}


@pytest.mark.parametrize(("code", "line"), LINES.values(), ids=LINES.keys())
def test_a_stream_that_cannot_be_used_changes_no_result(
    code: int, line: str, corpus: Corpus
) -> None:
    ended = shell(line, **corpus._asdict())
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
    assert "bug in docassay" not in ended.stderr


ABANDONED = {
    "results": (1, "score {gold} {pred} -q"),
    "help": (1, "score --help"),
    "messages": (2, "score {gold} {pred}"),
    "an error": (2, "--help"),
}


@pytest.mark.parametrize(("number", "arguments"), ABANDONED.values(), ids=ABANDONED.keys())
def test_a_reader_that_has_left_is_not_an_error(
    number: int, arguments: str, corpus: Corpus
) -> None:
    code = (
        "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, int(sys.argv[1])); "
        "os.execv(sys.executable, [sys.executable, '-m', 'docassay', *sys.argv[2:]])"
    )
    line = f"{sys.executable} -c {shlex.quote(code)} {number} {arguments}"
    ended = shell(line, **corpus._asdict())
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr


def test_head_ends_a_pipe_quietly(corpus: Corpus) -> None:
    line = "set -o pipefail; {docassay} score {gold} {pred} --format csv -q | head -1"
    ended = shell(line, **corpus._asdict())
    assert (ended.returncode, ended.stdout.count("\n"), ended.stderr) == (0, 1, "")


def interrupting(folder: Path, module: str) -> Path:
    """Write a module that is interrupted while it is imported."""
    folder.mkdir()
    (folder / f"{module}.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    return folder


@pytest.mark.parametrize("program", ["{docassay}", "{script}"], ids=["module", "script"])
@pytest.mark.parametrize("module", ["click", "msgspec"])
def test_an_interrupt_while_modules_load_ends_quietly(
    module: str, program: str, corpus: Corpus
) -> None:
    folder = interrupting(corpus.folder / "first", module)
    ended = shell(f"{program} score {{gold}} {{pred}}", folder, **corpus._asdict())
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr


def test_an_interrupt_while_an_interrupt_is_reported_ends_quietly() -> None:
    code = (
        "import os, signal, docassay.cli as cli\n"
        "def kill(*_): os.kill(os.getpid(), signal.SIGINT)\n"
        "cli.send = cli.import_module = kill\n"
        "import sys; sys.argv = ['docassay', 'score']\n"
        "from docassay.__main__ import main; main()"
    )
    ended = shell(f"{sys.executable} -c {shlex.quote(code)}")
    assert (ended.returncode, ended.stdout, "Traceback" in ended.stderr) == (130, "", False)


def test_the_exit_code_of_an_interrupt_is_the_same_everywhere() -> None:
    assert INTERRUPTED == EXIT_INTERRUPTED == 128 + signal.SIGINT
