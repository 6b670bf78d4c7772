"""A run in tasks has the bytes of a run in one piece, whatever the files look like."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import docassay as da
from docassay.errors import DataError, DocassayError
from docassay.load.pairing import Paired
from docassay.model.report import Rank
from docassay.run import divide, join
from docassay.run.engines import choice, runner
from docassay.run.parts import RankedDiff
from docassay.run.worst import DiffKeeper

Tree = dict[str, object]
Writer = Callable[[Path], dict[str, object]]


def invoices(count: int, seed: int = 7) -> Iterator[tuple[str, Tree, Tree]]:
    """Ids with gold and pred, some values of which differ."""
    draw = random.Random(seed)
    for number in range(count):
        rows = [
            {"name": f"item {draw.randrange(9)}", "price": f"{draw.randrange(900) / 100:.2f}"}
            for _ in range(draw.randrange(4))
        ]
        gold: Tree = {
            "date": f"2024-01-{1 + number % 28:02d}",
            "total": f"{number}.50",
            "rows": rows,
        }
        pred = json.loads(json.dumps(gold))
        if draw.random() < 0.5:
            pred["total"] = f"{number}.5O"
        if draw.random() < 0.3:
            pred["rows"] = pred["rows"][::-1][:2]
        yield f"doc-{number:03d}", gold, pred


def write_lines(path: Path, trees: list[Tree]) -> None:
    path.write_text("".join(json.dumps(tree) + "\n" for tree in trees), encoding="utf-8")


def shuffled(folder: Path, count: int = 60) -> dict[str, object]:
    documents = [*invoices(count)]
    write_lines(folder / "gold.jsonl", [{"id": id, **gold} for id, gold, _ in documents])
    random.Random(1).shuffle(documents)
    write_lines(folder / "pred.jsonl", [{"id": id, **pred} for id, _, pred in documents])
    return {}


def flawed(folder: Path) -> dict[str, object]:
    documents = [*invoices(40)]
    golds: list[Tree] = [{"id": id, **gold, "tags": {"kind": id[-1]}} for id, gold, _ in documents]
    preds: list[Tree] = [{"id": id, **pred} for id, _, pred in documents]
    golds += [golds[3], {**golds[4], "total": "other"}, {"total": "without id"}]
    preds = [*preds[:5], preds[7], {"total": "9"}, *preds[9:], preds[12], {**preds[2], "date": ""}]
    preds += [{"id": "nobody", "total": "1"}, {"id": "none", "total": "2"}]
    write_lines(folder / "gold.jsonl", golds)
    write_lines(folder / "pred.jsonl", preds)
    lines = (folder / "pred.jsonl").read_bytes().splitlines(keepends=True)
    lines[1] = b'{"id": "doc-001", "total": \n'
    lines[2] = b'\n{"id": "doc-002", "total": "1", "total": "2", "rows": [{"price": NaN}]}\n'
    lines[3] = b'{"id": "doc-003", "vendor": "caf\xe9"}\n'
    lines[10] = b"[1, 2]\n"
    (folder / "pred.jsonl").write_bytes(b"".join(lines))
    return {"by": "kind", "metrics": None}


def positions(folder: Path) -> dict[str, object]:
    documents = [*invoices(50)]
    write_lines(folder / "gold.jsonl", [gold for _, gold, _ in documents])
    write_lines(folder / "pred.jsonl", [pred for _, _, pred in documents])
    lines = (folder / "pred.jsonl").read_bytes().splitlines(keepends=True)
    lines[7] = b'{"total": broken\n'
    (folder / "pred.jsonl").write_bytes(b"\n".join(lines))
    return {}


def stems(folder: Path) -> dict[str, object]:
    documents = [*invoices(30)]
    write_lines(folder / "gold.jsonl", [{"id": f"scans/{id}.pdf", **g} for id, g, _ in documents])
    write_lines(
        folder / "pred.jsonl", [{"id": id, **pred, "extra": 1} for id, _, pred in documents[4:]]
    )
    return {}


def affixes(folder: Path) -> dict[str, object]:
    documents = [*invoices(30)]
    write_lines(folder / "gold.jsonl", [{"id": id, **gold} for id, gold, _ in documents])
    write_lines(folder / "pred.jsonl", [{"id": f"{id}_pred", **pred} for id, _, pred in documents])
    return {}


def patterns(folder: Path) -> dict[str, object]:
    documents = [*invoices(30)]
    write_lines(folder / "gold.jsonl", [{"id": f"g{id}g", **gold} for id, gold, _ in documents])
    preds: list[Tree] = [{"id": f"p-{id}-{n}", **pred} for n, (id, _, pred) in enumerate(documents)]
    write_lines(folder / "pred.jsonl", [*preds, {"id": "unlike", "total": "1"}])
    return {"id_pattern": r"(doc-\d{3})"}


def wrapped(folder: Path) -> dict[str, object]:
    documents = [*invoices(30)]
    write_lines(
        folder / "gold.jsonl",
        [{"key": {"name": id}, "truth": gold, "labelled": ["total"]} for id, gold, _ in documents],
    )
    preds = [
        {"id": id, "result": {"Total": pred["total"], "rows": pred["rows"]}, "latency_ms": 12}
        for id, _, pred in documents
    ]
    write_lines(folder / "pred.jsonl", preds)
    return {"gold_id": "key.name", "gold_root": "truth"}


def renamed(folder: Path) -> dict[str, object]:
    documents = [*invoices(30)]
    write_lines(folder / "gold.jsonl", [{"id": id, **gold} for id, gold, _ in documents])
    preds = [{"id": id, "sum": pred["total"], "rows": pred["rows"]} for id, _, pred in documents]
    write_lines(folder / "pred.jsonl", preds)
    return {"map": {"sum": "total"}, "ignore": ["date"], "metrics": ["entity", "fields", "tree"]}


def folders(folder: Path) -> dict[str, object]:
    for side in ("gold", "pred"):
        (folder / f"{side}.jsonl" / "deep").mkdir(parents=True)
    for number, (id, gold, pred) in enumerate(invoices(30)):
        for side, tree in (("gold", gold), ("pred", pred)):
            if side == "gold" or number != 5:
                place = folder / f"{side}.jsonl" / ("deep" if number % 2 else "") / f"{id}.json"
                place.write_text(json.dumps(tree))
    (folder / "pred.jsonl" / "notes.txt").write_text("no document")
    (folder / "pred.jsonl" / "doc-999.json").write_text('{"total": "1", "total": "2"}')
    return {}


def several_files(folder: Path) -> dict[str, object]:
    documents = [*invoices(30)]
    (folder / "gold.jsonl").mkdir()
    for number in range(3):
        part = documents[number * 10 : number * 10 + 10]
        write_lines(
            folder / "gold.jsonl" / f"{number}.jsonl", [{"id": id, **gold} for id, gold, _ in part]
        )
    write_lines(folder / "pred.jsonl", [{"id": id, **pred} for id, _, pred in documents])
    return {}


def tables(folder: Path) -> dict[str, object]:
    documents = [*invoices(40)]
    golds: list[Tree] = [{"id": id, **gold} for id, gold, _ in documents]
    preds: list[Tree] = [{"id": id, "fields": json.dumps(pred)} for id, _, pred in documents]
    preds[3]["fields"] = '{"total": '
    preds[5]["id"] = None
    preds = [*preds[:9], *preds[10:20][::-1], *preds[20:], preds[2], {"id": "x", "fields": "{}"}]
    for name, trees in (("gold", golds), ("pred", preds)):
        table = pa.Table.from_pylist(trees)
        pq.write_table(table, folder / f"{name}.parquet", row_group_size=11)
    return {"sides": ("gold.parquet", "pred.parquet")}


def unnamed_tables(folder: Path) -> dict[str, object]:
    documents = [*invoices(30)]
    for name, trees in (
        ("gold", [{**gold, "share": 0.25} for _, gold, _ in documents]),
        ("pred", [pred for _, _, pred in documents]),
    ):
        pq.write_table(pa.Table.from_pylist(trees), folder / f"{name}.parquet", row_group_size=7)
    return {"sides": ("gold.parquet", "pred.parquet")}


CORPORA: list[Writer] = [
    shuffled,
    flawed,
    positions,
    stems,
    affixes,
    patterns,
    wrapped,
    renamed,
    folders,
    several_files,
    tables,
    unnamed_tables,
]


def kept(
    folder: Path,
    out: str,
    sides: tuple[str, str] = ("gold.jsonl", "pred.jsonl"),
    **options: object,
) -> dict[str, bytes]:
    """Score into a folder and return its files; what ends a run is one of them."""
    place = folder / out / "run"  # the page of a run says what its folder is called
    options = {"metrics": ["entity", "kieval"], **options}
    try:
        da.score(folder / sides[0], folder / sides[1], out=place, **options)  # type: ignore[arg-type]
    except DocassayError as error:
        return {"error": str(error).encode()}
    return files_in(place)


def files_in(place: Path) -> dict[str, bytes]:
    """The files of a run by their names."""
    return {
        str(file.relative_to(place)): file.read_bytes()
        for file in sorted(place.rglob("*"))
        if file.is_file()
    }


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(join, "DOCUMENTS", 7)
    monkeypatch.setattr(join, "STRETCH", 700)


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let small runs be divided too; which were is noted."""
    outcomes: list[bool] = []
    original = divide.DividedRun.settle

    def settle(self: divide.DividedRun, prepared: object) -> bool:
        outcomes.append(original(self, prepared))  # type: ignore[arg-type]
        return outcomes[-1]

    monkeypatch.setattr(divide.DividedRun, "settle", settle)
    return outcomes


@pytest.mark.parametrize("write", CORPORA)
def test_in_tasks_and_in_one_piece_give_the_same_files(
    write: Writer, tmp_path: Path, divided: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = write(tmp_path)
    whole = kept(tmp_path, "whole", **options)
    assert divided == []
    monkeypatch.setattr(runner, "WORTH_DIVIDING", 0)
    monkeypatch.setattr(choice, "usable_cores", lambda: 1)
    tasks = kept(tmp_path, "tasks", **options)
    assert divided == [True]
    assert tasks.keys() == whole.keys()
    assert [name for name in whole if tasks[name] != whole[name]] == []
    assert "ledger.jsonl" in whole


@pytest.mark.parametrize("misled", [False, True])
@pytest.mark.parametrize("write", CORPORA)
def test_the_same_documents_are_shown_whatever_a_sample_tells(
    write: Writer,
    misled: bool,
    tmp_path: Path,
    divided: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = write(tmp_path)
    monkeypatch.setattr(DiffKeeper.__init__, "__defaults__", (5,))
    whole = kept(tmp_path, "whole", **options)
    asked: list[list[int]] = []
    again = divide.DividedRun.diffs

    def diffs(self: divide.DividedRun, places: list[int]) -> Iterator[RankedDiff]:
        asked.append(places)
        return again(self, places)

    monkeypatch.setattr(divide.DividedRun, "diffs", diffs)
    sampled: list[int] = []
    own_sample = divide.DividedRun.sample

    def sample(self: divide.DividedRun) -> list[Rank]:
        ranks = own_sample(self)
        sampled.append(len(ranks))
        # misled by documents that are worse than any
        return [(2.0, 0, "")] * 60 if misled else ranks

    monkeypatch.setattr(divide.DividedRun, "sample", sample)
    monkeypatch.setattr(runner, "WORTH_DIVIDING", 0)
    monkeypatch.setattr(choice, "usable_cores", lambda: 1)
    tasks = kept(tmp_path, "tasks", **options)
    assert divided == [True]
    assert [name for name in whole if tasks[name] != whole[name]] == []
    assert [*map(len, asked)] == ([5] if misled else [])
    # of a table a whole group of rows has to be read for each
    assert [size > 0 for size in sampled] == [write not in (tables, unnamed_tables)]


def test_a_document_of_a_sample_that_cannot_be_read_ends_nothing_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shuffled(tmp_path)

    def failing(*_: object) -> Iterator[Paired]:
        raise DataError("cannot be read")
        yield

    asked: list[list[Rank]] = []

    def sample(self: divide.DividedRun) -> list[Rank]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(divide.DividedRun, "pairs", failing)
            asked.append(given(self))
        return asked[-1]

    given = divide.DividedRun.sample
    monkeypatch.setattr(DiffKeeper.__init__, "__defaults__", (5,))
    monkeypatch.setattr(divide.DividedRun, "sample", sample)
    monkeypatch.setattr(runner, "WORTH_DIVIDING", 0)
    monkeypatch.setattr(choice, "usable_cores", lambda: 1)
    assert "report.html" in kept(tmp_path, "tasks")
    assert asked == [[]]


def test_an_id_that_only_reading_the_whole_record_gives_is_an_error(
    tmp_path: Path, divided: list[bool]
) -> None:
    shuffled(tmp_path)
    lines = (tmp_path / "gold.jsonl").read_text().splitlines(keepends=True)
    odd = {"id": "odd", "total": "1", "metadata": {"id": {"confidence": 0.5}}}
    (tmp_path / "gold.jsonl").write_text("".join([*lines, json.dumps(odd) + "\n"]))
    ended = kept(tmp_path, "two", workers=2)
    assert [*ended] in (["error"], [*kept(tmp_path, "whole")])


def test_two_workers_give_the_files_of_one(tmp_path: Path, divided: list[bool]) -> None:
    options = flawed(tmp_path)
    whole = kept(tmp_path, "whole", **options)
    assert kept(tmp_path, "two", workers=2, **options) == whole
    assert divided == [True]
    assert not [name for name in os.listdir(tmp_path / "two") if name.startswith(".join")]
