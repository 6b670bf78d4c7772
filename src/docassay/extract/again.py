"""Kept answers read again: by a newer parser, or in the place of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from docassay.errors import DataError
from docassay.extract.answers import (
    CONFIDENCES,
    leaves_of,
    read_answer,
    with_agreement,
    with_places,
    with_token_confidences,
)
from docassay.extract.client import DocumentFailed, TokenChance
from docassay.extract.documents import DocumentFile
from docassay.extract.lines import ExtractedLine
from docassay.extract.prompt import Prompt
from docassay.load.files import existing, numbered_lines, read_head
from docassay.load.wire import decode, member_names
from docassay.model.schema import Schema

TELLING = frozenset({"id", "raw", "record", "outcome", "started", "ended"})
"""The members by which a line of an extraction is recognised."""
_HEAD = 1 << 16


def is_kept_file(path: Path) -> bool:
    """Say whether a file holds lines of an extraction."""
    lines = path.suffix.lower() in (".jsonl", ".ndjson") and path.is_file()
    return lines and member_names(read_head(path, _HEAD)) >= TELLING


def kept_answers(
    path: Path,
    *,
    prompt_of: Callable[[str], Prompt | None] = lambda _: None,
    schema: Schema | None = None,
    confidence: str = CONFIDENCES[0],
) -> Iterator[ExtractedLine]:
    """Yield the lines of an extraction with their answers read again.

    With the prompt that was used for a document, an answer that repeats its example is recognised.
    """
    for number, line in numbered_lines(existing(path)):
        where = f"{path}:{number}"
        tree = decode(line, where).tree
        if not isinstance(tree, dict) or not TELLING.issubset(tree):
            raise DataError(
                "is no line of an extraction", where=where, hint="docassay extract writes such"
            )
        kept = _kept_line(tree, where)
        yield _read_again(kept, prompt_of(kept.id), schema, confidence)


def _kept_line(tree: Mapping[str, object], where: str) -> ExtractedLine:
    tokens = tree.get("tokens")
    counts = tokens if isinstance(tokens, Mapping) else {}
    record, cost, logprobs = tree["record"], tree.get("cost"), tree.get("logprobs")
    try:
        return ExtractedLine(
            id=str(tree["id"]),
            file=str(tree.get("file", "")),
            record=record if isinstance(record, dict) else {},
            raw=str(tree["raw"]),
            repairs=_texts(tree.get("repairs")),
            outcome=str(tree["outcome"]),
            model=str(tree.get("model", "")),
            prompt=str(tree.get("prompt", "")),
            schema_digest=str(tree.get("schema_digest", "")),
            started=datetime.fromisoformat(str(tree["started"])),
            ended=datetime.fromisoformat(str(tree["ended"])),
            attempts=int(str(tree.get("attempts", 1))),
            prompt_tokens=_count(counts.get("prompt")),
            completion_tokens=_count(counts.get("completion")),
            cost=None if cost is None else float(str(cost)),
            pages=_count(tree.get("pages")) or 0,
            finish=str(tree.get("finish", "")),
            notes=_texts(tree.get("notes")),
            logprobs=[(str(pair[0]), float(str(pair[1]))) for pair in logprobs]
            if isinstance(logprobs, list)
            else (),
            samples=_texts(tree.get("samples")),
        )
    except (ValueError, TypeError, LookupError) as error:
        raise DataError(f"is no line of an extraction: {error}", where=where) from None


def _texts(raw: object) -> tuple[str, ...]:
    return tuple(map(str, raw)) if isinstance(raw, list) else ()


def _count(raw: object) -> int | None:
    return raw if type(raw) is int and raw >= 0 else None


def _read_again(
    line: ExtractedLine, prompt: Prompt | None, schema: Schema | None, confidence: str
) -> ExtractedLine:
    if not line.raw and line.record:
        return line  # a function gave the record itself
    # a value that was believed when the text of the document was known stays so
    believed = "\n".join(leaf.text for leaf in leaves_of(line.record) if leaf.text is not None)
    answer = read_answer(
        line.raw, finish=line.finish, prompt=prompt, schema=schema, text_shown=believed
    )
    record = answer.record
    chances = [TokenChance(*pair) for pair in line.logprobs]
    if chances:
        with_token_confidences(record, line.raw, chances, confidence)
    if line.samples:
        others = [read_answer(raw, prompt=prompt, schema=schema).record for raw in line.samples]
        with_agreement(record, others, schema or Schema())
    with_places(record, line.record)
    return replace(line, record=record, repairs=answer.repairs, outcome=answer.outcome)


@dataclass(frozen=True)
class ReplayExtractor:
    """Answers from lines that were kept, read again; nothing is asked."""

    lines: Mapping[str, ExtractedLine]
    model: str

    def prompt_digest(self, document: DocumentFile) -> str:
        """Return the digest that was kept."""
        line = self.lines.get(document.id)
        return "" if line is None else line.prompt

    async def extract(self, document: DocumentFile) -> ExtractedLine:
        """Return the line of a document."""
        line = self.lines.get(document.id)
        if line is None:
            raise DocumentFailed("no answer was kept", attempts=0)
        return replace(line, model=self.model or line.model)
