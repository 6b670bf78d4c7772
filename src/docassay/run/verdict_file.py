"""Keeping values of a run: `verdicts.jsonl` for programs, `errors.csv` for people.

`verdicts.jsonl` has a line a compared value, of the wrong ones or of all; `errors.csv` one a wrong
value, with why it is wrong and where it stands. Both are in the order of gold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from docassay.errors import UnknownName
from docassay.load.pairing import Paired
from docassay.matching.case import Case
from docassay.matching.verdicts import RIGHT, VerdictBlock, blocks
from docassay.metrics.causes.corrections import explained
from docassay.run.output import Cell, csv_line, new_file, writing

VERDICTS = "verdicts.jsonl"
ERRORS = "errors.csv"
CHOICES = ("none", "wrong", "all")
HEAD = ("document", "field", "row", "gold", "pred", "verdict", "cause", "reason", "where")


@contextmanager
def keeping_values(
    folder: Path, choice: str | None = None
) -> Iterator[Callable[[Case, Paired], None]]:
    """Give a function that keeps the values of a case; the files appear when all went well."""
    if choice is not None and choice not in CHOICES:
        raise UnknownName("choice of verdicts", choice, CHOICES)
    if choice == "none":
        for name in (VERDICTS, ERRORS):
            (folder / name).unlink(missing_ok=True)
        yield lambda case, pair: None
        return
    with ExitStack() as stack:
        with writing(folder):
            verdict_lines, error_lines = (
                stack.enter_context(new_file(folder / name)) for name in (VERDICTS, ERRORS)
            )
        error_lines.write(csv_line(HEAD).encode())
        yield partial(_keep, verdict_lines, error_lines, choice == "all")


def _keep(
    verdict_lines: BinaryIO, error_lines: BinaryIO, every: bool, case: Case, pair: Paired
) -> None:
    made = [*blocks(case, every=every)]
    for block in made:
        for verdict in block.verdicts:
            verdict_lines.write(msgspec.json.encode(verdict._asdict()) + b"\n")
    record = pair.pred or pair.gold
    for row in error_rows(case, made):
        # what UTF-8 cannot carry is written as its escape
        line = csv_line((*row, None if record is None else record.where))
        error_lines.write(line.encode("utf-8", "backslashreplace"))


def error_rows(case: Case, made: list[VerdictBlock]) -> Iterator[tuple[Cell, ...]]:
    """Yield the wrong values of a case as `errors.csv` has them, all but where they stand."""
    if all(entry.verdict == RIGHT for block in made for entry in block.verdicts):
        return
    causes = causes_by_row(case)
    for block in made:
        gold_row, pred_row = block.groups
        wrong = [entry for entry in block.verdicts if entry.verdict != RIGHT]
        place = block.pred if block.gold is None else block.gold
        for verdict, cause in zip(wrong, causes[id(gold_row), id(pred_row)], strict=True):
            yield (
                *(case.id, verdict.field, place, verdict.gold, verdict.pred),
                *(verdict.verdict, cause, verdict.reason),
            )


def causes_by_row(case: Case) -> Mapping[tuple[int, int], list[str]]:
    """Return the causes of wrong values by the ids of the two groups that they stand in."""
    # the corrections of two rows come in the order of their verdicts
    causes: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for fix in explained(case).corrections:
        causes[id(fix.pair.gold), id(fix.pair.pred)].append(fix.cause)
    return causes
