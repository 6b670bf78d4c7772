"""What files of runs and of studies share: JSON, CSV, tables, one way to write, one writer."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from docassay.errors import FileError
from docassay.kernel.cells import Cell as Cell
from docassay.kernel.cells import csv_rows, extraction_row
from docassay.kernel.counting import Shares
from docassay.model.words import cell

_QUOTED = re.compile('[",\r\n]')
DECIMALS = 6
"""Of numbers in CSV files."""
TEXTS_KEPT = 1 << 16
"""Texts of numbers that are remembered."""
LOCK = ".lock"
OWNED = ".lock.owned"
"""Exists while a run writes, where the operating system has no locks on files."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; while it is held, nobody else gets it."""
    acquire = system_lock()
    if acquire is None:
        with _owned(folder / OWNED):
            yield
        return
    path = folder / LOCK
    with _opened(path) as file:
        file.seek(0)
        try:
            acquire(file)
            current = os.path.samestat(os.fstat(file.fileno()), path.stat())
        except OSError:
            raise _busy(folder) from None
        if not current:  # the holder before removed the file after it was opened here
            raise _busy(folder)
        try:
            yield
        finally:
            with suppress(OSError):  # Windows removes no open file; the next run uses it again
                path.unlink()


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("a+b")
    except OSError as error:
        raise unwritable(path.parent, error) from None


def unwritable(folder: Path, error: OSError) -> FileError:
    """Return the error of a folder in which a run cannot be kept."""
    return FileError(f"cannot write a run there: {error.strerror}", where=str(folder))


def system_lock() -> Callable[[BinaryIO], None] | None:
    """Return what locks an open file or raises OSError, None where there is no such thing."""
    try:
        import fcntl
    except ImportError:
        return _windows_lock()
    return lambda file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _windows_lock() -> Callable[[BinaryIO], None] | None:
    if sys.platform == "win32":
        import msvcrt

        return lambda file: msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    return None


@contextmanager
def _owned(path: Path) -> Iterator[None]:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        hint = f"if no run is active, a run was killed: delete {path.name}"
        raise _busy(path.parent, hint) from None
    except OSError as error:
        raise unwritable(path.parent, error) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _busy(folder: Path, hint: str = "wait for it to end, or use another folder") -> FileError:
    return FileError("another run is writing there", where=str(folder), hint=hint)


def json_text(facts: Mapping[str, object], lists: Mapping[str, Iterable[object]]) -> str:
    """Return a JSON object of facts, one a line, and of lists below them, one item a line."""
    parts = [f"{_plain(name)}: {_plain(value)}" for name, value in facts.items()]
    for name, items in lists.items():
        lines = ",\n  ".join(map(_plain, items))
        parts.append(f"{_plain(name)}: " + (f"[\n  {lines}]" if lines else "[]"))
    return "{" + ",\n ".join(parts) + "}\n"


def _plain(value: object) -> str:
    # an option may be anything its metric likes; what JSON cannot hold is written as text
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)


def csv_text(head: Iterable[str], rows: Iterable[Iterable[Cell]]) -> str:
    """Return a table as CSV in which no spreadsheet finds a formula."""
    return csv_lines([[*row] for row in chain([head], rows)])


def csv_lines(rows: list[list[Cell]]) -> str:
    """Return rows as CSV."""
    return csv_rows(rows, _short_texts, csv_cell)


def csv_line(row: Iterable[Cell]) -> str:
    """Return a row of CSV whose texts are guarded against formulas."""
    return csv_lines([[*row]])


def extraction_line(
    id: str,
    cells: dict[str, str],
    heads: list[str],
    score: float | None,
    fields: Mapping[str, float | None] | Shares,
    paths: list[str],
) -> str:
    """Return the line of a document, cells as they stand in CSV, in the table of extractions."""
    return extraction_row(id, cells, heads, score, fields, paths, _short_texts, csv_cell)


def csv_cell(value: Cell) -> str:
    """Return a cell as it stands in a file, quoted where a reader would take it for several.

    A lone carriage return is quoted too: many readers take it for the end of a row.
    """
    if type(value) is float:
        return shortened(value)
    if value is None:
        return ""
    if isinstance(value, str):
        text = cell(value)
        return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
    return str(value)


def shortened(value: float) -> str:
    """Return a number with at most six decimals, or six digits where that would leave nothing."""
    return _short_texts[value] if value else repr(value)  # which takes 0.0 and -0.0 for equal


class _ShortTexts(dict[float, str]):
    """The texts of numbers so far: most numbers of a run are a few."""

    def __missing__(self, value: float) -> str:
        if len(self) >= TEXTS_KEPT:
            self.clear()
        short = round(value, DECIMALS)
        text = self[value] = repr(short) if short else f"{value:.{DECIMALS}g}"
        return text


_short_texts = _ShortTexts()


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]], sides: str) -> Iterator[str]:
    """Yield the lines of a table, columns on the left (l) or on the right side (r)."""
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---:' if side == 'r' else '---' for side in sides)} |"
    for row in rows:
        cells = (text.replace("|", "\\|") for text in row)
        yield f"| {' | '.join(cells)} |"
    yield ""


@contextmanager
def writing(place: str | Path) -> Iterator[None]:
    """Name the file that cannot be written in the error, by default the place given."""
    try:
        yield
    except OSError as error:
        where = str(error.filename or place)
        raise FileError(f"cannot be written: {error.strerror}", where=where) from error
    except ValueError as error:
        if "\0" not in str(place):
            raise
        raise FileError("is not a path: it holds a NUL character", where=str(place)) from error


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears under its name only when it was written whole.

    It is written aside and then renamed. Neither step follows a link, so a link in the folder is
    replaced and what it points to stays as it was.
    """
    aside = path.with_name(f".{path.name}.part")
    try:
        aside.unlink(missing_ok=True)  # what an earlier run left there
        with aside.open("x+b") as file:  # "x" never opens what a link points to
            yield file
        aside.replace(path)
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename = str(path)  # the name that the user knows
        with suppress(OSError):
            aside.unlink()
        raise


def refuse_link(folder: Path) -> None:
    """Raise FileError for a folder inside the output that is a link to another place."""
    if folder.is_symlink():
        raise FileError(
            "is a link, and output is not written through links",
            where=str(folder),
            hint="remove it",
        )


def write_bytes(path: Path, content: bytes) -> Path:
    """Write a file whole and return its path."""
    with writing(path), new_file(path) as file:
        file.write(content)
    return path


def write_lines(path: Path, lines: Iterable[str]) -> Path:
    """Write a file whole as its lines come, in a folder that is made if need be."""
    with writing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    with writing(path), new_file(path) as file:
        # what UTF-8 cannot carry (half of a surrogate pair) is written as its escape
        file.writelines(line.encode("utf-8", "backslashreplace") for line in lines)
    return path


def write_texts(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write files by name into a folder that is made if need be, and return them."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    # what UTF-8 cannot carry (half of a surrogate pair) is written as its escape
    return [
        write_bytes(folder / name, text.encode("utf-8", "backslashreplace"))
        for name, text in texts.items()
    ]
