"""Keeping values of a run: `verdicts.jsonl` for programs, `errors.csv` for people.

`verdicts.jsonl` has a line a compared value, of the wrong ones or of all; `errors.csv` one a wrong
value, with why it is wrong and where it stands. Both are in the order of gold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from docassay.errors import UnknownName
from docassay.kernel.judged import Causes, ValueTexts, causes_by_row
from docassay.load.pairing import Paired
from docassay.matching.case import Case
from docassay.matching.verdicts import VerdictBlock, blocks_of, wrong_blocks_of
from docassay.metrics.causes.corrections import explained
from docassay.run.output import csv_cell, csv_line, new_file, writing

VERDICTS = "verdicts.jsonl"
ERRORS = "errors.csv"
NONE, WRONG = "none", "wrong"
CHOICES = (NONE, WRONG, "all")
_encoder = msgspec.json.Encoder()
HEAD = ("document", "field", "row", "gold", "pred", "verdict", "cause", "reason", "where")


def _number(value: float) -> str:
    return _encoder.encode(value).decode()


_texts = ValueTexts(_number, csv_cell)


class CaseValues:
    """What became of the values of a case, worked out once for all files."""

    def __init__(self, case: Case, *, whole: bool = True) -> None:
        """Take a case, and whether more than its wrong values is asked for."""
        self.case = case
        self.whole = whole
        self._blocks: list[VerdictBlock] | None = None
        self._causes: Causes | None = None

    @property
    def blocks(self) -> list[VerdictBlock]:
        """Its rows with verdicts: of a whole case all rows, and all values but the same texts."""
        if self._blocks is None:
            judge([self])
            assert self._blocks is not None
        return self._blocks

    @property
    def causes(self) -> Causes:
        """Why values are wrong, by the ids of the two groups that they stand in."""
        if self._causes is None:
            self._causes = causes_of(self.case)
        return self._causes


def judge(every: Sequence[CaseValues]) -> None:
    """Work out what became of the values of cases, which all take a step together."""
    whole = [values for values in every if values.whole]
    others = [values for values in every if not values.whole]
    blocks = blocks_of([values.case for values in whole], same=False)
    blocks += wrong_blocks([values.case for values in others])
    for values, made in zip([*whole, *others], blocks, strict=True):
        values._blocks = made


def wrong_blocks(cases: Sequence[Case]) -> list[list[VerdictBlock]]:
    """Return the rows of cases in which values are wrong, with verdicts on these alone."""
    return wrong_blocks_of(cases, [explained(case).root for case in cases])


class ValueLines:
    """Makes the lines of both files for some cases after the other."""

    def __init__(self, choice: str) -> None:
        self._every = choice == "all"
        self._verdicts: list[str] = []
        self._errors: list[str] = []

    def add(self, every: Sequence[CaseValues], pairs: Sequence[Paired]) -> None:
        """Add the values of cases, which were made of these pairs."""
        if self._every:
            made = blocks_of([values.case for values in every])
        else:
            judge(every)
            made = [values.blocks for values in every]
        for values, own, pair in zip(every, made, pairs, strict=True):
            record = pair.pred or pair.gold
            where = None if record is None else record.where
            end = f"{csv_cell(where)}\n"  # which all of its values share
            lines = (self._verdicts, self._errors)
            _texts.add_lines(*lines, own, values.causes, self._every, end)

    def take(self) -> tuple[bytes, bytes]:
        """Return the lines so far of verdicts and of errors, and begin anew."""
        verdicts = "".join(self._verdicts).encode()
        # what UTF-8 cannot carry is written as its escape
        errors = "".join(self._errors).encode("utf-8", "backslashreplace")
        self._verdicts, self._errors = [], []
        return verdicts, errors


class ValueFiles:
    """The two files while a run goes on."""

    def __init__(self, verdicts: BinaryIO, errors: BinaryIO) -> None:
        self._verdicts, self._errors = verdicts, errors

    def write(self, verdicts: bytes, errors: bytes) -> None:
        """Append lines to both."""
        self._verdicts.write(verdicts)
        self._errors.write(errors)


@contextmanager
def keeping_values(folder: Path, choice: str = WRONG) -> Iterator[ValueFiles | None]:
    """Give what takes the lines of a run; the files appear when all went well."""
    if choice not in CHOICES:
        raise UnknownName("choice of verdicts", choice, CHOICES)
    if choice == NONE:
        for name in (VERDICTS, ERRORS):
            (folder / name).unlink(missing_ok=True)
        yield None
        return
    with ExitStack() as stack:
        with writing(folder):
            verdicts, errors = (
                stack.enter_context(new_file(folder / name)) for name in (VERDICTS, ERRORS)
            )
        errors.write(csv_line(HEAD).encode())
        yield ValueFiles(verdicts, errors)


def causes_of(case: Case) -> Causes:
    """Return the causes of wrong values by the ids of the two groups that they stand in."""
    # the mistakes in two rows come in the order of their verdicts
    found = explained(case)
    return causes_by_row(found.wrong, found.causes)
