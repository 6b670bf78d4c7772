"""Format response: raw model texts, one a file, a line or a cell, parsed into records.

A response without a record in it is an empty document, so that all its values count as missed; what
became of each response stands in its record, and what was lost is a problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from docassay.errors import DataError, DocassayError
from docassay.load.files import files, id_of, read_bytes, read_head
from docassay.load.format import NO_TAGS, Record, format
from docassay.load.formats.csv import load as load_table
from docassay.load.records import (
    HEAD,
    ID_KEYS,
    LOSS_CODES,
    Records,
    flaw,
    from_lines,
    id_keys,
    looks_like_lines,
    with_ids,
)
from docassay.load.response.answer import parse_response
from docassay.load.response.json import strict_object
from docassay.load.wire import encode, to_text
from docassay.model.problem import CLEAN, UNPARSEABLE, Problem, ProblemCode, Remark

TEXTS = (".txt", ".md", ".response", ".out")
ANSWERS = (".json",)
"""Read when the format is named: a response as it came, or the answer of a server around it."""
LINES = (".jsonl", ".ndjson")
TABLES = (".csv", ".tsv")
TELLING = ("response", "raw_response", "output", "completion", "generated_text")
"""Keys that tell of a raw response by themselves."""
TEXT_KEYS = (*TELLING, "text", "content")
IDS = (*ID_KEYS, "custom_id", "image_file", "file_name", "file")
_SEVERAL = ("choices", "candidates")
_WAY = (*_SEVERAL, "message", "body", "parts")
"""Where answers of model servers keep the text."""
_DEEPEST = 10
_LOOKED_AT = 20


class Raw(NamedTuple):
    """A response as found."""

    id: str | None
    text: str
    where: str
    tags: Mapping[str, str] = NO_TAGS
    whole: object = None
    """What the file holds beside the response."""


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a text holds a record, or a telling key or column holds texts that do."""
    suffix = path.suffix.lower()
    if b"\0" in head:
        return False
    if suffix in TEXTS:
        return _is_response(path, head)
    names = head.partition(b"\n")[0] if suffix in TABLES else head
    if suffix not in (*LINES, *TABLES) or not any(key.encode() in names for key in TELLING):
        return False
    try:
        first = [*islice(raw_responses(path, text_keys=TELLING), _LOOKED_AT)]
    except DocassayError:
        return False
    texts = [item.text for item in first if isinstance(item, Raw)]
    return any(parse_response(text).outcome != UNPARSEABLE for text in texts)


def _is_response(path: Path, head: bytes) -> bool:
    """Say whether a text is a response rather than JSON lines, a list or {id: tree}.

    A refusal or an error may come first: the texts beside it tell then.
    """
    if looks_like_lines(path, head) or head.lstrip().startswith(b"["):
        return False
    reply = parse_response(to_text(head).text)
    if reply.outcome == UNPARSEABLE:
        return b"<|" in head or _is_among_responses(path)
    plain = reply.outcome == CLEAN and reply.form == "json" and "code fence" not in reply.repairs
    return not (plain and all(isinstance(value, dict) for value in reply.tree.values()))


def _is_among_responses(path: Path) -> bool:
    """Say whether most of the texts beside a text hold a record."""
    if not path.is_file():
        return False
    names = (entry.name for entry in path.parent.iterdir() if entry.suffix.lower() in TEXTS)
    beside = nsmallest(_LOOKED_AT, (name for name in names if name != path.name and name[0] != "."))
    texts = [to_text(read_head(path.parent / name, HEAD)).text for name in beside]
    records = [parse_response(text).outcome != UNPARSEABLE for text in texts]
    return 2 * sum(records) > len(records)


@format("response", sniff=looks_like)
def load(path: Path, *, id_key: str | None = None, text_key: str | None = None) -> Records:
    """Read raw model responses: a folder of texts, JSON lines or CSV; `text_key` holds the text."""
    keys = TEXT_KEYS if text_key is None else (text_key,)
    for item in raw_responses(path, id_key=id_key, text_keys=keys):
        if isinstance(item, Problem):
            yield item
            continue
        response = parse_response(item.text)
        code = LOSS_CODES.get(response.outcome)
        if code is not None:
            yield flaw(item.id, Remark(code, f"the response is {response.summary}"), item.where)
        result = response.result
        yield Record(item.id, response.tree, item.where, item.tags, result, whole=item.whole)


def raw_responses(
    path: Path, *, id_key: str | None = None, text_keys: tuple[str, ...] = TEXT_KEYS
) -> Iterator[Raw | Problem]:
    """Yield the responses of a file or folder, unparsed."""
    for file in files(path, (*TEXTS, *ANSWERS, *LINES, *TABLES)):
        suffix = file.suffix.lower()
        if suffix in LINES:
            ids = id_keys(id_key, IDS)
            records = with_ids(from_lines(file, ids), ids=ids)
            yield from _texts(records, text_keys)
        elif suffix in TABLES:
            yield from _texts(load_table(file, id_key=id_key, whole=text_keys), text_keys)
        else:
            yield from _whole_file(file, path)


def _whole_file(file: Path, path: Path) -> Iterator[Raw | Problem]:
    text, problems = to_text(read_bytes(file))
    if file == path and not text.strip():  # an empty lone file is no document at all
        return
    for problem in problems:
        yield flaw(id_of(file, path), problem, str(file))
    if file.suffix.lower() in ANSWERS:
        text = text_of(strict_object(text), TELLING) or text
    yield Raw(id_of(file, path), text, str(file))


def _texts(records: Records, keys: tuple[str, ...]) -> Iterator[Raw | Problem]:
    """Yield the texts of records; a record without one is a problem, and all of them an error."""
    texts = missing = 0
    for item in records:
        if isinstance(item, Problem):
            yield item
            continue
        text = None if item.tree is None else text_of(item.tree, keys)
        texts += text is not None
        if text is None and item.tree is not None:
            missing += 1
            remark = Remark(ProblemCode.NO_TEXT, f"has no text under any of {', '.join(keys)}")
            yield flaw(item.id, remark, item.where)
        whole = item.tree if item.whole is None else item.whole
        yield Raw(item.id, text or "", item.where, item.tags, whole)
    if missing and not texts:
        raise DataError(
            f"no document has a text under any of {', '.join(keys)}",
            hint="say which key holds it with text_key",
        )


def text_of(answer: object, keys: tuple[str, ...] = TEXT_KEYS) -> str | None:
    """Return the text in an answer of a model server, None when there is none."""
    if not isinstance(answer, dict):
        return None
    text = _member_text(answer, (*keys, *_WAY), _DEEPEST)
    if text is not None:
        return text
    # a record that somebody has parsed already
    ready = next((answer[key] for key in keys if isinstance(answer.get(key), dict)), None)
    return None if ready is None else encode(ready)


def _inner_text(value: object, depth: int) -> str | None:
    if isinstance(value, str):
        return value
    if depth and isinstance(value, list):
        parts = [_inner_text(part, depth - 1) for part in value]
        texts = [part for part in parts if part is not None]
        return "".join(texts) if texts else None
    if depth and isinstance(value, dict):
        return _member_text(value, (*TEXT_KEYS, *_WAY), depth - 1)
    return None


def _member_text(holder: dict[str, object], keys: tuple[str, ...], depth: int) -> str | None:
    for key in keys:
        inner = holder.get(key)
        if key in _SEVERAL and isinstance(inner, list):
            inner = inner[:1]  # the first answer is meant
        text = _inner_text(inner, depth)
        if text is not None:
            return text
    return None
