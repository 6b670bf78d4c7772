"""`explain`, `list`, `schema`, `synth` and `demo`."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command, Corpus, write_jsonl


def test_explain_shows_which_rows_were_matched(corpus: Corpus, docassay: Command) -> None:
    out = docassay("explain", corpus.gold, corpus.pred, "b", "--schema", corpus.schema).out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "items gold items[0] pred items[1] 1 of 2 wrong" in lines
    assert "items gold items[1] pred items[0] all correct" in lines
    assert "items gold – pred items[2] no such row in gold" in lines


@pytest.mark.parametrize(
    "line",
    ["✓ kind bill bill", "+ price $4.50 –", "− price – $0.10"],
    ids=["right", "to add", "to delete"],
)
def test_explain_marks_every_verdict_by_a_sign(
    line: str, corpus: Corpus, docassay: Command
) -> None:
    out = docassay("explain", corpus.gold, corpus.pred, "b", "--schema", corpus.schema).out
    assert any(" ".join(shown.split()).startswith(line) for shown in out.splitlines())


def test_explain_counts_at_the_end(corpus: Corpus, docassay: Command) -> None:
    out = docassay("explain", corpus.gold, corpus.pred, "b", "--schema", corpus.schema).out
    assert "✓ 4 correct   ≠ 1 to substitute   + 1 to add   − 2 to delete" in out


def test_explain_shows_texts_as_read_where_they_differ(corpus: Corpus, docassay: Command) -> None:
    out = docassay("explain", corpus.gold, corpus.pred, "a", "--schema", corpus.schema).out
    assert "read as 3" in out


def test_explain_shows_markup_as_it_stands(corpus: Corpus, docassay: Command) -> None:
    assert "[bold]bag[/bold]" in docassay("explain", corpus.gold, corpus.pred, "b").out


def test_explain_shows_a_document_without_prediction(corpus: Corpus, docassay: Command) -> None:
    ended = docassay("explain", corpus.gold, corpus.pred, "c")
    assert ended.code == 0
    assert "no prediction" in ended.out


def test_explain_tells_its_signs_in_one_line(docassay: Command) -> None:
    assert "\n  ✓ correct    ≠ pred has another value" in docassay("explain", "--help").out


def test_explain_names_the_nearest_ids(tmp_path: Path, docassay: Command) -> None:
    gold = write_jsonl(tmp_path / "g.jsonl", {"invoice_1": {"x": "1"}, "receipt_9": {"x": "1"}})
    assert "invoice_1" in docassay("explain", gold, gold, "invoice-1").err


@pytest.mark.parametrize("width", ["40", "80", "120"])
def test_explain_keeps_to_the_width(
    width: str, corpus: Corpus, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    long = {"a": {"k" * 90: "word " * 400, "kind": "y" * 5000}}
    gold = write_jsonl(corpus.folder / "long.jsonl", dict(long))
    out = docassay("explain", gold, corpus.pred, "a").out
    assert max(map(len, out.splitlines())) <= int(width)
    assert "…" in out


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("metrics", "kieval"),
        ("formats", "kieval-csv"),
        ("comparators", "within"),
        ("readers", "money"),
        ("types", "contains"),
    ],
)
def test_list_names_what_is_registered(kind: str, name: str, docassay: Command) -> None:
    ended = docassay("list", kind)
    assert any(line.startswith(f"{name} ") for line in ended.out.splitlines())


def test_list_tells_options_with_defaults(docassay: Command) -> None:
    assert "flatten=false" in docassay("list", "metrics").out


def test_an_inferred_schema_passes_its_check(corpus: Corpus, docassay: Command) -> None:
    file = str(corpus.folder / "made.yaml")
    assert docassay("schema", "infer", corpus.gold, "-o", file).code == 0
    assert docassay("schema", "check", file).code == 0
    assert "items.price" in docassay("schema", "show", file).out


def test_the_list_of_labelled_fields_is_no_field_of_an_inferred_schema(
    tmp_path: Path, docassay: Command
) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "a", "total": "5.00", "labelled": ["total"]}\n')
    ended = docassay("schema", "infer", str(path))
    assert "total: " in ended.out
    assert "labelled" not in ended.out


def test_an_inferred_schema_goes_to_stdout(corpus: Corpus, docassay: Command) -> None:
    assert "groups:" in docassay("schema", "infer", corpus.gold).out


def test_every_mistake_in_a_schema_is_named_with_its_line(
    tmp_path: Path, docassay: Command
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("fields:\n  a: {type: mony}\n  b: {wieght: 2}\n")
    ended = docassay("schema", "check", str(file))
    assert ended.code == 2
    assert f"{file}:2:" in ended.err
    assert f"{file}:3:" in ended.err


def test_a_schema_that_cannot_be_written_is_an_input_output_error(
    corpus: Corpus, docassay: Command
) -> None:
    nowhere = str(corpus.folder / "no" / "made.yaml")
    assert docassay("schema", "infer", corpus.gold, "-o", nowhere).code == 74


def test_a_generated_corpus_can_be_scored_as_it_says(tmp_path: Path, docassay: Command) -> None:
    made = docassay("synth", "--out", str(tmp_path / "s"), "--docs", "3", "--model", "hasty")
    tried = shlex.split(made.err.strip().removeprefix("try: docassay "))
    assert docassay(*tried).code == 0


def test_the_same_seed_generates_the_same_corpus(tmp_path: Path, docassay: Command) -> None:
    texts = []
    for name in ("one", "two"):
        docassay("synth", "--out", str(tmp_path / name), "--docs", "2", "--seed", "5")
        texts.append((tmp_path / name / "gold.jsonl").read_bytes())
    assert texts[0] == texts[1]


def test_everything_the_demo_says_to_try_works(
    tmp_path: Path, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("docassay.cli.demo.DOCUMENTS", 30)
    # the viewer would go on until somebody interrupts it
    monkeypatch.setattr("uvicorn.Server.run", lambda server, sockets: None)
    monkeypatch.setattr("webbrowser.open", lambda link: True)
    monkeypatch.setattr("docassay.viewer.state.Viewer.prepare", lambda viewer: None)
    ended = docassay("demo")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    shown = ended.out.replace("\\\n", " ").splitlines()
    commands = [shlex.split(line)[1:] for line in shown if line.startswith("  docassay ")]
    assert len(commands) >= 5
    assert {docassay(*command).code for command in commands} <= {0, 1}


def test_the_files_that_the_demo_says_to_open_are_there(
    tmp_path: Path, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docassay.cli.demo.DOCUMENTS", 20)
    out = docassay("demo", "--out", str(tmp_path / "d")).out
    files = [line.split()[0] for line in out.splitlines() if "run-hasty/" in line]
    assert len(files) >= 4
    assert all(Path(file).is_file() for file in files)
