"""What is reported about the data as data: problems with codes, broken rules, raw responses."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class ProblemCode(StrEnum):
    """The kind of a problem: stable, so that a program need not look into messages."""

    NO_PREDICTION = "no-prediction"
    """A gold document has no prediction: all its values count as missed."""
    NO_GOLD = "no-gold"
    """A prediction has no gold document and is not scored."""
    DUPLICATE_ID = "duplicate-id"
    """An id occurs twice on one side: the first document is kept."""
    NO_ID = "no-id"
    """A record has no id where the others have one: it is left out."""
    UNREADABLE_RECORD = "unreadable-record"
    """A record is not in its format (broken JSON, not an object, empty, nested too deeply)."""
    BROKEN_LINE = "broken-line"
    """A line or a row of a table does not have the expected form."""
    BROKEN_ENTRY = "broken-entry"
    """A part of a record (an entity, a region, a candidate) cannot be used as it is."""
    DUPLICATE_KEY = "duplicate-key"
    """A key occurs twice in one JSON object: the last one is kept."""
    CONSTANT = "constant"
    """NaN or Infinity, which JSON does not have: read as text."""
    ENCODING = "encoding"
    """Bytes or characters that are not valid Unicode: read in another encoding, or replaced."""
    NO_TEXT = "no-text"
    """A record holds no text under the keys of raw responses: it counts as empty."""
    PARTIAL_RESPONSE = "partial-response"
    """A part of a raw response could not be read."""
    UNPARSEABLE_RESPONSE = "unparseable-response"
    """No record was found in a raw response: it counts as empty."""
    UNREAD_FILE = "unread-file"
    """Files of a folder that were not read or not scored."""
    SPLIT = "split"
    """A split that cannot be used as it is, or that names documents which do not exist."""
    LEFT_OUT = "left-out"
    """A document that cannot take part in what was asked for."""
    UNREADABLE_VALUE = "unreadable-value"
    """A text is not of its field's type: it is equal only to the same text."""
    UNKNOWN_TYPE = "unknown-type"
    """A document states a type that the schema does not have, or none."""
    UNLISTED_FIELD = "unlisted-field"
    """A field that the document's type does not list: it is not scored."""
    CONFIDENCE_RANGE = "confidence-range"
    """A confidence outside 0..1: the nearer end is used."""
    LEAF_MARK = "leaf-mark"
    """A confidence, page or box that is not a number: it is ignored."""
    ALTERNATIVES = "alternatives"
    """An `any_of` that is in the prediction, or that lists more than plain values."""
    OTHER_SHAPE = "other-shape"
    """Gold has values where pred has objects under one name, or the reverse: none can be equal."""
    UNKNOWN_LABEL = "unknown-label"
    """`labelled` of a gold document names a field that the schema does not have."""
    PATCH = "patch"
    """A line of a gold patch that cannot be read or does not fit gold: gold stays as it is."""
    META = "meta"
    """A processing time, a number of tokens or a cost that cannot be read: it is left out."""
    SHAPE = "shape"
    """A record that is not an object, or that is nested too deeply: that part counts as empty."""
    GROUPING = "grouping"
    """Values that could not be assigned to rows."""
    METRIC_LIMIT = "metric-limit"
    """A document is too large for a limit of a metric: it has not every score."""
    NO_SOURCE = "no-source"
    """The text of a document is missing, empty or cannot be read: no value is looked for in it."""
    METRIC_INPUT = "metric-input"
    """Parts of a document that a metric cannot take into account."""


class Problem(NamedTuple):
    """A flaw in the data that was counted instead of stopping the run."""

    code: ProblemCode
    document: str
    """The document's id, or "" for a file as a whole."""
    side: str
    """"gold" or "pred"."""
    field: str
    """The field path, or ""."""
    message: str
    where: str | None = None
    """File and line, when known."""


class Remark(NamedTuple):
    """A problem of a text or tree whose document is not known yet."""

    code: ProblemCode
    message: str


class Violation(NamedTuple):
    """A rule of the schema that one side of a document breaks."""

    document: str
    side: str
    """"gold" or "pred"."""
    rule: str
    message: str


CLEAN, REPAIRED, PARTIAL, UNPARSEABLE = "clean", "repaired", "partial", "unparseable"
OUTCOMES = (CLEAN, REPAIRED, PARTIAL, UNPARSEABLE)
"""What may become of a raw model response, from best to worst."""


TRUNCATED = "truncated"
"""What an extraction says of an answer that a limit of tokens cut off."""


class Repair(NamedTuple):
    """One thing that was done to read a raw response, or the reason why it could not be read."""

    kind: str
    subject: str = ""
    """What it was done to (a key, a number of brackets), "" when the kind says it all."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject}" if self.subject else self.kind


class ResponseOutcome(NamedTuple):
    """What became of a raw model response."""

    kind: str
    """One of OUTCOMES."""
    repairs: tuple[Repair, ...] = ()

    @property
    def summary(self) -> str:
        """The outcome and what was done: `repaired: single quotes, trailing comma`."""
        return CLEAN if self.kind == CLEAN else f"{self.kind}: {', '.join(map(str, self.repairs))}"
