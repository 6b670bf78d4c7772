"""Format bio: one word and its tag a line, a folder with one file a document.

Strict reading takes IOB2 alone and says what is wrong with the first line that is anything else.
Lenient reading takes what other tools write as well, and turns it into IOB2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.load.files import files, id_of, read_bytes
from docassay.load.format import Record, format
from docassay.load.records import Records, flaw, unreadable
from docassay.load.wire import to_text
from docassay.model.tagged import Block, TaggedText

SCHEMES = ("lenient", "strict")
ENDS = frozenset("ELSU")
STARTS = frozenset("BSU")
LENIENT_HINT = "--set bio.scheme=lenient reads it"
_IOB2 = re.compile(r"^(\S+) (?:O|([BI])-(\S+))$", re.MULTILINE)
_TAG = re.compile(r"O|([BIESLU])-(\S+)")
_GAP = re.compile(r"[ \t]+")

Row = tuple[str, str, str]
"""A word, B or I or "" for outside, and a category."""


class _Fault(NamedTuple):
    line: int
    message: str


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether the name says so, or the lines are words with tags of which one is an entity."""
    if path.suffix.lower() == ".bio":
        return True
    lines = to_text(head).text.splitlines()[:50]
    tags = [_TAG.fullmatch(line.split()[-1]) for line in lines if len(line.split()) == 2]
    return len(tags) == len(lines) and all(tags) and any(tag and tag[1] for tag in tags)


@format("bio", sniff=looks_like)
def load(path: Path, *, scheme: str = "strict") -> Records:
    """Read a folder of .bio files in IOB2; `scheme` lenient reads IOB1, BIOES and BILOU too."""
    if scheme not in SCHEMES:
        raise UnknownName("scheme", scheme, SCHEMES, where="bio.scheme")
    read = _strict if scheme == "strict" else _lenient
    for file in files(path, (".bio",)):
        text, problems = to_text(read_bytes(file))
        if file == path and not text.strip():  # an empty lone file is no document at all
            return
        record_id = id_of(file, path)
        for problem in problems:
            yield flaw(record_id, problem, str(file))
        outcome = read(text.replace("\r\n", "\n").replace("\r", "\n"))
        if isinstance(outcome, _Fault):
            yield from unreadable(record_id, outcome.message, f"{file}:{outcome.line}")
        else:
            yield Record(record_id, TaggedText(blocks(outcome)), str(file))


def blocks(rows: Iterable[Row]) -> Iterator[Block]:
    """Yield the entities and the runs of words outside them; the rows are sound IOB2."""
    words: list[str] = []
    running: str | None = None
    for word, kind, category in rows:
        if words and kind != ("I" if running is not None else ""):
            yield Block(running, " ".join(words))
            words = []
        if kind != "I":
            running = category if kind else None
        words.append(word)
    if words:
        yield Block(running, " ".join(words))


def _strict(text: str) -> list[Row] | _Fault:
    if not text:
        return []
    text = text.removesuffix("\n")
    rows: list[Row] = _IOB2.findall(text)
    if len(rows) != text.count("\n") + 1:
        return next(_faults(text))
    running = ""
    for number, (_, kind, category) in enumerate(rows, start=1):
        if kind == "I" and category != running:
            before = f"an entity of category {running!r}" if running else "no entity"
            return _Fault(number, f"tag 'I-{category}' goes on with {before} ({LENIENT_HINT})")
        running = category
    return rows


def _faults(text: str) -> Iterator[_Fault]:
    for number, line in enumerate(text.split("\n"), start=1):
        if _IOB2.fullmatch(line) is None:
            yield _Fault(number, _what_is_wrong(line))


def _what_is_wrong(line: str) -> str:
    if not line.strip():
        return f"the line is blank ({LENIENT_HINT})"
    word, space, tag = line.rpartition(" ")
    if _GAP.sub(" ", line.strip(" \t")) != line and _row(line) is not None:
        return f"{line!r} is not a word, one space and a tag ({LENIENT_HINT})"
    if not space or not word:
        return f"{line!r} has no tag"
    wrong = _wrong_tag(tag)
    if wrong is not None:
        return wrong
    if word.split() != [word]:
        return f"white space stands in the word {word!r}"
    return f"tag {tag!r} is not of IOB2 ({LENIENT_HINT})"


def _wrong_tag(tag: str) -> str | None:
    if _TAG.fullmatch(tag):
        return None
    if tag in ("B", "I", "B-", "I-"):
        return f"tag {tag!r} has no category"
    if tag.startswith("O-"):
        return f"tag {tag!r} names a category for a word outside entities"
    return f"{tag!r} is no tag: O, or B- or I- and a category"


def _row(line: str) -> Row | None:
    """Return the row of a line whose columns are split by spaces and tabs."""
    word, _, tag = _GAP.sub(" ", line.strip(" \t")).partition(" ")
    match = _TAG.fullmatch(tag)
    if match is None or word.split() != [word]:
        return None
    return word, match[1] or "", match[2] or ""


def _lenient(text: str) -> list[Row] | _Fault:
    rows: list[Row] = []
    running = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            running = ""
            continue
        row = _row(line)
        if row is None:
            return _Fault(number, _what_is_wrong(_GAP.sub(" ", line.strip(" \t"))))
        word, kind, category = row
        begins = kind in STARTS or category != running
        rows.append((word, kind and ("B" if begins else "I"), category))
        running = "" if kind in ENDS else category
    return rows
