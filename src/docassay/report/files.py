"""What files of runs and of studies have in common: JSON, CSV, tables, and how to write them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from docassay.errors import FileError
from docassay.report.safe import cell

Cell = str | float | int | None


def json_text(facts: Mapping[str, object], lists: Mapping[str, Iterable[object]]) -> str:
    """Return a JSON object of facts, one a line, and of lists below them, one item a line."""
    parts = [f"{_plain(name)}: {_plain(value)}" for name, value in facts.items()]
    for name, items in lists.items():
        lines = ",\n  ".join(map(_plain, items))
        parts.append(f"{_plain(name)}: " + (f"[\n  {lines}]" if lines else "[]"))
    return "{" + ",\n ".join(parts) + "}\n"


def _plain(value: object) -> str:
    # an option may be anything its metric likes; what JSON cannot say is said as text
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)


def csv_text(head: Iterable[str], rows: Iterable[Iterable[Cell]]) -> str:
    """Return a table as CSV that no spreadsheet takes for formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([cell(one) if isinstance(one, str) else one for one in row] for row in rows)
    return text.getvalue()


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
    """Say which file it is that cannot be written, by default the place given."""
    try:
        yield
    except OSError as error:
        where = str(error.filename or place)
        raise FileError(f"cannot be written: {error.strerror}", where=where) from error


def write_texts(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write files by name into a folder that is made if need be, and return them."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            # what UTF-8 cannot carry (half of a surrogate pair) is written as its escape
            (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))
    return [folder / name for name in texts]
