"""Keeping verdicts: one line of JSON a compared value, all of them or only what is wrong."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from docassay.errors import UnknownName
from docassay.matching.case import Case
from docassay.matching.verdicts import RIGHT, verdicts
from docassay.run.output import aside_of, open_aside, writing

VERDICTS = "verdicts.jsonl"
CHOICES = ("none", "wrong", "all")
ALL_UP_TO = 10_000


class VerdictFile:
    """Streams verdicts to a run folder; by default all up to 10,000 documents, then the wrong."""

    def __init__(self, folder: Path, choice: str | None) -> None:
        if choice is not None and choice not in CHOICES:
            raise UnknownName("choice of verdicts", choice, CHOICES)
        self._choice = choice
        self._path = folder / VERDICTS
        self._documents = 0
        self.notes: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        self._aside = aside_of(self._path)
        with writing(self._path):
            self._file = open_aside(self._aside)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        if kind is None and self._choice != "none":
            self._aside.replace(self._path)
        else:
            self._aside.unlink(missing_ok=True)

    def add(self, case: Case) -> None:
        """Write the verdicts of a case."""
        self._documents += 1
        if self._choice == "none":
            return
        every = self._choice == "all" or (self._choice is None and self._documents <= ALL_UP_TO)
        if self._choice is None and self._documents == ALL_UP_TO + 1:
            self.notes = (
                f"verdicts: after {ALL_UP_TO:,} documents only wrong values are kept "
                "(--verdicts all keeps every one)",
            )
        for verdict in verdicts(case):
            if every or verdict.verdict != RIGHT:
                self._file.write(msgspec.json.encode(verdict._asdict()) + b"\n")
