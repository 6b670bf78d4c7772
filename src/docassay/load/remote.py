"""Files that have an address, such as s3://bucket/gold.jsonl: they are read by fsspec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO, cast

from docassay.errors import ConfigurationError, FileError

_OPTIONS: dict[str, object] = {}


def is_remote(path: object) -> bool:
    """Return whether a path is an address."""
    return isinstance(path, str) and "://" in path


def use_storage_options(options: Mapping[str, object]) -> None:
    """Set what is passed to the file system of an address: credentials, an endpoint."""
    _OPTIONS.clear()
    _OPTIONS.update(options)


def open_remote(address: str) -> BinaryIO:
    """Open a file that has an address."""
    try:
        import fsspec
    except ImportError:
        raise ConfigurationError(
            "reading an address needs fsspec", where=address, hint="pip install 'docassay[remote]'"
        ) from None
    try:
        return cast(BinaryIO, fsspec.open(address, "rb", **_OPTIONS).open())
    except (ImportError, ValueError) as error:
        raise ConfigurationError(f"cannot be opened: {error}", where=address) from None
    except FileNotFoundError:
        raise FileError("there is no such file", where=address) from None
    except Exception as error:  # every file system has errors of its own
        raise FileError(f"cannot be read: {error}", where=address) from None
