"""What a run folder says about the run itself: when it was made, and the tags that people give it.

Both are facts of the folder and lie in it, so that a run that is copied keeps them; the ledger has
neither, so that equal runs have equal ledgers. Tags of a run have nothing to do with the tags of
documents, which slice a report.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

import msgspec

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.run.ledger import LEDGER, RUN_MADE
from docassay.run.output import json_text, locked, write_bytes

MADE = "run.json"
TAGS = "tags.json"
EPOCH = "SOURCE_DATE_EPOCH"
"""Stands in for the clock where builds are to give the same bytes twice."""
TRIES = 200
PAUSE = 0.05
"""Seconds between two tries to get a folder that somebody else writes to."""
TagsGiven = Mapping[str, str] | Sequence[str] | str
"""A dict, or texts `name=value`."""


class _MadeFile(msgspec.Struct):
    made: str


class _LedgerStart(msgspec.Struct):
    signature: str


def tags_given(given: TagsGiven | None) -> dict[str, str]:
    """Return tags as a dict; an empty value stands for no tag."""
    if given is None:
        return {}
    pairs: Iterable[tuple[object, object]]
    if isinstance(given, Mapping):
        pairs = given.items()
    else:
        pairs = map(_pair, (given,) if isinstance(given, str) else given)
    tags: dict[str, str] = {}
    for name, value in pairs:
        key, text = str(name).strip(), str(value).strip()
        if not key or "=" in key or not f"{key}{text}".isprintable():
            raise ConfigurationError(
                f"{name!r} cannot be the name of a tag", hint="write name=value"
            )
        if tags.setdefault(key, text) != text:
            raise ConfigurationError(f"tag {key!r} is given twice: {tags[key]!r} and {text!r}")
    return tags


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise ConfigurationError(f"{text!r} is no tag", hint="write name=value")
    return name, value


class RunFacts:
    """What a run that is being made will say of itself.

    Tags that an earlier run in the folder has stay where they are true of this one: if it gives the
    same numbers, or goes on with it.
    """

    def __init__(self, folder: Path, given: TagsGiven | None) -> None:
        """Check the tags before a document is scored, and note what lies in the folder."""
        self._folder = folder
        self._given = tags_given(given)
        self._earlier = signature_of(folder)

    def record(self, signature: str, *, resumed: bool) -> tuple[str, ...]:
        """Write when the run was made and its tags; return what should be said about it."""
        folder = self._folder
        _write(folder / MADE, {"made": _now()})
        before = tags_of(folder)
        stays = resumed or self._earlier == signature
        put_tags(folder, {**(before if stays else {}), **self._given})
        dropped = "" if stays else ", ".join(f"{name}={value}" for name, value in before.items())
        return (f"tags of the earlier run are gone: {dropped}",) if dropped else ()


def _now() -> str:
    given = os.environ.get(EPOCH, "")
    moment = datetime.fromtimestamp(int(given), UTC) if given.isdigit() else datetime.now(UTC)
    return moment.isoformat(timespec="milliseconds")


def made_of(folder: Path) -> str:
    """Return when a run was made, in UTC by ISO 8601; else when its ledger was last written."""
    try:
        made = msgspec.json.decode((folder / MADE).read_bytes(), type=_MadeFile).made
        moment = datetime.fromisoformat(made)
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return aware.astimezone(UTC).isoformat(timespec="milliseconds")
    except (OSError, msgspec.MsgspecError, ValueError, OverflowError):
        written = (folder / LEDGER).stat().st_mtime
        return datetime.fromtimestamp(written, UTC).isoformat(timespec="milliseconds")


def tags_of(folder: Path) -> dict[str, str]:
    """Return the tags of a run, sorted by name."""
    file = folder / TAGS
    try:
        tags = msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(file)) from error
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise DataError(
            "these are no tags", where=str(file), hint='it holds {"name": "value"}; remove it'
        ) from None
    return dict(sorted(tags.items()))


def change_tags(folder: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Give a run tags beside those it has and return all; an empty value takes a tag away.

    Others may do the same at the same time: nothing that they write is lost.
    """
    if not (folder / LEDGER).is_file():
        raise ConfigurationError("is no run folder", where=str(folder), hint=RUN_MADE)
    for tries_left in reversed(range(TRIES)):
        try:
            with locked(folder):
                tags = {**tags_of(folder), **given}
                kept = {name: value for name, value in sorted(tags.items()) if value}
                put_tags(folder, kept)
                return kept
        except FileError as error:
            if not tries_left or "another run" not in error.what:
                raise
            sleep(PAUSE)
    raise AssertionError  # the last try returns or raises


def put_tags(folder: Path, tags: Mapping[str, str]) -> None:
    """Replace the tags of a run by others; the caller has its lock."""
    kept = {name: value for name, value in sorted(tags.items()) if value}
    if kept:
        _write(folder / TAGS, kept)
    else:
        (folder / TAGS).unlink(missing_ok=True)


def signature_of(folder: Path) -> str | None:
    """Return the signature of a ledger without reading all of it, None where there is none."""
    try:
        with (folder / LEDGER).open("rb") as lines:
            return msgspec.json.decode(next(lines, b""), type=_LedgerStart).signature
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _write(file: Path, facts: Mapping[str, str]) -> None:
    write_bytes(file, json_text(facts, {}).encode("utf-8", "backslashreplace"))
