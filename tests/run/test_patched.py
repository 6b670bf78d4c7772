"""Gold with a patch applied: the same scores whether files are written or gold is read with it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import ConfigurationError, DataError
from docassay.model.problem import ProblemCode
from docassay.run.ledger import read_ledger
from docassay.run.reopen import reopen

GOLD = {
    "a": {"total": "1.00", "items": [{"n": "x", "p": "1"}, {"n": "y", "p": "2"}]},
    "b": {"total": "5.00", "items": [{"n": "z", "p": "5"}]},
}
PRED = {
    "a": {"total": "1.50", "items": [{"n": "x", "p": "1"}]},
    "b": {"total": "5.00", "items": [{"n": "z", "p": "5"}, {"n": "w", "p": "6"}]},
}
PATCH: list[dict[str, object]] = [
    {
        **{"document": "a", "path": "total", "action": "take_pred", "was": "1.00"},
        **{"value": "1.50", "who": "Ann", "when": "2026-01-02T10:00:00", "why": "page 1"},
    },
    {"document": "a", "path": "items[1]", "action": "remove", "was": {"n": "y", "p": "2"}},
    {"document": "b", "path": "items[1]", "action": "set", "value": {"n": "w", "p": "6"}},
]


def lines(path: Path, trees: dict[str, dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps({"id": id, "fields": t}) + "\n" for id, t in trees.items()))
    return path


def as_lines(folder: Path) -> Path:
    return lines(folder / "gold.jsonl", GOLD)


def as_flat_lines(folder: Path) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("\r\n".join(json.dumps({"doc_id": id, **tree}) for id, tree in GOLD.items()))
    return path


def as_mapping(folder: Path) -> Path:
    path = folder / "gold.json"
    path.write_text(json.dumps(GOLD, indent=2))
    return path


def as_list(folder: Path) -> Path:
    path = folder / "gold.json"
    path.write_text(json.dumps([{"id": id, **tree} for id, tree in GOLD.items()]))
    return path


def as_folder(folder: Path) -> Path:
    (folder / "gold").mkdir()
    for id, tree in GOLD.items():
        (folder / "gold" / f"{id}.json").write_text(json.dumps(tree, indent=4))
    return folder / "gold"


@pytest.mark.parametrize("make", [as_lines, as_flat_lines, as_mapping, as_list, as_folder])
def test_a_patch_gives_the_same_scores_written_and_while_reading(
    make: object, tmp_path: Path
) -> None:
    assert callable(make)
    gold = make(tmp_path)
    before = {file: file.read_bytes() for file in [gold, *gold.glob("*")] if file.is_file()}
    new = tmp_path / ("new" + gold.suffix)
    done = da.apply_gold_patch(PATCH, gold, new)
    assert (done.documents, done.count("applied")) == (2, 3)
    assert {file: file.read_bytes() for file in before} == before
    pred = lines(tmp_path / "pred.jsonl", PRED)
    written, read = da.score(new, pred), da.score(gold, pred, gold_patch=PATCH)
    assert written["aligned"].value == read["aligned"].value == 1.0
    assert written.signature.split("|gold:")[1] == read.signature.split("|gold:")[1]
    assert da.score(gold, pred)["aligned"].value != 1.0
    again = tmp_path / ("again" + gold.suffix)
    assert da.apply_gold_patch(PATCH, new, again).count("already so") == 3
    for file in [again, *again.glob("*")]:
        if file.is_file():
            assert file.read_bytes() == (new / file.name if again.is_dir() else new).read_bytes()


def test_documents_without_decisions_keep_their_bytes(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_bytes(b'{"id": "a",  "total": 1.50}\n\n{ "id":"b", "total":2.0 }\r\n')
    patch = [{"document": "b", "path": "total", "action": "set", "was": "2.0", "value": 3}]
    da.apply_gold_patch(patch, gold, tmp_path / "new.jsonl")
    new = (tmp_path / "new.jsonl").read_bytes()
    assert new == b'{"id": "a",  "total": 1.50}\n\n{"id":"b","total":3}\r\n'


def test_a_root_and_an_id_key_say_where_the_document_is(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"meta": {"name": "a"}, "data": {"total": "1"}}\n')
    patch = [{"document": "a", "path": "total", "action": "set", "was": "1", "value": "2"}]
    new = tmp_path / "new.jsonl"
    da.apply_gold_patch(patch, gold, new, id_key="meta.name", root="data")
    assert json.loads(new.read_text()) == {"meta": {"name": "a"}, "data": {"total": "2"}}


def test_documents_without_ids_go_by_their_number(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"total": "1"}\n{"total": "2"}\n')
    patch = [{"document": "2", "path": "total", "action": "set", "was": "2", "value": "3"}]
    da.apply_gold_patch(patch, gold, tmp_path / "new.jsonl")
    assert (tmp_path / "new.jsonl").read_text() == '{"total": "1"}\n{"total":"3"}\n'


TABLE = 'id;total;tags;note\na;1,00;x | y;"two\nlines"\nb;2,00;;plain\n'


def test_a_table_is_written_back_cell_by_cell(tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_bytes(b"\xef\xbb\xbf" + TABLE.encode())
    patch = [
        {"document": "b", "path": "total", "action": "set", "was": "2,00", "value": "3;00"},
        {"document": "b", "path": "tags", "action": "set", "value": "z"},
    ]
    da.apply_gold_patch(patch, gold, tmp_path / "new.csv")
    new = (tmp_path / "new.csv").read_bytes().decode("utf-8-sig")
    assert new == TABLE.replace("b;2,00;;plain", 'b;"3;00";z;plain')
    more = [{"document": "a", "path": "tags[1]", "action": "remove", "was": "y"}]
    da.apply_gold_patch(more, gold, tmp_path / "other.csv")
    assert "a;1,00;x;" in (tmp_path / "other.csv").read_text(encoding="utf-8-sig")


@pytest.mark.parametrize(
    "decision",
    [
        {"path": "no column", "action": "set", "value": "1"},
        {"path": "total", "action": "both_fine", "was": "1,00", "value": "1"},
        {"path": "total", "action": "set", "was": "1,00", "value": {"n": "x"}},
    ],
)
def test_what_a_table_cannot_hold_is_refused(decision: dict[str, object], tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text(TABLE)
    with pytest.raises(DataError, match="1 decision does not fit"):
        da.apply_gold_patch([{"document": "a", **decision}], gold, tmp_path / "new.csv")
    assert not (tmp_path / "new.csv").exists()


def test_nothing_is_written_unless_every_decision_fits(tmp_path: Path) -> None:
    gold = as_lines(tmp_path)
    stale = {"document": "b", "path": "total", "action": "set", "was": "4.00", "value": "9"}
    lost = {"document": "q", "path": "total", "action": "set", "was": "4.00", "value": "9"}
    with pytest.raises(DataError, match="2 decisions do not fit") as raised:
        da.apply_gold_patch([*PATCH, stale, lost], gold, tmp_path / "new.jsonl")
    assert raised.value.details == (
        "  b: total: gold has 5.00, and had 4.00 when it was decided",
        "  q: total: gold has no such document",
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.jsonl"]
    revised = [*PATCH, stale, {**stale, "action": "leave"}]
    done = da.apply_gold_patch(revised, gold, tmp_path / "new.jsonl")
    assert done.count("left as it is") == 1


def test_the_log_says_who_changed_what_and_why(tmp_path: Path) -> None:
    evil = {"document": "b", "path": "total", "action": "leave", "who": "=cmd()", "why": "-1+1"}
    done = da.apply_gold_patch([*PATCH, evil], as_lines(tmp_path), tmp_path / "new.jsonl")
    assert done.log == tmp_path / "new.jsonl.patch-log.csv"
    rows = [*csv.DictReader(done.log.read_text().splitlines())]
    assert rows[0]["who"] == "Ann"
    assert (rows[0]["was"], rows[0]["value"], rows[0]["why"]) == ("1.00", "1.50", "page 1")
    assert [row["outcome"] for row in rows] == ["applied", "applied", "applied", "left as it is"]
    assert (rows[3]["who"], rows[3]["why"]) == ("'=cmd()", "'-1+1")


def test_gold_is_never_written_to(tmp_path: Path) -> None:
    gold = as_folder(tmp_path)
    for target in (gold, gold / "new", tmp_path / "gold"):
        with pytest.raises(ConfigurationError):
            da.apply_gold_patch(PATCH, gold, target)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match="is there already"):
        da.apply_gold_patch(PATCH, gold, link)


def test_formats_that_are_not_written_back_name_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_text("Ann B-name\n")
    with pytest.raises(
        ConfigurationError, match="gold is bio, which is not written back"
    ) as raised:
        da.apply_gold_patch(PATCH, tmp_path, tmp_path.parent / "new")
    assert "--gold-patch" in str(raised.value)


def test_a_file_with_a_broken_line_is_not_applied(tmp_path: Path) -> None:
    patch = tmp_path / "patch.jsonl"
    patch.write_text(json.dumps(PATCH[0]) + "\n{broken\n")
    with pytest.raises(DataError, match="the line is not JSON"):
        da.apply_gold_patch(patch, as_lines(tmp_path), tmp_path / "new.jsonl")


# --- while scoring ----------------------------------------------------------------------------


def test_decisions_that_do_not_fit_are_counted_problems(tmp_path: Path) -> None:
    patch = tmp_path / "patch.jsonl"
    stale = {"document": "b", "path": "total", "action": "set", "was": "4.00", "value": "9"}
    lost = {"document": "q", "path": "total", "action": "set", "was": "4.00", "value": "9"}
    quiet = {"document": "q", "path": "date", "action": "leave"}
    rows = [json.dumps(row) for row in (*PATCH, stale, lost, quiet)]
    patch.write_text("\n".join([*rows, "{broken", ""]))
    report = da.score(GOLD, PRED, gold_patch=patch)
    flaws = [each for each in report.problems if each.code == ProblemCode.PATCH]
    assert [(each.document, each.field) for each in flaws] == [
        ("", ""),
        ("b", "total"),
        ("q", "total"),
    ]
    assert flaws[0].where == f"{patch}:7"
    assert report["aligned"].value == 1.0
    assert f"gold: 3 decisions of {patch} applied" in report.notes
    with pytest.raises(DataError):
        da.score(GOLD, PRED, gold_patch=patch, strict=True)


def test_a_kept_run_remembers_the_decisions_it_was_scored_with(tmp_path: Path) -> None:
    gold, pred = as_lines(tmp_path), lines(tmp_path / "pred.jsonl", PRED)
    patch = tmp_path / "patch.jsonl"
    patch.write_text("".join(json.dumps(row) + "\n" for row in PATCH))
    report = da.score(gold, pred, gold_patch=patch, out=tmp_path / "run")
    header = read_ledger(tmp_path / "run").header
    digest = header.inputs["patch"].digest
    assert f"|patch:{digest}|" in report.signature == header.signature
    assert header.inputs["patch"].path == str(patch)
    patch.unlink()
    prepared = reopen(tmp_path / "run")
    trees = {pair.id: pair.trees[0] for pair in prepared.pairing}
    assert trees["a"] == {"total": "1.50", "items": [{"n": "x", "p": "1"}]}
    assert da.score(gold, pred).signature.count("|patch:") == 0
