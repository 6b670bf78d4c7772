"""What studies of metrics find: readouts that move, that go together, or that hang on a bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.model.problem import Problem
from docassay.version import VERSION

MOVES, STAYS, UNDEFINED = "moves", "does not move", "undefined"


class Movement(NamedTuple):
    """A readout of the predictions as they are, and over all repetitions with blocks shuffled."""

    metric: str
    readout: str
    before: float | int | None
    mean: float | None
    lowest: float | int | None
    highest: float | int | None
    deviation: float | None
    """The standard deviation over repetitions (divided by n - 1); None with fewer than two."""

    @property
    def address(self) -> str:
        """The name by which a report calls the readout."""
        return f"{self.metric}.{self.readout}"

    @property
    def change(self) -> float | None:
        """What shuffling adds to the readout, on average; exactly 0 when nothing moves."""
        if self.before is None or self.mean is None:
            return None
        return self.mean - self.before if self.word == MOVES else 0.0

    @property
    def word(self) -> str:
        """Whether any repetition differs from the readout before, in any digit."""
        values = {self.before, self.lowest, self.highest}
        if values == {None}:
            return UNDEFINED
        return STAYS if len(values) == 1 else MOVES

    @property
    def is_count(self) -> bool:
        """Whether the readout is a whole number of things rather than a share or a rate."""
        return isinstance(self.before, int)


class OrderGap(NamedTuple):
    """What counting in any order changes, beside counting the same in reading order."""

    metric: str
    free: str
    """The readout that counts in any order."""
    ordered: str
    """The readout that counts in reading order."""
    shuffled: bool
    """Whether the predictions were shuffled."""
    free_value: float
    ordered_value: float
    difference: float
    low: float | None
    high: float | None
    """The middle 95 % of the differences of drawn documents; None with too few of them."""
    p: float | None
    """How often a draw has a difference of the other sign, or none; two-sided."""

    @property
    def name(self) -> str:
        """Both readouts, the one in any order first."""
        return f"{self.metric}.{self.free} - {self.ordered}"


@dataclass(frozen=True, slots=True)
class ShuffleStudy:
    """Every overall readout before and after the blocks of the predictions are shuffled."""

    name: str
    """What the data set is called."""
    signature: str
    documents: int
    shuffled: int
    """The documents whose prediction has two blocks or more."""
    repetitions: int
    seed: int
    settings: Mapping[str, object]
    movements: tuple[Movement, ...]
    """What moves most first: shares and rates, then counts, then what does not move."""
    gaps: tuple[OrderGap, ...]
    """Readouts in any order against the same in reading order, as predicted and shuffled."""
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    version: str = VERSION

    def __getitem__(self, address: str) -> Movement:
        """Return what became of a readout, such as `ner.ecer`."""
        match = next((movement for movement in self.movements if movement.address == address), None)
        if match is None:
            raise UnknownName("readout", address, [movement.address for movement in self.movements])
        return match


@dataclass(frozen=True, slots=True)
class ShuffleStudies:
    """The same readouts of several data sets, before and after shuffling."""

    studies: tuple[ShuffleStudy, ...]
    version: str = VERSION

    @property
    def documents(self) -> int:
        """Those of all data sets."""
        return sum(study.documents for study in self.studies)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Those of all data sets."""
        return tuple(problem for study in self.studies for problem in study.problems)

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be said about each data set."""
        return tuple(f"{study.name}: {note}" for study in self.studies for note in study.notes)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every readout, those of the first data set in their order first."""
        names = (movement.address for study in self.studies for movement in study.movements)
        return tuple(dict.fromkeys(names))


class SweepPoint(NamedTuple):
    """What Nerval finds when an entity may differ by so much: in reading order, and in any."""

    threshold: float
    """The character error rate up to which two entities match."""
    nerval_precision: float | None
    nerval_recall: float | None
    nerval_f1: float | None
    oinerval_precision: float | None
    oinerval_recall: float | None
    oinerval_f1: float | None


@dataclass(frozen=True, slots=True)
class SweepStudy:
    """Nerval over all thresholds, overall or for one category."""

    signature: str
    documents: int
    category: str
    """The category asked for, "" for all."""
    points: tuple[SweepPoint, ...]
    """From perfect text (0) to tags alone (1)."""
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    version: str = VERSION


class FieldStatistics(NamedTuple):
    """How often a field has a value."""

    field: str
    group: str
    """The group that it belongs to, "" for a document's own fields."""
    type: str
    values: int
    documents: int
    """The documents that have at least one."""
    share: float
    """Of all documents."""
    most: int
    """In one document."""
    distinct: int

    @property
    def repeated(self) -> bool:
        """Whether a document has several values of it."""
        return self.most > 1


class GroupStatistics(NamedTuple):
    """How many rows of a group there are."""

    group: str
    rows: int
    documents: int
    share: float
    most: int


@dataclass(frozen=True, slots=True)
class DataStudy:
    """What the documents of a data set hold."""

    name: str
    signature: str
    documents: int
    pages: int | None
    """The last pages on which values stand, summed; None where no value says its page."""
    types: Mapping[str, int]
    """Documents by their type."""
    fields: tuple[FieldStatistics, ...]
    groups: tuple[GroupStatistics, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    version: str = VERSION

    @property
    def values(self) -> int:
        """All entities."""
        return sum(field.values for field in self.fields)


class Correlation(NamedTuple):
    """How two readouts go together over some points: documents of one or all runs, or runs."""

    scope: str
    """`documents` (of all runs), `run` (the documents of one) or `runs` (a point a run)."""
    run: str
    """The run, with scope `run`; else ""."""
    first: str
    second: str
    points: int
    """The points where both readouts are defined."""
    pearson: float | None
    pearson_p: float | None
    spearman: float | None
    spearman_p: float | None
    why: str = ""
    """Why the correlation is undefined, "" when it is not."""


@dataclass(frozen=True, slots=True)
class CorrelationStudy:
    """The correlations between readouts, pair by pair."""

    runs: tuple[str, ...]
    documents: int
    """Documents of all runs together."""
    readouts: tuple[str, ...]
    pairs: tuple[Correlation, ...]
    """By scope, and in the order of the readouts."""
    notes: tuple[str, ...]
    version: str = VERSION

    @property
    def tested(self) -> int:
        """The number of pairs with a value, so of p-values of either kind."""
        return sum(pair.pearson is not None for pair in self.pairs)

    @property
    def undefined(self) -> tuple[str, ...]:
        """The readouts that correlate with nothing over the documents, being constant or absent."""
        correlated = {
            name
            for pair in self.of("documents")
            if pair.pearson is not None
            for name in (pair.first, pair.second)
        }
        return tuple(name for name in self.readouts if name not in correlated)

    @property
    def scopes(self) -> tuple[tuple[str, str], ...]:
        """The (scope, run) of every set of points, in order."""
        return tuple(dict.fromkeys((pair.scope, pair.run) for pair in self.pairs))

    def of(self, scope: str, run: str = "") -> tuple[Correlation, ...]:
        """Return the pairs of one scope."""
        return tuple(pair for pair in self.pairs if (pair.scope, pair.run) == (scope, run))
