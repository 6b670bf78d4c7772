"""Writing gold with a patch applied: the same files in another place, and a log of what changed.

Files that hold JSON, JSON lines or a table are written back; a document that no decision is about
keeps its bytes. Gold itself is never written to. Unless every decision fits, nothing is written.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.errors import ConfigurationError, DataError
from docassay.load.files import files, numbered_lines, read_bytes
from docassay.load.format import Record
from docassay.load.patch import LEAVE, GoldDecision, GoldPatch, load_patch
from docassay.load.patching import Refusal, patched
from docassay.load.records import TREE_KEYS, reach
from docassay.load.source import guess, open_records
from docassay.load.wire import decode, encode, to_text
from docassay.model.document import SEPARATOR
from docassay.model.words import count, visible
from docassay.run.output import csv_text, write_bytes, writing

LOG = "patch-log.csv"
LOG_HEAD = ("document", "path", "action", "was", "value", "who", "when", "why", "outcome")
APPLIED, ALREADY, LEFT, REFUSED = "applied", "already so", "left as it is", "does not fit"
LISTED = 8
"""How many decisions an error lists."""


class LoggedDecision(NamedTuple):
    """A decision and what became of it."""

    decision: GoldDecision
    outcome: str
    why: str = ""
    """Why it does not fit."""


class PatchedGold(NamedTuple):
    """Gold that was written anew."""

    path: Path
    log: Path
    decisions: tuple[LoggedDecision, ...]
    documents: int
    """How many of them changed."""

    def count(self, outcome: str) -> int:
        """Return how many decisions came to this."""
        return sum(logged.outcome == outcome for logged in self.decisions)

    def __repr__(self) -> str:
        """Return where gold is, and how many documents changed."""
        decisions = count(len(self.decisions), "decision")
        changed = count(self.documents, "document")
        return visible(f"{self.path}: {decisions}, {changed} changed; log in {self.log}")


def write_patched(
    patch: object,
    gold: str | Path,
    out: str | Path,
    *,
    format: str | None = None,
    id_key: str | None = None,
    root: str | None = None,
) -> PatchedGold:
    """Write gold with a patch applied, and beside it a log; decisions that do not fit are an error.

    `out` is a file for a file and a folder for a folder, and must not be there yet.
    """
    decisions = load_patch(patch)
    if decisions.flaws:
        first = decisions.flaws[0]
        raise DataError(first.message, where=first.where, hint="correct or remove the line")
    source, target = Path(gold), Path(out)
    _refuse_target(source, target)
    name = guess(source) if format is None else format
    if name not in _WRITERS or source.suffix == ".gz":
        raise ConfigurationError(
            f"gold is {'compressed' if name in _WRITERS else name}, which is not written back",
            where=str(source),
            hint="json, jsonl and csv are; score --gold-patch applies a patch to any format",
        )
    options = {"id_key": id_key, "root": root}
    given = {key: value for key, value in options.items() if value is not None}
    job = _Job(decisions, root or "", name != "csv")
    records = [*open_records(source, format=name, options=given).records]
    job.take([each for each in records if isinstance(each, Record)])
    contents = {}
    for file in files(source, _WRITERS[name].suffixes):
        contents[file] = _WRITERS[name].write(file, job)
    job.check(source)
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
    for file, content in contents.items():
        place = target if file == source else target / file.relative_to(source)
        with writing(place):
            place.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place, content)
    log = target.with_name(f"{target.name}.{LOG}")  # beside a folder, which holds documents only
    rows = (_log_row(logged) for logged in job.log)
    write_bytes(log, csv_text(LOG_HEAD, rows).encode("utf-8", "backslashreplace"))
    return PatchedGold(target, log, tuple(job.log), job.changed)


def _refuse_target(source: Path, target: Path) -> None:
    if os.path.lexists(target):
        raise ConfigurationError(
            "is there already", where=str(target), hint="name a file or folder that is not"
        )
    if source.is_dir() and source.resolve() in target.resolve().parents:
        raise ConfigurationError(
            "lies in the folder of gold", where=str(target), hint="name another place"
        )


def _log_row(logged: LoggedDecision) -> list[str]:
    decision = logged.decision
    outcome = f"{logged.outcome}: {logged.why}" if logged.why else logged.outcome
    values = (_text(decision.was), _text(decision.value))
    texts = (decision.who, decision.when, decision.why)
    return [decision.document, decision.path, decision.action, *values, *texts, outcome]


def _text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return encode(value)


class _Job:
    """Applies decisions to one document after the other, and keeps what became of them."""

    def __init__(self, patch: GoldPatch, root: str, keeps_any_of: bool) -> None:
        self.patch = patch
        self.root = root
        self.log: list[LoggedDecision] = []
        self.changed = 0
        self._keeps_any_of = keeps_any_of
        self._by_place: dict[str, Record] = {}
        self._left = dict(patch.decisions)

    def take(self, records: Sequence[Record]) -> None:
        """Note the documents there are; without ids they are numbered, as in reports."""
        named = any(record.id is not None for record in records)
        for number, record in enumerate(records, start=1):
            id = record.id if named else str(number)
            earlier = self._by_place.get(record.where)
            if id is not None and earlier is None:
                self._by_place[record.where] = record._replace(id=id)

    def document(self, whole: object, where: str, root: str = "") -> object | None:
        """Return what a file holds of a document with its decisions applied, None for no change.

        `root` is where the record stands in it.
        """
        record = self._by_place.get(where)
        decisions = () if record is None else self._left.pop(str(record.id), ())
        if record is None or not decisions:
            return None
        result = patched(
            whole,
            decisions,
            root=root or _tree_key(record, whole),
            keeps_any_of=self._keeps_any_of,
        )
        self._note(result.applied, APPLIED)
        self._note([each for each in result.already if each.action != LEAVE], ALREADY)
        self._note([each for each in result.already if each.action == LEAVE], LEFT)
        self.log += [LoggedDecision(each, REFUSED, why) for each, why in result.refused]
        if not result.applied:
            return None
        self.changed += 1
        return result.tree

    def refuse(self, decision: GoldDecision, why: str) -> None:
        """Note that a decision cannot be written."""
        self.log = [each for each in self.log if each.decision is not decision]
        self.log.append(LoggedDecision(decision, REFUSED, why))

    def _note(self, decisions: Sequence[GoldDecision], outcome: str) -> None:
        self.log += [LoggedDecision(each, outcome) for each in decisions]

    def check(self, gold: Path) -> None:
        """Raise DataError if a decision does not fit."""
        left = (each for decisions in self._left.values() for each in decisions)
        refusals = [
            *(Refusal(each.decision, each.why) for each in self.log if each.outcome == REFUSED),
            *(Refusal(each, "gold has no such document") for each in left),
        ]
        if not refusals:
            return
        many = "1 decision does" if len(refusals) == 1 else f"{len(refusals):,} decisions do"
        lines = [f"  {each.document}: {each.path}: {why}" for each, why in refusals[:LISTED]]
        more = len(refusals) - LISTED
        raise DataError(
            f"{many} not fit {gold}, so nothing was written",
            where=self.patch.name,
            hint="later lines of the patch can revise them, for example with action leave",
            details=[*lines, *([f"  and {more:,} more"] if more > 0 else [])],
        )


def _tree_key(record: Record, whole: object) -> str:
    """Return the key under which an object holds the record, "" when it is the record."""
    if record.whole is None or not isinstance(whole, Mapping):
        return ""
    return next((key for key in TREE_KEYS if isinstance(whole.get(key), Mapping)), "")


def _lines(file: Path, job: _Job) -> bytes:
    """Return JSON lines, those of documents without decisions as they are."""
    changes: dict[int, bytes] = {}
    for number, line in numbered_lines(file):
        where = f"{file}:{number}"
        tree = job.document(decode(line, where).tree, where, job.root)
        if tree is not None:
            changes[number] = encode(tree).encode() + (b"\r" if line.endswith(b"\r\n") else b"")
    content = read_bytes(file)
    if not changes:
        return content
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        content = to_text(content).text.encode()
    lines = content.split(b"\n")
    for number, changed in changes.items():
        lines[number - 1] = changed
    return b"\n".join(lines)


def _json(file: Path, job: _Job) -> bytes:
    """Return one JSON value: a document, a list of them, or {id: tree}, indented as it was."""
    content = read_bytes(file)
    if not content.strip():
        return content
    tree = decode(content, str(file)).tree
    changed = job.document(tree, str(file), job.root)
    if changed is not None:
        return _indented(changed, content)
    # a list or {id: tree} may itself stand under the root
    inner = reach(tree, job.root) if job.root else tree
    holder = inner if isinstance(inner, dict | list) else tree
    root = "" if holder is inner else job.root
    changes = [
        (key, job.document(value, f"{file}: {name}", root)) for key, name, value in _members(holder)
    ]
    changes = [(key, value) for key, value in changes if value is not None]
    for key, value in changes:
        holder[key] = value  # type: ignore[index]
    return _indented(tree, content) if changes else content


def _members(holder: object) -> Iterator[tuple[str | int, str, object]]:
    """Yield what a file may hold as documents, each with its name in places."""
    if isinstance(holder, dict):
        yield from ((key, key, value) for key, value in holder.items())
    elif isinstance(holder, list):
        yield from ((at, f"item {at + 1}", value) for at, value in enumerate(holder))


def _indented(tree: object, before: bytes) -> bytes:
    """Return a tree as JSON with the indentation of what was there."""
    text = encode(tree).encode()
    second = before.partition(b"\n")[2]
    indent = len(second) - len(second.lstrip(b" "))
    end = b"\n" if before.endswith(b"\n") else b""
    return (msgspec.json.format(text, indent=indent) if indent else text) + end


def _table(file: Path, job: _Job) -> bytes:
    """Return a table, rows of documents without decisions as they are."""
    text, problems = to_text(read_bytes(file))
    if problems:
        raise DataError(problems[0].message, where=str(file), hint="write it in UTF-8 first")
    parts = [*_table_rows(text)]
    delimiter = parts[0].delimiter if parts else ","
    header = parts[0].cells if parts else []
    written = [parts[0].text] if parts else []
    for part in parts[1:]:
        cells = dict(zip(header, part.cells, strict=False))
        tree = {
            name: cell.split(SEPARATOR) if SEPARATOR in cell else cell
            for name, cell in cells.items()
        }
        before = len(job.log)
        changed = job.document(tree, f"{file}:{part.number}")
        written.append(part.text)
        if not isinstance(changed, Mapping):
            continue
        # a table cannot hold what has no column, nor rows inside a row
        for logged in job.log[before:]:
            if logged.outcome == APPLIED and not _fits(changed, header):
                job.refuse(logged.decision, "the table has no cell for it")
        line = io.StringIO()
        writer = csv.writer(line, delimiter=delimiter, lineterminator=_ending(part.text))
        writer.writerow([_cell(changed.get(name)) for name in header])
        written[-1] = line.getvalue()
    return "".join(written).encode("utf-8-sig" if _is_marked(file) else "utf-8")


class _TablePart(NamedTuple):
    number: int
    """Of its first line."""
    cells: list[str]
    text: str
    """As it stands in the file, blank lines before it included."""
    delimiter: str


def _table_rows(text: str) -> Iterator[_TablePart]:
    from docassay.load.formats.csv import DELIMITERS

    header = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(DELIMITERS, key=header.count)
    lines = io.StringIO(text, newline="").readlines()
    reader = csv.reader(iter(lines), delimiter=delimiter)
    start = shown = 0
    for cells in reader:
        if cells:
            yield _TablePart(start + 1, cells, "".join(lines[shown : reader.line_num]), delimiter)
            shown = reader.line_num
        start = reader.line_num


def _fits(tree: Mapping[str, object], header: Sequence[str]) -> bool:
    cells = [
        item for value in tree.values() for item in (value if isinstance(value, list) else [value])
    ]
    return tree.keys() <= {*header} and not any(isinstance(cell, dict | list) for cell in cells)


def _cell(value: object) -> str:
    if isinstance(value, list):
        return SEPARATOR.join(_cell(item) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _ending(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _is_marked(file: Path) -> bool:
    return read_bytes(file).startswith(b"\xef\xbb\xbf")


class _Writer(NamedTuple):
    suffixes: tuple[str, ...]
    write: Callable[[Path, _Job], bytes]


_WRITERS: Mapping[str, _Writer] = {
    "json": _Writer((".json",), _json),
    "jsonl": _Writer((".jsonl", ".ndjson"), _lines),
    "csv": _Writer((".csv", ".tsv"), _table),
}
