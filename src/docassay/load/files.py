"""Files and folders: what can be opened, and in which order the documents stand."""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from docassay.errors import FileError
from docassay.load.wire import to_text


def existing(path: Path) -> Path:
    """Return the path when something stands there."""
    with opening(path):
        path.stat()
    return path


def read_bytes(path: Path) -> bytes:
    """Return the content of a file."""
    with opening(path):
        return path.read_bytes()


def read_head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file."""
    with opening(path), path.open("rb") as file:
        return file.read(size)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, packed or not, that are not blank, with their numbers from 1."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opening(path), opened(path, "rb") as file:
        marked = file.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        lines = to_text(file.read()).text.encode().split(b"\n") if marked else file
        for number, line in enumerate(lines, start=1):
            if not line.isspace() and line:
                yield number, line


def files(path: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the path itself, or a folder's files of these suffixes at any depth, sorted.

    Hidden files are left out, and links to folders are not followed, so no loop can form.
    """
    if not existing(path).is_dir():
        return [path]
    found = [
        os.path.join(folder, name)
        for folder, inner, names in os.walk(path, onerror=_refuse)
        if _keep_visible(inner)
        for name in names
        if not name.startswith(".") and name.lower().endswith(suffixes)
    ]
    return [Path(file) for file in sorted(found)]


def id_of(file: Path, folder: Path) -> str | None:
    """Return the id of a folder's document: its path below the folder, without suffix."""
    if file == folder:
        return None
    # by hand: a path object for each step costs more than reading a small file
    below = str(file)[len(str(folder)) :].lstrip(os.sep)
    return os.path.splitext(below)[0].replace(os.sep, "/")


@contextmanager
def opening(path: Path) -> Iterator[None]:
    """Turn what the system says about a path into a FileError with a hint."""
    try:
        yield
    except FileNotFoundError:
        raise FileError("there is no such file or folder", where=str(path)) from None
    except PermissionError:
        raise FileError("may not be read", where=str(path), hint="check its permissions") from None
    except (OSError, ValueError, EOFError, zlib.error) as error:
        what = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError(f"cannot be read: {what}", where=str(path)) from None


def _keep_visible(folders: list[str]) -> bool:
    """Take hidden folders off the walk; always true, so that it can stand in a comprehension."""
    folders[:] = [name for name in folders if not name.startswith(".")]
    return True


def _refuse(error: OSError) -> NoReturn:
    raise FileError(
        f"cannot be listed: {error.strerror}",
        where=error.filename,
        hint="check its permissions",
    )
