"""Gold patches: decisions about values of gold, one a line of JSON, that nobody rewrites.

A line names a document and a path in its tree (`line_items[2].price`), what gold had there when the
decision was made (`was`), what becomes of it (`action`, `value`), and who decided when and why. The
file only grows: a later line of the same document and path revises an earlier one.

Gold itself stays as it is. A patch is applied to trees (see `patching`), either while they are
read or to write other files.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.load.files import existing, numbered_lines
from docassay.load.records import is_leaf
from docassay.load.wire import decode, encode
from docassay.model.problem import Problem, ProblemCode
from docassay.model.words import cut

PATCH = "gold-patch.jsonl"
"""The usual name of the file, in a run folder."""
TAKE_PRED, BOTH_FINE, SET, REMOVE, LEAVE = "take_pred", "both_fine", "set", "remove", "leave"
ACTIONS = (TAKE_PRED, BOTH_FINE, SET, REMOVE, LEAVE)
MEMBERS = frozenset({"document", "path", "action", "was", "value", "who", "when", "why"})
LONGEST_PATH = 2_000
SHOWN = 40
"""Characters of a value that a message shows."""


class GoldDecision(NamedTuple):
    """What somebody decided about one value of gold."""

    document: str
    path: str
    action: str
    was: object = None
    """What gold had there, None for nothing."""
    value: object = None
    """What it gets, for the actions that give it something."""
    who: str = ""
    when: str = ""
    """ISO 8601."""
    why: str = ""

    @property
    def result(self) -> object:
        """What stands there afterwards if the decision replaces the value, None for nothing."""
        return None if self.action == REMOVE else self.value

    def as_line(self) -> bytes:
        """Return the decision as a line of JSON."""
        members = {name: value for name, value in self._asdict().items() if name not in _TEXTS}
        texts = {name: getattr(self, name) for name in _TEXTS if getattr(self, name)}
        try:
            return encode({**members, **texts}).encode() + b"\n"
        except UnicodeError:
            # half of a surrogate pair, which JSON can hold as its escape alone
            return json.dumps({**members, **texts}, default=str).encode() + b"\n"
        except (TypeError, RecursionError) as error:
            raise ConfigurationError(f"the decision cannot be written as JSON: {error}") from None


_TEXTS = ("who", "when", "why")


def decision_of(members: object) -> GoldDecision:
    """Return the decision that a JSON object states; one that does not raises DataError."""
    if not isinstance(members, Mapping):
        raise DataError("is no object")
    for name in members:
        if name not in MEMBERS:
            raise DataError(f"has an unknown member {str(name)!r}")
    document = members.get("document")
    if type(document) is int:
        document = str(document)
    if not isinstance(document, str) or not document:
        raise DataError("names no document")
    path = members.get("path")
    if not isinstance(path, str) or not path.strip() or len(path) > LONGEST_PATH:
        raise DataError(f"has no path of at most {LONGEST_PATH:,} characters")
    action = members.get("action")
    if not isinstance(action, str) or action not in ACTIONS:
        raise DataError(f"has no action: it is one of {', '.join(ACTIONS)}")
    texts = [_text_member(members, name) for name in _TEXTS]
    was, value = members.get("was"), members.get("value")
    if action == SET and value is None:
        raise DataError("sets nothing: give a value, or remove the one there is")
    if action == BOTH_FINE and any(plain_value(each) is None for each in (was, value)):
        raise DataError("both_fine needs two values, gold's as `was` and the other as `value`")
    return GoldDecision(document, path, action, was, value, *texts)


def _text_member(members: Mapping[str, object], name: str) -> str:
    text = members.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise DataError(f"{name} is no text")
    if name == "when" and text:
        try:
            datetime.fromisoformat(text)
        except ValueError:
            raise DataError(f"{cut(text, SHOWN)!r} is no time of ISO 8601") from None
    return text


class GoldPatch(NamedTuple):
    """The decisions that hold, by document, and the lines that could not be read."""

    name: str
    decisions: Mapping[str, tuple[GoldDecision, ...]]
    flaws: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return sum(map(len, self.decisions.values()))

    @property
    def digest(self) -> str:
        """A digest of what it changes, whoever decided it and in whatever order."""
        changes = [
            encode([each.document, each.path, each.action, each.was, each.value])
            for decisions in self.decisions.values()
            for each in decisions
            if each.action != LEAVE
        ]
        return hashlib.blake2b("\n".join(sorted(changes)).encode(), digest_size=8).hexdigest()

    @property
    def lines(self) -> list[str]:
        """The decisions as lines of a file."""
        every = (each for decisions in self.decisions.values() for each in decisions)
        return [each.as_line().decode().rstrip("\n") for each in every]

    def flaw(self, decision: GoldDecision, why: str) -> Problem:
        """Return a decision that does not fit as a problem."""
        document, path = decision.document, decision.path
        message = f"{decision.action}: {why}; gold stays as it is"
        return Problem(ProblemCode.PATCH, document, "gold", path, message, self.name)


def load_patch(given: object) -> GoldPatch:
    """Return a patch from a file, or from decisions in memory: objects, or lines of such a file."""
    if isinstance(given, GoldPatch):
        return given
    if isinstance(given, str | Path):
        return read_patch(Path(given))
    if not isinstance(given, Iterable) or isinstance(given, Mapping):
        raise ConfigurationError(
            f"a gold patch is a {type(given).__name__}", hint="give a file or a list of decisions"
        )
    decisions = []
    for number, item in enumerate(given, start=1):
        if isinstance(item, GoldDecision):
            decisions.append(item)
            continue
        try:
            line = decode(item.encode(), "").tree if isinstance(item, str) else item
            decisions.append(decision_of(line))
        except DataError as error:
            raise ConfigurationError(f"decision {number} of the gold patch {error.what}") from None
    return _patch("the gold patch", decisions, ())


def read_patch(path: Path) -> GoldPatch:
    """Return the decisions of a file; a line that states none is a flaw of it."""
    name = str(path)
    if existing(path).is_dir():
        raise FileError("is a folder, not a gold patch", where=name, hint=f"name its {PATCH}")
    decisions: list[GoldDecision] = []
    flaws: list[Problem] = []
    for number, line in numbered_lines(path):
        where = f"{name}:{number}"
        try:
            decisions.append(decision_of(decode(line, where).tree))
        except DataError as error:
            flaws.append(
                Problem(ProblemCode.PATCH, "", "gold", "", f"the line {error.what}", where)
            )
    if flaws and not decisions:
        first = flaws[0]
        hint = f"{first.message}; docassay audit --out DIR and the viewer write one"
        raise DataError("is no gold patch", where=first.where, hint=hint)
    flaws = [flaw._replace(message=f"{flaw.message}; left out") for flaw in flaws]
    return _patch(name, decisions, flaws)


def _patch(name: str, decisions: Iterable[GoldDecision], flaws: Sequence[Problem]) -> GoldPatch:
    """Return a patch with the last decision about each value."""
    latest: dict[str, dict[str, GoldDecision]] = {}
    for each in decisions:
        of_document = latest.setdefault(each.document, {})
        of_document.pop(each.path, None)
        of_document[each.path] = each
    return GoldPatch(name, {id: tuple(last.values()) for id, last in latest.items()}, tuple(flaws))


def append_decision(path: Path, decision: GoldDecision) -> None:
    """Add a decision to a file, made if need be; writers that do so at a time do not mix lines."""
    decision_of(msgspec.to_builtins(decision._asdict(), enc_hook=str))
    line = decision.as_line()
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        file = os.open(path, flags, 0o644)
        try:
            size = os.fstat(file).st_size
            if size:
                os.lseek(file, size - 1, os.SEEK_SET)
                # what a writer left unfinished becomes a line of its own, which reading leaves out
                line = line if os.read(file, 1) == b"\n" else b"\n" + line
            written = os.write(file, line)
        finally:
            os.close(file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise FileError(f"cannot be written: {reason}", where=str(path)) from error
    if written != len(line):
        raise FileError("could be written in part only", where=str(path), hint="is the disk full?")


def plain_value(value: object) -> object:
    """Return the value of a leaf, None for no value."""
    if isinstance(value, Mapping) and "value" in value and is_leaf(value):
        value = value["value"]
    return None if value in ("", {}) else value
