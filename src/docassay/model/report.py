"""The report: scores with their addresses, problems, and what the numbers depend on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.chart import Picture
from docassay.model.problem import Problem, ResponseOutcome, Violation
from docassay.version import VERSION

if TYPE_CHECKING:
    import polars

_ADDRESS = re.compile(r"(?P<name>[^@\[\]]+)(?:@(?P<key>.*?))?(?:\[(?P<slice>[^\[\]]*)\])?")


OVERALL = "overall"
FIELD, GROUP = "field", "group"
SHARE, COUNT = "share", "count"
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


class Score(NamedTuple):
    """One number of a report: `metric.readout@key[slice]`, its value and its n."""

    metric: str
    readout: str
    key: str
    slice: str
    value: float | int | None
    """None where there is nothing to count."""
    support: int
    low: float | None = None
    high: float | None = None
    kind: str = OVERALL
    """What the key names, "overall" for none."""
    parts: tuple[str, ...] = ()
    """The key as data, where it is made of several."""

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


COLUMNS = Score._fields[:-1]
"""What files and data frames have of a score."""


class HeadlineLine(NamedTuple):
    """A number that says how good the predictions are, with what it means."""

    label: str
    readout: str
    """The readout of the metric that offers the line, `metric.readout` in a report."""
    meaning: str
    place: float = LAST
    """Its place among the lines of all metrics."""
    unless: tuple[str, ...] = ()
    """Labels of lines beside which this one says nothing new."""


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


class Details(NamedTuple):
    """What metrics have to say beyond single numbers."""

    sections: tuple[Section, ...] = ()
    pictures: tuple[Picture, ...] = ()
    facts: Mapping[str, object] = MappingProxyType({})
    """Objects that the JSON report holds beside the scores, by name."""
    checklist: tuple[Section, ...] = ()
    """Numbers beside their thresholds: each sentence above the tables is a box to tick off."""


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


@dataclass(frozen=True)
class Report:
    """Everything a run has to say. Renderings show it and compute nothing."""

    signature: str
    documents: int
    settings: Mapping[str, object]
    scores: tuple[Score, ...]
    problems: tuple[Problem, ...]
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
    violations: tuple[Violation, ...] = ()
    """The rules of the schema that documents break, by document."""
    specs: Mapping[str, ReadoutSpec] = field(default_factory=dict)
    """What each readout is, by `metric.readout`."""
    headline: tuple[HeadlineLine, ...] = ()
    """The numbers that say how good the predictions are, in words."""
    spoken: frozenset[str] = frozenset()
    """Metrics that have a headline or sections: their overall scores are not listed as well."""
    make_lines: Callable[[], tuple[DocumentLine, ...]] = field(default=tuple, repr=False)
    make_details: Callable[[], Details] = field(default=Details, repr=False)
    version: str = VERSION

    @cached_property
    def lines(self) -> tuple[DocumentLine, ...]:
        """The overall readouts of each document, worked out when first asked for."""
        return self.make_lines()

    @cached_property
    def details(self) -> Details:
        """The sections, pictures and facts of metrics, worked out when first asked for."""
        return self.make_details()

    @cached_property
    def _by_address(self) -> Mapping[str, Score]:
        return {score.address: score for score in self.scores}

    def __getitem__(self, address: str) -> Score:
        """Return the score of an address such as `kieval.aligned` or `kieval.aligned@menu.nm`."""
        score = self._by_address.get(address) or self._by_alias(address)
        if score is None:
            raise UnknownName("score", address, self._near(address))
        return score

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
        same = [score.address for score in self.scores if score.key == key and not score.slice]
        return same or [score.address for score in self.scores if not score.key]

    def __contains__(self, address: str) -> bool:
        return address in self._by_address or self._by_alias(address) is not None

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
                f"{library} is not installed", hint="pip install 'docassay[frame]'"
            ) from None
