"""Parts of a run: divided in any way, scored anywhere, they come to the same bytes and totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis.aggregate import build
from docassay.errors import DataError
from docassay.load.format import Record
from docassay.load.pairing import Paired
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import Rank
from docassay.run.document_tables import keeping_tables
from docassay.run.ledger import PART, Header, Ledger
from docassay.run.ledger_writer import KeptRows, writing
from docassay.run.open import Prepared, open_run
from docassay.run.options import Options
from docassay.run.parts import (
    MOST_VALUES,
    TOGETHER,
    Part,
    PartMaker,
    ReadPair,
    RunOutcome,
    RunSink,
    Wanted,
    decode_part,
    encode_part,
    encoded_part,
    together,
)
from docassay.run.rows import encode_row
from docassay.run.totals import RunTotals
from docassay.run.verdict_file import ValueFiles

SCHEMA = {
    "fields": {"total": "money", "name": "text"},
    "groups": {"items": {"fields": {"n": "text", "price": "money"}}},
    "rules": [{"name": "not too much", "check": "total <= 30"}],
}
SIZE = 12
GOLD = [
    {
        "id": f"d{at}",
        "total": "many" if at % 5 == 0 else f"{at * 4}.00",
        "name": "Ada",
        "items": [{"n": f"n{row}", "price": f"{row}.50"} for row in range(at % 3)],
    }
    for at in range(SIZE)
]
PRED = [
    {
        **tree,
        "total": "lots" if at % 5 == 0 else tree["total"],
        "name": "Ada" if at % 2 else "Bob",
        "seconds": 0.1,
        "unknown": "x",
    }
    for at, tree in enumerate(GOLD)
]
WANTED = Wanted(by=("type",), cluster="type", verdicts="all", tables=True)


def prepared() -> Prepared:
    return open_run(GOLD, PRED, Options(schema=SCHEMA, metrics=("kieval", "fields", "rules")))


OPENED = prepared()
PAIRS: Sequence[Paired] = [*OPENED.pairing]
BOUND = OPENED.bound


class Files:
    """What a run writes, in memory."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.verdicts, self.errors = BytesIO(), BytesIO()
        values = ValueFiles(self.verdicts, self.errors)
        with TemporaryDirectory() as name, keeping_tables(Path(name), BOUND) as tables:
            sink = RunSink(WANTED, values=values, tables=tables)
            for part in parts:
                sink.add(part)
            self.tables = [Path(name, file).read_bytes() for file in tables.save(Path(name))]
        self.outcome: RunOutcome = sink.finish()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Files) and self.content() == other.content()

    __hash__ = None  # type: ignore[assignment]

    def content(self) -> tuple[object, ...]:
        rows, problems, gold, pred, *_ = self.outcome
        files = [file.getvalue() for file in (self.verdicts, self.errors)]
        lines = b"".join(map(encode_row, rows))
        return (lines, tuple(problems), gold, pred, *files, *self.tables)


def made(sizes: Sequence[int], *, sent: bool, at_once: bool = False) -> list[Part]:
    """Return the pairs scored in parts of some sizes, as they are or as they travel."""
    parts: list[Part] = []
    start = 0
    for size in (*sizes, SIZE):
        maker = PartMaker(BOUND, WANTED, as_lines=sent and size % 2 == 1)
        own = PAIRS[start : start + size]
        if at_once:
            maker.add_all([ReadPair(pair, ()) for pair in own])
        else:
            for pair in own:
                maker.add(pair)
        part = maker.take()
        parts.append(decode_part(encoded_part(encode_part(part))) if sent else part)
        start += size
    return parts


WHOLE = Files(made([], sent=False))


@given(sizes=st.lists(st.integers(0, 5), max_size=4), sent=st.booleans(), at_once=st.booleans())
def test_a_run_comes_to_the_same_however_it_is_divided(
    sizes: list[int], sent: bool, at_once: bool
) -> None:
    files = Files(made(sizes, sent=sent, at_once=at_once))
    assert files == WHOLE
    header = Header("", BOUND.plan, {})
    reports = [
        build(Ledger(header, each.outcome.rows), totals=totals, by="type", cluster="type")
        for each, totals in ((files, files.outcome.totals), (WHOLE, None))
    ]
    assert reports[0].scores == reports[1].scores
    assert reports[0].notes == reports[1].notes
    assert reports[0].facts == reports[1].facts
    assert len(reports[0].violations) == files.outcome.totals.violations > 0


def test_totals_of_parts_are_those_of_all_rows() -> None:
    totals = RunTotals(("type",), "type")
    for part in made([3, 0, 4], sent=True):
        assert part.totals is not None
        totals.merge(part.totals)
    assert totals.part() == RunTotals.of(WHOLE.outcome.rows, ("type",), "type").part()
    assert totals.documents == SIZE
    assert totals.unreadable["total"].number == 3
    assert totals.unreadable["total"].first.document == "d0"


def test_problems_of_reading_stand_before_those_of_the_row() -> None:
    maker = PartMaker(BOUND)
    reading = Problem(ProblemCode.DUPLICATE_KEY, "d0", "gold", "", "twice", "g.jsonl:1")
    maker.add(PAIRS[0], [reading])
    codes = [problem.code for problem in maker.take().problems]
    assert codes[:2] == [ProblemCode.DUPLICATE_KEY, ProblemCode.UNREADABLE_VALUE]


def test_rows_without_digests_are_the_same_otherwise() -> None:
    makers = [PartMaker(BOUND), PartMaker(BOUND, Wanted(digests=False))]
    for maker in makers:
        for pair in PAIRS:
            maker.add(pair)
    whole, plain = (maker.take() for maker in makers)
    assert [row._replace(digest="") for row in whole.rows] == plain.rows
    assert (whole.totals, whole.problems) == (plain.totals, plain.problems)
    assert plain.sums == (0, 0) != whole.sums


def read_pairs(*sizes: int) -> list[ReadPair]:
    """Return pairs whose gold has so many values, or whose pred has as many as it is below 0."""
    pairs = []
    for number, size in enumerate(sizes):
        gold, pred = (
            Record(str(number), {f"f{at}": "x" for at in range(own)}, "")
            for own in (max(size, 0), max(-size, 0))
        )
        pairs.append(ReadPair(Paired(str(number), gold, pred), ()))
    return pairs


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((), []),
        ((1, 1), [2]),
        ((1,) * TOGETHER, [TOGETHER]),
        ((1,) * (TOGETHER + 1), [TOGETHER, 1]),
        ((MOST_VALUES - 1, 1, 1), [2, 1]),
        ((MOST_VALUES - 1, 0, 5, MOST_VALUES + 9, 1), [3, 1, 1]),
        ((1 - MOST_VALUES, 0, -1, -MOST_VALUES - 9, -1), [3, 1, 1]),
    ],
)
def test_as_many_documents_are_scored_together_as_stay_at_hand(
    sizes: tuple[int, ...], expected: list[int]
) -> None:
    pairs = read_pairs(*sizes)
    blocks = [*together(pairs)]
    assert [*map(len, blocks)] == expected
    assert [read for block in blocks for read in block] == pairs


def test_what_was_read_before_an_error_is_scored_before_it_is_raised() -> None:
    def reading() -> Iterator[ReadPair]:
        yield from read_pairs(1, 1, 1)
        raise DataError("torn")

    blocks = together(reading())
    assert len(next(blocks)) == 3
    with pytest.raises(DataError, match="torn"):
        next(blocks)


def test_under_strict_the_first_problem_of_many_documents_is_an_error() -> None:
    maker = PartMaker(BOUND, Wanted(strict=True))
    with pytest.raises(DataError, match="is not an amount of money"):
        maker.add_all([ReadPair(pair, ()) for pair in (PAIRS[1], PAIRS[5], PAIRS[2])])
    assert [row.id for row in maker.take().rows] == ["d1"]


def test_what_a_document_leaves_out_is_left_out_of_those_scored_with_it() -> None:
    wanted = Wanted(behind=(("fields", "kieval"), ("rules", "kieval")))
    makers = [PartMaker(BOUND, wanted), PartMaker(BOUND, wanted)]
    one_by_one = [makers[0].add(pair) for pair in PAIRS]
    assert makers[1].add_all([ReadPair(pair, ()) for pair in PAIRS]) == one_by_one
    assert {*one_by_one[-1].stats} == {"kieval"}
    assert makers[0].take().problems == makers[1].take().problems


def test_under_strict_the_first_problem_is_an_error() -> None:
    maker = PartMaker(BOUND, Wanted(strict=True))
    maker.add(PAIRS[1])
    with pytest.raises(DataError, match="is not an amount of money"):
        maker.add(PAIRS[5])
    assert [row.id for row in maker.take().rows] == ["d1"]


def test_a_worker_finds_the_rows_of_an_earlier_run_by_the_folder_alone(tmp_path: Path) -> None:
    rows = WHOLE.outcome.rows
    with writing(tmp_path, BOUND.plan, resume=False) as writer:
        for row in rows[:5]:
            writer.add(row)
    assert (tmp_path / PART).exists()
    with writing(tmp_path, BOUND.plan, resume=True) as writer:
        kept = KeptRows(tmp_path)
        assert len(kept) == 5
        assert kept.line("d3") == encode_row(rows[3])
        assert kept.get("d7") is None
        maker = PartMaker(BOUND, WANTED, kept)
        for pair in PAIRS:
            maker.add(pair)
        assert Files([maker.take()]) == WHOLE
        kept.close()


def test_rows_of_a_run_that_was_cut_off_again_and_again_are_all_found(tmp_path: Path) -> None:
    rows = WHOLE.outcome.rows
    for start in (0, 4, 2):
        with writing(tmp_path, BOUND.plan, resume=True) as writer:
            for row in rows[start : start + 3]:
                writer.add(row)
    with writing(tmp_path, BOUND.plan, resume=True) as writer:
        assert writer.kept is not None
        ids = [row.id for row in rows if writer.kept.get(row.id) is not None]
        assert ids == [f"d{number}" for number in range(7)]
        writer.finish(Header("s", BOUND.plan, {}))
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.jsonl"]


def test_documents_that_enough_others_exceed_get_no_page() -> None:
    def ranks(floor: Rank | None) -> list[Rank]:
        maker = PartMaker(BOUND, Wanted(pages=True), floor=floor)
        for pair in PAIRS:
            maker.add(pair)
        return [rank for rank, _ in maker.take().diffs]

    every = ranks(None)
    assert len(every) == SIZE
    floor = sorted(every)[5]
    assert ranks(floor) == [rank for rank in every if rank > floor]
    assert RunSink(Wanted(pages=True)).floor() is None
