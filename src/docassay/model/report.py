"""The report: scores with their addresses, problems, and what the numbers depend on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.document import Problem, Violation
from docassay.version import VERSION

if TYPE_CHECKING:
    import polars

_ADDRESS = re.compile(r"(?P<name>[^@\[\]]+)(?:@(?P<key>.*?))?(?:\[(?P<slice>[^\[\]]*)\])?")


class Score(NamedTuple):
    """One number of a report: `metric.readout@key[slice]`, its value and what it rests on."""

    metric: str
    readout: str
    key: str
    slice: str
    value: float | int | None
    """None where there is nothing to count."""
    support: int
    low: float | None = None
    high: float | None = None

    @property
    def address(self) -> str:
        """The name by which the score is asked for."""
        key = f"@{self.key}" if self.key else ""
        part = f"[{self.slice}]" if self.slice else ""
        return f"{self.metric}.{self.readout}{key}{part}"


class DocumentLine(NamedTuple):
    """The overall readouts of one document, by address."""

    id: str
    type: str
    scores: Mapping[str, float | int | None]
    problems: int
    outcome: str = ""
    """What became of the raw response that pred was read from, "" when it was none."""
    fields: Mapping[str, float | None] = MappingProxyType({})
    """The accuracy of each field, by path, when the metric `fields` was measured."""
    pred_type: str = ""
    """The document type that pred states, when `fields` was measured and the schema has types."""


@dataclass(frozen=True)
class Report:
    """Everything a run has to say. Renderings show it and compute nothing."""

    signature: str
    documents: int
    settings: Mapping[str, object]
    scores: tuple[Score, ...]
    problems: tuple[Problem, ...]
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
    make_lines: Callable[[], tuple[DocumentLine, ...]] = field(default=tuple, repr=False)
    make_accuracies: Callable[[], Mapping[str, float]] = field(default=dict, repr=False)
    version: str = VERSION

    @cached_property
    def lines(self) -> tuple[DocumentLine, ...]:
        """The overall readouts of each document, worked out when first asked for."""
        return self.make_lines()

    @cached_property
    def accuracies(self) -> Mapping[str, float]:
        """The field accuracy of each document that has one, by id; `fields` makes them."""
        return self.make_accuracies()

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
        found = _ADDRESS.fullmatch(address)
        if found is None or found["key"] not in self.aliases:
            return None
        start, end = found.span("key")
        known = [
            score
            for path in self.aliases[found["key"]]
            if (score := self._by_address.get(f"{address[:start]}{path}{address[end:]}"))
        ]
        return known[0] if len(known) == 1 else None

    def _near(self, address: str) -> list[str]:
        found = _ADDRESS.fullmatch(address)
        key = "" if found is None else found["key"] or ""
        if key in self.aliases:
            paths = {*self.aliases[key]}
            return [one.address for one in self.scores if one.key in paths and not one.slice]
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
        columns = {name: [getattr(score, name) for score in self.scores] for name in Score._fields}
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
