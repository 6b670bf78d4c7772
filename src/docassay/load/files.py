"""Files and folders: what can be opened, and in which order documents are read.

A pipe, such as `<(command)` or /dev/stdin, can be read only once, but a format is guessed from its
head before it is loaded. So its content is held in memory from `hold` on.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import stat
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import cast

from docassay.errors import FileError
from docassay.load.wire import to_text

SUFFIX = re.compile(
    r"\.(pdf|png|jpe?g|tiff?|gif|bmp|webp|heic|jp2|svg|json|jsonl|ndjson|txt|csv|tsv|xml|html?"
    r"|md|yaml|yml|docx?|xlsx?|pptx?|eml|msg|parquet|bio)$",
    re.IGNORECASE,
)
_HELD: dict[str, bytes] = {}
_MOST: ContextVar[int | None] = ContextVar("most documents", default=None)
_FEED: ContextVar[Feed | None] = ContextVar("documents that are handed in", default=None)
PACKED = (".gz", ".parquet")
"""Files whose size says little about how much they hold."""
_HERE = f".{os.sep}"
_HEAD = 4
"""Bytes at the start of a word that are compared at once."""
LOOKED_AT = 1 << 18
"""Bytes of a file that are looked at together."""
LARGE = 1 << 22
"""Bytes from which lines are sampled by seeking; smaller files are read whole in no time."""


def existing(path: Path) -> Path:
    """Return the path of a file, pipe or folder that exists and can be read."""
    with opening(path):
        status = path.stat()
        if stat.S_ISDIR(status.st_mode) and not os.access(path, os.R_OK | os.X_OK):
            raise PermissionError
    endless = stat.S_ISCHR(status.st_mode) and status.st_rdev != os.stat(os.devnull).st_rdev
    if stat.S_ISBLK(status.st_mode) or (endless and not _is_terminal(path)):
        raise FileError("is a device, not a file", where=str(path))
    return path


def hold(path: Path) -> Path:
    """Return the path; what a pipe gives is read now and held for the functions below."""
    if str(path) not in _HELD and _is_pipe(existing(path)):
        _HELD[str(path)] = read_bytes(path)
    return path


def release(path: Path) -> None:
    """Forget what is held of a pipe."""
    _HELD.pop(str(path), None)


@contextmanager
def sampling(most: int) -> Iterator[None]:
    """Let folders and large files of lines show so many documents at most, evenly spread."""
    token = _MOST.set(most)
    try:
        yield
    finally:
        _MOST.reset(token)


Content = bytes | dict[str, object]
"""What a file holds of a document: a text, or a row of a table."""


class Feed(Iterator[tuple[str, bytes]]):
    """Places and contents of documents, handed in one by one to a reader that stays open."""

    def __init__(self, *, named: bool) -> None:
        """Say whether the documents have ids."""
        self.named = named
        self._waiting: deque[tuple[str, Content]] = deque()

    def give(self, where: str, content: Content) -> None:
        """Let a document be the next that is read."""
        self._waiting.append((where, content))

    def __next__(self) -> tuple[str, bytes]:
        if not self._waiting:
            raise StopIteration
        where, content = self._waiting.popleft()
        assert isinstance(content, bytes)
        return where, content

    def rows(self) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield rows of tables with their places."""
        while self._waiting:
            where, content = self._waiting.popleft()
            assert isinstance(content, dict)
            yield where, content


@contextmanager
def feeding(feed: Feed | None) -> Iterator[None]:
    """Let the readers that are opened meanwhile read what is handed in, and no files."""
    token = _FEED.set(feed)
    try:
        yield
    finally:
        _FEED.reset(token)


def current_feed() -> Feed | None:
    """Return what a reader that is being opened has to read instead of its files."""
    return _FEED.get()


def is_stream(path: Path) -> bool:
    """Say whether a path can be read only once, as a pipe can."""
    return str(path) in _HELD or _is_pipe(existing(path))


def read_bytes(path: Path | str) -> bytes:
    """Return the content of a file."""
    with opening(path), opened(path) as file:
        return file.read()


def read_head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file."""
    with opening(path), opened(path) as file:
        return file.read(size)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, compressed or not, that are not blank, with numbers from 1."""
    most = _MOST.get()
    if most is not None and path.suffix != ".gz" and str(path) not in _HELD:
        with opening(path), path.open("rb") as file:
            size = path.stat().st_size
            plain = file.read(2) not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        if size >= LARGE and plain:
            yield from _spread_lines(path, size, most)
            return
    packed = path.suffix == ".gz"
    with opening(path), gzip.open(path) if packed else opened(path, LOOKED_AT) as file:
        marked = file.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        lines = to_text(file.read()).text.encode().split(b"\n") if marked else file
        for number, line in enumerate(lines, start=1):
            if not line.isspace() and line:
                yield number, line


def certainly_lacks(path: Path, words: Sequence[bytes]) -> bool:
    """Say whether a large plain file has none of some words; False also where nobody has looked.

    A run does not look through a file again that was not written since; see `look_again`.
    """
    name = str(path)
    if _MOST.get() is not None or path.suffix == ".gz" or not os.path.isfile(name):
        return False
    with opening(path):
        status = os.stat(name)
        return status.st_size >= LARGE and _lacks(
            name, (*words,), (status.st_ino, status.st_size, status.st_mtime_ns)
        )


@lru_cache(maxsize=8)
def _lacks(name: str, words: tuple[bytes, ...], state: tuple[int, ...]) -> bool:
    """Say whether a file has none of some words; `state` changes when it is written."""
    longest = max(map(len, words))
    with open(name, "rb") as file:
        end = b""
        for chunk in iter(lambda: file.read(LOOKED_AT), b""):
            text = end + chunk
            # in UTF-16 words look otherwise
            if b"\0" in text or any(word in text for word in _may_hold(text, words)):
                return False
            end = text[-longest:]
    return True


def look_again() -> None:
    """Have files looked through anew: what was seen of them counts for one run."""
    _lacks.cache_clear()


def _may_hold(text: bytes, words: Sequence[bytes]) -> list[bytes]:
    """Return the words of which a text has the first four bytes, or the first of shorter ones.

    A search for a short word takes several times as long as comparing four bytes at each place.
    """
    import numpy as np  # which a small run has no use for here

    heads = {word[:_HEAD] for word in words if word[:1] in text}
    there = {head for head in heads if len(head) < _HEAD}
    for start in range(min(_HEAD, len(text) - _HEAD + 1)):
        fours = np.frombuffer(text, np.uint32, (len(text) - start) // _HEAD, start)
        there |= {head for head in heads - there if (fours == np.frombuffer(head, np.uint32)).any()}
    return [word for word in words if word[:_HEAD] in there]


def _spread_lines(path: Path, size: int, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield lines from places that lie evenly in a file, numbered as they are found."""
    with opening(path), path.open("rb") as file:
        end = -1
        for number in range(most):
            place = number * size // most
            if place <= end:
                place = end
            file.seek(place)
            if place and place != end:
                file.readline()
            line = file.readline()
            end = file.tell()
            if line and not line.isspace():
                yield number + 1, line


def opened(path: Path | str, buffering: int = -1) -> io.BufferedReader:
    """Open a file, or what is held of a pipe; a text is the name of a file of this machine.

    Of a file with many lines, more than usual may be read at once.
    """
    content = _HELD.get(str(path))
    if content is not None:
        return io.BufferedReader(io.BytesIO(content))
    return cast(
        "io.BufferedReader",
        open(path, "rb", buffering) if isinstance(path, str) else path.open("rb", buffering),
    )


def files(path: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the path itself, or a folder's files of these suffixes at any depth, sorted."""
    names = file_names(path, suffixes)
    return [path] if names == [str(path)] else [Path(name) for name in names]


def file_names(path: Path, suffixes: tuple[str, ...]) -> list[str]:
    """Return the names of the same files, which take a fraction of the time of their paths.

    Hidden files are left out, and links to folders are not followed, so no loop can form. A pipe
    or device in a folder is an error, because reading it might never end.
    """
    if not existing(path).is_dir():
        return [str(path)]
    names = sorted(_documents(path, suffixes))
    most = _MOST.get()
    if most is not None and len(names) > most:
        names = [names[number * len(names) // most] for number in range(most)]
    return names


def is_small(path: Path, suffixes: tuple[str, ...], most: int) -> bool:
    """Say whether a sample of so many documents would be all, and they may be held in memory."""
    names = file_names(path, suffixes)
    if len(names) > most or any(name.endswith(PACKED) for name in names):
        return False
    with opening(path):
        sizes = (
            (os.stat(name).st_size for name in names) if path.is_dir() else [path.stat().st_size]
        )
        return sum(sizes) < LARGE


def _documents(path: Path, suffixes: tuple[str, ...]) -> Iterator[str]:
    folders = [str(path)]
    while folders:
        folder = folders.pop()
        for entry in _listed(folder):
            if entry.name.startswith("."):
                continue
            if _is_folder(entry):
                folders += [] if entry.is_symlink() else [entry.path]
            elif entry.name.lower().endswith(suffixes):
                if not entry.is_file() and os.path.exists(entry.path):
                    raise FileError(
                        "is a pipe or device, not a file",
                        where=entry.path,
                        hint=f"move it out of {path}",
                    )
                yield entry.path.removeprefix(_HERE)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [*entries]
    except OSError as error:
        raise FileError(
            f"cannot be listed: {error.strerror}", where=folder, hint="check its permissions"
        ) from None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # a loop of links; reading it gives the reason


def _is_pipe(path: Path) -> bool:
    mode = path.stat().st_mode
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _is_terminal(path: Path) -> bool:
    with opening(path), path.open("rb") as file:
        return file.isatty()


def id_of(file: Path | str, folder: Path | str) -> str | None:
    """Return the id of a folder's document: its path below the folder, without suffix."""
    name, above = str(file), str(folder)
    if name == above:
        return None
    # by hand: a path object for each step costs more than reading a small file
    start = above.rstrip(os.sep) + os.sep
    below = name[len(start) :] if name.startswith(start) else name  # "a.json" is in the folder "."
    return os.path.splitext(below)[0].replace(os.sep, "/")


def stem(record_id: str) -> str:
    """Return the last part of a path without its suffix; only suffixes of files are cut off."""
    return SUFFIX.sub("", re.split(r"[/\\]", record_id)[-1])


@contextmanager
def opening(path: Path | str) -> Iterator[None]:
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
