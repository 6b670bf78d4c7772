"""Rows and problems that need not fit in memory: the same from a file as from a list."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis import intervals
from docassay.analysis.aggregate import build
from docassay.api.score import score_run
from docassay.errors import DataError
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import Remade
from docassay.report.csv import documents_csv
from docassay.report.folder import read_folder
from docassay.report.json import render
from docassay.run import ledger as ledger_module
from docassay.run import rows as rows_module
from docassay.run import store as store_module
from docassay.run.ledger import LEDGER, Ledger, join, read_ledger
from docassay.run.rows import StoredRows, by_id, encode_row, own_stats, row_of, stats_by_id
from docassay.run.score import Row
from docassay.run.store import ProblemStore, RowStore, with_own

SCHEMA = {
    "fields": {"total": "money", "net": "money", "name": "text"},
    "groups": {"items": {"fields": {"n": "text", "price": "money"}}},
    "rules": [{"name": "not too much", "check": "total <= 30"}],
}
METRICS = ["entity", "kieval", "fields", "causes", "rules"]


def tree(number: int) -> dict[str, object]:
    items = [{"n": f"item {at}", "price": f"{at}.00"} for at in range(number % 4)]
    return {"total": f"{number}.00", "net": f"{number - 1}.00", "name": "Ada", "items": items}


def wrong(number: int) -> dict[str, object]:
    own = tree(number)
    own["total"] = "1O.00" if number % 7 == 0 else own["total"]
    own["name"] = "Adа" if number % 3 == 0 else "Ada"
    return own


GOLD = {f"d{number:03}": tree(number) for number in range(60, 0, -1)}
PRED = {name: wrong(int(name[1:])) for name in GOLD}


@pytest.fixture
def few_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold so few rows and problems that those of this module lie in files."""
    monkeypatch.setattr(store_module, "HELD", 5)
    monkeypatch.setattr(ledger_module, "HELD", 5)
    monkeypatch.setattr(store_module, "HELD_PROBLEMS", 2)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> tuple[da.Report, Path]:
    """A run whose rows are held, and its folder."""
    folder = tmp_path_factory.mktemp("held")
    return da.score(GOLD, PRED, schema=SCHEMA, metrics=METRICS, out=folder), folder


def rows_of(report: da.Report) -> Sequence[Row]:
    assert report.ledger is not None
    return report.ledger.rows


@pytest.mark.usefixtures("few_held")
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "in memory"])
def test_a_run_too_large_to_hold_gives_the_same_report_and_files(
    held: tuple[da.Report, Path], tmp_path: Path, kept: bool
) -> None:
    expected, folder = held
    out = tmp_path if kept else None
    report = da.score(GOLD, PRED, schema=SCHEMA, metrics=METRICS, out=out)
    assert isinstance(rows_of(report), StoredRows)
    texts = [json.loads(render(each)) for each in (report, expected)]
    for text in texts:
        del text["run"]["inputs"]  # only a run that is kept has them
    assert texts[0] == texts[1]
    assert tuple(report.lines) == tuple(expected.lines)
    assert [*documents_csv(report.lines)] == [*documents_csv(expected.lines)]
    assert tuple(report.violations) == tuple(expected.violations)
    assert len(report.violations) == len(expected.violations) > 0
    assert tuple(report.problems) == tuple(expected.problems)
    for path in folder.iterdir() if kept else ():
        # the page says what its folder is called
        if path.name not in ("report.json", "run.json", "report.html"):
            assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.usefixtures("few_held")
@pytest.mark.parametrize("by", [None, "type"])
def test_a_stored_run_too_large_to_hold_reads_back_the_same(
    held: tuple[da.Report, Path], by: str | None
) -> None:
    expected, folder = held
    again = read_folder(folder, by=by)
    assert isinstance(read_ledger(folder).rows, StoredRows)
    assert expected.ledger is not None
    in_memory = build(expected.ledger, by=by, problems=expected.problems)
    assert again.scores == in_memory.scores
    assert render(again) == render(in_memory)


@pytest.mark.parametrize("blocks", [False, True], ids=["documents", "blocks"])
def test_intervals_of_rows_in_a_file_are_those_of_rows_in_memory(
    blocks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where an id has escapes, and lines stand otherwise."""
    if blocks:
        monkeypatch.setattr(intervals, "MOST_DOCUMENTS", 10)
        monkeypatch.setattr(intervals, "BLOCKS", 7)
    gold, pred = ({f'"{name}"': tree for name, tree in side.items()} for side in (GOLD, PRED))
    ledger = score_run(gold, pred, schema=SCHEMA, metrics=METRICS).ledger
    lines = [encode_row(row) for row in ledger.rows]
    lines[3] = lines[3].replace(b":[", b": [")
    lines[-1] = lines[-1].replace(b'"stats":', b'"stats": ')
    with (tmp_path / "rows").open("w+b") as file:
        file.writelines(lines)
        stored = ledger._replace(rows=StoredRows(file, 0, file.tell(), len(lines)))
        file.flush()
        expected = build(ledger).scores
        assert build(stored).scores == expected
        assert build(stored, together=True).scores == expected
        for metric in METRICS:
            assert [*stats_by_id(stored.rows, metric)] == [*stats_by_id(ledger.rows, metric)]


@pytest.mark.usefixtures("few_held")
def test_slices_of_rows_in_a_file_are_those_of_rows_in_memory() -> None:
    scorer, large = (da.Scorer(schema=SCHEMA, metrics=["kieval"]) for _ in range(2))
    for name, gold in GOLD.items():
        tags = {"lang": "de"} if int(name[1:]) % 3 else {}
        large.add(name, gold, PRED[name], tags=tags)
    rows = [row for row in large.ledger().rows]
    for row in rows:
        scorer.add(row.id, GOLD[row.id], PRED[row.id], tags=dict(row.tags))
    in_file = large.ledger()
    in_memory = Ledger(in_file.header, tuple(by_id(rows)))
    assert isinstance(in_file.rows, StoredRows)
    assert not isinstance(in_memory.rows, StoredRows)
    for by, cluster in (("lang", None), (None, "lang"), ("lang", "type")):
        reports = [build(ledger, by=by, cluster=cluster) for ledger in (in_file, in_memory)]
        assert reports[0].scores == reports[1].scores
        assert reports[0].notes == reports[1].notes


@pytest.mark.usefixtures("few_held")
def test_scorers_too_large_to_hold_merge_without_losing_or_doubling_a_document() -> None:
    first, second = (da.Scorer(schema=SCHEMA, metrics=["kieval"]) for _ in range(2))
    names = [*GOLD]
    for name in names[:40]:
        first.add(name, GOLD[name], PRED[name])
    for name in names[30:]:
        second.add(name, GOLD[name], PRED[name])
    first.merge(second)
    assert len(first) == len(GOLD)
    whole = score_run(GOLD, PRED, schema=SCHEMA, metrics=["kieval"])
    assert first.report().scores == whole.report.scores
    with pytest.raises(DataError, match="added before with another content"):
        first.add(names[0], GOLD[names[0]], {})
    with pytest.raises(DataError, match="added before with another content"):
        first.add(names[-1], GOLD[names[-1]], {})


def test_no_more_rows_are_held_than_the_bound(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Count the rows that are alive at once while a run goes on and its report is made."""
    monkeypatch.setattr(store_module, "HELD", 8)
    monkeypatch.setattr(ledger_module, "HELD", 8)
    alive: set[int] = set()
    peaks: dict[int, int] = {}

    class Counted(Row):
        """A row that is counted while it is there."""

        def __del__(self) -> None:
            alive.discard(id(self))

    def counted(body: bytes) -> Row:
        row = Counted(*row_of(body))
        alive.add(id(row))
        peaks[size] = max(peaks.get(size, 0), len(alive))
        return row

    monkeypatch.setattr(rows_module, "row_of", counted)
    for size in (20, 60):
        gold = {name: GOLD[name] for name in [*GOLD][:size]}
        da.score(gold, PRED, schema=SCHEMA, metrics=["kieval"], out=tmp_path / str(size))
        report = read_folder(tmp_path / str(size))
        assert report["kieval.aligned"].low is not None
        assert sum(1 for _ in report.lines) == size
    assert peaks[60] <= peaks[20] + 1


@pytest.mark.usefixtures("few_held")
def test_ledgers_too_large_to_hold_are_joined_by_id(tmp_path: Path) -> None:
    names = [*GOLD]
    parts = [
        score_run({name: GOLD[name] for name in some}, PRED, schema=SCHEMA, metrics=["kieval"])
        for some in (names[:35], names[25:])
    ]
    joined = join([part.ledger for part in parts])
    assert isinstance(joined.rows, StoredRows)
    assert [row.id for row in joined.rows] == sorted(names)


def stored(rows: Sequence[Row]) -> StoredRows:
    store = RowStore()
    for row in rows[:3]:
        store.add(row)
    store.add_lines(b"".join(map(encode_row, rows[3:])), len(rows) - 3)
    found = store.rows()
    assert isinstance(found, StoredRows)
    return found


@pytest.mark.usefixtures("few_held")
def test_rows_of_a_file_are_a_sequence(held: tuple[da.Report, Path]) -> None:
    rows = rows_of(held[0])
    found = stored(rows)
    assert len(found) == len(rows)
    assert (found[0], found[7], found[-1]) == (rows[0], rows[7], rows[-1])
    assert found[2:9:3] == tuple(rows[2:9:3])
    assert found == rows
    assert found != rows[:-1]
    assert found != (*rows[:-1], rows[0])
    assert [*zip(found, found, strict=True)] == [*zip(rows, rows, strict=True)]
    assert [own.stats for own in own_stats(found, "kieval")] == [
        row.stats["kieval"] for row in rows
    ]
    assert [row.id for row in by_id(found)] == sorted(GOLD)
    with pytest.raises(IndexError):
        found[len(rows)]


@pytest.mark.usefixtures("few_held")
def test_rows_are_there_as_long_as_somebody_goes_through_them(tmp_path: Path) -> None:
    da.score(GOLD, PRED, metrics=["entity"], out=tmp_path)
    walk = iter(read_ledger(tmp_path).rows)
    (tmp_path / LEDGER).unlink()
    assert [row.id for row in walk] == [*GOLD]


def test_a_document_with_two_rows_is_noticed(tmp_path: Path) -> None:
    from docassay.run.ledger_writer import LedgerWriter

    ledger = score_run(GOLD, PRED, metrics=["entity"]).ledger
    writer = LedgerWriter(tmp_path, ledger.header.plan, resume=False)
    for row in (*ledger.rows, ledger.rows[3]):
        writer.add(row)
    writer.finish(ledger.header)
    writer.close()
    with pytest.raises(DataError, match="a document has two rows"):
        read_ledger(tmp_path)


def problem(number: int, where: str | None = None) -> Problem:
    return Problem(ProblemCode.META, f"d{number}", "pred", "cost", f"{number} is odd", where)


@pytest.mark.usefixtures("few_held")
def test_problems_come_back_in_their_order_however_many_there_are() -> None:
    for number in range(6):
        problems = [problem(at, f"p.jsonl:{at}") for at in range(number)]
        store = ProblemStore(problems[:1])
        store.add(problems[1:])
        assert [*store.problems()] == problems
        assert len(store.problems()) == number


@pytest.mark.usefixtures("few_held")
def test_a_problem_of_a_row_that_is_named_with_its_place_is_not_named_twice() -> None:
    rows = [Row("d", "0-0", "", {}, {}, (problem(1), problem(2), problem(3)))]
    placed = [problem(2, "p.jsonl:2")]
    assert [*with_own(placed, rows)] == [*placed, problem(1), problem(3)]


def test_a_list_that_is_made_anew_is_a_sequence() -> None:
    made = []

    def numbers() -> Iterator[int]:
        for number in range(10):
            made.append(number)
            yield number

    every = Remade(numbers, 10)
    assert (len(every), every[0], every[-1], every[2:5], every[::-4]) == (
        10,
        0,
        9,
        (2, 3, 4),
        (9, 5, 1),
    )
    made.clear()
    assert every[:2] == (0, 1)
    assert made == [0, 1]
    with pytest.raises(IndexError):
        every[10]


def test_rows_that_come_together_are_found_as_those_that_come_one_by_one(tmp_path: Path) -> None:
    rows = [Row(f"d{number}" * number, "", "", {}, {}, ()) for number in range(1, 7)]
    lines = [*map(encode_row, rows)]
    with (tmp_path / "rows").open("x+b") as content:
        content.write(b"a head\n")
        file = store_module.RowFile(content)
        file.append(lines[0])
        file.append_each(lines[1:4])
        file.append_each([])
        file.append_each(lines[4:5])
        file.append(lines[5])
        assert file._places is not None
        assert len(file._places) == file.number == len(rows)
        assert [*map(file.rows().__getitem__, range(6))] == rows
        assert file.digest.digest() == blake2b(b"".join(lines), digest_size=16).digest()
        file.append(lines[0] + lines[1], 2)
        file.append_each(lines[2:])
        assert [file.rows()[at] for at in (-1, 6)] == [rows[5], rows[0]]
