"""Page images of documents: found in one folder only, rendered by a process with limits."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.viewer.render import BROKEN, NO_PAGE, NOT_INSTALLED, REFUSED, TOO_LARGE

SUFFIXES = ("png", "jpg", "jpeg", "tif", "tiff", "pdf")
PATIENCE = 30.0
"""Seconds that rendering may take."""
LARGEST_FILE = 200 << 20
KEPT_PICTURES = 24
_PAGE = re.compile(rf"(\d{{1,6}})\.({'|'.join(SUFFIXES)})", re.IGNORECASE)
WORDS = {
    REFUSED: "is neither PNG, JPEG, TIFF nor PDF",
    TOO_LARGE: "has more than 50 megapixels",
    BROKEN: "cannot be read",
    NO_PAGE: "there is no such page",
    NOT_INSTALLED: "pages need Pillow and pypdfium2: pip install 'docassay[view]'",
}


class PageRefused(DataError):  # noqa: N818 - reads as a statement about a page
    """A page that is not shown."""

    def __init__(self, code: int, where: str) -> None:
        super().__init__(WORDS.get(code, WORDS[BROKEN]), where=where)
        self.code = code


class PageFile(NamedTuple):
    """A file that holds pages, and which of them."""

    path: Path
    page: int
    """Counted from 1, in the file; 0 for all."""
    stamp: tuple[int, int]
    """Its size and the time of its last change."""


class ShownPage(NamedTuple):
    """The number of a page in its document, and its size in pixels."""

    page: int
    width: int
    height: int


class Images:
    """The pages of documents in a folder: ID.png, ID.pdf or ID/1.png."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise ConfigurationError("is no folder", where=str(folder), hint="--images takes one")
        self._root = folder.resolve()
        self._sizes = lru_cache(1_000)(_sizes)
        self._pictures = lru_cache(KEPT_PICTURES)(_picture)

    def pages(self, id: str) -> list[ShownPage]:
        """Return the pages of a document, none where there are none."""
        every: list[ShownPage] = []
        for file in self._files(id):
            first = len(every) + 1
            every += [ShownPage(at, *size) for at, size in enumerate(self._sizes(file), first)]
        return every

    def picture(self, id: str, page: int) -> bytes:
        """Return a page of a document as PNG."""
        before = 0
        for file in self._files(id):
            count = len(self._sizes(file))
            if page <= before + count:
                return self._pictures(file._replace(page=page - before))
            before += count
        raise PageRefused(NO_PAGE, id)

    def _files(self, id: str) -> list[PageFile]:
        """Return the files of a document, in the order of its pages."""
        if "\0" in id or not id.strip("./\\"):
            return []
        names = [f"{id}.{suffix}" for suffix in (*SUFFIXES, *map(str.upper, SUFFIXES))]
        if id.lower().endswith(tuple(f".{suffix}" for suffix in SUFFIXES)):
            names.insert(0, id)
        for name in names:
            file = self._inside(Path(name))
            if file is not None:
                return [file]
        return [*self._numbered(id)]

    def _numbered(self, id: str) -> Iterator[PageFile]:
        folder = self._resolved(Path(id))
        if folder is None or not folder.is_dir() or folder == self._root:
            return
        pages = [
            (int(match[1]), name) for name in os.listdir(folder) if (match := _PAGE.fullmatch(name))
        ]
        for _, name in sorted(pages):
            file = self._inside(Path(id, name))
            if file is not None:
                yield file

    def _inside(self, name: Path) -> PageFile | None:
        """Return a file of the folder; what lies outside, or leads there, is none."""
        path = self._resolved(name)
        if path is None:
            return None
        try:
            facts = path.stat()
        except OSError:
            return None
        if not stat.S_ISREG(facts.st_mode):
            return None
        return PageFile(path, 0, (facts.st_size, facts.st_mtime_ns))

    def _resolved(self, name: Path) -> Path | None:
        if name.is_absolute() or ".." in name.parts:
            return None
        try:
            path = (self._root / name).resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            return None
        return path if path.is_relative_to(self._root) else None


def _sizes(file: PageFile) -> list[tuple[int, int]]:
    sizes = json.loads(_rendered(file, "sizes"))
    return [(int(width), int(height)) for width, height in sizes]


def _picture(file: PageFile) -> bytes:
    return _rendered(file, str(file.page))


def _rendered(file: PageFile, what: str) -> bytes:
    """Return what the process that renders makes of a file."""
    name = file.path.name
    if file.stamp[0] > LARGEST_FILE:
        raise PageRefused(TOO_LARGE, name)
    try:
        # opened here, so that nobody can put another file in its place in between
        handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as content:
            done = subprocess.run(
                [sys.executable, "-m", "docassay.viewer.render", what],
                stdin=content,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=name) from None
    except subprocess.TimeoutExpired:
        raise PageRefused(BROKEN, name) from None
    if done.returncode:
        raise PageRefused(done.returncode, name)
    return done.stdout
