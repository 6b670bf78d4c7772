"""The commands of docs/reference/cli.md print what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "cli.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = re.findall(r"`(\w+\.(?:jsonl|yaml))`[^`]*```(?:json|yaml)\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [
    (command, shown.strip("\n").split("\n"))
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    for command, shown in re.findall(r"^\$ docassay (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docassay: Command) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, text in FILES:
        Path(name).write_text(text, encoding="utf-8")
    docassay("score", "gold.jsonl", "pred.jsonl", "--schema", "schema.yaml", "--out", "run")


def told(lines: list[str]) -> list[str]:
    """Return what is said in any order, without the signature, which names the version."""
    return sorted(line for line in lines if line and "|metrics:" not in line)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[one[0][:50] for one in COMMANDS])
def test_the_page_shows_what_a_command_prints(
    command: str, shown: list[str], docassay: Command
) -> None:
    arguments, _, aside = command.partition(" > ")
    ended = docassay(*shlex.split(arguments))
    printed = (ended.err if aside else ended.err + ended.out).split("\n")
    if arguments.startswith("list"):
        # more names may be registered than the page shows
        assert set(told(shown)) <= set(printed)
    else:
        assert told(shown) == told(printed)


def test_the_page_names_every_verb(docassay: Command) -> None:
    commands = docassay("--help").out.partition("Commands:")[2]
    verbs = re.findall(r"^  (\w+)  ", commands, re.MULTILINE)
    assert [verb for verb in verbs if f"\n## {verb}\n" not in TEXT] == []
