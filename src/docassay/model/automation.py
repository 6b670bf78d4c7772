"""What the automation trade-off of a run comes to: thresholds, what each way costs, and the curves.

A value whose confidence is at least the threshold of its field is left to the machine; all others
are reviewed by a person, who puts them right. A threshold of None reviews every value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.model.stats import ratio
from docassay.version import VERSION

GUARANTEED, NAIVE, BUDGET, CHEAPEST = "guaranteed", "naive", "budget", "cheapest"
NO_REVIEW, ALL_REVIEWED = "no review", "all reviewed"
BY = ("field", "all")
"""A threshold for each field, or one for all."""
DOCUMENTS, VALUES = INDEPENDENT = ("documents", "values")
"""What is taken to be independent of its like."""
ALL_FIELDS = ""
"""The name under which all fields together have one threshold, one curve, one calibration."""


class Prices(NamedTuple):
    """What it costs to look at a value, to put one right, and to miss a wrong one."""

    review: float
    correction: float
    missed: float


class Choice(NamedTuple):
    """The threshold of a field, chosen in one way, and what it does on the documents at hand."""

    way: str
    field: str
    threshold: float | None
    values: int
    """All predicted values of the field."""
    unreviewed: int
    wrong: int
    """Those that are wrong among the unreviewed."""
    tested: int | None = None
    """The values the guarantee rests on: at most one a document, unless values are independent."""
    bound: float | None = None
    """What the error rate among unreviewed values does not exceed."""
    more_documents: int | None = None
    """How many further documents might do; None when the target is met, or nobody can tell."""
    why: str = ""
    """Why the field has no threshold."""

    @property
    def auto_rate(self) -> float | None:
        """The share of the values that is left to the machine."""
        return ratio(self.unreviewed, self.values)

    @property
    def error_rate(self) -> float | None:
        """The share of the unreviewed values that is wrong."""
        return ratio(self.wrong, self.unreviewed)


class OperatingPoint(NamedTuple):
    """All fields under the thresholds of one way."""

    way: str
    auto_rate: float
    error_rate: float | None
    """Wrong among unreviewed values."""
    aligned: float | None
    """KIEval's score after the review."""
    touchless: float
    """The share of documents of which no value is reviewed."""
    touchless_right: float | None
    """The share of those that are wholly right."""
    cost: float | None
    """None without prices."""


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


class Calibration(NamedTuple):
    """Whether the confidences of a field mean what they say, and tell right from wrong."""

    field: str
    values: int
    without_confidence: int
    distinct: int
    """How many different confidences there are: values of equal confidence share their fate."""
    ece: float | None
    brier: float | None
    auroc: float | None
    area: float | None


class ReliabilityBin(NamedTuple):
    """The values of a tenth of the range of confidence."""

    field: str
    low: float
    high: float
    values: int
    confidence: float | None
    """The mean of those stated."""
    right: float | None
    """The share that is right."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The automation trade-off of a run."""

    signature: str
    documents: int
    values: int
    target_error: float
    confidence: float
    by: str
    independent: str
    budget: float | None
    prices: Prices | None
    choices: tuple[Choice, ...]
    """By way, and by field in each."""
    points: tuple[OperatingPoint, ...]
    curves: tuple[CurvePoint, ...]
    """The run first, then every field; from no review to all reviewed."""
    calibration: tuple[Calibration, ...]
    reliability: tuple[ReliabilityBin, ...]
    notes: tuple[str, ...]
    version: str = VERSION

    def of(self, way: str = GUARANTEED) -> Mapping[str, Choice]:
        """Return the choices of one way by field."""
        found = {one.field: one for one in self.choices if one.way == way}
        if not found:
            raise UnknownName("way", way, {one.way for one in self.choices})
        return found

    def thresholds(self, way: str = GUARANTEED) -> dict[str, float | None]:
        """Return the thresholds to deploy: field -> confidence from which none is reviewed."""
        return {field: one.threshold for field, one in self.of(way).items()}

    def __getitem__(self, field: str) -> Choice:
        """Return the guaranteed choice of a field."""
        found = self.of()
        if field not in found:
            raise UnknownName("field", field, found)
        return found[field]

    def point(self, way: str = GUARANTEED) -> OperatingPoint:
        """Return what all fields under the thresholds of a way come to."""
        found = {one.way: one for one in self.points}
        if way not in found:
            raise UnknownName("way", way, found)
        return found[way]

    def curve(self, field: str = ALL_FIELDS) -> tuple[CurvePoint, ...]:
        """Return the curve of a field, or of the run."""
        return tuple(one for one in self.curves if one.field == field)
