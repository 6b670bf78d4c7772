"""Format tags: running text in which `<category>` opens an entity, one file a document.

An entity lasts to the next tag, which may be its own `</category>`; the words before the first tag
and after a closing one are outside.
"""

from __future__ import annotations

import re
from pathlib import Path

from docassay.errors import DataError
from docassay.load.files import files, id_of, read_bytes
from docassay.load.format import Record, format
from docassay.load.records import Records, flaw, unreadable
from docassay.load.wire import to_text
from docassay.model.document import Block, TaggedText
from docassay.model.problem import ProblemCode, Remark

SUFFIXES = (".tags", ".txt")
MARKUP = (
    *(
        b"<?xml",
        b"<!",
        b"<html",
        b"<s_",
        b"<think",
        b"```",
        b"<|",
        "<｜".encode(),
        b"</s>",
        b"<pad>",
    ),
    *(b"<table", b"<tr>", b"<td>", b"<end_of_turn>", b"<tool_call>", b"<answer>", b"<reasoning>"),
)
"""Marks of pages, of XML and of raw model responses."""
_TAG = re.compile(r"<(/?)([^\W\d_](?:[^<>]*[^<>\s])?)>")


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a text holds tags and is no other markup."""
    if path.suffix.lower() not in SUFFIXES or head.lstrip().startswith((b"{", b"[")):
        return False
    markup = any(mark in head.lower() for mark in MARKUP)
    return not markup and _TAG.search(to_text(head).text) is not None


@format("tags", sniff=looks_like, protocol=True)
def load(path: Path) -> Records:
    """Read a folder of texts with opening tags, as in `<date>26 mai 1770 <serie>X1A`."""
    for file in files(path, SUFFIXES):
        text, problems = to_text(read_bytes(file))
        if file == path and not text.strip():  # an empty lone file is no document at all
            return
        record_id = id_of(file, path)
        try:
            blocks = _blocks(text, str(file), problems)
        except DataError as error:
            yield from unreadable(record_id, error.what, error.where or str(file))
            continue
        for problem in problems:
            yield flaw(record_id, problem, str(file))
        yield Record(record_id, TaggedText(blocks), str(file))


def _blocks(text: str, where: str, problems: list[Remark]) -> list[Block]:
    """Return the blocks of a text; an entity without words is left out and reported."""
    blocks: list[Block] = []
    running: str | None = None
    position, line = 0, 1
    for tag in (*_TAG.finditer(text), None):
        end = len(text) if tag is None else tag.start()
        words = " ".join(text[position:end].split())
        if words:
            blocks.append(Block(running, words))
        elif running is not None:
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"line {line}: <{running}> has no text; left out")
            )
        if tag is None:
            break
        line += text.count("\n", position, end)
        category = " ".join(tag[2].split())
        if tag[1] and category != running:
            raise DataError(f"</{category}> closes nothing that is open", where=f"{where}:{line}")
        running = None if tag[1] else category
        # counted from tag to tag: from the start each time would be quadratic work
        line += tag[0].count("\n")
        position = tag.end()
    return blocks
