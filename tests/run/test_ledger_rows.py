"""What a ledger keeps of a document: all that a report says of it, and nothing it would mix up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import DataError, FileError
from docassay.run.ledger import LEDGER, join, read_ledger
from docassay.run.score import digest_of, digest_of_pair

SCHEMA = {
    "fields": {"net": "money", "tax": "money", "total": "money"},
    "rules": [{"name": "adds up", "check": "net + tax == total"}],
}
RIGHT = {"net": "1.00", "tax": "0.50", "total": "1.50"}
WRONG = {**RIGHT, "total": "9.99"}


def lines_of(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / LEDGER).read_bytes().splitlines()]


def test_keys_stand_in_order_whatever_order_the_documents_have(tmp_path: Path) -> None:
    tree = {"b": "1", "c": "2", "a": "3"}
    da.score({"d": tree}, {"d": dict(reversed(tree.items()))}, out=tmp_path, metrics=["entity"])
    _, row, _ = lines_of(tmp_path)
    assert list(row["stats"]["entity"]["fields"]) == ["a", "b", "c"]


def test_rules_that_are_broken_are_kept_with_their_side(tmp_path: Path) -> None:
    da.score(
        {"d": RIGHT, "e": WRONG},
        {"d": WRONG, "e": WRONG},
        schema=SCHEMA,
        metrics=["rules"],
        out=tmp_path,
    )
    broken = [
        (entry.document, entry.side, entry.rule)
        for row in read_ledger(tmp_path).rows
        for entry in row.violations
    ]
    assert broken == [
        ("d", "pred", "adds up"),
        ("e", "gold", "adds up"),
        ("e", "pred", "adds up"),
    ]
    assert all("9.99" in entry.message for entry in read_ledger(tmp_path).rows[0].violations)


def test_rules_are_not_kept_where_they_are_not_measured(tmp_path: Path) -> None:
    da.score({"d": RIGHT}, {"d": WRONG}, schema=SCHEMA, metrics=["entity"], out=tmp_path)
    assert read_ledger(tmp_path).rows[0].violations == ()


def test_problems_of_a_document_read_back_with_side_field_and_message(tmp_path: Path) -> None:
    tree = {"a": {"any_of": ["1", "2"]}}
    report = da.score({"d": {"a": "1"}}, {"d": tree}, out=tmp_path, metrics=["entity"])
    stored = [
        (entry.document, entry.side, entry.field, entry.message)
        for row in read_ledger(tmp_path).rows
        for entry in row.problems
    ]
    told = [(one.document, one.side, one.field, one.message) for one in report.problems]
    assert len(stored) == 1
    assert stored == told
    assert stored[0][:3] == ("d", "pred", "a")
    assert "any_of belongs in gold" in stored[0][3]


def test_a_row_that_was_kept_is_still_there_on_the_second_resume(tmp_path: Path) -> None:
    trees = {name: {"x": name} for name in ("a", "b", "c")}
    first = {name: trees[name] for name in ("a", "b")}
    da.score(first, trees, out=tmp_path, metrics=["entity"])
    before = lines_of(tmp_path)[1:3]
    for _ in range(2):
        report = da.score(trees, trees, out=tmp_path, metrics=["entity"], resume=True)
        assert report["entity.tp"].value == 3
        assert lines_of(tmp_path)[1:3] == before


def test_nothing_but_the_ledger_is_left_of_the_writing(tmp_path: Path) -> None:
    da.score({"d": RIGHT}, {"d": RIGHT}, out=tmp_path)
    left = {path.name for path in tmp_path.iterdir() if path.name.startswith(("ledger", ".lock"))}
    assert left == {LEDGER}


def test_a_ledger_of_another_form_is_named_as_such(tmp_path: Path) -> None:
    da.score({"d": RIGHT}, {"d": RIGHT}, out=tmp_path)
    path = tmp_path / LEDGER
    header, *rows = path.read_bytes().splitlines(keepends=True)
    form = json.loads(header)["ledger"]
    changed = header.replace(b'"ledger":%d' % form, b'"ledger":%d' % (form + 1))
    assert changed != header
    path.write_bytes(b"".join([changed, *rows]))
    with pytest.raises(DataError, match=str(form + 1)):
        read_ledger(tmp_path)


def test_a_path_that_cannot_be_read_is_an_error_of_the_file(tmp_path: Path) -> None:
    (tmp_path / LEDGER).mkdir()
    with pytest.raises(FileError) as caught:
        read_ledger(tmp_path)
    assert LEDGER in str(caught.value.where)


def test_an_empty_union_is_an_error() -> None:
    with pytest.raises(DataError, match="no ledger"):
        join([])


def test_digests_tell_trees_apart_and_have_sixteen_digits() -> None:
    trees = [{}, {"a": "1"}, {"a": "2"}, {"a": 1}, {"b": "1"}, ["a"], None, "", 0]
    digests = [digest_of(tree) for tree in trees]
    assert len(set(digests)) == len(trees)
    assert {len(digest) for digest in digests} == {16}
    assert digest_of_pair(trees[0], trees[1]) == f"{digests[0]}-{digests[1]}"


def test_a_tree_that_json_cannot_carry_has_a_digest_of_its_type() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    digest = digest_of_pair(deep, "\ud800")
    assert digest == digest_of_pair([deep], "\udfff")
    assert digest.partition("-")[0] != digest.partition("-")[2]
    assert [len(part) for part in digest.split("-")] == [16, 16]
