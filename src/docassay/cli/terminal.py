"""What commands share with the terminal: results, words, a progress bar, exit on requirements."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from docassay.cli.streams import send
from docassay.errors import EXIT_FINE, EXIT_REQUIREMENT
from docassay.model.problem import ProblemCode
from docassay.model.words import visible

if TYPE_CHECKING:
    from docassay.analysis.require import Requirement
    from docassay.model.report import Report
    from docassay.report.first_screen import Explain
    from docassay.report.screen import Screen

FOOTER = "-v all scores, --out DIR keep the run"
KEPT = "-v all scores, docassay report RUN --format json|csv|markdown other formats"
"""What the first screen ends with: of a run in memory, and of one that is kept."""
SHOWN_KINDS = 3
"""How many kinds of problem are described beside the first screen."""
PATIENCE = 1.0
"""Seconds of work after which a progress bar is welcome."""
BLINK = 0.1
"""Seconds between two updates of the bar."""


def emit(text: str) -> None:
    """Write a result to stdout."""
    send(sys.stdout, text)


def say(sentences: Iterable[str], *, quiet: bool = False) -> None:
    """Write messages to stderr, a line each."""
    for sentence in () if quiet else sentences:
        send(sys.stderr, visible(sentence))


def screen() -> Screen:
    """Return how stdout can be drawn on: its width, and colours only on a terminal."""
    from docassay.report.screen import PLAIN_WIDTH, Screen

    on_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns
    colour = on_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Screen(max(40, width), colour)


def show(
    report: Report,
    format: str,
    *,
    all_fields: bool = False,
    by: str | None = None,
    verbose: bool = False,
    explain: Explain | None = None,
    footer: str = "",
    quiet: bool = False,
    requirements: Sequence[Requirement] = (),
) -> None:
    """Write a report to stdout in a format: as a table its first screen, or all of it.

    The format junit has what becomes of the requirements instead.
    """
    if format == "junit":
        from docassay.analysis.gate import checked_requirements
        from docassay.report.gate import junit

        emit(junit(checked_requirements(report, requirements)))
        return
    if by is not None and {score.slice for score in report.scores} <= {"", f"{by}=(none)"}:
        say([f"no document has a {by}: there is one slice, {by}=(none)"])
    if format == "table":
        say([f"note: {note}" for note in report.notes], quiet=quiet)
    if format == "table" and not verbose:
        say(_problem_lines(report), quiet=quiet)
        from docassay.report.first_screen import render as draw_first

        drawn = draw_first(
            report, screen=screen(), explain=explain, footer=footer, all_fields=all_fields
        )
        emit(drawn)
    else:
        from docassay.report.rendering import render

        emit(render(report, format, screen=screen(), all_fields=all_fields))


def _problem_lines(report: Report) -> Iterator[str]:
    """Yield the most frequent problems that the first screen only counts, and where more are."""
    counted = [each for each in report.problems if each.code != ProblemCode.NO_PREDICTION]
    if not counted:
        return
    from docassay.report.problems import kinds, place

    groups = kinds(counted)
    for kind in groups[:SHOWN_KINDS]:
        many = f"{kind.number:,} × " if kind.number > 1 else ""
        more = ", …" if kind.number > 1 else ""
        yield f"problem: {many}{kind.side}: {kind.message} ({place(kind.first[0])}{more})"
    if len(counted) > len(groups) or groups[SHOWN_KINDS:]:
        yield f"-v lists all {len(counted):,} problems"


def settle(report: Report, requirements: Sequence[Requirement]) -> int:
    """Say which requirements are not met and return the exit code."""
    if not requirements:
        return EXIT_FINE
    from docassay.analysis.require import unmet

    failures = unmet(report, requirements)
    say([f"docassay: {failure}" for failure in failures])
    return EXIT_REQUIREMENT if failures else EXIT_FINE


@contextmanager
def progress(what: str, *, total: int | None = None, wanted: bool = True) -> Iterator[ProgressBar]:
    """Give what is told how many are done; work that takes long shows a bar on a terminal."""
    bar = ProgressBar(what, total, wanted=wanted and sys.stderr.isatty())
    try:
        yield bar
    finally:
        bar.close()


class ProgressBar:
    """How many are done, of how many, how fast and how long it will take."""

    def __init__(self, what: str, total: int | None, *, wanted: bool) -> None:
        self._what = what
        self._total = total
        self._begun = monotonic()
        self._next = self._begun + PATIENCE if wanted else float("inf")
        self._draw: Callable[[int], None] | None = None
        self.close: Callable[[], None] = lambda: None

    def expect(self, total: int) -> None:
        """Take how many there are in all."""
        self._total = total

    def __call__(self, done: int) -> None:
        """Take how many are done."""
        now = monotonic()
        if now < self._next:
            return
        self._next = now + BLINK
        if self._draw is None:
            self._open()
        if self._draw is not None:
            self._draw(done)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        words = TextColumn("{task.description}"), TextColumn("{task.fields[rate]} a second, left:")
        parts = (words[0], BarColumn(), MofNCompleteColumn(), words[1], Remaining())
        shown = Progress(*parts, console=Console(stderr=True), transient=True)
        task = shown.add_task(self._what, total=self._total, rate="")
        shown.start()

        def draw(done: int) -> None:
            rate = f"{done / max(monotonic() - self._begun, BLINK):,.0f}"
            shown.update(task, completed=done, total=self._total, rate=rate)

        self._draw = draw
        self.close = shown.stop
