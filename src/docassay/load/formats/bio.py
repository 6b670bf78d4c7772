"""Format bio: one word and its tag a line, a folder with one file a document.

Strict reading takes IOB2 alone and says what is wrong with the first line that is anything else.
Lenient reading takes what other tools write as well, and turns it into IOB2. Documents of any
format can be written as IOB2, too; what it has no place for is reported.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.load.files import files, id_of, read_bytes
from docassay.load.format import Record, format
from docassay.load.records import Records, flaw, unreadable
from docassay.load.wire import to_text
from docassay.model.document import LEAF_MARKS, Block, TaggedText
from docassay.model.problem import Problem, ProblemCode, Remark

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


@format("bio", sniff=looks_like, protocol=True)
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


class Written(NamedTuple):
    """A document in IOB2, and what it cannot hold."""

    text: str
    remarks: tuple[Remark, ...]


class _Entity(NamedTuple):
    category: str
    text: str


def write_bio(tree: object, text: str | None = None) -> Written:
    """Return a document in IOB2; reading it gives the entities again, in order.

    Tagged text keeps the words outside entities. The values of any other tree are entities named by
    their field; given the document's text, they are marked where they stand in it.
    """
    lost: Counter[str] = Counter()
    if isinstance(tree, TaggedText):
        lost["other readings of an entity"] = sum(len(block.others) for block in tree.blocks)
        placed: Iterable[Block] = tree.blocks
    else:
        entities = [*_entities(tree, "", lost, 0)]
        placed = [Block(*entity) for entity in entities]
        if text is not None:
            placed = _placed(entities, " ".join(text.split()), lost)
    lines: list[str] = []
    for block in placed:
        category = "" if block.category is None else "_".join(block.category.split()) or "_"
        lost["categories with white space"] += category != (block.category or "")
        words = block.text.encode("utf-8", "replace").decode().split()
        lost["characters outside Unicode"] += words != block.text.split()
        lost["entities without words"] += bool(category) and not words
        tags = ("B" if at == 0 else "I" for at in range(len(words)))
        lines += [
            f"{word} {kind}-{category}" if category else f"{word} O"
            for word, kind in zip(words, tags, strict=True)
        ]
    content = "".join(f"{line}\n" for line in lines)
    # a reader takes one mark of the byte order off
    content = f"\ufeff{content}" if content.startswith("\ufeff") else content
    remarks = [f"{what} ({count})" for what, count in lost.items() if count]
    return Written(content, tuple(Remark(ProblemCode.LEFT_OUT, what) for what in remarks))


_NOT_WRITTEN = ("confidence", "page", "box")
_DEEPEST = 64


def _entities(node: object, path: str, lost: Counter[str], depth: int) -> Iterator[_Entity]:
    """Yield the values of a tree; a group's have its name before theirs."""
    if depth > _DEEPEST:
        lost["values nested too deeply"] += 1
    elif isinstance(node, Mapping) and depth and not LEAF_MARKS.isdisjoint(node):
        values = node["any_of"] if "any_of" in node else node["value"]
        several = values if isinstance(values, list) and "any_of" in node else [values]
        lost["alternatives"] += max(len(several) - 1, 0)
        lost["confidences, pages and boxes"] += any(name in node for name in _NOT_WRITTEN)
        yield from _entities(several[0] if several else None, path, lost, depth + 1)
    elif isinstance(node, Mapping):
        lost["groups whose rows are not kept apart"] += bool(path)
        for key, value in node.items():
            name = str(key)
            own = name if not path or name.startswith(f"{path}.") else f"{path}.{name}"
            yield from _entities(value, own, lost, depth + 1)
    elif isinstance(node, list):
        for item in node:
            yield from _entities(item, path, lost, depth + 1)
    elif node is not None and node != "":
        value = str(node).lower() if isinstance(node, bool) else str(node)
        yield _Entity(path or "_", " ".join(value.split()))


def _placed(entities: Sequence[_Entity], text: str, lost: Counter[str]) -> Iterator[Block]:
    """Yield the entities where they stand in a text, with the words between them."""
    spans: list[tuple[int, int, str]] = []
    # the longest first, so that a name does not stand inside a longer one
    for entity in sorted(entities, key=lambda entity: -len(entity.text)):
        start = _free_place(entity.text, text, spans)
        if start is None:
            lost["values that do not stand in the text"] += 1
        else:
            insort(spans, (start, start + len(entity.text), entity.category))
    at = 0
    for start, end, category in spans:
        if text[at:start].strip():
            yield Block(None, text[at:start])
        yield Block(category, text[start:end])
        at = end
    if text[at:].strip():
        yield Block(None, text[at:])


MOST_PLACES = 1000
"""Places at which a value is looked for in a text."""


def _free_place(value: str, text: str, spans: Sequence[tuple[int, int, str]]) -> int | None:
    start = -1
    for _ in range(MOST_PLACES if value else 0):
        start = text.find(value, start + 1)
        if start < 0:
            return None
        end = start + len(value)
        inside = text[start - 1 : start + 1].isalnum() if start else False
        inside = inside or (end < len(text) and text[end - 1 : end + 1].isalnum())
        near = bisect_left(spans, (start, 0, ""))
        free = near == len(spans) or spans[near][0] >= end
        if not inside and free and (near == 0 or spans[near - 1][1] <= start):
            return start
    return None


def write_folder(
    records: Iterable[Record | Problem], folder: Path, texts: Path | None = None
) -> Iterator[Record | Problem]:
    """Write each record as ID.bio into a folder; yield what was written and what was lost.

    `texts` is a folder of ID.txt with the text of each document.
    """
    for number, item in enumerate(records, start=1):
        if isinstance(item, Problem) or item.tree is None:
            if isinstance(item, Problem):
                yield item
            continue
        record_id = item.id or f"{number:06}"
        text = None if texts is None else _text_of(record_id, texts)
        if texts is not None and text is None:
            missing = Remark(ProblemCode.NO_TEXT, "has no text; its values are written alone")
            yield flaw(record_id, missing, item.where)
        written = write_bio(item.tree, text)
        for remark in written.remarks:
            left = remark._replace(message=f"IOB2 cannot hold: {remark.message}")
            yield flaw(record_id, left, item.where)
        path = folder / f"{_file_name(record_id)}.bio"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written.text.encode())
        yield item


def _text_of(record_id: str, texts: Path) -> str | None:
    path = texts / f"{_file_name(record_id)}.txt"
    return to_text(read_bytes(path)).text if path.is_file() else None


_UNSAFE = re.compile(r'[\x00-\x1f\\:*?"<>|%]|^\.|^$|[. ]$')


def _file_name(record_id: str) -> str:
    """Return an id as a path below a folder: what leads elsewhere or is hidden is escaped."""
    parts = record_id.encode("utf-8", "replace").decode().split("/")
    return "/".join(_UNSAFE.sub(lambda sign: f"%{ord(sign[0] or ' '):02X}", part) for part in parts)
