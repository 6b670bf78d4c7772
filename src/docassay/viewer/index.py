"""The index of a viewed run: an SQLite file that lists, filters and pages documents.

It is a memory and never the home of a fact: it belongs to one ledger, and is made anew where that
has changed. Texts of documents are parameters of statements, never parts of them.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, cast

import msgspec

from docassay.errors import ConfigurationError
from docassay.load.wire import decode
from docassay.matching.verdicts import Verdict
from docassay.model.stats import Stats, Table
from docassay.run.diffs import WORDS
from docassay.run.reopen import StoredValue

NAME = "docassay-view.sqlite"
FORM = 2
VERDICT_OF = {word: verdict for verdict, word in WORDS.items()}
MOST_LINES = 200
"""Of one page of the list."""
LONGEST_QUESTION = 1_000
LAST = 1e9
"""The badness of a document that has no score."""
TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE documents (
  n INTEGER PRIMARY KEY, id TEXT UNIQUE, type TEXT, score REAL, badness REAL, wrong INTEGER,
  problems INTEGER, outcome TEXT, ledger_at INTEGER, suspect REAL);
CREATE TABLE wrongs (
  n INTEGER, field TEXT, verdict TEXT, cause TEXT, line TEXT, gold TEXT, pred TEXT,
  gold_path TEXT, pred_path TEXT, gold_read TEXT, pred_read TEXT, similarity REAL, reason TEXT,
  confidence REAL);
CREATE TABLE texts (n INTEGER PRIMARY KEY, folded TEXT);
CREATE TABLE trees (
  n INTEGER PRIMARY KEY, gold BLOB, pred BLOB, gold_where TEXT, pred_where TEXT);
CREATE TABLE suspects (
  n INTEGER, path TEXT, field TEXT, gold TEXT, proposed TEXT, score REAL, evidence TEXT);
"""
INDICES = """
CREATE INDEX by_badness ON documents (badness, n);
CREATE INDEX by_wrong ON documents (wrong, n);
CREATE INDEX by_type ON documents (type, n);
CREATE INDEX IF NOT EXISTS wrongs_of ON wrongs (n);
CREATE INDEX by_field ON wrongs (field, cause, verdict, n);
CREATE INDEX by_cause ON wrongs (cause, verdict, n);
ANALYZE;
"""
SORTS = {
    "score": ("d.badness", "ASC"),
    "id": ("d.id", "ASC"),
    "wrong": ("coalesce(d.wrong, -1)", "DESC"),
    "type": ("d.type", "ASC"),
    "suspects": (f"coalesce(-d.suspect, 1) * {10 * LAST} + d.badness", "ASC"),
}
"""What a list may be sorted by, and which end comes first."""


class Selection(NamedTuple):
    """Which documents are listed, and in which order."""

    q: str = ""
    """A part of an id, or of a wrong value."""
    field: str = ""
    cause: str = ""
    type: str = ""
    verdict: str = ""
    least: float | None = None
    most: float | None = None
    wrong: bool = False
    decided: bool | None = None
    sort: str = "score"
    desc: bool = False

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Selection:
        """Return the selection that an address states; one that states none is an error."""
        texts = {name: given[name] for name in _TEXTS if given.get(name)}
        if any(len(text) > LONGEST_QUESTION for text in texts.values()):
            raise ConfigurationError("what is asked for is too long")
        sort = given.get("sort") or "score"
        if sort not in SORTS:
            raise ConfigurationError(f"documents cannot be sorted by {sort!r}")
        decided = given.get("decided")
        return cls(
            **texts,
            least=_bound(given, "least"),
            most=_bound(given, "most"),
            wrong=given.get("wrong") == "1",
            decided=None if decided not in ("0", "1") else decided == "1",
            sort=sort,
            desc=given.get("desc") == "1",
        )


_TEXTS = ("q", "field", "cause", "type", "verdict")


def _bound(given: Mapping[str, str], name: str) -> float | None:
    text = given.get(name)
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise ConfigurationError(f"{name} is {text!r}, and no number") from None


class DocumentEntry(NamedTuple):
    """A document as the index has it."""

    n: int
    id: str
    type: str
    score: float | None
    wrong: int | None
    problems: int
    outcome: str | None
    ledger_at: int
    """Where its row begins in the ledger."""
    suspect: float | None


_COLUMNS = ", ".join(f"d.{name}" for name in DocumentEntry._fields)


class StoredTrees(NamedTuple):
    """Gold and pred of a document as they were paired, gold without any patch."""

    gold: object
    pred: object
    gold_where: str | None
    pred_where: str | None


class StoredSuspect(NamedTuple):
    """A value of gold that an audit doubts."""

    path: str
    field: str
    gold: str | None
    proposed: str | None
    score: float
    evidence: tuple[str, ...]


class DocumentIndex:
    """Asks the index of a run."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        # a connection of its own for each question: questions come from several threads
        with closing(connect(self.file)) as connection:
            yield connection

    def meta(self, name: str) -> bytes | None:
        """Return what is kept under a name."""
        with self._reading() as connection:
            return _meta(connection, name)

    def keep(self, name: str, value: bytes) -> None:
        """Keep something under a name."""
        with self._reading() as connection, connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def count(self, selection: Selection, decided: Iterable[str] = ()) -> int:
        """Return how many documents are selected."""
        where, values = _where(selection, decided)
        with self._reading() as connection:
            (number,) = connection.execute(
                f"SELECT count(*) FROM documents d WHERE {where}", values
            ).fetchone()
        return int(number)

    def lines(
        self,
        selection: Selection,
        decided: Iterable[str] = (),
        *,
        offset: int = 0,
        limit: int = MOST_LINES,
    ) -> list[DocumentEntry]:
        """Return a page of the documents that are selected."""
        where, values = _where(selection, decided)
        query = (
            f"SELECT {_COLUMNS} FROM documents d WHERE {where} ORDER BY {_order(selection)} "
            "LIMIT ? OFFSET ?"
        )
        page = (min(limit, MOST_LINES), max(0, offset))
        with self._reading() as connection:
            return [DocumentEntry(*row) for row in connection.execute(query, (*values, *page))]

    def entry(self, id: str) -> DocumentEntry | None:
        """Return the document of an id."""
        query = f"SELECT {_COLUMNS} FROM documents d WHERE d.id = ?"
        with self._reading() as connection:
            row = connection.execute(query, (storable(id),)).fetchone()
        return None if row is None else DocumentEntry(*row)

    def next_wrong(
        self, after: str, selection: Selection, decided: Iterable[str] = (), *, back: bool = False
    ) -> str | None:
        """Return the next document of a list that has a wrong value; of no document, the first."""
        where, values = _where(selection._replace(wrong=True), decided)
        key, first = SORTS[selection.sort]
        rising = (first == "ASC") != selection.desc
        sign = ">" if rising != back else "<"
        order = "ASC" if rising != back else "DESC"
        if after:
            where += f" AND ({key}, d.n) {sign} (SELECT {key}, d.n FROM documents d WHERE d.id = ?)"
            values = (*values, storable(after))
        query = (
            f"SELECT d.id FROM documents d WHERE {where} ORDER BY {key} {order}, d.n {order} "
            "LIMIT 1"
        )
        with self._reading() as connection:
            row = connection.execute(query, values).fetchone()
        return None if row is None else str(row[0])

    def wrong_values(self, numbers: Sequence[int]) -> dict[int, list[StoredValue]]:
        """Return the wrong values of some documents."""
        query = (
            "SELECT w.n, d.id, w.field, w.verdict, w.gold_path, w.pred_path, w.gold, w.pred, "
            "w.gold_read, w.pred_read, w.similarity, w.reason, w.confidence, w.cause, w.line "
            "FROM wrongs w JOIN documents d ON d.n = w.n WHERE w.n IN "
            "(SELECT value FROM json_each(?)) ORDER BY w.n, w.rowid"
        )
        values: dict[int, list[StoredValue]] = {number: [] for number in numbers}
        with self._reading() as connection:
            for n, id, field, word, *facts, cause, line in connection.execute(
                query, (_listed(numbers),)
            ):
                verdict = Verdict(id, field, VERDICT_OF[word], *facts)
                values[n].append(StoredValue(verdict, cause, line))
        return values

    def trees(self, number: int) -> StoredTrees | None:
        """Return gold and pred of a document, None where they were not kept."""
        query = "SELECT gold, pred, gold_where, pred_where FROM trees WHERE n = ?"
        with self._reading() as connection:
            row = connection.execute(query, (number,)).fetchone()
        return None if row is None else StoredTrees(unpacked(row[0]), unpacked(row[1]), *row[2:])

    def types(self) -> list[str]:
        """Return the document types there are."""
        query = "SELECT DISTINCT type FROM documents WHERE type <> '' ORDER BY type"
        with self._reading() as connection:
            return [name for (name,) in connection.execute(query)]

    def suspects(self, number: int) -> list[StoredSuspect]:
        """Return what an audit doubts in a document, the most suspicious first."""
        query = (
            "SELECT path, field, gold, proposed, score, evidence FROM suspects WHERE n = ? "
            "ORDER BY score DESC, path"
        )
        with self._reading() as connection:
            rows = connection.execute(query, (number,)).fetchall()
        return [
            StoredSuspect(
                path,
                field,
                gold,
                proposed,
                score,
                tuple(msgspec.json.decode(evidence, type=list[str])),
            )
            for path, field, gold, proposed, score, evidence in rows
        ]

    def keep_suspects(self, suspects: Iterable[tuple[str, StoredSuspect]]) -> None:
        """Keep what an audit doubts, by document id."""
        with self._reading() as connection, connection:
            connection.execute("DELETE FROM suspects")
            connection.execute("UPDATE documents SET suspect = NULL")
            for id, suspect in suspects:
                texts = [storable(text) for text in suspect[:4]]
                evidence = storable(msgspec.json.encode(suspect.evidence).decode())
                connection.execute(
                    "INSERT INTO suspects SELECT n, ?, ?, ?, ?, ?, ? FROM documents WHERE id = ?",
                    (*texts, suspect.score, evidence, storable(id)),
                )
            connection.execute(
                "UPDATE documents SET suspect = s.score FROM "
                "(SELECT n, max(score) AS score FROM suspects GROUP BY n) AS s "
                "WHERE documents.n = s.n"
            )


def connect(file: Path) -> sqlite3.Connection:
    """Open an index; it may come with a run folder from elsewhere, so its schema runs nothing."""
    connection = sqlite3.connect(file, timeout=30.0)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _meta(connection: sqlite3.Connection, name: str) -> bytes | None:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else bytes(row[0])


def stamp_of_index(file: Path) -> bytes | None:
    """Return what an index was made of, None where there is none that can be read."""
    if not file.is_file():
        return None
    try:
        with closing(connect(file)) as connection:
            kinds = connection.execute("SELECT DISTINCT type FROM sqlite_master").fetchall()
            own = {kind for (kind,) in kinds} <= {"table", "index"}
            return _meta(connection, "stamp") if own else None
    except sqlite3.Error:
        return None


def _where(selection: Selection, decided: Iterable[str]) -> tuple[str, tuple[object, ...]]:
    """Return the condition of a selection with its parameters."""
    parts: list[str] = ["1"]
    values: list[object] = []
    for name in ("type",):
        if getattr(selection, name):
            parts.append(f"d.{name} = ?")
            values.append(getattr(selection, name))
    for sign, bound in ((">=", selection.least), ("<=", selection.most)):
        if bound is not None:
            parts.append(f"d.score {sign} ?")
            values.append(bound)
    if selection.wrong:
        parts.append("d.wrong > 0")
    # what is asked of a wrong value must hold of one and the same
    asked = [name for name in ("field", "cause", "verdict") if getattr(selection, name)]
    if asked:
        inner = " AND ".join(f"{name} = ?" for name in asked)
        parts.append(f"d.n IN (SELECT n FROM wrongs WHERE {inner})")
        values += [getattr(selection, name) for name in asked]
    if selection.q:
        parts.append("d.n IN (SELECT n FROM texts WHERE instr(folded, ?))")
        values.append(selection.q.casefold())
    if selection.decided is not None:
        sign = "" if selection.decided else "NOT "
        parts.append(f"d.id {sign}IN (SELECT value FROM json_each(?))")
        values.append(_listed(sorted(decided)))
    return " AND ".join(parts), tuple(storable(value) for value in values)


def _order(selection: Selection) -> str:
    key, first = SORTS[selection.sort]
    rising = (first == "ASC") != selection.desc
    order = "ASC" if rising else "DESC"
    return f"{key} {order}, d.n {order}"


def _listed(items: Sequence[object]) -> str:
    return msgspec.json.encode([storable(item) for item in items]).decode()


def storable(value: object) -> object:
    """Return a value that SQLite can hold: half of a surrogate pair becomes its escape."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return value


def packed(text: str) -> bytes:
    """Return JSON as the index keeps it."""
    return zlib.compress(text.encode(), 1)


def unpacked(data: bytes | None) -> object:
    """Return the tree of what the index keeps."""
    return None if data is None else decode(zlib.decompress(data), "the index").tree


def encode_totals(totals: Mapping[str, Stats]) -> bytes:
    """Return the sums of a run's statistics, by metric, as the index keeps them."""
    return msgspec.json.encode(
        {
            metric: {name: [*table.items()] for name, table in stats.items()}
            for metric, stats in totals.items()
        }
    )


def decode_totals(data: bytes) -> dict[str, Stats]:
    """Return the sums that the index keeps."""
    tables = msgspec.json.decode(
        data, type=dict[str, dict[str, list[tuple[str | tuple[str, ...], tuple[int, ...]]]]]
    )
    return {
        metric: {name: cast("Table", dict(table)) for name, table in stats.items()}
        for metric, stats in tables.items()
    }
