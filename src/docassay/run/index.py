"""A small SQLite file that remembers what run folders come to.

It is a memory and never the home of a fact: an entry counts only while the ledger is the one it was
made of, and a file that is damaged, of another form or gone is made anew. Several processes may use
one at the same time.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

INDEX = "docassay-runs.sqlite"
FORM = 1
"""Of the index; one of another form is made anew."""
PATIENCE = 30.0
"""Seconds to wait for another process that writes to the index."""
T = TypeVar("T")


class RunIndex:
    """Remembers what ledgers come to, in a file that several processes may share."""

    def __init__(self, place: Path | None) -> None:
        self._place = place
        self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        if self._place is not None:
            try:
                return self._opened(str(self._place))
            except sqlite3.OperationalError:
                pass  # locked for good, or a place that cannot be written
            except sqlite3.DatabaseError:
                self._remove()
                with suppress(sqlite3.Error):
                    return self._opened(str(self._place))
        self._place = None
        return self._opened(":memory:")

    def _opened(self, place: str) -> sqlite3.Connection:
        connection = sqlite3.connect(place, timeout=PATIENCE, isolation_level=None)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # a file that a crash leaves half written is noticed and made anew
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN IMMEDIATE")
        (form,) = connection.execute("PRAGMA user_version").fetchone()
        if form != FORM:
            for table in ("runs", "scores"):
                connection.execute(f"DROP TABLE IF EXISTS {table}")
            connection.execute(
                "CREATE TABLE runs (name BLOB PRIMARY KEY, stamp TEXT, facts BLOB) WITHOUT ROWID"
            )
            connection.execute(
                "CREATE TABLE scores (name BLOB, asked TEXT, stamp TEXT, score BLOB, "
                "PRIMARY KEY (name, asked)) WITHOUT ROWID"
            )
            connection.execute(f"PRAGMA user_version = {FORM}")
        connection.execute("COMMIT")

    def _remove(self) -> None:
        if self._place is not None:
            for suffix in ("", "-journal"):
                with suppress(OSError):
                    Path(f"{self._place}{suffix}").unlink()

    def recall(self, name: str, stamp: str, kind: type[T], asked: str | None = None) -> T | None:
        """Return what is remembered of a run, None where that is nothing or no longer true."""
        keys: tuple[bytes | str, ...] = (_key(name),)
        query = "SELECT stamp, facts FROM runs WHERE name = ?"
        if asked is not None:
            query, keys = (
                "SELECT stamp, score FROM scores WHERE name = ? AND asked = ?",
                (*keys, asked),
            )
        try:
            row = self._safely(lambda: self._connection.execute(query, keys).fetchone())
            if row is None or row[0] != stamp:
                return None
            return msgspec.json.decode(row[1], type=kind)
        except (msgspec.MsgspecError, TypeError, UnicodeDecodeError):
            return None

    def remember(self, name: str, stamp: str, value: object, asked: str | None = None) -> None:
        """Keep what a run comes to; a failure to do so is no failure of the question."""
        data = msgspec.json.encode(value)
        if asked is None:
            query = "INSERT OR REPLACE INTO runs VALUES (?, ?, ?)"
            self._safely(lambda: self._connection.execute(query, (_key(name), stamp, data)))
        else:
            query = "INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?)"
            self._safely(lambda: self._connection.execute(query, (_key(name), asked, stamp, data)))

    def forget_others(self, names: Sequence[str]) -> None:
        """Drop what is remembered of runs that are gone."""
        kept = {*map(_key, names)}

        def drop() -> None:
            for table in ("runs", "scores"):
                stored = self._connection.execute(f"SELECT DISTINCT name FROM {table}").fetchall()
                for (name,) in stored:
                    if name not in kept:
                        self._connection.execute(f"DELETE FROM {table} WHERE name = ?", (name,))

        self._safely(drop)

    def _safely(self, work: Callable[[], T]) -> T | None:
        """Do something with the file; one that turns out to be damaged is made anew."""
        try:
            return work()
        except sqlite3.OperationalError:
            return None  # busy or full: the folders are asked instead
        except sqlite3.DatabaseError:
            self._connection.close()
            self._remove()
            self._connection = self._open()
            return None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _key(name: str) -> bytes:
    """Return a name as the index keeps it: a file name may hold what is no text."""
    return name.encode("utf-8", "surrogateescape")


def index_place(folder: Path, name: str = INDEX) -> Path | None:
    """Return where the index of a folder lies: in it, else in the user's cache, else nowhere."""
    own = folder / name
    if os.access(folder, os.W_OK) and not own.is_symlink():
        return own
    digest = hashlib.blake2b(os.fsencode(os.path.abspath(folder)), digest_size=8).hexdigest()
    kind = Path(name).stem.removeprefix("docassay-")
    place = cache_folder() / f"{kind}-{digest}.sqlite"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return place


def cache_folder() -> Path:
    """Return the folder in which a user's programs keep what they can make again."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "docassay"
