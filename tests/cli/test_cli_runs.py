"""`verify`, `runs` and `sensitivity` as commands: streams, exit codes, no tracebacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command, Corpus


@pytest.fixture
def kept(corpus: Corpus, docassay: Command) -> Path:
    run = corpus.folder / "runs" / "first"
    docassay(
        *("score", corpus.gold, corpus.pred, "--schema", corpus.schema, "--metrics", "kieval"),
        *("--out", str(run), "--tag", "model=x", "-q"),
    )
    return run


def test_verify_says_equal_and_exits_with_0(kept: Path, docassay: Command) -> None:
    ended = docassay("verify", str(kept))
    assert (ended.code, ended.out.split("\n")[0], ended.err) == (0, "equal", "")
    assert docassay("verify", str(kept / "report.json")).code == 0
    assert json.loads(docassay("verify", str(kept), "--format", "json").out)["equal"]


def test_verify_exits_with_1_for_a_claim_and_with_3_for_a_changed_input(
    kept: Path, corpus: Corpus, docassay: Command
) -> None:
    wrong = docassay("verify", str(kept), "--claim", "aligned=0.1", "--score", "corrections=1")
    assert wrong.code == 1
    assert "kieval.aligned" in wrong.out
    assert "kieval.corrections" in wrong.out
    Path(corpus.pred).write_text(Path(corpus.gold).read_text())
    changed = docassay("verify", str(kept))
    assert changed.code == 3
    assert corpus.pred in changed.out.replace("\n", "")
    Path(corpus.gold).unlink()
    gone = docassay("verify", str(kept))
    assert (gone.code, gone.out) == (3, "")
    assert "gold of the run is gone" in gone.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("verify", "nowhere"), 2),
        (("verify", "."), 2),
        (("verify", "{run}", "--claim", "aligned"), 2),
        (("verify", "{run}", "--claim", "aligend=1"), 2),
        (("verify", "{run}", "--gold", "nowhere"), 74),
        (("verify",), 2),
        (("runs", "nowhere"), 74),
        (("runs", "{run}/..", "--sort", "colour"), 2),
        (("runs", "{run}/..", "--where", "model"), 2),
        (("runs", "tag", "{run}"), 2),
        (("runs", "tag", "{run}", "model"), 2),
        (("runs", "tag", "nowhere", "a=b"), 2),
        (("runs", "trend", "aligend", "{run}/.."), 2),
        (("runs", "trend", "aligned", "{run}/..", "--by", "colour"), 2),
        (("runs", "trend", "aligned", "{run}/..", "--out", "x.gif"), 2),
        (("sensitivity",), 2),
        (("sensitivity", "nowhere"), 2),
        (("sensitivity", "{run}", "--score", "aligend"), 2),
        (("sensitivity", "{run}", "--limit", "0"), 2),
    ],
)
def test_mistakes_have_their_exit_codes(
    kept: Path, docassay: Command, arguments: tuple[str, ...], code: int
) -> None:
    ended = docassay(*(argument.format(run=kept) for argument in arguments))
    assert (ended.code, ended.out) == (code, "")
    assert "bug" not in ended.err


def test_runs_lists_tags_and_trends(kept: Path, docassay: Command, tmp_path: Path) -> None:
    folder = str(kept.parent)
    listed = docassay("runs", folder)
    assert (listed.code, listed.err) == (0, "")
    assert "first" in listed.out
    assert "model=x" in listed.out
    assert docassay("runs", "list", folder).out == listed.out
    tagged = docassay("runs", "tag", str(kept), "owner=me", "model=")
    assert (tagged.code, tagged.out.split()) == (0, ["owner=me"])
    found = docassay("runs", "--where", "owner=me", "--format", "json", folder)
    assert [run["name"] for run in json.loads(found.out)["runs"]] == ["first"]
    none = docassay("runs", folder, "--where", "owner=you")
    assert (none.code, none.out) == (0, "")
    assert "none of 1 run fits" in none.err
    drawn = docassay("runs", "trend", "aligned", folder, "--out", str(tmp_path / "t.svg"))
    assert drawn.code == 0
    assert drawn.out.startswith("kieval.aligned")
    assert (tmp_path / "t.svg").exists()
    assert "drawn in" in drawn.err


def test_runs_without_a_folder_lists_what_lies_here(
    kept: Path, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kept.parent)
    assert "first" in docassay("runs").out
    assert "tag" in docassay("runs", "--help").out


def test_sensitivity_prints_a_table_and_how_much_was_scored(kept: Path, docassay: Command) -> None:
    ended = docassay("sensitivity", str(kept))
    assert ended.code == 0
    assert ended.out.startswith("kieval.aligned, 3 documents")
    assert "documents to be scored again" in ended.err
    assert docassay("sensitivity", str(kept), "-q").err == ""
    plain = json.loads(docassay("sensitivity", str(kept), "--format", "json").out)
    assert plain["settings"][0]["kind"] == "as scored"
