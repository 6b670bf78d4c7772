"""Formats: one module a file format, each a function from a path to a stream of records.

A loader yields a Record for each document and a Problem for each flaw it could step over, in file
order, and raises DataError or FileError only when nothing can be read at all. What a tree may hold
is described in docs/reference/formats.md: JSON objects, lists and leaves, numbers as `Number` when
they have a fraction or an exponent. A record whose tree is None could not be read, and a problem
before it says why.

A format may bring more than documents: the schema that stands beside them, settings that the names
of files imply, options that follow from a schema, and what counts besides a tree. These are hooks
of its `Format`, so that opening a run knows no format by name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import msgspec

from docassay.model.problem import Problem, ResponseOutcome
from docassay.model.schema import EMPTY, Schema
from docassay.registry import Extension, Registry
from docassay.schema.grouping import Flat

NO_TAGS: Mapping[str, str] = MappingProxyType({})


class Record(NamedTuple):
    """One document as found: its id, its plain JSON tree, where it stood, and its tags."""

    id: str | None
    """None when the file gives no ids: such records pair by position."""
    tree: object
    """None when the document could not be read."""
    where: str
    """File and line, or file."""
    tags: Mapping[str, str] = NO_TAGS
    outcome: ResponseOutcome | None = None
    """What became of a raw model response, None for other documents."""
    meta: Mapping[str, object] = EMPTY
    """What is known about the document and never scored: processing time, tokens, cost, model."""
    whole: object = None
    """What the file holds of the document, where the tree is only a part of it."""


class AnnotatedTree(dict[str, object]):
    """The tree of a document whose file says more than a tree can hold; formats subclass it."""

    __slots__ = ()

    @property
    def beside(self) -> tuple[object, ...]:
        """What counts besides the tree, as JSON values: it is part of the digest of a document."""
        return ()

    @property
    def loose_entities(self) -> Sequence[Flat] | None:
        """The entities that stand in no row, in the order of the file; None when unknown."""
        return None


class DescribedTree(AnnotatedTree):
    """The tree of a document that has a schema of its own, by the name it has in the plan."""

    __slots__ = ("schema_name",)

    def __init__(self, tree: Mapping[str, object], schema_name: str) -> None:
        super().__init__(tree)
        self.schema_name = schema_name

    @property
    def beside(self) -> tuple[object, ...]:
        """The name of the schema."""
        return (self.schema_name,)


class BroughtSchema(NamedTuple):
    """The schema that stands beside the documents of a format, and notes on how it is used."""

    schema: Schema
    notes: tuple[str, ...] = ()


class BroughtSettings(NamedTuple):
    """Settings (`format.option`) that the paths of a run imply, and notes that say so."""

    settings: Mapping[str, object] = EMPTY
    notes: tuple[str, ...] = ()


Loader = Callable[..., Iterator[Record | Problem]]
Sniffer = Callable[[Path, bytes], bool]
"""(path, first 64 KiB of the file or of the folder's first document) -> is it this format?"""
SchemaHook = Callable[[Path], BroughtSchema | None]
"""(path of gold) -> the schema that stands beside it."""
SettingsHook = Callable[[Path, Path], BroughtSettings]
"""(path of gold, path of pred) -> settings that hold unless the user gives others."""
OptionsHook = Callable[[Schema, object], Mapping[str, object]]
"""(schema, the schema as the user gave it or None) -> options of the loader."""
ProtocolHook = Callable[[Path], bool]
"""(path of gold) -> whether it holds the documents of a benchmark."""
L = TypeVar("L", bound=Loader)


@dataclass(frozen=True)
class Format(Extension):
    """A file format: how its documents are read, how it is recognised, and what it brings."""

    function: Loader
    sniff: Sniffer
    beside: tuple[str, ...] = ()
    """Names of files and folders that belong to the format and hold no documents."""
    schema: SchemaHook | None = None
    """Asked of gold's format when the user gives no schema."""
    settings: SettingsHook | None = None
    """Asked of gold's format when gold and pred are paths."""
    implied: OptionsHook | None = None
    """Asked when there is a schema; settings of the user go before it."""
    protocol: bool | ProtocolHook = False
    """Whether its documents are those of a benchmark, whose values count as text."""

    def keeps_text(self, path: Path) -> bool:
        """Whether values of a path count as text unless a schema is given."""
        return self.protocol if isinstance(self.protocol, bool) else self.protocol(path)


FORMATS: Registry[Format] = Registry(
    "format",
    "docassay.formats",
    {
        "json": "docassay.load.formats.json",
        "jsonl": "docassay.load.formats.json",
        "csv": "docassay.load.formats.csv",
        "parquet": "docassay.load.formats.parquet",
        "kieval-csv": "docassay.load.formats.kieval_csv",
        "cord": "docassay.load.formats.cord",
        "sroie": "docassay.load.formats.sroie",
        "funsd": "docassay.load.formats.funsd",
        "docile": "docassay.load.formats.docile",
        "label-studio": "docassay.load.formats.label_studio",
        "bio": "docassay.load.formats.bio",
        "tags": "docassay.load.formats.tags",
        "vrdu": "docassay.load.formats.vrdu",
        "response": "docassay.load.formats.response",
        "openai-batch": "docassay.load.formats.batch",
        "anthropic-batch": "docassay.load.formats.batch",
        "gemini-batch": "docassay.load.formats.batch",
        "azure-di": "docassay.load.formats.azure_di",
        "textract": "docassay.load.formats.textract",
        "document-ai": "docassay.load.formats.document_ai",
        "kleister": "docassay.load.formats.kleister",
    },
)


class Clue(NamedTuple):
    """What a file must hold to be worth showing to a sniffer: any of the words, or a pattern.

    They are looked for in its folder and name, a line end, and its beginning. `start` is a pattern
    at the very start of this, and `mark` one that stands anywhere.
    """

    words: tuple[bytes, ...] = ()
    start: bytes | None = None
    mark: bytes | None = None


CLUES: Mapping[str, Clue] = {
    "csv": Clue(start=rb".*\n\s*[^\s{[]"),
    "parquet": Clue(start=rb".*\nPAR1"),
    "kieval-csv": Clue(start=rb".*\n\s*[^\s{[]"),
    "cord": Clue((b"gt_parse",)),
    "sroie": Clue(start=rb".*\.(?i:txt|json)\n"),
    "funsd": Clue((b'"label"',)),
    "docile": Clue((b"_extractions", b"fieldtype")),
    "label-studio": Clue((b'"data"',)),
    # the hyphen first, because a search for a character is fast
    "bio": Clue(start=rb".*\.(?i:bio)\n", mark=rb"-(?<=[BIESLU]-)\S"),
    "tags": Clue(start=rb".*\.(?i:tags|txt)\n"),
    "vrdu": Clue(
        (
            *(b"few_shot-splits", b"dataset.jsonl", b"entity_name_to_match_func"),
            *(b"annotations", b"results"),
        )
    ),
    "response": Clue(
        (b"response", b"output", b"completion", b"generated_text"),
        start=rb".*\.(?i:txt|md|response|out)\n",
    ),
    "openai-batch": Clue((b'"custom_id"',)),
    "anthropic-batch": Clue((b'"custom_id"',)),
    "gemini-batch": Clue((b'"candidates"', b'"promptFeedback"', b'"error"', b'"request"')),
    "azure-di": Clue(
        (
            *(b"analyzeResult", b"analyze_result", b"analyzeresult", b"analyze_Result"),
            *(b"apiVersion", b"api_version", b"apiversion", b"api_Version"),
            *(b"modelId", b"model_id", b"modelid", b"model_Id", b"createdDateTime"),
        )
    ),
    "textract": Clue((b'"ExpenseDocuments"', b'"IdentityDocuments"', b'"Blocks"', b'"JobStatus"')),
    "document-ai": Clue((b'"entities"', b'"mimeType"', b'"textAnchor"')),
    "kleister": Clue(start=rb".*\.(?i:tsv)\n"),
}
"""It spares importing every format to recognise one; a format may lack a clue."""


def may_be(name: str, path: Path, head: bytes) -> bool:
    """Say whether a format is worth asking about a file."""
    clue = CLUES.get(name)
    if clue is None:
        return True
    place = f"{path.parent.name}/{path.name}".replace("\n", " ").encode("utf-8", "replace")
    text = place + b"\n" + head
    if clue.start is not None and re.match(clue.start, text):
        return True
    if any(word in text for word in clue.words):
        return True
    return clue.mark is not None and re.search(clue.mark, text) is not None


def format(
    name: str,
    *,
    sniff: Sniffer,
    beside: tuple[str, ...] = (),
    schema: SchemaHook | None = None,
    settings: SettingsHook | None = None,
    implied: OptionsHook | None = None,
    protocol: bool | ProtocolHook = False,
) -> Callable[[L], L]:
    """Register a loader: `def load(path, *, option=default) -> Iterator[Record | Problem]`.

    `beside` names files and folders that belong to the format and hold no documents. `schema`,
    `settings` and `implied` are what the format brings to a run besides documents. `protocol` says
    that it is the format of a benchmark: without a schema no types are guessed.
    """

    def register(function: L) -> L:
        FORMATS.add(Format(name, function, sniff, beside, schema, settings, implied, protocol))
        return function

    return register


SCHEMA_KEY = "schema"
"""What names, or holds, the schema of a document beside its record."""
_SCHEMA_FILES = (".yaml", ".yml", ".json")


def schema_beside(record: Record | Problem) -> str | Mapping[str, object] | None:
    """Return the schema that stands beside a record, as given; None when there is none.

    Among the fields themselves only the name of a schema file is taken for one.
    """
    if isinstance(record, Problem):
        return None
    given = record.meta.get(SCHEMA_KEY)
    # most trees are dictionaries, and asking for any mapping takes long
    if given is None and isinstance(record.tree, dict | Mapping):
        value = record.tree.get(SCHEMA_KEY)
        named = isinstance(value, str) and value.lower().endswith(_SCHEMA_FILES)
        given = value if named else None
    return given if given is not None and isinstance(given, str | Mapping) else None


def schema_name_of(given: str | Mapping[str, object]) -> str:
    """Return the name of a schema in the plan: that of its file, or a digest of its content."""
    if isinstance(given, str):
        return given
    data = msgspec.json.encode(given, enc_hook=str, order="deterministic")
    return f"inline {hashlib.blake2b(data, digest_size=8).hexdigest()}"


def described_records(records: Iterable[Record | Problem]) -> Iterator[Record | Problem]:
    """Yield the records, those with a schema beside them with its name."""
    for record in records:
        given = schema_beside(record)
        if isinstance(record, Problem) or given is None or not isinstance(record.tree, Mapping):
            yield record
            continue
        inside = record.meta.get(SCHEMA_KEY) is None
        tree = {key: v for key, v in record.tree.items() if not (inside and key == SCHEMA_KEY)}
        yield record._replace(tree=DescribedTree(tree, schema_name_of(given)))


def undescribed_records(records: Iterable[Record | Problem]) -> Iterator[Record | Problem]:
    """Yield the records of pred without the names of schemas among their fields."""
    for record in described_records(records):
        if isinstance(record, Record) and isinstance(record.tree, DescribedTree):
            yield record._replace(tree=dict(record.tree))
        else:
            yield record
