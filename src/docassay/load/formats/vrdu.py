"""Format vrdu: data sets and predictions in the layout of the VRDU benchmark.

A data set is a folder with main/dataset.jsonl (or .gz), main/meta.json and few_shot-splits/. Its
lines are read one by one, and the words of the pages, most of a line, are skipped. Predictions are
one JSON file a split. Predicted components stand alone there and are put into rows here. The
released toolkit counts by the order, the boxes and the segments of items, which a tree does not
keep: they stay beside it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec

from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.load.entities import Shaped, lone_entities, shape
from docassay.load.files import files, numbered_lines, read_bytes
from docassay.load.format import AnnotatedTree, BroughtSchema, BroughtSettings, Record, format
from docassay.load.records import Records, flaw, unreadable
from docassay.load.wire import decode, encode, member_names
from docassay.model.document import Number
from docassay.model.problem import ProblemCode, Remark
from docassay.model.schema import EMPTY, GROUPINGS, Schema
from docassay.schema.grouping import Flat
from docassay.schema.other_forms import (
    FUNCTIONS_KEY,
    PATTERNS_KEY,
    REPEATED,
    UNREPEATED,
    explain_meta,
    known_functions,
)

DATASETS = ("dataset.jsonl", "dataset.jsonl.gz")
MAIN, META, SPLITS = "main", "meta.json", "few_shot-splits"
PREDICTIONS = "-test_predictions.json"
"""What follows the name of a split in that of a file of predictions for it."""
WAYS = tuple(way for way in GROUPINGS if way != "ids")
"""Ways of grouping; the files have no place for ids of rows."""
NO_GROUPS: Mapping[str, str] = MappingProxyType({})


class VrduDocument(AnnotatedTree):
    """The tree of a document, with gold's annotations or a prediction's results as found."""

    __slots__ = ("_words", "items_as_found", "meta")

    def __init__(
        self,
        tree: Mapping[str, object],
        items_as_found: Sequence[object],
        meta: Mapping[str, object] | None = None,
        words: bytes | None = None,
    ) -> None:
        super().__init__(tree)
        self.items_as_found = items_as_found
        """The JSON list of dataset.jsonl (`annotations`) or of a prediction file (`results`)."""
        self.meta = meta
        """The content of meta.json, on gold documents of a data set that has one."""
        self._words = words

    @property
    def ocr(self) -> object:
        """The words of the pages with their boxes, None unless the format was told to keep them."""
        return None if self._words is None else msgspec.json.decode(self._words)

    @property
    def beside(self) -> tuple[object, ...]:
        """The items as found and the meta.json, by which the released toolkit counts."""
        return (self.items_as_found, self.meta)

    @property
    def loose_entities(self) -> Sequence[Flat] | None:
        """The items that are no rows; None of gold, whose components stand in rows."""
        return lone_entities(self.items_as_found) if self.meta is None else None


class _DatasetLine(msgspec.Struct):
    """What counts of a line of dataset.jsonl."""

    filename: object = None
    annotations: object = None


class _LineWithWords(_DatasetLine):
    """The same with the words of the pages, still as JSON."""

    ocr: msgspec.Raw | None = None


_fast = msgspec.json.Decoder(_DatasetLine, float_hook=Number)
_with_words = msgspec.json.Decoder(_LineWithWords, float_hook=Number)


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a file belongs to a VRDU data set or holds predictions for one."""
    if path.parent.name == SPLITS or path.name in DATASETS[1:]:
        return True
    names = member_names(head)
    if path.name == META:
        return FUNCTIONS_KEY in names
    if path.name in DATASETS:  # the words of the first page may be all that its beginning holds
        return not names.isdisjoint({"filename", "annotations", "ocr"})
    if path.name.endswith(PREDICTIONS) and "results" in names:  # `meta` may stand last, or lack
        return True
    lines = {"filename", "annotations"} <= names and "data" not in names
    return lines or {"meta", "results"} <= names


def _brought_schema(gold: Path) -> BroughtSchema | None:
    """Return the schema that the meta.json of a data set describes."""
    file = meta_file(gold)
    if file is None:
        return None
    try:
        meta = read_meta(file)
    except DataError:
        return None  # reading the documents says so
    if FUNCTIONS_KEY not in meta:
        return None
    from docassay.schema.source import load_schema

    functions, notes = known_functions(meta)
    # the file itself where it can be taken as it is, so that mistakes have their lines
    schema = load_schema({**meta, FUNCTIONS_KEY: functions} if notes else file)
    return BroughtSchema(schema, (*notes, explain_meta(schema, functions)))


def _brought_settings(gold: Path, pred: Path) -> BroughtSettings:
    """Return the split that a file of predictions is named after, where the data set has it."""
    split = pred.name.removesuffix(PREDICTIONS)
    if split == pred.name or not (gold / SPLITS / f"{split}.json").is_file():
        return BroughtSettings()
    note = f"scored are the test documents of split {split}, which the predictions are named after"
    return BroughtSettings({"vrdu.split": split}, (note,))


def _implied(schema: Schema, source: object) -> dict[str, object]:
    """Return the groups of components, and the meta.json if that is what the schema is."""
    return {
        "groups": {
            field.path.removeprefix(f"{group.path}."): group.path
            for group in schema.groups
            if not group.section
            for field in group.fields
        },
        "groupings": {
            group.path: group.grouping for group in schema.groups if group.grouping is not None
        },
        "schema_meta": _meta_of(source),
    }


def _meta_of(source: object) -> Mapping[str, object]:
    """Return the content of a meta.json that a user gives as the schema, else nothing."""
    content: object = source
    if isinstance(source, str | Path) and Path(source).suffix.lower() == ".json":
        content = read_meta(Path(source))
    return content if isinstance(content, Mapping) and FUNCTIONS_KEY in content else EMPTY


@format(
    "vrdu",
    sniff=looks_like,
    beside=(META, SPLITS),
    protocol=True,
    schema=_brought_schema,
    settings=_brought_settings,
    implied=_implied,
)
def load(
    path: Path,
    *,
    split: str | None = None,
    meta: str | None = None,
    grouping: str | None = None,
    groups: Mapping[str, str] = NO_GROUPS,
    groupings: Mapping[str, str] = NO_GROUPS,
    schema_meta: Mapping[str, object] = EMPTY,
    wanted: Mapping[str, object] = EMPTY,
    ocr: bool = False,
) -> Records:
    """Read a VRDU data set (folder or dataset.jsonl), or a prediction file for one of its splits.

    `split` keeps the test documents of a split, by its name or file; `meta` is another meta.json;
    `grouping` puts lone components into rows, by repetition unless `groupings` says otherwise of
    their group; `groups` names components where no meta.json does; `schema_meta` is the content of
    a meta.json that was given as the schema; `wanted` keeps these documents of gold alone; `ocr`
    keeps the words of the pages beside the tree.
    """
    if grouping is not None and grouping not in WAYS:
        raise UnknownName("grouping", grouping, WAYS)
    dataset = dataset_file(path)
    if dataset is None and path.is_dir() and files(path, (".json", ".jsonl")):
        raise DataError(
            f"holds no {' or '.join(DATASETS)}, nor does {MAIN}/ in it",
            where=str(path),
            hint="data sets are read one by one, and predictions file by file",
        )
    content = _meta_in_force(path, meta, schema_meta)
    components = groups if content is None else _components(content)
    ways = {group: grouping or groupings.get(group, WAYS[0]) for group in components.values()}
    if dataset is None:
        return _predictions(path, components, ways) if path.is_file() else iter(())
    tested = None if split is None else _test_ids(split_file(dataset, split))
    return _gold(dataset, components, ways, content, tested, only=wanted or None, ocr=ocr)


def _meta_in_force(
    path: Path, meta: str | None, schema_meta: Mapping[str, object]
) -> Mapping[str, object] | None:
    """Return the meta.json that counts: one that is named, the schema's, or the data set's own."""
    if meta is None and schema_meta:
        return schema_meta
    file = meta_file(path) if meta is None else Path(meta)
    return None if file is None else read_meta(file)


def dataset_file(path: Path) -> Path | None:
    """Return the lines of a data set by its folder, its main/ or their own path, else None."""
    if path.is_file():
        return path if path.name.endswith((".jsonl", ".jsonl.gz", ".ndjson")) else None
    places = (folder / name for folder in (path / MAIN, path) for name in DATASETS)
    return next((place for place in places if place.is_file()), None)


def meta_file(path: Path) -> Path | None:
    """Return the meta.json of a data set, None when it has none."""
    dataset = dataset_file(path)
    if dataset is None:
        return None
    places = [dataset.with_name(META)]
    if dataset.parent.name == MAIN:
        places.append(dataset.parent.with_name(META))
    return next((place for place in places if place.is_file()), None)


def read_meta(path: Path) -> Mapping[str, object]:
    """Return the content of a meta.json."""
    tree = decode(read_bytes(path), str(path)).tree
    if not isinstance(tree, dict):
        raise DataError("is not the meta.json of a data set", where=str(path))
    return tree


def split_file(dataset: Path, split: str) -> Path:
    """Return the file of a split, given by its path or by its name in few_shot-splits/."""
    if Path(split).is_file():
        return Path(split)
    folders = [folder / SPLITS for folder in (dataset.parent, dataset.parent.parent)]
    by_name = {file.stem: file for folder in folders for file in folder.glob("*.json")}
    name = Path(split).name.removesuffix(".json")
    if name not in by_name:
        raise UnknownName("split", name, by_name, where=str(dataset))
    return by_name[name]


def _test_ids(file: Path) -> frozenset[str]:
    tree = decode(read_bytes(file), str(file)).tree
    ids = tree.get("test") if isinstance(tree, dict) else None
    if not isinstance(ids, list):
        raise ConfigurationError("is no split: it has no list `test`", where=str(file))
    if not ids:
        raise DataError("is a split without test documents", where=str(file))
    return frozenset(str(name) for name in ids)


def _components(meta: Mapping[str, object]) -> dict[str, str]:
    """Return the hierarchical entity of each component."""
    patterns = meta.get(PATTERNS_KEY)
    given = patterns if isinstance(patterns, dict) else {}
    return {
        name: pattern
        for name, pattern in given.items()
        if isinstance(pattern, str) and pattern not in (UNREPEATED, REPEATED)
    }


def _gold(
    dataset: Path,
    components: Mapping[str, str],
    ways: Mapping[str, str],
    meta: Mapping[str, object] | None,
    wanted: frozenset[str] | None,
    *,
    only: Container[str] | None = None,
    ocr: bool,
) -> Records:
    seen: set[str] = set()
    for number, line in numbered_lines(dataset):
        where = f"{dataset}:{number}"
        try:
            filename, annotations, words, problems = _line(line, where, ocr=ocr)
        except DataError as error:
            yield from unreadable(None, error.what, where)
            continue
        if not isinstance(filename, str) or not filename.strip():
            yield flaw(None, Remark(ProblemCode.NO_ID, "has no filename; left out"), where)
            continue
        if wanted is not None and filename not in wanted:
            continue
        if only is not None and filename not in only:
            continue
        seen.add(filename)
        for problem in problems:
            yield flaw(filename, problem, where)
        if not isinstance(annotations, list):
            yield from unreadable(filename, "has no list of annotations", where)
            continue
        shaped = shape(annotations, "annotations", components, ways)
        document = VrduDocument(shaped.tree, annotations, meta, words)
        yield from _record(filename, shaped, document, where)
    if wanted is not None and wanted - seen:
        missing = sorted(wanted - seen)
        listed = ", ".join(missing[:5]) + (", ..." if missing[5:] else "")
        message = f"{len(missing)} test documents of the split are not in the data set: {listed}"
        yield flaw(None, Remark(ProblemCode.SPLIT, message), str(dataset))


def _line(
    line: bytes, where: str, *, ocr: bool
) -> tuple[object, object, bytes | None, list[Remark]]:
    """Return the name, the annotations and the words of a line, and what had to be overlooked."""
    try:
        document = (_with_words if ocr else _fast).decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        tree, problems = decode(line, where)
        if not isinstance(tree, dict):
            raise DataError("is not a JSON object", where=where) from None
        words = encode(tree.get("ocr")).encode() if ocr else None
        return tree.get("filename"), tree.get("annotations"), words, problems
    raw = document.ocr if isinstance(document, _LineWithWords) else None
    return document.filename, document.annotations, None if raw is None else bytes(raw), []


def _predictions(path: Path, components: Mapping[str, str], ways: Mapping[str, str]) -> Records:
    data = read_bytes(path)
    if not data.strip():
        return
    tree, problems = decode(data, str(path))
    members = tree if isinstance(tree, dict) else {}
    results = members.get("results")
    if not isinstance(results, dict):
        raise DataError("holds no `results` by file name", where=str(path))
    if "meta" not in members:
        problems.append(
            Remark(
                ProblemCode.BROKEN_ENTRY,
                "has no `meta`, at which the released toolkit stops; read all the same",
            )
        )
    for problem in problems:
        yield flaw(None, problem, str(path))
    for filename, items in results.items():
        if not isinstance(items, list):
            yield from unreadable(filename, "is not a list of entities", str(path))
            continue
        shaped = shape(items, "results", components, ways)
        yield from _record(filename, shaped, VrduDocument(shaped.tree, items), str(path))


def _record(filename: str, shaped: Shaped, tree: VrduDocument, where: str) -> Records:
    for problem in shaped.problems:
        yield flaw(filename, problem, where)
    yield Record(filename, tree, where)
