"""The report: scores with their addresses, problems, and what the numbers depend on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.document import Problem
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
    make_lines: Callable[[], tuple[DocumentLine, ...]] = field(default=tuple, repr=False)
    version: str = VERSION

    @cached_property
    def lines(self) -> tuple[DocumentLine, ...]:
        """The overall readouts of each document, worked out when first asked for."""
        return self.make_lines()

    @cached_property
    def _by_address(self) -> Mapping[str, Score]:
        return {score.address: score for score in self.scores}

    def __getitem__(self, address: str) -> Score:
        """Return the score of an address such as `kieval.aligned` or `kieval.aligned@menu.nm`."""
        score = self._by_address.get(address)
        if score is None:
            raise UnknownName("score", address, self._near(address))
        return score

    def _near(self, address: str) -> list[str]:
        found = _ADDRESS.fullmatch(address)
        key = "" if found is None else found["key"] or ""
        same = [score.address for score in self.scores if score.key == key and not score.slice]
        return same or [score.address for score in self.scores if not score.key]

    def __contains__(self, address: str) -> bool:
        return address in self._by_address

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
