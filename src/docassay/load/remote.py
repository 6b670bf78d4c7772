"""Files that have an address, such as s3://bucket/gold.jsonl: they are read by fsspec."""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, cast

from docassay.errors import ConfigurationError, FileError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://.+")
_COLLAPSED = re.compile(r"\A([A-Za-z][A-Za-z0-9+.-]+):/(?!/)")
_OPTIONS: dict[str, object] = {}


def is_remote(path: object) -> bool:
    """Return whether a path is an address."""
    return _ADDRESS.fullmatch(str(path)) is not None


def as_path(path: str | os.PathLike[str]) -> Path:
    """Return what was given as a path, be it an address."""
    if isinstance(path, RemotePath):
        return path
    return RemotePath(path) if is_remote(path) else Path(path)


def lasting_path(name: str) -> str:
    """Return where something can be read again, wherever it is read from; "" for nowhere."""
    if is_remote(name):
        return name
    path = Path(name)
    return os.path.abspath(path) if path.is_file() or path.is_dir() else ""


def use_storage_options(options: Mapping[str, object]) -> None:
    """Set what is passed to the file system of an address: credentials, an endpoint."""
    _OPTIONS.clear()
    _OPTIONS.update(options)


class RemotePath(type(Path())):  # type: ignore[misc]
    """A file that has an address; it can be read like a file of this machine."""

    def __str__(self) -> str:
        """Return the address."""
        # a path has no empty parts, so the second slash is lost
        return _COLLAPSED.sub(r"\1://", super().__str__())

    def open(self, mode: str = "rb", *args: object, **options: object) -> IO[Any]:
        """Open the file for reading bytes."""
        return cast("IO[Any]", io.BufferedReader(cast("io.RawIOBase", _opened(str(self)))))

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """Return that it is a file, and its size."""
        with self.open() as file:
            size = file.seek(0, os.SEEK_END)
        return os.stat_result((stat.S_IFREG | 0o444, 0, 0, 1, 0, 0, size, 0, 0, 0))

    def exists(self, *, follow_symlinks: bool = True) -> bool:
        """Return whether it can be opened."""
        try:
            self.open().close()
        except FileError:
            return False
        return True

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Return that an address is one of a file."""
        return True

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Return that an address is none of a folder."""
        return False


def _opened(address: str) -> object:
    try:
        import fsspec
    except ImportError:
        raise ConfigurationError(
            "reading an address needs fsspec", where=address, hint="pip install 'docassay[remote]'"
        ) from None
    try:
        return fsspec.open(address, "rb", **_OPTIONS).open()
    except FileNotFoundError:
        raise FileError("there is no such file", where=address) from None
    except (ImportError, ValueError) as error:
        raise ConfigurationError(f"cannot be opened: {error}", where=address) from None
    except Exception as error:  # every file system has errors of its own
        raise FileError(f"cannot be read: {error}", where=address) from None
