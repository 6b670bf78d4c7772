"""What may be said about a run besides its gold and pred."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict

import msgspec

from docassay.errors import ConfigurationError, FileError, UnknownName
from docassay.model.report import DRAWS

Data = object
"""A file or folder, or documents in memory: `{id: tree}`, trees or `(id, tree)` in a list, a data
frame, an Arrow table, a data set, or one tree; a tree may be a Pydantic or other instance."""


LOCAL, DASK, RAY, SPARK = "local", "dask", "ray", "spark"
ENGINES = (LOCAL, DASK, RAY, SPARK)
ADDRESSES = {DASK: "dask=tcp://HOST:PORT", RAY: "ray=HOST:PORT"}
"""The engines that can be told where their cluster is, and how."""
MOST_WORKERS = 1024


class ReadingArgs(TypedDict, total=False):
    """Options that every call with gold and pred takes."""

    schema: object
    gold_format: str | None
    pred_format: str | None
    types: str
    id_key: str | None
    gold_id: str | None
    pred_id: str | None
    id_pattern: str | None
    gold_root: str | None
    pred_root: str | None
    map: Mapping[str, str] | str | Path | None
    ignore: Sequence[str] | None
    extra: str | None
    gold_patch: object
    source: object


class StudyArgs(ReadingArgs, total=False):
    """Options of studies that score."""

    metrics: Sequence[str] | None
    settings: Mapping[str, object] | None
    seed: int


class RunArgs(StudyArgs, total=False):
    """Options of a run that is reported and kept: every field of `Options`."""

    by: str | None
    cluster: str | None
    draws: int
    strict: bool
    out: str | Path | None
    verdicts: str | None
    keep_inputs: bool
    resume: bool
    checklist: bool
    charts: bool
    tag: Mapping[str, str] | Sequence[str] | str | None
    workers: int | None
    engine: object
    storage_options: Mapping[str, object] | str | Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that may be said about a run besides its gold and pred."""

    schema: object = None
    """In any form that `load_schema` takes; None: the one that gold brings, else by `types`."""
    gold_format: str | None = None
    pred_format: str | None = None
    """Names of formats; None: guessed from the content."""
    types: str = "auto"
    """Without a schema: `auto` guesses types from gold, `text` compares values as text."""
    id_key: str | None = None
    """The key that holds a document's id, on both sides."""
    gold_id: str | None = None
    pred_id: str | None = None
    """The key of an id on one side, as a dotted path."""
    id_pattern: str | None = None
    """A regular expression whose first group is the id that documents are paired by."""
    gold_root: str | None = None
    pred_root: str | None = None
    """Where the record stands in what a file holds, as a dotted path."""
    map: Mapping[str, str] | str | Path | None = None
    """Names of fields and groups in pred -> their names in gold, or a YAML file of such."""
    ignore: Sequence[str] | None = None
    """Fields that are left out on both sides; `*` stands for any characters."""
    extra: str | None = None
    """What becomes of fields that the schema does not name: `ignore` or `count`."""
    gold_patch: object = None
    """Decisions that are applied to gold while it is read: a file, or a list of them."""
    source: object = None
    """The text of the documents: a folder, a JSON lines file or a dict; None: beside records."""
    metrics: Sequence[str] | None = None
    settings: Mapping[str, object] | None = None
    """Options of metrics and formats, as `name.option`."""
    seed: int = 0
    by: str | None = None
    """A tag, or `type`: its values are scored apart as well."""
    cluster: str | None = None
    """A tag, or `type`: intervals draw all documents of one value together."""
    draws: int = DRAWS
    """How many draws of documents an interval is made of."""
    strict: bool = False
    """Whether the first problem in the data stops the run."""
    out: str | Path | None = None
    """The folder that keeps the run."""
    verdicts: str | None = None
    keep_inputs: bool = False
    """Whether gold and pred are copied into the folder."""
    resume: bool = False
    checklist: bool = False
    charts: bool = False
    tag: Mapping[str, str] | Sequence[str] | str | None = None
    """What the run itself is to be found by, as a dict or as texts `name=value`."""
    workers: int | None = None
    """How many processes score; None: all cores where there is enough to do, else this one."""
    engine: object = None
    """What runs the workers: `local`, `dask`, `ray` or `spark`, one at an address, or a client."""
    storage_options: Mapping[str, object] | str | Path | None = None
    """What is passed to the file systems of addresses: a dict, or a JSON file of one."""


class EngineName(NamedTuple):
    """An engine by its name, and the address of a cluster that runs already."""

    name: str
    address: str = ""


def check_engine(options: Options) -> None:
    """Refuse an engine or a number of workers that cannot be, before a document is read."""
    workers = options.workers
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise ConfigurationError(
            f"{workers} workers cannot work", hint=f"say a number from 1 to {MOST_WORKERS}"
        )
    if isinstance(options.engine, str):
        name_of(options.engine)


def name_of(engine: str) -> EngineName:
    """Return the engine that a text such as `dask=tcp://127.0.0.1:8786` stands for."""
    name, sign, address = engine.partition("=")
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES)
    if sign and (name not in ADDRESSES or not address):
        hint = f"write {' or '.join(ADDRESSES.values())}"
        raise ConfigurationError(f"engine {engine!r} has no address that can be used", hint=hint)
    return EngineName(name, address)


def reading_options(options: Options) -> dict[str, object]:
    """Return the options of reading that were given, as JSON holds them.

    A schema is named where it has a name; what it says is part of the plan.
    """
    given: dict[str, object] = {}
    default = Options()
    for name in ReadingArgs.__annotations__:
        value = getattr(options, name)
        if name == "gold_patch" and value is not None:
            from docassay.load.patch import load_patch

            # what was decided when the run was made: the file goes on growing
            value = load_patch(value).lines
        if name == "map" and isinstance(value, str | Path):
            value = renamings(options)
        if isinstance(value, Path):
            value = str(value)
        elif isinstance(value, Mapping) and name not in ("schema", "source"):
            value = dict(value)
        elif isinstance(value, list | tuple):
            value = [*value]
        if name == "source" and isinstance(value, str):
            value = os.path.abspath(value)
        in_memory = isinstance(value, dict) and name in ("schema", "source")
        plain = isinstance(value, str | list | dict) and not in_memory
        if plain and value != getattr(default, name):
            given[name] = value
    return given


def renamings(options: Options) -> Mapping[str, str]:
    """Return the names that fields of pred get, by the names they have."""
    if options.map is None or isinstance(options.map, Mapping):
        return options.map or {}
    if not isinstance(options.map, str | Path):
        raise ConfigurationError(
            f"map is a {type(options.map).__name__}",
            hint='give a dict {"name in pred": "name in gold"}, or a YAML file',
        )
    from docassay.load.renames import read_renames

    return read_renames(Path(options.map))


def storage_given(options: Options) -> dict[str, object]:
    """Return what is passed to the file systems of addresses, read from a file where it is one."""
    given = options.storage_options
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    try:
        return msgspec.json.decode(Path(given).read_bytes(), type=dict[str, object])
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(given)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"holds no storage options: {error}", where=str(given), hint='write {"key": "value"}'
        ) from None
