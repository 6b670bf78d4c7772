"""Opening a run folder again: what a run was scored from, recorded in its ledger.

A header records where gold and pred were (as given and as absolute path), digests of their
content, and the options they were read with. So `reopen` gives the documents that were scored, and
tells when they have changed since. Rows hold no paths: they are the same wherever a run was made.
"""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, cast

import msgspec

from docassay.errors import DataError
from docassay.load.files import existing, opening, read_bytes
from docassay.load.remote import as_path, lasting_path
from docassay.load.source import PYTHON, Source
from docassay.matching.verdicts import RIGHT, Verdict
from docassay.model.words import explain_command, unguarded
from docassay.run.ledger import LEDGER, Header, InputRecord, Ledger, read_ledger
from docassay.run.open import Prepared, open_run
from docassay.run.options import Options, ReadingArgs
from docassay.run.output import new_file, refuse_link, writing
from docassay.run.verdict_file import ERRORS, VERDICTS

INPUTS = "inputs"
"""The folder in a run that keeps copies of what was scored."""
SIDES = ("gold", "pred")
SCHEMA = "schema"
BLOCK = 1 << 20
DIGEST_SIZE = 16


def record_inputs(
    prepared: Prepared, folder: Path, *, keep: bool = False
) -> Mapping[str, InputRecord]:
    """Return what is recorded of gold, pred and a schema file before any is read; `keep` copies."""
    sources = (prepared.gold, prepared.pred)
    alone = prepared.bound.plan.without_gold
    records = {
        side: _record(source, folder, keep=keep)
        for side, source in zip(SIDES, sources, strict=True)
        if not (alone and side == "gold")
    }
    schema = prepared.options.schema
    if isinstance(schema, str | Path) and Path(schema).exists():
        digest = digest_of_input(Path(schema))
        records[SCHEMA] = InputRecord(str(schema), os.path.abspath(schema), SCHEMA, digest)
    if prepared.pairing.patch is not None:
        patch = prepared.pairing.patch.patch
        path = Path(patch.name)
        place = os.path.abspath(path) if path.is_file() else ""
        records["patch"] = InputRecord(patch.name, place, "gold-patch", patch.digest)
    return records


def _record(source: Source, folder: Path, *, keep: bool) -> InputRecord:
    if source.format == PYTHON:
        return InputRecord(PYTHON, "", PYTHON, "", "")
    path = as_path(source.name)
    digest = digest_of_input(path, without=folder)
    kept = _copied(path, folder, digest) if keep else ""
    return InputRecord(source.name, lasting_path(source.name), source.format, digest, kept)


def digest_of_input(path: Path, *, without: Path | None = None) -> str:
    """Return a digest of a file, or of the names and contents of a folder's files."""
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    if not path.is_file() and not path.is_dir():
        digest.update(read_bytes(path))  # a pipe, whose content is held
        return digest.hexdigest()
    for name, file in _members(path, without):
        digest.update(f"{name}\0{file.stat().st_size}\0".encode("utf-8", "surrogateescape"))
        with opening(file), file.open("rb") as content:
            while block := content.read(BLOCK):
                digest.update(block)
    return digest.hexdigest()


def _members(path: Path, without: Path | None) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder with their names below it, or a file with no name."""
    if path.is_file():
        yield "", path
        return
    for place, folders, names in os.walk(path):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and not _is_same(Path(place, name), without)
        )
        for name in sorted(names):
            file = Path(place, name)
            if not name.startswith(".") and file.is_file():
                yield file.relative_to(path).as_posix(), file


def _is_same(folder: Path, other: Path | None) -> bool:
    return other is not None and other.exists() and folder.exists() and folder.samefile(other)


def _copied(path: Path, folder: Path, digest: str) -> str:
    """Copy an input into the run folder, under its digest, and return where it is in there."""
    home = folder / INPUTS
    refuse_link(home)
    target = home / digest / path.name
    with writing(target):
        if not path.is_file() and not path.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            with new_file(target) as file:
                file.write(read_bytes(path))
        elif not target.exists():
            for name, member in _members(path, folder):
                copy = target / name if name else target
                copy.parent.mkdir(parents=True, exist_ok=True)
                with new_file(copy) as file, member.open("rb") as content:
                    shutil.copyfileobj(content, file, BLOCK)
    return f"{INPUTS}/{digest}/{path.name}"


class StoredInputs(NamedTuple):
    """What a run was scored from, as far as it is still there."""

    ledger: Ledger
    gold: Path | None
    pred: Path | None
    """None where the input is gone, or was no file."""
    notes: tuple[str, ...]
    """What has changed since the run."""

    @property
    def header(self) -> Header:
        """What the rows have in common."""
        return self.ledger.header

    def args(self) -> ReadingArgs:
        """Return the options to read the inputs with; the schema is that of the plan."""
        plan = self.header.plan
        names = ReadingArgs.__annotations__
        recorded = {name: value for name, value in self.header.reading.items() if name in names}
        # what a ledger holds is what a run has written: a checksum stands beside it
        args = cast("ReadingArgs", recorded)
        if not self._has_source:
            args.pop("source", None)
        args["schema"] = plan.schema
        if plan.schema is not None and plan.schemas:
            from docassay.schema.source import SchemaSet

            args["schema"] = SchemaSet(plan.schema, plan.schemas)
        args["gold_format"], args["pred_format"] = (self._format(side) for side in SIDES)
        return args

    @property
    def _has_source(self) -> bool:
        """Whether the text of the documents is still where it was."""
        source = self.header.reading.get("source")
        return isinstance(source, str) and os.path.exists(source)

    def _format(self, side: str) -> str | None:
        record = self.header.inputs.get(side)
        return None if record is None or record.format == PYTHON else record.format

    def settings(self) -> dict[str, object]:
        """Return the options of formats that the inputs were read with."""
        calls = self.header.plan.formats
        return {
            f"{call.name}.{name}": call.options[name] for call in calls for name in call.options
        }

    @property
    def without_gold(self) -> bool:
        """Whether the run measured predictions alone."""
        return self.header.plan.without_gold

    @property
    def whole(self) -> bool:
        """Whether every input is still there."""
        return self.pred is not None and (self.gold is not None or self.without_gold)

    def inputs(self) -> tuple[Path | None, Path]:
        """Return the inputs, None for gold that the run had not; one that is gone is an error."""
        return (None, self._there(self.pred, "pred")) if self.without_gold else self.both()

    def both(self) -> tuple[Path, Path]:
        """Return the two inputs; one that is gone is an error."""
        if self.without_gold:
            what = "the run measured predictions without gold"
            raise DataError(what, hint="score with gold for what compares with it")
        return self._there(self.gold, "gold"), self._there(self.pred, "pred")

    def _there(self, path: Path | None, side: str) -> Path:
        if path is not None:
            return path
        record = self.header.inputs.get(side)
        raise DataError(
            f"{side} of the run is gone",
            where=None if record is None else record.path or record.given,
            hint=f"say where it is with --{side}; score with --keep-inputs keeps a copy",
        )


def is_run(path: str | Path) -> bool:
    """Return whether a path is a run folder, or a ledger."""
    place = Path(path)
    return (place / LEDGER).is_file() or (place.name == LEDGER and place.is_file())


def stored_inputs(
    folder: str | Path, *, gold: str | Path | None = None, pred: str | Path | None = None
) -> StoredInputs:
    """Return what a run was scored from; `gold` and `pred` say where an input is now."""
    home = Path(folder) if Path(folder).is_dir() else Path(folder).parent
    return locate_inputs(read_ledger(Path(folder)), home, gold=gold, pred=pred)


def locate_inputs(
    ledger: Ledger,
    home: Path,
    *,
    gold: str | Path | None = None,
    pred: str | Path | None = None,
) -> StoredInputs:
    """Return what a ledger was made of, kept in a folder or described by a file there."""
    records = ledger.header.inputs
    gold_path = _found(records.get("gold"), home) if gold is None else existing(as_path(gold))
    pred_path = _found(records.get("pred"), home) if pred is None else existing(as_path(pred))
    notes = [
        f"{side}: {path} is not what was scored; it has changed since"
        for side, path in (("gold", gold_path), ("pred", pred_path))
        if path is not None and side in records and records[side].digest
        if digest_of_input(path, without=home) != records[side].digest
    ]
    return StoredInputs(ledger, gold_path, pred_path, tuple(notes))


def _found(record: InputRecord | None, home: Path) -> Path | None:
    """Return where an input is: its copy in the run, where it was, or where it was said to be."""
    if record is None:
        return None
    places = (
        home / record.kept if record.kept else None,
        as_path(record.path) if record.path else None,
        as_path(record.given) if record.path and record.given else None,
    )
    return next((place for place in places if place is not None and place.exists()), None)


class NamedRun(NamedTuple):
    """A ledger with the name that people call it by."""

    name: str
    ledger: Ledger
    folder: Path | None = None
    """Where it is kept, None for a run in memory."""

    def explaining(self, id: str) -> str:
        """Return the command that explains a document, "" of a run in memory."""
        return "" if self.folder is None else explain_command([str(self.folder)], id)


def named_runs(folders: Sequence[str | Path]) -> tuple[NamedRun, ...]:
    """Return stored runs, each named by its folder: the shortest ends of paths that differ."""
    places = [Path(os.path.abspath(folder)) for folder in folders]
    homes = [place if place.is_dir() or not place.exists() else place.parent for place in places]
    names = short_names(homes)
    return tuple(
        NamedRun(name, read_ledger(Path(given)), Path(given))
        for name, given in zip(names, folders, strict=True)
    )


def short_names(homes: Sequence[Path]) -> list[str]:
    """Return the shortest ends of paths that tell them apart; the same path twice has one name."""
    for length in range(1, max((len(home.parts) for home in homes), default=0) + 1):
        names = ["/".join(home.parts[-length:]).lstrip("/") for home in homes]
        if len({*names}) == len({*homes}):
            return names
    return [str(home) for home in homes]


def reopen(
    folder: str | Path, gold: str | Path | None = None, pred: str | Path | None = None
) -> Prepared:
    """Open a run folder again: the same plan and, if its inputs are as they were, the same pairs.

    `gold` and `pred` say where the inputs are now. What has changed is among the notes.
    """
    stored = stored_inputs(folder, gold=gold, pred=pred)
    return open_stored(stored)


def open_stored(stored: StoredInputs) -> Prepared:
    """Open the inputs of a run as it read them."""
    gold, pred = stored.inputs()
    options = replace(Options(**stored.args()), settings=stored.settings())
    prepared = open_run(gold, pred, options, plan=stored.header.plan)
    prepared.pairing.notes += stored.notes
    return prepared


class StoredValue(NamedTuple):
    """A wrong value that a run has kept, with its cause and the row that it stands in."""

    verdict: Verdict
    cause: str
    """"" where nobody has kept it."""
    row: str


def kept_values(folder: str | Path) -> Iterator[StoredValue]:
    """Yield the wrong values that a run has kept; what is no longer there has no cause."""
    place = Path(folder)
    file = (place if place.is_dir() else place.parent) / ERRORS
    wrong = (verdict for verdict in kept_verdicts(folder) if verdict.verdict != RIGHT)
    if not file.exists():
        yield from (StoredValue(verdict, "", _row_of(verdict)) for verdict in wrong)
        return
    csv.field_size_limit(sys.maxsize)  # a value may be as long as it likes
    with opening(file), file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        for verdict, row in zip_longest(wrong, rows):
            if verdict is None:
                return
            cause, named = "", _row_of(verdict)
            if row is not None and unguarded(row.get("field") or "") == verdict.field:
                cause, named = row.get("cause") or "", unguarded(row.get("row") or "")
            yield StoredValue(verdict, cause, named)


def _row_of(verdict: Verdict) -> str:
    path = verdict.pred_path if verdict.gold_path is None else verdict.gold_path
    return (path or "").rpartition(".")[0]


def stored_verdicts(folder: str | Path, document: str) -> list[Verdict]:
    """Return the verdicts of a document that the run has kept."""
    return [verdict for verdict in kept_verdicts(folder) if verdict.document == document]


def kept_verdicts(folder: str | Path) -> Iterator[Verdict]:
    """Yield all verdicts that a run has kept; that it has kept none is an error."""
    place = Path(folder)
    file = (place if place.is_dir() else place.parent) / VERDICTS
    if not file.exists():
        raise DataError("the run has kept no values", where=str(file), hint="score again")
    with opening(file), file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                members = msgspec.json.decode(line, type=dict[str, object])
                yield msgspec.convert([members[name] for name in Verdict._fields], Verdict)
            except (msgspec.MsgspecError, KeyError, UnicodeDecodeError):
                raise DataError("this is no verdict", where=f"{file}:{number}") from None
