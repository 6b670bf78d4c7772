"""Parts of a run: what some documents in a row came to, wherever they were scored.

A part has the rows of the ledger and the lines of every other file that a run writes, with the
totals of its documents. One process after the other, many processes or many machines make the same
parts, and one sink takes them in gold order: so all of them write the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from docassay.errors import DataError
from docassay.kernel.counting import leaves_at_sight
from docassay.load.beside import meta_of
from docassay.load.pairing import Paired
from docassay.matching.case import Case, GivenTrees, make_cases
from docassay.model.document import hash_of
from docassay.model.problem import Problem
from docassay.model.report import NO_DIFFS, KeptDiff, KeptDiffs, Rank
from docassay.model.stats import Stats
from docassay.run.plan import Bound
from docassay.run.rows import encode_row
from docassay.run.score import (
    Roles,
    Row,
    count_cases,
    digest_of_pair,
    digest_with_beside,
    is_wrong,
    roles_of,
    score_case,
)
from docassay.run.store import ProblemStore, RowStore
from docassay.run.totals import DocumentTables, RunTotals, TotalsPart

if TYPE_CHECKING:
    from docassay.run.document_tables import TableFiles, TableLines
    from docassay.run.document_values import KeptValues
    from docassay.run.documents import ListedLine
    from docassay.run.ledger_writer import KeptRows, LedgerWriter
    from docassay.run.verdict_file import ValueFiles, ValueLines
    from docassay.run.worst import DiffKeeper, DiffLines

DIGEST_SPACE = 1 << 64
TOGETHER = 64
"""Documents that are scored together: a processor does one thing many times in less time."""
MOST_VALUES = 6_000
"""Values in them, on both sides: what they come to has to stay at hand for the next step."""
LEVELS = 10
"""Of a document that are looked at to see how many values it has."""


class ReadPair(NamedTuple):
    """A pair, and what was noticed while it was read."""

    paired: Paired
    problems: Sequence[Problem]


def together(pairs: Iterable[ReadPair]) -> Iterator[list[ReadPair]]:
    """Yield pairs some at a time; those that come before an error are yielded before it."""
    block: list[ReadPair] = []
    room = MOST_VALUES
    try:
        for read in pairs:
            block.append(read)
            for tree in read.paired.trees:
                room -= leaves_at_sight(tree, LEVELS)
            if room <= 0 or len(block) >= TOGETHER:
                yield block
                block, room = [], MOST_VALUES
    except (Exception, KeyboardInterrupt):
        if block:
            yield block
        raise
    if block:
        yield block


class Wanted(msgspec.Struct, frozen=True):
    """What is wanted of each document beside its row."""

    by: tuple[str, ...] = ()
    """Tags by whose slices totals are added up."""
    cluster: str | None = None
    verdicts: str = "none"
    """Which values are kept: none, wrong or all."""
    tables: bool = False
    """Whether tables of documents are kept, with what was predicted."""
    pages: bool = False
    """Whether the worst documents are kept as pages show them."""
    strict: bool = False
    """Whether the first problem is an error."""
    digests: bool = True
    """Whether rows, and the run, say of which content they are."""
    unseen: tuple[str, ...] = ()
    """Metrics that are left out of the rows; what flaws they find are problems all the same."""
    behind: tuple[tuple[str, str], ...] = ()
    """Metrics that are left out as soon as a value is wrong by another one, and that."""


NOTHING = Wanted()
RankedDiff = tuple[Rank, KeptDiff | msgspec.Raw]
"""A document as pages show it, as it was made or as it has come, with how bad it is: the share of
its values that are wrong, how many that are, its id.
"""


class Part(msgspec.Struct, array_like=True):
    """What some documents came to, in gold order."""

    documents: int = 0
    lines: bytes = b""
    """Their rows as lines of a ledger."""
    totals: TotalsPart | None = None
    problems: list[Problem] = []
    """Of reading and of scoring, with their places."""
    sums: tuple[int, int] = (0, 0)
    """Digests of gold and pred, added up."""
    verdicts: bytes = b""
    errors: bytes = b""
    tables: DocumentTables | None = None
    diffs: list[RankedDiff] = []
    """The worst of the documents as pages show them, each with its rank."""
    ranks: list[Rank] = []
    """Of all documents, if any are shown in pages."""


class RunOutcome(NamedTuple):
    """What a run came to, in gold order."""

    rows: Sequence[Row]
    problems: Sequence[Problem]
    """Of the documents, with their places."""
    gold_digest: str
    pred_digest: str
    totals: RunTotals
    diffs: KeptDiffs = NO_DIFFS
    """The worst documents as pages show them, if they are wanted."""
    values: KeptValues | None = None
    """By which documents are ranked, if tables are wanted."""


class OwnPart(Part):
    """A part that was made in this process: its rows are not encoded yet."""

    rows: list[Row] = []


class EncodedPart(msgspec.Struct, array_like=True):
    """A part as it travels: its rows as lines, its diffs, and the rest of it."""

    lines: bytes
    rest: memoryview
    diffs: memoryview


_encoder = msgspec.msgpack.Encoder()
_encoded_decoder = msgspec.msgpack.Decoder(EncodedPart)
_decoder = msgspec.msgpack.Decoder(Part)
_diffs_decoder = msgspec.msgpack.Decoder(list[tuple[Rank, msgspec.Raw]])
_diff_decoder = msgspec.msgpack.Decoder(KeptDiff)


def encode_part(part: OwnPart) -> bytes:
    """Return a part as bytes, its rows as lines: those that are lines already come first."""
    facts = {name: getattr(part, name) for name in Part.__struct_fields__}
    rest = _encoder.encode(Part(**{**facts, "lines": b"", "diffs": []}))
    lines = b"".join([part.lines, *map(encode_row, part.rows)])
    diffs = _encoder.encode(part.diffs)
    return _encoder.encode(EncodedPart(lines, memoryview(rest), memoryview(diffs)))


def decode_diff(diff: KeptDiff | msgspec.Raw) -> KeptDiff:
    """Return a diff as it was made."""
    return diff if isinstance(diff, KeptDiff) else _diff_decoder.decode(diff)


def encoded_part(content: bytes | memoryview) -> EncodedPart:
    """Return what an encoded part consists of."""
    return _encoded_decoder.decode(content)


def decode_part(encoded: EncodedPart) -> Part:
    """Return the part that was encoded."""
    part = _decoder.decode(encoded.rest)
    part.lines = encoded.lines
    # copies: a few diffs of a part are not to hold all of it
    part.diffs = [(rank, diff.copy()) for rank, diff in _diffs_decoder.decode(encoded.diffs)]
    return part


class _Looked(NamedTuple):
    """A document of which files beside the ledger tell."""

    case: Case
    row: Row
    pair: Paired
    problems: int


class PartMaker:
    """Scores pairs one after the other, and gives what they came to a part at a time."""

    def __init__(
        self,
        bound: Bound,
        wanted: Wanted = NOTHING,
        kept: KeptRows | None = None,
        totals: RunTotals | None = None,
        floor: Rank | None = None,
        *,
        as_lines: bool = False,
    ) -> None:
        """Take rows that are kept of an earlier run, and where to add totals, if not in parts.

        Documents that are no worse than `floor`, if it is given, are not drawn. Parts have rows
        `as_lines` where these are sent: it takes less while what they hold is at hand.
        """
        self._bound, self._wanted, self._kept = bound, wanted, kept
        self._shared = totals
        self._as_lines = as_lines
        self._unseen, self._behind = wanted.unseen, wanted.behind
        self._roles = roles_of(bound, wanted.unseen)
        self._values = _value_lines(wanted.verdicts)
        self._tables = _table_lines(bound) if wanted.tables else None
        self._diffs = _diff_lines(floor) if wanted.pages else None
        self._looks = any(look is not None for look in (self._values, self._tables, self._diffs))
        """Whether files beside the ledger are written."""
        self._begin()

    def _begin(self) -> None:
        self._part = OwnPart()
        self._lines: list[bytes] = []
        self._waiting: list[_Looked] = []
        self._totals = self._shared or RunTotals(self._wanted.by, self._wanted.cluster)
        self._gold = self._pred = 0

    def __len__(self) -> int:
        return self._part.documents

    def add(self, pair: Paired, problems: Sequence[Problem] = ()) -> Row:
        """Score a pair and return its row; `problems` are those of reading it, with places."""
        (row,) = self.add_all([ReadPair(pair, problems)])
        return row

    def add_all(self, pairs: Sequence[ReadPair]) -> list[Row]:
        """Score pairs and return their rows: all of them take a step before any takes the next."""
        kept = [None if self._kept is None else self._kept_row(pair) for pair, _ in pairs]
        wanted = [self._looks or row is None for row in kept]
        given = [GivenTrees(pair.id, *pair.trees, pair) for pair, _ in compress(pairs, wanted)]
        made = iter(make_cases(given, self._bound.layouts))
        cases = [next(made) if here else None for here in wanted]
        roles = self._roles
        fresh = [case for case, row in zip(cases, kept, strict=True) if case and row is None]
        counted = iter(count_cases(fresh, roles))
        rows: list[Row] = []
        try:
            for (pair, problems), case, row in zip(pairs, cases, kept, strict=True):
                if row is None:
                    assert case is not None
                    row = self._row(pair, case, next(counted), roles)
                self._take_problems(row, case, pair, problems)
                rows.append(row)
        finally:  # those before an error count
            self._take_rows(rows)
        return rows

    def _take_problems(
        self, row: Row, case: Case | None, pair: Paired, problems: Sequence[Problem]
    ) -> None:
        """Add the problems of a document to the part."""
        placed = [*problems]
        if row.problems:
            placed += [_placed(problem, pair) for problem in row.problems]
        if placed:
            if self._wanted.strict:
                raise failure(placed[0])
            self._part.problems += placed
        if case is not None and self._looks:
            self._waiting.append(_Looked(case, row, pair, len(placed)))

    def _take_rows(self, rows: list[Row]) -> None:
        """Add rows to the part."""
        self._part.documents += len(rows)
        self._totals.add(rows)
        if self._as_lines:
            self._lines += map(encode_row, rows)
        else:
            self._part.rows += rows
        if self._wanted.digests:
            for row in rows:
                gold, _, pred = row.digest.partition("-")
                self._gold += hash_of(gold + row.id)
                self._pred += hash_of(pred + row.id)
        if len(self._waiting) >= TOGETHER:
            self._look()

    def _look(self) -> None:
        """Make the lines of the documents that wait, one file after the other."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        lines: Sequence[ListedLine | None] = [None] * len(waiting)
        if self._tables is not None:
            cases = [document.case for document in waiting]
            rows = [(document.row, document.problems) for document in waiting]
            lines = self._tables.add(cases, rows)
        if self._values is None and self._diffs is None:
            return
        from docassay.run.verdict_file import CaseValues

        ranks: Sequence[Rank | None] = [None] * len(waiting)
        if self._diffs is not None:
            ranks = [self._diffs.rank(document.case) for document in waiting]
        every = [
            CaseValues(document.case, whole=rank is not None)
            for document, rank in zip(waiting, ranks, strict=True)
        ]
        if self._values is not None:
            self._values.add(every, [document.pair for document in waiting])
        if self._diffs is not None:
            for rank, values, line in zip(ranks, every, lines, strict=True):
                if rank is not None:
                    self._diffs.add(rank, values, line)

    def take(self) -> OwnPart:
        """Return the part so far, and begin another one."""
        self._look()
        part = self._part
        part.lines = b"".join(self._lines)
        part.sums = (self._gold % DIGEST_SPACE, self._pred % DIGEST_SPACE)
        part.totals = None if self._shared is not None else self._totals.part()
        if self._values is not None:
            part.verdicts, part.errors = self._values.take()
        if self._tables is not None:
            part.tables = self._tables.take()
        if self._diffs is not None:
            part.diffs, part.ranks = self._diffs.take()
        self._begin()
        return part

    def _kept_row(self, pair: Paired) -> Row | None:
        """Return the row that is kept of a pair, if its content is still the same."""
        kept = None if self._kept is None else self._kept.get(pair.id)
        if kept is None:
            return None
        digest = digest_with_beside(digest_of_pair(*pair.trees), pair, self._bound)
        return kept._replace(meta=meta_of(pair.pred)) if kept.digest == digest else None

    def _row(self, pair: Paired, case: Case, stats: dict[str, Stats], roles: Roles) -> Row:
        """Return the row of a pair of which metrics in these roles have counted."""
        if roles is not self._roles:  # a document before this one has changed them
            stats = {metric.name: stats[metric.name] for metric in self._roles.counting}
        tagged = pair.gold or pair.pred
        row = score_case(
            case,
            self._bound,
            tags={} if tagged is None else tagged.tags,
            digested=self._wanted.digests,
            roles=self._roles,
            stats=stats,
        )
        if self._behind:
            self._leave_out(row)
        if pair.pred is not None and pair.pred.outcome:
            row = row._replace(outcome=pair.pred.outcome)
        if pair.pred is not None and pair.pred.meta:
            row = row._replace(meta=meta_of(pair.pred))
        return row

    def _leave_out(self, row: Row) -> None:
        """Leave out from now on what is not shown where something is as wrong as in a row."""
        gone = [name for name, by in self._behind if is_wrong(by, row.stats.get(by, {}))]
        if gone:
            self._unseen = (*self._unseen, *gone)
            self._behind = tuple(entry for entry in self._behind if entry[0] not in gone)
            self._roles = roles_of(self._bound, self._unseen)


def _value_lines(choice: str) -> ValueLines | None:
    """Return what makes the lines of verdicts, which a run that is not kept has no use for."""
    if choice == "none":
        return None
    from docassay.run.verdict_file import ValueLines

    return ValueLines(choice)


def _table_lines(bound: Bound) -> TableLines:
    from docassay.run.document_tables import TableLines

    return TableLines(bound)


def _diff_lines(floor: Rank | None) -> DiffLines:
    from docassay.run.worst import DiffLines

    return DiffLines(floor=floor)


def _placed(problem: Problem, pair: Paired) -> Problem:
    record = pair.gold if problem.side == "gold" else pair.pred
    return problem if record is None else problem._replace(where=record.where)


def failure(problem: Problem) -> DataError:
    """Return a problem as the error that --strict makes of it."""
    field = f"field {problem.field}: " if problem.field else ""
    document = f"document {problem.document}: " if problem.document else ""
    return DataError(
        f"{problem.side} {document}{field}{problem.message}".strip(),
        where=problem.where,
        hint="without --strict this is counted as a problem and the run goes on",
    )


class RunSink:
    """Takes the parts of a run in gold order, writes its files and gives what it came to."""

    def __init__(
        self,
        wanted: Wanted = NOTHING,
        writer: LedgerWriter | None = None,
        values: ValueFiles | None = None,
        tables: TableFiles | None = None,
    ) -> None:
        """Take the files of a run that is kept."""
        self.totals = RunTotals(wanted.by, wanted.cluster)
        self._rows = RowStore(None if writer is None else writer.rows)
        self._problems = ProblemStore()
        self._values, self._tables = values, tables
        self._diffs = _diff_keeper() if wanted.pages else None
        self._gold = self._pred = 0

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Take problems that belong to no document."""
        self._problems.add(problems)

    def add(self, part: Part) -> None:
        """Take the next part."""
        if isinstance(part, OwnPart):
            self._rows.extend(part.rows)
        else:
            self._rows.add_lines(part.lines, part.documents)
        if part.totals is not None:
            self.totals.merge(part.totals)
        self._problems.add(part.problems)
        self._gold += part.sums[0]
        self._pred += part.sums[1]
        if self._values is not None:
            self._values.write(part.verdicts, part.errors)
        if self._tables is not None and part.tables is not None:
            self._tables.write(part.tables)
        if self._diffs is not None:
            self._diffs.add(part.ranks, part.diffs)

    def expect(self, documents: int, sample: Callable[[], list[Rank]]) -> None:
        """Take how many documents come, and what gives the ranks of some that stand for all.

        Then any of them must be such that it can be drawn at the end.
        """
        if self._diffs is not None:
            self._diffs.expect(documents, sample)

    def floor(self) -> Rank | None:
        """Return what documents have to be worse than to be drawn, as far as is known."""
        return None if self._diffs is None else self._diffs.floor

    def undrawn(self) -> list[int]:
        """Return the numbers of documents that are among the worst and have not been drawn."""
        return [] if self._diffs is None else self._diffs.undrawn()

    def draw(self, diffs: Iterable[RankedDiff]) -> None:
        """Take the diffs of such documents."""
        if self._diffs is not None:
            self._diffs.draw(diffs)

    def finish(self) -> RunOutcome:
        """Return what the run came to."""
        gold, pred = (f"{total % DIGEST_SPACE:016x}" for total in (self._gold, self._pred))
        diffs = NO_DIFFS if self._diffs is None else self._diffs.kept()
        rows, problems = self._rows.rows(), self._problems.problems()
        values = None if self._tables is None else self._tables.values
        return RunOutcome(rows, problems, gold, pred, self.totals, diffs, values)


def _diff_keeper() -> DiffKeeper:
    from docassay.run.worst import DiffKeeper

    return DiffKeeper()
