"""Arguments, paths and patterns that cannot work are refused in one line."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from docassay.analysis.splits.make import TemplatePlace, describe
from docassay.cli import SECTIONS, VERBS
from docassay.errors import ConfigurationError, FileError
from docassay.load import files
from docassay.load.files import existing
from docassay.load.likeness import LONGEST_ID
from tests.cli.cli_corpus import Command, Corpus

LONG = "x" * 5000
REFUSED = {
    "a negative seed": (2, ["score", "{gold}", "{pred}", "--seed", "-1"]),
    "too few draws": (2, ["score", "{gold}", "{pred}", "--draws", "99"]),
    "a cluster without a name": (2, ["score", "{gold}", "{pred}", "--cluster", " "]),
    "a huge seed": (2, ["score", "{gold}", "{pred}", "--seed", "9" * 40]),
    "no number": (
        2,
        ["score", "{gold}", "{pred}", "--metrics", "ner", "--set", "ner.threshold=nan"],
    ),
    "no number among several": (
        2,
        ["score", "{gold}", "{pred}", "--metrics", "ner", "--set", "ner.thresholds=nan,0.1"],
    ),
    "infinity": (
        2,
        ["score", "{gold}", "{pred}", "--metrics", "effort", "--set", "effort.hourly_rate=inf"],
    ),
    "a negative limit": (
        2,
        ["score", "{gold}", "{pred}", "--metrics", "hybrid", "--set", "hybrid.max_pairs=-5"],
    ),
    "digits without end": (
        2,
        ["score", "{gold}", "{pred}", "--metrics", "tree", "--set", "tree.max_cells=" + "9" * 5000],
    ),
    "a NUL in gold": (2, ["score", "a\0b", "{pred}"]),
    "a NUL in pred": (2, ["score", "{gold}", "a\0b"]),
    "a NUL in the schema": (2, ["score", "{gold}", "{pred}", "--schema", "a\0b.yaml"]),
    "a NUL in the output": (2, ["score", "{gold}", "{pred}", "--out", "{folder}/a\0b"]),
    "a NUL in a setting": (2, ["score", "{gold}", "{pred}", "--set", "kieval.tau=a\0b"]),
    "a long path of gold": (74, ["score", LONG, "{pred}"]),
    "a long path of pred": (74, ["score", "{gold}", LONG]),
    "a long path of a schema": (74, ["score", "{gold}", "{pred}", "--schema", f"{LONG}.yaml"]),
    "a long path of output": (74, ["score", "{gold}", "{pred}", "--out", LONG]),
    "a long path of a run": (74, ["report", LONG]),
    "a folder for a schema": (74, ["score", "{gold}", "{pred}", "--schema", "{folder}/f.yaml"]),
    "a folder for a ledger": (2, ["report", "{folder}/f.yaml"]),
    "a folder for a new schema": (74, ["schema", "infer", "{gold}", "--out", "{folder}/f.yaml"]),
    "a file for a corpus": (74, ["synth", "--docs", "2", "--out", "{gold}"]),
    "a device": (74, ["score", "{gold}", "/dev/zero"]),
    "a pipe in a folder": (74, ["score", "{gold}", "{folder}/pipes"]),
    "a pipe in a folder of responses": (74, ["parse", "{folder}/pipes"]),
    "a nested repetition": (
        2,
        ["splits", "{gold}", "--out", "{folder}/s", "--template-in-id", "(r+)+$"],
    ),
}


@pytest.mark.parametrize(("code", "arguments"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_work_is_refused_in_one_line(
    code: int, arguments: list[str], corpus: Corpus, docassay: Command
) -> None:
    (corpus.folder / "f.yaml").mkdir()
    (corpus.folder / "pipes").mkdir()
    os.mkfifo(corpus.folder / "pipes" / "a.jsonl")
    ended = docassay(*(argument.format(**corpus._asdict()) for argument in arguments))
    errors = [line for line in ended.err.splitlines() if line.startswith("docassay: ")]
    assert (ended.code, len(errors), ended.out) == (code, 1, "")
    assert not {"Traceback", "bug in docassay"} & {*ended.err.split("\n")}


def test_a_pipe_is_named_with_the_folder_that_was_given(tmp_path: Path, docassay: Command) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    ended = docassay("score", str(tmp_path), str(tmp_path))
    assert f"{tmp_path}/a.jsonl: is a pipe or device, not a file (move it out of {tmp_path})" in (
        ended.err
    )


def test_a_folder_that_may_not_be_read_is_named_as_given(
    corpus: Corpus, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (corpus.folder / "closed").mkdir()
    monkeypatch.setattr(files.os, "access", lambda path, mode: path.name != "closed")
    ended = docassay("score", f"{corpus.folder}/closed", corpus.pred)
    assert ended.code == 74
    assert ended.err == (
        f"docassay: {corpus.folder}/closed: may not be read (check its permissions)\n"
    )


@pytest.mark.parametrize("path", ["a\0b", LONG, "/dev/zero"])
def test_a_path_that_cannot_be_read_is_a_file_error(path: str) -> None:
    with pytest.raises(FileError, match=re.escape(path[:100])):
        existing(Path(path))


def piped(content: bytes) -> str:
    """Return the path of a pipe that holds a short content."""
    reader, writer = os.pipe()
    os.write(writer, content)
    os.close(writer)
    return f"/dev/fd/{reader}"


@pytest.mark.parametrize("format", [(), ("--pred-format", "jsonl")], ids=["guessed", "given"])
def test_predictions_can_come_from_a_pipe(
    format: tuple[str, ...], corpus: Corpus, docassay: Command
) -> None:
    arguments = ("--format", "json", "-q", *format)
    file = docassay("score", corpus.gold, corpus.pred, *arguments)
    path = piped(Path(corpus.pred).read_bytes())
    pipe = docassay("score", corpus.gold, path, *arguments)
    os.close(int(path.rpartition("/")[2]))
    assert pipe.code == file.code == 0
    expected = file.out.replace(corpus.pred, path)
    # nobody can read a pipe again
    assert pipe.out == expected.replace(f'"path": "{path}"', '"path": ""')


def test_both_sides_can_come_from_pipes(corpus: Corpus, docassay: Command) -> None:
    paths = [piped(Path(side).read_bytes()) for side in (corpus.gold, corpus.gold)]
    ended = docassay("score", *paths, "-q", "--require", "entity.f1 == 1")
    for path in paths:
        os.close(int(path.rpartition("/")[2]))
    assert ended.code == 0


def test_entities_can_come_from_a_pipe(docassay: Command) -> None:
    path = piped(b'{"id": "a", "entities": [["name", "Cake"]]}\n')
    ended = docassay("group", path, "--components", "item=name")
    os.close(int(path.rpartition("/")[2]))
    assert json.loads(ended.out) == {"id": "a", "item": [{"name": "Cake"}]}


def test_what_a_pipe_held_is_forgotten_when_it_was_read(corpus: Corpus, docassay: Command) -> None:
    path = piped(Path(corpus.pred).read_bytes())
    docassay("score", corpus.gold, path, "-q")
    os.close(int(path.rpartition("/")[2]))
    assert files._HELD == {}


def test_a_component_that_no_document_has_is_reported(tmp_path: Path, docassay: Command) -> None:
    file = tmp_path / "flat.jsonl"
    file.write_text('{"id": "a", "entities": [["name", "Cake"], ["price", "1"]]}\n')
    ended = docassay("group", str(file), "--components", "item=name,prise,zzz")
    assert ended.code == 0
    assert "docassay: item: no document has the component 'prise' (did you mean 'price'?)\n" in (
        ended.err
    )
    assert "docassay: item: no document has the component 'zzz'\n" in ended.err
    assert "'name'" not in ended.err


NESTED = [
    "(r+)+$",
    "(a|ab)*c",
    "((a*)b?)*",
    "(?:a?){30}",
    "(?=(a+)+b)",
    "(?i:(a+)+)",
    "(x{1,3}){2}",
]
PLAIN = [r"^(\w+?)_\d{4}", r"(\d{4}){2}", "(a|b)-[0-9]+", "[ab]*c", "(ab?c)?x", "foo|bar+"]


@pytest.mark.parametrize("pattern", NESTED)
def test_a_pattern_that_could_take_for_ever_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigurationError, match=r"--template-in-id: .* can take for ever"):
        describe({"r" * 60 + "!": {"a": "1"}}, TemplatePlace(in_id=pattern))


@pytest.mark.parametrize("pattern", PLAIN)
def test_other_patterns_are_accepted(pattern: str) -> None:
    describe({"a": {"a": "1"}}, TemplatePlace(in_id=pattern))


@pytest.mark.parametrize(("length", "template"), [(LONGEST_ID, "a"), (LONGEST_ID + 1, None)])
def test_a_very_long_id_has_no_template(length: int, template: str | None) -> None:
    id = "a".ljust(length, "-")
    assert describe({id: {"x": "1"}}, TemplatePlace(in_id="[a-z]")).templates.get(id) == template


def test_help_lists_what_most_people_need_first(docassay: Command) -> None:
    parts = re.split(r"^(\S.*):$", docassay("--help").out.split("\nCommands:")[1], flags=re.M)
    listed = [re.findall(r"^  ([a-z]+) ", part, re.M) for part in parts[::2]]
    assert [verb for part in listed for verb in part] == [*VERBS]
    assert parts[1::2] == [*SECTIONS][1:]
    assert listed[0] == ["score", "explain", "view", "report", "runs", "demo", "list"]
    assert listed[1][:2] == ["compare", "gate"]
