"""`docassay convert`: JSON lines on stdout or BIO files in a folder, and what these cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text(
        '{"id": "a", "vendor": "Acme Corp", "items": [{"name": "Tea", "price": 1.50}]}\n'
        '{"id": "b", "tags": {"lang": "de"}, "fields": {"vendor": "Bosch", "total": null}}\n'
    )
    return path


def test_bio_files_read_as_the_same_entities(
    docassay: Command, lines: Path, tmp_path: Path
) -> None:
    out = tmp_path / "bio"
    ended = docassay("convert", str(lines), "--to", "bio", "--out", str(out))
    assert ended.code == 0
    assert (out / "a.bio").read_text() == (
        "Acme B-vendor\nCorp I-vendor\nTea B-items.name\n1.50 B-items.price\n"
    )
    assert (out / "b.bio").read_text() == "Bosch B-vendor\n"
    assert ended.err.splitlines() == [
        f"docassay: {lines} is read as jsonl",
        "docassay: a: IOB2 cannot hold: groups whose rows are not kept apart (1)",
        f"2 documents written to {out}",
    ]
    again = docassay("convert", str(out), "--quiet")
    assert again.out.splitlines() == [
        '{"id":"a","fields":{"vendor":["Acme Corp"],"items.name":["Tea"],"items.price":["1.50"]}}',
        '{"id":"b","fields":{"vendor":["Bosch"]}}',
    ]


def test_values_are_marked_in_the_texts(docassay: Command, lines: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("To Acme\nCorp: Tea")
    out = tmp_path / "bio"
    ended = docassay(
        *("convert", str(lines), "--to", "bio", "--out", str(out), "--texts", str(texts))
    )
    assert (out / "a.bio").read_text() == (
        "To O\nAcme B-vendor\nCorp I-vendor\n: O\nTea B-items.name\n"
    )
    assert "a: IOB2 cannot hold: values that do not stand in the text (1)" in ended.err
    assert "b: has no text; its values are written alone" in ended.err


def test_json_lines_keep_digits_tags_and_ids(docassay: Command, lines: Path) -> None:
    ended = docassay("convert", str(lines))
    assert ended.out.splitlines() == [
        '{"id":"a","fields":{"vendor":"Acme Corp","items":[{"name":"Tea","price":1.50}]}}',
        '{"id":"b","tags":{"lang":"de"},"fields":{"vendor":"Bosch","total":null}}',
    ]


def test_options_of_a_format_are_given_as_elsewhere(docassay: Command, tmp_path: Path) -> None:
    (tmp_path / "x.bio").write_text("a\tU-X\n")
    refused = docassay("convert", str(tmp_path))
    assert (refused.code, refused.out) == (3, "")
    assert "0 documents written" in refused.err
    ended = docassay("convert", str(tmp_path), "--set", "bio.scheme=lenient")
    assert ended.out == '{"id":"x","fields":{"X":["a"]}}\n'


def test_an_id_may_stand_under_another_key(docassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"name": "n1", "total": "5"}\n')
    assert docassay("convert", str(path), "--id-key", "name").out == (
        '{"id":"n1","fields":{"total":"5"}}\n'
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "bio"], "BIO files need a folder"),
        (["--out", "x"], "--out and --texts need --to bio"),
        (["--texts", "x"], "--out and --texts need --to bio"),
        (["--set", "csv.separator=;"], "'csv.separator' is no option of the format jsonl"),
        (["--format", "jsnl"], "did you mean"),
        (["--to", "bio", "--out", "."], "exists and is not empty"),
    ],
)
def test_a_wrong_use_stops_before_anything_is_written(
    docassay: Command, lines: Path, arguments: list[str], message: str
) -> None:
    ended = docassay("convert", str(lines), *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_many_problems_are_counted(docassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f'{{"id": "{at}", "g": [{{"a": "x"}}]}}\n' for at in range(25)))
    ended = docassay("convert", str(path), "--to", "bio", "--out", str(tmp_path / "bio"))
    assert ended.err.count("IOB2 cannot hold") == 20
    assert "5 more problems" in ended.err
