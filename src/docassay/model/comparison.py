"""What comparing runs over the same gold comes to, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.model.report import KeptDiffs, ReadoutSpec, Score
from docassay.model.words import UNDEFINED, count, visible
from docassay.version import VERSION

BETTER, WORSE, TIED, EQUIVALENT = "better", "worse", "tied", "equivalent"
VERDICTS = (BETTER, WORSE, TIED, EQUIVALENT)
BROKEN, FIXED = "broken", "fixed"


class ComparedRun(NamedTuple):
    """One of the runs, with what its predictions cost."""

    name: str
    signature: str
    documents: int
    """How many it has scored; those that all runs have are compared."""
    spreads: Mapping[str, Mapping[str, float]] = {}
    """Of `timing` (seconds), `tokens` and `cost`, as far as predictions carry them: `documents`,
    `mean`, `median`, `p95`, `total`."""


class RunDifference(NamedTuple):
    """How far the score of a run lies from that of the run it is compared with.

    A positive value is better where more is better, a negative one where less is.
    """

    run: int
    """Which of the runs, counted from 0."""
    value: float | None
    low: float | None
    high: float | None
    """A 95 % interval of the difference."""
    p: float | None
    """Of the paired randomisation test."""
    p_adjusted: float | None
    """The same after Holm's correction over what was tested together."""
    verdict: str | None
    """One of VERDICTS; None where nothing was tested."""

    @property
    def words(self) -> str:
        """The verdict with the difference and its interval, "" where nothing was tested."""
        if self.verdict is None or self.value is None:
            return self.verdict or ""
        between = "" if self.low is None else f" [{self.low:+.4f}, {self.high:+.4f}]"
        return f"{self.verdict}, {self.value:+.4f}{between}"


class ComparedScore(NamedTuple):
    """One score of every run, and the differences from the run compared with."""

    scores: tuple[Score | None, ...]
    """One a run, over the documents compared; None where a run lacks it."""
    differences: tuple[RunDifference, ...]
    """One for each other run."""
    winner: int | None = None
    """The run that is better than all others or tied with none, by verdict; None for a tie."""

    @property
    def score(self) -> Score:
        """The score of the first run that has it."""
        return next(score for score in self.scores if score is not None)

    @property
    def values(self) -> tuple[float | int | None, ...]:
        """One value a run."""
        return tuple(None if score is None else score.value for score in self.scores)

    def __repr__(self) -> str:
        """Return its address with the value of each run and the verdicts."""
        values = ", ".join(
            "undefined" if value is None else f"{value:.6g}" for value in self.values
        )
        verdicts = "".join(
            f"; run {each.run}: {each.words}" for each in self.differences if each.words
        )
        return f"ComparedScore({visible(self.score.address)} = {values}{verdicts})"


class LeaderboardPlace(NamedTuple):
    """A place on the leaderboard; runs that a test cannot tell apart share it."""

    place: int
    run: int
    score: Score
    tied: tuple[int, ...] = ()
    """Other runs from which it cannot be told apart."""


class ComparedDocument(NamedTuple):
    """What became of one document: the headline score in each run."""

    id: str
    type: str
    values: tuple[float | None, ...]
    change: float
    """The largest difference from the run compared with, with its sign."""
    states: tuple[str, ...] = ()
    """One a run: broken (fully correct in the run compared with, not in this), fixed, or ""."""
    commands: tuple[str, ...] = ()
    """One a run: what explains the document there, "" where it cannot be."""


class ComparedCause(NamedTuple):
    """What a cause takes from the headline score in each run; the waterfall of their difference."""

    name: str
    values: tuple[int, ...]
    """Wrong values by this cause, one a run."""
    gains: tuple[float, ...]
    """Points of the headline score that fixing it would give, one a run."""
    differences: tuple[float, ...]
    """What it contributes to the difference of each other run: they sum to the differences."""


@dataclass(frozen=True)
class Comparison:
    """Runs over the same gold, side by side. Renderings show it and compute nothing."""

    runs: tuple[ComparedRun, ...]
    against: int
    """Which run the others are compared with."""
    documents_compared: int
    scores: tuple[ComparedScore, ...]
    headline: str
    """The address of the score that decides."""
    alpha: float = 0.05
    margin: float = 0.01
    standings: tuple[LeaderboardPlace, ...] = ()
    """The leaderboard by the headline score, the best first."""
    documents: tuple[ComparedDocument, ...] = ()
    """Those whose score differs or that were broken or fixed, the largest changes first."""
    causes: tuple[ComparedCause, ...] = ()
    """What explains the differences of the headline score, the most first."""
    leading: tuple[str, ...] = ()
    """The overall scores for the first screen, as `metric.readout`, in their order."""
    specs: Mapping[str, ReadoutSpec] = field(default_factory=dict)
    """What each readout is, by `metric.readout`."""
    notes: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    """What the JSON form has besides."""
    diffs: tuple[KeptDiffs, ...] = field(default=(), repr=False, compare=False)
    """For a page, one a run: the documents that changed, as far as the run has kept them."""
    version: str = VERSION

    def __getitem__(self, address: str) -> ComparedScore:
        """Return the score of an address such as `kieval.aligned@total`, or `aligned@total`."""
        addresses = {compared.score.address: compared for compared in self.scores}
        name, sign, rest = address.partition("@") if "@" in address else address.partition("[")
        shorts = {spec.short: whole for whole, spec in self.specs.items() if spec.short}
        whole = shorts.get(name, name) + sign + rest
        if whole not in addresses:
            raise UnknownName("score", address, addresses)
        return addresses[whole]

    def __repr__(self) -> str:
        """Return the headline score of each run with its verdict."""
        lines = [f"{self.headline} over {count(self.documents_compared, 'document')}"]
        entry = next((each for each in self.scores if each.score.address == self.headline), None)
        values = (None,) * len(self.runs) if entry is None else entry.values
        verdicts = {each.run: each.words for each in (entry.differences if entry else ())}
        for at, (run, value) in enumerate(zip(self.runs, values, strict=True)):
            words = "compared with" if at == self.against else verdicts.get(at) or "not tested"
            shown = UNDEFINED if value is None else f"{value:.4g}"
            lines.append(f"{visible(run.name)}: {shown} ({words})")
        return "\n".join(lines)
