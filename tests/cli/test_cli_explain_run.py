"""Verbs that take a run folder instead of GOLD and PRED, and `list` without a name."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command, Corpus


@pytest.fixture
def run(corpus: Corpus, docassay: Command) -> str:
    out = str(corpus.folder / "run")
    docassay("score", corpus.gold, corpus.pred, "--schema", corpus.schema, "--out", out)
    return out


def test_a_document_of_a_run_is_explained_as_from_its_inputs(
    run: str, corpus: Corpus, docassay: Command
) -> None:
    plain = docassay("explain", corpus.gold, corpus.pred, "b", "--schema", corpus.schema)
    assert docassay("explain", run, "b").out == plain.out


def test_without_an_id_the_worst_documents_are_listed_with_their_commands(
    run: str, docassay: Command
) -> None:
    ended = docassay("explain", run)
    assert ended.out.startswith("2 of 3 documents are not fully correct\n")
    commands = ended.out.replace("\\\n", "").splitlines()[1:]
    words = [shlex.split(line)[1:] for line in commands]
    assert [each[-1] for each in words] == ["c", "b"]
    assert {docassay(*each[1:]).code for each in words} == {0}


@pytest.mark.parametrize("options", [(), ("--id-key", "id", "--ignore", "x")])
@pytest.mark.parametrize("kept", [False, True])
def test_the_command_on_the_first_screen_runs(
    kept: bool, options: tuple[str, ...], corpus: Corpus, docassay: Command
) -> None:
    words = ("score", corpus.gold, corpus.pred, "--schema", corpus.schema, *options)
    out = docassay(*words, *(("--out", str(corpus.folder / "r")) if kept else ())).out
    text = out.replace("\\\n      ", " ").replace("\\\n    ", " ").replace("\\\n", "")
    (command,) = re.findall(r"^  docassay (explain .*)$", text, re.MULTILINE)
    ended = docassay(*shlex.split(command))
    assert ended.code == 0
    assert ended.out.startswith("c ")
    assert (("--ignore" in command) is bool(options)) or kept


def test_a_run_whose_inputs_are_gone_shows_the_wrong_values_it_kept(
    run: str, corpus: Corpus, docassay: Command
) -> None:
    moved = Path(corpus.pred).rename(corpus.folder / "moved.jsonl")
    ended = docassay("explain", run, "b")
    assert ended.code == 0
    assert "pred of the run is gone" in ended.err
    assert "its wrong values alone" in ended.out
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert "items gold items[0] pred 1 wrong" in lines
    assert lines[-1] == "≠ 1 to substitute + 1 to add − 2 to delete"
    assert docassay("explain", run, "x").code == 2
    again = docassay("explain", run, "b", "--pred", str(moved))
    assert "✓ 4 correct" in again.out
    assert "gone" not in again.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("explain", "{folder}"), "is no run folder"),
        (("explain", "{run}", "b", "--schema", "x"), "--schema is recorded in the run"),
        (("explain", "{gold}", "{pred}", "b", "--gold", "x"), "--gold and --pred are for a RUN"),
        (("explain", "a", "b", "c", "d"), "4 names are given"),
        (("score", "{gold}"), "is no run folder"),
        (("study", "shuffle", "{gold}"), "is no run folder"),
    ],
)
def test_what_is_no_run_or_has_options_of_its_own_is_a_mistake(
    words: tuple[str, ...], message: str, run: str, corpus: Corpus, docassay: Command
) -> None:
    names = {"run": run, "folder": corpus.folder, "gold": corpus.gold, "pred": corpus.pred}
    ended = docassay(*(word.format(**names) for word in words))
    assert ended.code == 2
    assert message in ended.err


def test_a_run_is_scored_and_studied_again(run: str, corpus: Corpus, docassay: Command) -> None:
    again = docassay("score", run, "--metrics", "kieval", "--format", "csv").out
    inputs = (corpus.gold, corpus.pred, "--schema", corpus.schema)
    assert again == docassay("score", *inputs, "--metrics", "kieval", "--format", "csv").out
    shuffled = docassay("study", "shuffle", run, "--seeds", "1", "--format", "csv").out
    assert shuffled == docassay("study", "shuffle", *inputs, "--seeds", "1", "--format", "csv").out


def test_the_screen_is_plain_and_narrow_when_piped_and_notes_go_to_stderr(
    corpus: Corpus, docassay: Command
) -> None:
    ended = docassay("score", corpus.gold, corpus.pred)
    lines = ended.out.splitlines()
    assert "\x1b" not in ended.out
    assert max(map(len, lines)) <= 80
    assert "note" not in ended.out.lower()
    assert ended.err
    assert "|metrics:" not in ended.out
    assert "|metrics:" in docassay("score", corpus.gold, corpus.pred, "-v").out
    assert not docassay("score", corpus.gold, corpus.pred, "-q").err


def test_list_says_what_can_be_listed_and_how_much_there_is(docassay: Command) -> None:
    ended = docassay("list")
    assert ended.code == 0
    for kind in ("scores", "metrics", "formats", "types", "readers", "comparators"):
        (amount,) = re.findall(rf"^{kind} +(\d+): ", ended.out, re.MULTILINE)
        assert int(amount) > 5
        assert docassay("list", kind).code == 0
    assert re.search(r"kieval\.aligned", docassay("list", "scores").out)
