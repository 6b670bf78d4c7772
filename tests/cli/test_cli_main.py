"""What holds for every command: help, exit codes, one line for each error, and a quick start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from docassay import cli
from docassay.cli import VERBS, run
from docassay.errors import DataError
from docassay.version import VERSION
from tests.cli.cli_corpus import Command, Corpus


def in_a_process(code: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **more}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from docassay.cli import run; run(['--help'])\n"
        "print([n for n in ('numpy', 'scipy', 'rich', 'msgspec', 'yaml') if n in sys.modules])"
    )
    assert in_a_process(code).stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, docassay: Command) -> None:
    ended = docassay(verb, "--help")
    assert ended.code == 0
    assert ended.out.startswith(f"Usage: docassay {verb}")


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_of_verbs_says_what_the_verb_is_called(verb: str) -> None:
    command = cli.program.get_command(click.Context(cli.program), verb)
    assert command.name == verb


@pytest.mark.parametrize("arguments", [(), ("schema",)], ids=["docassay", "schema"])
def test_without_a_verb_the_help_is_shown(arguments: tuple[str, ...], docassay: Command) -> None:
    ended = docassay(*arguments)
    assert ended.code == 0
    assert "Commands:" in ended.out


def test_the_version_is_told(docassay: Command) -> None:
    assert docassay("--version").out == f"docassay {VERSION}\n"


def test_an_unknown_verb_is_answered_with_the_nearest(docassay: Command) -> None:
    ended = docassay("scroe")
    assert ended.code == 2
    assert "did you mean 'score'" in ended.err


FAILURES = {
    "no such option": (2, ["score", "{gold}", "{pred}", "--nope"]),
    "an argument is missing": (2, ["score", "{gold}"]),
    "unknown report format": (2, ["score", "{gold}", "{pred}", "--format", "pdf"]),
    "unknown metric": (2, ["score", "{gold}", "{pred}", "--metrics", "kieva"]),
    "unknown input format": (2, ["score", "{gold}", "{pred}", "--gold-format", "docx"]),
    "unknown option of a metric": (2, ["score", "{gold}", "{pred}", "--set", "kieval.no=1"]),
    "a setting without a value": (2, ["score", "{gold}", "{pred}", "--set", "kieval.flatten"]),
    "a requirement in words": (2, ["score", "{gold}", "{pred}", "--require", "all good"]),
    "a sign turned round": (2, ["score", "{gold}", "{pred}", "--require", "entity.f1 => 0.5"]),
    "a tag without a name": (2, ["score", "{gold}", "{pred}", "--by", " "]),
    "a requirement of no number": (2, ["score", "{gold}", "{pred}", "--require", "entity.f1 > x"]),
    "a requirement on nothing measured": (
        2,
        ["score", "{gold}", "{pred}", "--metrics", "entity", "--require", "kieval.tp > 1"],
    ),
    "an unknown score": (2, ["score", "{gold}", "{pred}", "--require", "kieval.alined > 0"]),
    "resume without a folder": (2, ["score", "{gold}", "{pred}", "--resume"]),
    "an unknown document": (2, ["explain", "{gold}", "{pred}", "zz"]),
    "a schema that is none": (2, ["score", "{gold}", "{pred}", "--schema", "{gold}"]),
    "no rows asked for": (2, ["synth", "--out", "{folder}/s", "--rows", "0"]),
    "an unknown kind of thing": (2, ["list", "things"]),
    "an empty file": (3, ["score", "{empty}", "{pred}"]),
    "a file of no known format": (3, ["score", "{noise}", "{pred}"]),
    "a problem under --strict": (3, ["score", "{gold}", "{pred}", "--strict"]),
    "no such file": (74, ["score", "{gold}", "{folder}/none.jsonl"]),
    "no such run": (2, ["report", "{folder}/none"]),
    "a folder that is a file": (74, ["score", "{gold}", "{pred}", "--out", "{gold}"]),
}


@pytest.mark.parametrize(("code", "arguments"), FAILURES.values(), ids=FAILURES.keys())
def test_what_goes_wrong_is_said_in_one_line_with_its_exit_code(
    code: int, arguments: list[str], corpus: Corpus, docassay: Command
) -> None:
    empty, noise = corpus.folder / "empty.jsonl", corpus.folder / "noise.txt"
    empty.write_text("")
    noise.write_bytes(bytes(range(256)))
    places = {**corpus._asdict(), "empty": empty, "noise": noise}
    ended = docassay(*(one.format(**places) for one in arguments))
    told = [line for line in ended.err.splitlines() if line.startswith("docassay: ")]
    assert (ended.code, len(told), "Traceback" in ended.err) == (code, 1, False)


def test_a_mistake_of_our_own_is_owned_up_to(
    monkeypatch: pytest.MonkeyPatch, docassay: Command
) -> None:
    monkeypatch.setattr(cli, "import_module", lambda name: 1 / 0)
    ended = docassay("score")
    assert ended.code == 70
    assert "bug in docassay" in ended.err
    assert "Traceback" not in ended.err


def test_the_traceback_is_shown_on_request(
    monkeypatch: pytest.MonkeyPatch, docassay: Command
) -> None:
    monkeypatch.setattr(cli, "import_module", lambda name: 1 / 0)
    monkeypatch.setenv("DOCASSAY_DEBUG", "1")
    assert "Traceback" in docassay("score").err


@pytest.mark.parametrize(
    ("raised", "code"),
    [(KeyboardInterrupt(), 130), (OSError(28, "No space left", "out"), 74), (DataError("x"), 3)],
    ids=["interrupted", "the disk is full", "an error of ours"],
)
def test_an_exception_has_its_exit_code(
    raised: BaseException, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> object:
        raise raised

    monkeypatch.setattr(cli, "import_module", fail)
    assert run(["score"]) == code


def test_a_reader_who_goes_away_does_not_hide_a_requirement(corpus: Corpus) -> None:
    arguments = ["score", corpus.gold, corpus.pred, "--require", "kieval.aligned >= 0.99"]
    code = (
        "import os, sys\nfrom docassay.cli import run\n"
        "r, w = os.pipe(); os.close(r); os.dup2(w, 1)\n"
        f"sys.exit(run({arguments!r}))"
    )
    ended = in_a_process(code)
    assert ended.returncode == 1
    assert "BrokenPipe" not in ended.stderr


def test_a_terminal_without_our_signs_is_no_reason_to_fail(corpus: Corpus) -> None:
    code = f"from docassay.cli import run; run(['explain', {corpus.gold!r}, {corpus.pred!r}, 'a'])"
    ended = in_a_process(code, PYTHONIOENCODING="ascii")
    assert ended.returncode == 0
    assert "\\u2713" in ended.stdout


def test_escapes_in_names_do_not_reach_the_terminal(tmp_path: Path, docassay: Command) -> None:
    assert "\x1b" not in docassay("score", f"{tmp_path}/\x1b[31mred", "x").err
