"""Writing a ledger: rows are appended aside, and a run that was cut off goes on with them."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from docassay.errors import ConfigurationError, DataError
from docassay.model.document import hash_of
from docassay.run.kept_parts import KeptFiles, KeptParts, digest_of
from docassay.run.ledger import (
    END,
    FORM,
    KEPT,
    KEPT_FILES,
    KEPT_PARTS,
    LEDGER,
    PART,
    PARTS,
    Columns,
    Header,
    PartStart,
    check_form,
    check_row,
    columns_of,
    encode_header,
    read_whole,
)
from docassay.run.output import locked, unwritable
from docassay.run.parts import NOTHING, Wanted
from docassay.run.plan import Plan
from docassay.run.rows import (
    LineKey,
    decode_row,
    decoded,
    encode_row,
    row_of,
    sealed,
    unsealed,
)
from docassay.run.score import Row
from docassay.run.store import RowFile

INDEX = "ledger.kept-index.npy"
FRESH = "score without --resume, or into another folder"
PLACES = 48
"""Bits of a place in a file; the number of the file stands above them."""


class KeptRows:
    """The rows of a run that was finished or cut off, found by id without being held.

    Its index has 16 bytes a row: a hash of the id, and the place of the row.
    """

    def __init__(self, folder: Path) -> None:
        """Open the rows that lie in a folder, by the index that a `LedgerWriter` has made."""
        import numpy as np

        self._hashes, self._places = np.load(folder / INDEX, mmap_mode="r")
        self._files = [file.open("rb") for file in _kept_files(folder)]

    def __len__(self) -> int:
        return len(self._hashes)

    def get(self, id: str) -> Row | None:
        """Return the row of a document, the latest where there are several."""
        line = self.line(id)
        return None if line is None else row_of(line)

    def line(self, id: str) -> bytes | None:
        """Return the line of a document's row, the latest where there are several."""
        import numpy as np

        wanted = np.uint64(hash_of(id))
        at = int(np.searchsorted(self._hashes, wanted, side="right"))
        while at and self._hashes[at - 1] == wanted:
            at -= 1
            place = int(self._places[at])
            file = self._files[place >> PLACES]
            file.seek(place & ((1 << PLACES) - 1))
            line = file.readline()
            if decoded(line, LineKey).id == id:
                return line
        return None

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()


def _kept_files(folder: Path) -> list[Path]:
    """Return the files with rows of earlier runs, what is younger later."""
    whole = folder / LEDGER
    numbers = sorted(int(file.stem.rpartition("-")[2]) for file in folder.glob(KEPT.format("*")))
    return [
        *([whole] if whole.exists() else []),
        *(folder / KEPT.format(number) for number in numbers),
    ]


class _Index:
    """Collects where the rows of earlier runs lie."""

    def __init__(self) -> None:
        self.hashes, self.places = array("Q"), array("Q")

    def add(self, id: str, file: int, place: int) -> None:
        self.hashes.append(hash_of(id))
        self.places.append(file << PLACES | place)

    def save(self, path: Path) -> None:
        import numpy as np

        hashes = np.array(self.hashes, dtype=np.uint64)
        order = np.argsort(hashes, kind="stable")  # of one id, the latest row stays last
        np.save(path, np.stack([hashes[order], np.array(self.places, dtype=np.uint64)[order]]))


class LedgerWriter:
    """Appends rows aside and gives the file its name at the end."""

    def __init__(self, folder: Path, plan: Plan, *, resume: bool) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self._plan = plan.to_json()
        self.kept: KeptRows | None = None
        self.parts: KeptParts | None = None
        if resume:
            self._keep_earlier()
        else:
            self._forget_kept()
        self.rows = self._new_part(sealed({"ledger": FORM, "plan": msgspec.Raw(self._plan)}))

    def _keep_earlier(self) -> None:
        """Set the rows aside of a run that was finished or cut off, if it had the same plan."""
        part, index = self.folder / PART, _Index()
        earlier = _kept_files(self.folder)
        for number, file in enumerate(earlier):
            if file.name == LEDGER:
                self._check_plan(read_whole(file, FRESH).header.plan.to_json(), file)
            self._index(file, number, index)
        if part.exists():
            self._index(part, len(earlier), index)
            last = earlier[-1].stem.rpartition("-")[2] if earlier else ""
            number = int(last) + 1 if last.isdigit() else 1
            if (self.folder / PARTS).exists():
                (self.folder / PARTS).replace(self.folder / KEPT_PARTS.format(number))
            part.replace(self.folder / KEPT.format(number))
        index.save(self.folder / INDEX)
        self.kept = KeptRows(self.folder)

    def _index(self, file: Path, number: int, index: _Index) -> None:
        """Check the rows of a file and note their places; the last line may be torn."""
        columns: Columns = {}
        place = 0
        with file.open("rb") as lines:
            for at, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    what = "the last line was cut off; its document is scored again"
                    self.notes.append(f"{file}: {what}")
                    return
                try:
                    if at == 1:
                        check_form(line)
                        head = decoded(unsealed(line), PartStart)
                        self._check_plan(bytes(head.plan), file)
                        columns = columns_of(Plan.from_json(self._plan))
                    elif not line.startswith(END):
                        row = decode_row(line)
                        check_row(row, columns)
                        index.add(row.id, number, place)
                except DataError as error:
                    raise DataError(error.what, where=f"{file}:{at}", hint=FRESH) from None
                place += len(line)

    def _check_plan(self, plan: bytes, file: Path) -> None:
        if plan != self._plan:
            raise ConfigurationError(
                "the earlier run measured something else", where=str(file), hint=FRESH
            )

    def _new_part(self, line: bytes) -> RowFile:
        """Return a new file of rows with its first line."""
        path = self.folder / PART
        aside = self.folder / (PART + ".new")
        aside.write_bytes(line)
        aside.replace(path)
        file = path.open("r+b")
        file.seek(0, os.SEEK_END)
        return RowFile(file)

    def begin(self, header: Header, wanted: Wanted = NOTHING) -> None:
        """Put a header before the first row whose digests of the inputs are not known yet.

        Parts are kept from now on, and given back if they are of a run with the same header of
        whose documents the same was wanted.
        """
        self.rows.file.close()
        line = encode_header(header)
        self.rows = self._new_part(line)
        run = digest_of(line, msgspec.json.encode(wanted))
        self.parts = KeptParts(self.folder / PARTS, run, self.rows, self._kept_parts())

    def _kept_parts(self) -> list[KeptFiles]:
        """Return the files of runs that were cut off which have parts beside their rows."""
        files = [KeptFiles(file, file.with_suffix(".bin")) for file in _kept_files(self.folder)]
        return [kept for kept in files if kept.parts.exists()]

    def add(self, row: Row) -> None:
        """Append a row."""
        self.rows.append(encode_row(row))

    def finish(self, header: Header) -> Path:
        """Complete the header, add the end and give the ledger its name."""
        rows, line = self.rows, encode_header(header)
        if len(line) != rows.start:
            rows = self.rows = self._with_header(line)
        digest = rows.digest.copy()
        digest.update(line)
        rows.file.write(sealed({"rows": rows.number, "digest": digest.hexdigest()}))
        rows.file.flush()
        rows.file.seek(0)
        rows.file.write(line)
        rows.file.flush()
        os.fsync(rows.file.fileno())
        final = self.folder / LEDGER
        (self.folder / PART).replace(final)
        self._forget_kept()
        if self.parts is not None:
            self.parts.close()
        (self.folder / PARTS).unlink(missing_ok=True)
        return final

    def _with_header(self, line: bytes) -> RowFile:
        """Return the rows in a file whose header has another length than the one begun with."""
        before = self.rows
        lines = before.rows().lines()
        moved = self._new_part(line)
        for row in lines:
            moved.append(row)
        before.file.close()
        return moved

    def _forget_kept(self) -> None:
        for file in self.folder.glob(KEPT_FILES):
            file.unlink(missing_ok=True)

    def close(self) -> None:
        """Leave what was written so far for a later resume."""
        self.rows.file.close()
        if self.kept is not None:
            self.kept.close()
        if self.parts is not None:
            self.parts.close()


@contextmanager
def writing(folder: Path, plan: Plan, *, resume: bool) -> Iterator[LedgerWriter]:
    """Open a run folder for one writer at a time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None
    with locked(folder):
        writer = LedgerWriter(folder, plan, resume=resume)
        try:
            yield writer
        finally:
            writer.close()
