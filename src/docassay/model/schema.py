"""The schema: what fields a document has, what their values are, and how rows pair up.

Plain data: it knows no reader and no comparator, only their names. Reading one from YAML, JSON
Schema or Pydantic, inferring and checking it live in `docassay.schema`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

MATCHES = ("best", "order", "set")
METHODS = ("exact", "anls", "f1", "order_aware_f1", "kieval_cost", "correlation_f1")
"""What the `fields` metric can score a field by."""
GROUPINGS = ("repetition", "slots", "position", "ids")
DATE_ORDERS = ("day-first", "month-first")
EXTRAS = ("ignore", "count")
MISSING = ("absent", "unlabelled")
EMPTY: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Field:
    """One field: the type of its values, when two of them are equal, and what it weighs."""

    path: str
    """The path without indices: `total`, `menu.nm`."""
    type: str = "exact"
    options: Mapping[str, object] = field(default_factory=lambda: EMPTY)
    """Options of the type's reader and comparator, as given."""
    compare: str | None = None
    """A comparator other than the type's own."""
    accept: float = 1.0
    """The similarity from which two values are equal."""
    weight: float = 1.0
    """What the field counts in readouts named weighted_*."""
    match: str = "best"
    """How several values pair up: `best` (one to one), `order` (by position) or `set`."""
    split: bool = True
    """Whether " | " separates several values in a text (`list: false` says no)."""
    category: str | None = None
    aliases: tuple[str, ...] = ()
    """Other keys under which the field may stand."""
    repeated: bool | None = None
    """Whether a document may hold several (metric `vrdu`); None: as the document has it."""
    floor: float | None = None
    """The similarity below which the `fields` metric gives no credit; None: as its comparator."""
    method: str | None = None
    """How the `fields` metric scores this field; None: as the run does."""
    required: bool = False
    """Whether a document, or a row, must have a value of it (metric `valid`)."""
    description: str = ""
    """What it is in words, for whoever extracts it; it shapes prompts and no score."""


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """A group type: its fields, the groups inside it, and how its rows pair up."""

    path: str
    fields: tuple[Field, ...] = ()
    groups: tuple[GroupSpec, ...] = ()
    match: str = "best"
    """`best` (assignment), `order` (row by row), `set` (duplicates count once) or `key`."""
    key: str | None = None
    """With match `key`: the path of the field whose equal values pair rows."""
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Field path -> name of the document field that holds this column as a " | " list."""
    section: bool = False
    """An object that only bundles fields of the enclosing group."""
    aliases: tuple[str, ...] = ()
    grouping: str | None = None
    """How values of its fields that stand outside any row are put into rows; None: not at all."""
    group_id: str | None = None
    """With grouping `ids`: the key beside a value that names its row."""
    required: bool = False
    """Whether a document, or the row around it, must have a row of it (metric `valid`)."""
    description: str = ""
    """What its rows are in words, for whoever extracts them; it shapes prompts and no score."""


@dataclass(frozen=True, slots=True)
class DocumentType:
    """A kind of document: which fields count for it. The gold document's type decides."""

    name: str
    aliases: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    """Field paths, column names and group names that count."""
    unscored: tuple[str, ...] = ()
    """Fields that leave all metrics but stay for consistency checks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold inside every document, gold or pred: `sum(line_items.total) == TOTAL`."""

    check: str
    """The expression as written."""
    name: str = ""
    """What reports call the rule; "" for the expression itself."""
    when: str = ""
    """Another expression without which the rule does not apply."""
    types: tuple[str, ...] = ()
    """The document types it applies to; () for all."""
    tolerance: float | None = None
    """How far apart equal figures may be; None: half a cent for money, nothing for others."""
    relative: float = 0.0
    """The same as a share of the greater of the two."""

    @property
    def title(self) -> str:
        """What reports call the rule."""
        return self.name or self.check


@dataclass(frozen=True, slots=True)
class Schema:
    """What is known about a corpus of documents."""

    name: str = ""
    fields: tuple[Field, ...] = ()
    groups: tuple[GroupSpec, ...] = ()
    types: tuple[DocumentType, ...] = ()
    type_field: str = "DOCUMENT_TYPE"
    """The field that names a document's type."""
    absent: tuple[str, ...] = ()
    """Texts that mean "no value", in any case, beside the empty text and NOT_FOUND."""
    dates: str = "day-first"
    """What an ambiguous 03/04/2025 means."""
    currency: str | None = None
    """The currency that a shared sign ($, kr, ¥) stands for."""
    rules: tuple[Rule, ...] = ()
    """What must hold inside a document, whether it is gold or pred."""
    extra: str = "ignore"
    """What becomes of fields that the schema does not name: `ignore` or `count`."""
    missing: str = "absent"
    """What a key that gold lacks means: `absent` (not in the document) or `unlabelled`."""
    unnamed: str = "exact"
    """The type of fields that the schema does not name; `text` where types were guessed."""
