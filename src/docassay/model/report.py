"""The report: scores with their addresses, problems, and what the numbers depend on."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar, overload

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.chart import LaterPicture, Picture
from docassay.model.problem import Problem, ResponseOutcome, Violation
from docassay.model.words import visible
from docassay.version import VERSION

if TYPE_CHECKING:
    import polars

_ADDRESS = re.compile(r"(?P<name>[^@\[\]]+)(?:@(?P<key>.*?))?(?:\[(?P<slice>[^\[\]]*)\])?")

FORMATS = ("table", "json", "csv", "markdown")
"""The forms that a report, and a study, can be rendered in."""
PAGE = "html"
"""The form of a report that is a page for browsers."""
OVERALL = "overall"
FIELD, GROUP = "field", "group"
SHARE, COUNT, RATE = "share", "count", "rate"
HIGHER, LOWER = "higher", "lower"
LAST = 1_000.0
"""The place of a column that nobody has placed."""


class CsvColumn(NamedTuple):
    """A column under a plain name, before all others, in the CSV file of a kind."""

    place: float
    head: str
    attribute: str = "value"
    """Of the score: its value, low, high or support."""


class SupportColumn(NamedTuple):
    """A column that shows what a score rests on."""

    place: float
    label: str
    unless: tuple[str, ...] = ()
    """Labels of columns beside which there is no room for this one."""


class ReadoutSpec(NamedTuple):
    """What a readout is: what its keys name, its unit, and where tables show it."""

    name: str
    kind: str = FIELD
    """What its key names: "field", "group", or any other noun."""
    unit: str = SHARE
    better: str | None = HIGHER
    """Whether "higher" or "lower" values are better, None where neither is."""
    label: str = ""
    """The head of its column."""
    column: float | None = LAST
    """Its place among the columns of its kind, left to right; None for no column."""
    support: SupportColumn | None = None
    unless: tuple[str, ...] = ()
    """Labels of columns beside which there is no room for this one."""
    csv: tuple[CsvColumn, ...] = ()
    listed: bool = False
    """Whether its overall value is listed though the metric has a headline or sections."""
    short: str = ""
    """A name by which it may be asked for without its metric, unique among all metrics."""
    meaning: str = ""
    """What it says, in words, beside its short name."""
    ordered: str = ""
    """The readout that counts the same in reading order, of one that counts in any."""


def hidden(*names: str, kind: str = FIELD, unit: str = COUNT) -> tuple[ReadoutSpec, ...]:
    """Return the specs of readouts that no table has a column for."""
    better = HIGHER if unit == SHARE else None
    return tuple(ReadoutSpec(name, kind, unit, better, column=None) for name in names)


def default_spec(name: str, value: float | int | None, kind: str = FIELD) -> ReadoutSpec:
    """Return what a readout is that its metric has not declared."""
    label = name.replace("_", " ")
    if isinstance(value, int):
        return ReadoutSpec(name, kind, COUNT, None, label)
    return ReadoutSpec(name, kind, label=label)


DRAWS = 1_000
"""How many draws of documents an interval is made of, unless another number is asked for."""
FEWEST = 5
"""Documents (or clusters) with something to count, below which a score has no interval."""
Interval = tuple[float, float] | str | None
"""The ends of an interval, why there is none in words, or None where there can be none."""


class LazyInterval:
    """The two ends of a 95 % interval, worked out when one of them is first read."""

    __slots__ = ("_interval", "_make")

    def __init__(self, make: Callable[[], Interval]) -> None:
        self._make: Callable[[], Interval] | None = make
        self._interval: Interval = None

    @classmethod
    def of(cls, low: float, high: float) -> LazyInterval:
        """Return the interval of two ends that are known."""
        return cls(lambda: (low, high))

    @property
    def ends(self) -> tuple[float, float] | None:
        """The low and the high end, None where there is no interval."""
        interval = self._worked_out()
        return None if isinstance(interval, str) else interval

    @property
    def reason(self) -> str:
        """Why there is no interval where there could be one, such as "too few documents"."""
        interval = self._worked_out()
        return interval if isinstance(interval, str) else ""

    def _worked_out(self) -> Interval:
        if self._make is not None:
            self._interval, self._make = self._make(), None
        return self._interval

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyInterval) and self.ends == other.ends

    def __hash__(self) -> int:
        return hash(self.ends)

    def __repr__(self) -> str:
        return f"LazyInterval({self.ends})"


NO_INTERVAL = LazyInterval(lambda: None)


class Score(NamedTuple):
    """One number of a report: `metric.readout@key[slice]`, its value and its n."""

    metric: str
    readout: str
    key: str
    slice: str
    value: float | int | None
    """None where there is nothing to count."""
    support: int
    interval: LazyInterval = NO_INTERVAL
    kind: str = OVERALL
    """What the key names, "overall" for none."""
    parts: tuple[str, ...] = ()
    """The key as data, where it is made of several."""

    @property
    def low(self) -> float | None:
        """The low end of its interval, None where there is none."""
        return None if self.interval.ends is None else self.interval.ends[0]

    @property
    def high(self) -> float | None:
        """The high end of its interval, None where there is none."""
        return None if self.interval.ends is None else self.interval.ends[1]

    @property
    def address(self) -> str:
        """The name by which the score is asked for."""
        key = f"@{self.key}" if self.key else ""
        part = f"[{self.slice}]" if self.slice else ""
        return f"{self.metric}.{self.readout}{key}{part}"

    @property
    def name(self) -> str:
        """The metric and the readout."""
        return f"{self.metric}.{self.readout}"

    def __repr__(self) -> str:
        """Return its address and value, with its interval where there is one."""
        shown = "undefined" if self.value is None else f"{self.value:.6g}"
        ends = self.interval.ends
        between = "" if ends is None else f" [{ends[0]:.4g}, {ends[1]:.4g}]"
        return f"Score({visible(self.address)} = {shown}{between}, support {self.support})"


COLUMNS = ("metric", "readout", "key", "slice", "value", "support", "low", "high", "kind")
"""What files and data frames have of a score."""


class HeadlineLine(NamedTuple):
    """A number that says how good the predictions are, with what it means."""

    label: str
    """"" for a line that continues the one before it: its meaning alone is shown."""
    readout: str
    """The readout of the metric that offers the line, `metric.readout` in a report."""
    meaning: str
    place: float = LAST
    """Its place among the lines of all metrics."""
    unless: tuple[str, ...] = ()
    """Labels of lines beside which this one says nothing new."""
    first: bool = False
    """Whether it belongs on the first screen."""


class CauseLine(NamedTuple):
    """A cause of corrections: how many values it makes wrong, and what fixing it would give."""

    name: str
    values: int
    gain: float
    """In points of the score that the headline begins with."""


Sentence = str | tuple[str, ...]
"""A sentence, or its pieces: words and names from documents take turns, words first."""


class SectionTable(NamedTuple):
    """A table of texts. A column holds names (n), words (l) or numbers (r)."""

    head: tuple[str, ...]
    rows: tuple[tuple[str | tuple[str, ...], ...], ...]
    """A cell may be a list of names."""
    sides: str


class Records(NamedTuple):
    """A CSV file: its name, what it holds in words, and its records."""

    name: str
    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | float | int | None, ...], ...]


class Section(NamedTuple):
    """What a metric has to say beyond single numbers, as plain data."""

    title: str
    above: tuple[Sentence, ...] = ()
    """Sentences above the tables."""
    tables: tuple[SectionTable, ...] = ()
    below: tuple[Sentence, ...] = ()
    """Sentences below them."""
    summary_only: bool = False
    """Whether it stands in the summary of a run folder alone."""
    records: Records | None = None


D = TypeVar("D")


class Details(NamedTuple):
    """What metrics have to say beyond single numbers."""

    sections: tuple[Section, ...] = ()
    make_pictures: Callable[[], tuple[Picture | LaterPicture, ...]] = tuple
    facts: Mapping[str, object] = MappingProxyType({})
    """Objects that the JSON report holds beside the scores, by name."""
    checklist: tuple[Section, ...] = ()
    """Numbers beside their thresholds: each sentence above the tables is a box to tick off."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """What charts show, worked out for those who draw them."""
        return tuple(
            picture if isinstance(picture, Picture) else picture.drawn
            for picture in self.make_pictures()
        )

    def drawings(self, kind: type[D]) -> Iterator[D]:
        """Yield what the charts of one kind show; others are not worked out."""
        for picture in self.make_pictures():
            if isinstance(picture, Picture):
                drawing: object = picture.drawing
            else:
                drawing = picture.make() if picture.kind is kind else None
            if isinstance(drawing, kind):
                yield drawing


MetaValue = float | str
"""What is kept beside a prediction: seconds, tokens, cost, or the name of a model."""
META_COLUMNS = (
    *("processing_time", "prompt_tokens", "completion_tokens", "tokens", "cost", "model"),
)
EMPTY_META: Mapping[str, MetaValue] = MappingProxyType({})


class DocumentLine(NamedTuple):
    """The overall readouts of one document, by address."""

    id: str
    type: str
    scores: Mapping[str, float | int | None]
    problems: int
    outcome: ResponseOutcome | None = None
    """What became of the raw response that pred was read from, None when it was none."""
    fields: Mapping[str, float | None] = MappingProxyType({})
    """The score of each field, by path, when a metric has one."""
    pred_type: str = ""
    """The document type that pred states, when a metric looks at types and the schema has any."""
    score: float | None = None
    """What the scores of its fields come to."""
    exact: bool | None = None
    """Whether the document is fully correct; None when no metric says."""
    meta: Mapping[str, MetaValue] = EMPTY_META
    """Processing time, tokens, cost and model of the prediction, as far as they are known."""


T_co = TypeVar("T_co", covariant=True)


class Remade(Sequence[T_co]):
    """A long list that is not held: its entries are made anew whenever somebody goes through it."""

    def __init__(self, make: Callable[[], Iterator[T_co]], number: int) -> None:
        """Take what gives the entries from the first on, and how many there are."""
        self._make, self._number = make, number

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[T_co]:
        return self._make()

    @overload
    def __getitem__(self, at: int) -> T_co: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, at: int | slice) -> T_co | tuple[T_co, ...]:
        if isinstance(at, slice):
            start, stop, step = at.indices(self._number)
            if step < 0:
                return tuple(self)[at]
            return tuple(islice(self, start, stop, step))
        number = at + self._number if at < 0 else at
        if not 0 <= number < self._number:
            raise IndexError(at)
        return next(islice(self, number, None))


DocumentValue = tuple[str, float | int | None]
"""A document's id with the value of one readout."""
DiffData = dict[str, object]
"""A document as a page shows it: rows side by side, with verdicts, as plain JSON."""


class KeptDiff(NamedTuple):
    """A document as a page shows it, packed, with what a list says about it."""

    id: str
    wrong: int
    """How many of its values."""
    fields: tuple[str, ...]
    causes: tuple[str, ...]
    verdicts: tuple[str, ...]
    packed: memoryview
    """Of the bytes that it came with: they are not copied."""
    line: DocumentLine | None = None
    """What a list of documents says of it, where that is at hand; no more than a list needs."""

    @property
    def json(self) -> bytes | memoryview:
        """Its DiffData as JSON."""
        plain = self.packed[:1].tobytes() == b"{"
        return self.packed if plain else zlib.decompress(self.packed)


Rank = tuple[float, int, str]
"""How bad a document is: the share of its values that are wrong, how many that are, its id."""


class KeptDiffs(NamedTuple):
    """Documents as pages show them: the worst first, of so many."""

    of: int
    read: Callable[[], Iterable[KeptDiff]]
    whole: bool = True
    """Whether they have all values; else the wrong ones alone were kept."""


NO_DIFFS = KeptDiffs(0, tuple)


class CurvePoint(NamedTuple):
    """One threshold for all values of a field, or of the run."""

    field: str
    tau: float | None
    """None: above every confidence."""
    auto_rate: float
    aligned: float | None
    error_rate: float | None
    """Wrong among unreviewed values."""
    touchless: float | None = None
    """Of the run only: the share of documents of which no value is reviewed."""
    touchless_right: float | None = None


@dataclass(frozen=True)
class Report:
    """Everything a run has to say. Renderings show it and compute nothing."""

    signature: str
    documents: int
    settings: Mapping[str, object]
    scores: tuple[Score, ...]
    problems: Sequence[Problem]
    """In gold order, first those of reading; of a large run they are read from disk."""
    about: str = ""
    """What types the values were compared by, for the first line of a screen."""
    notes: tuple[str, ...] = ()
    """Sentences a reader of the numbers must know, such as "no schema was given"."""
    outcomes: Mapping[str, int] = field(default_factory=dict)
    """How many raw responses were clean, repaired, partial or unparseable."""
    repairs: Mapping[str, int] = field(default_factory=dict)
    """How many of the repaired responses needed what, the most common first."""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of columns by which a key may be asked for, each with the field paths it stands for."""
    violations: Sequence[Violation] = ()
    """The rules of the schema that documents break, by document."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """What the JSON report has besides: what was left out, processing times, tokens, costs."""
    specs: Mapping[str, ReadoutSpec] = field(default_factory=dict)
    """What each readout is, by `metric.readout`."""
    headline: tuple[HeadlineLine, ...] = ()
    """The numbers that say how good the predictions are, in words."""
    causes: tuple[CauseLine, ...] = ()
    """Why values are wrong, by what fixing it would give, the most first."""
    spoken: frozenset[str] = frozenset()
    """Metrics that have a headline or sections: their overall scores are not listed as well."""
    make_lines: Callable[[], Sequence[DocumentLine]] = field(default=tuple, repr=False)
    make_details: Callable[[], Details] = field(default=Details, repr=False)
    make_values: Callable[[str], Iterable[DocumentValue]] | None = field(default=None, repr=False)
    make_curves: Callable[[], tuple[CurvePoint, ...]] = field(default=tuple, repr=False)
    diffs: KeptDiffs = field(default=NO_DIFFS, repr=False, compare=False)
    """Documents for a page, as far as they were kept."""
    version: str = VERSION

    @cached_property
    def lines(self) -> Sequence[DocumentLine]:
        """The overall readouts of each document in gold order, worked out when asked for."""
        return self.make_lines()

    def document_values(self, name: str) -> Iterable[DocumentValue]:
        """Return the overall value of each document for one `metric.readout`, without its line."""
        if self.make_values is not None:
            return self.make_values(name)
        return ((line.id, line.scores.get(name)) for line in self.lines)

    @cached_property
    def curves(self) -> tuple[CurvePoint, ...]:
        """What thresholds of confidence would leave unreviewed, where predictions state any."""
        return self.make_curves()

    @cached_property
    def details(self) -> Details:
        """The sections, pictures and facts of metrics, worked out when first asked for."""
        return self.make_details()

    @property
    def first_lines(self) -> tuple[HeadlineLine, ...]:
        """The lines of the headline for the first screen; all, where no metric has chosen any."""
        chosen = tuple(line for line in self.headline if line.first)
        return chosen or self.headline

    @cached_property
    def _by_address(self) -> Mapping[str, Score]:
        return {score.address: score for score in self.scores}

    def __getitem__(self, address: str) -> Score:
        """Return the score of an address such as `kieval.aligned@menu.nm`, or `aligned@menu.nm`."""
        score = self._find(address)
        if score is None:
            raise UnknownName("score", address, self._near(address))
        return score

    def _find(self, address: str) -> Score | None:
        address = self.whole(address)
        return self._by_address.get(address) or self._by_alias(address)

    def whole(self, address: str) -> str:
        """Return an address with its metric, if its name is a short one."""
        match = _ADDRESS.fullmatch(address)
        if match is None or match["name"] not in self._shorts:
            return address
        return f"{self._shorts[match['name']]}{address[match.end('name') :]}"

    @cached_property
    def _shorts(self) -> Mapping[str, str]:
        return {spec.short: name for name, spec in self.specs.items() if spec.short}

    def _by_alias(self, address: str) -> Score | None:
        """Return the score of an address that names a column instead of its field."""
        match = _ADDRESS.fullmatch(address)
        if match is None or match["key"] not in self.aliases:
            return None
        start, end = match.span("key")
        scores = [
            score
            for path in self.aliases[match["key"]]
            if (score := self._by_address.get(f"{address[:start]}{path}{address[end:]}"))
        ]
        return scores[0] if len(scores) == 1 else None

    def _near(self, address: str) -> list[str]:
        match = _ADDRESS.fullmatch(address)
        key = "" if match is None else match["key"] or ""
        if key in self.aliases:
            paths = {*self.aliases[key]}
            return [
                entry.address for entry in self.scores if entry.key in paths and not entry.slice
            ]
        if not key:
            names = [score.address for score in self.scores if not score.key and not score.slice]
            ends = [name for name in names if name.endswith(f".{address}")]
            return ends or [*self._shorts, *names]
        given, name = address.partition("@")[0], self.whole(address).partition("@")[0]
        own = [f"{given}@{entry.key}" for entry in self.scores if entry.name == name and entry.key]
        same = [score.address for score in self.scores if score.key == key and not score.slice]
        return own or same or [score.address for score in self.scores if not score.key]

    def __contains__(self, address: str) -> bool:
        return self._find(address) is not None

    def of(self, metric: str, *, key: str | None = None, part: str = "") -> Iterator[Score]:
        """Yield the scores of a metric, of one key or of all."""
        for score in self.scores:
            if score.metric == metric and score.slice == part and key in (None, score.key):
                yield score

    def to_frame(self, library: str = "polars") -> polars.DataFrame:
        """Return one row a score as a polars data frame (`library="pandas"` for that one)."""
        columns = {name: [getattr(score, name) for score in self.scores] for name in COLUMNS}
        columns["value"] = [None if v is None else float(v) for v in columns["value"]]
        if library not in ("polars", "pandas"):
            raise UnknownName("data frame library", library, ("pandas", "polars"))
        try:
            if library == "pandas":
                import pandas

                return pandas.DataFrame(columns)  # type: ignore[no-any-return]
            import polars

            return polars.DataFrame(
                columns,
                schema_overrides={
                    "low": polars.Float64,
                    "high": polars.Float64,
                    "value": polars.Float64,
                },
            )
        except ImportError:
            raise ConfigurationError(
                f"{library} is not installed",
                hint="pip install " + ("pandas" if library == "pandas" else "'docassay[frame]'"),
            ) from None
