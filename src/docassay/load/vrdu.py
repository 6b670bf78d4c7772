"""Format vrdu: data sets and predictions in the layout of the VRDU benchmark.

A data set is a folder with main/dataset.jsonl (or .gz), main/meta.json and few_shot-splits/. Its
lines are read one by one, and the words of the pages, most of a line, are skipped. Predictions are
one JSON file a split. Predicted components stand alone there and are put into rows here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.load import Record, format
from docassay.load.files import files, numbered_lines, read_bytes
from docassay.load.records import Records, flaw, unreadable
from docassay.load.vrdu_items import Shaped, shape
from docassay.load.wire import decode, encode, member_names
from docassay.model.document import Number
from docassay.model.schema import GROUPINGS
from docassay.model.vrdu import (
    FUNCTIONS_KEY,
    PATTERNS_KEY,
    REPEATED,
    UNREPEATED,
    VrduDocument,
)

DATASETS = ("dataset.jsonl", "dataset.jsonl.gz")
MAIN, META, SPLITS = "main", "meta.json", "few_shot-splits"
PREDICTIONS = "-test_predictions.json"
"""What follows the name of a split in that of a file of predictions for it."""
WAYS = tuple(way for way in GROUPINGS if way != "ids")
"""Ways of grouping; the files have no place for ids of rows."""
NO_GROUPS: Mapping[str, str] = MappingProxyType({})


class _Line(msgspec.Struct):
    """What counts of a line of dataset.jsonl."""

    filename: object = None
    annotations: object = None


class _LineWithWords(_Line):
    """The same with the words of the pages, still as JSON."""

    ocr: msgspec.Raw | None = None


_fast = msgspec.json.Decoder(_Line, float_hook=Number)
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


@format("vrdu", sniff=looks_like, beside=(META, SPLITS))
def load(
    path: Path,
    *,
    split: str | None = None,
    meta: str | None = None,
    grouping: str | None = None,
    groups: Mapping[str, str] = NO_GROUPS,
    groupings: Mapping[str, str] = NO_GROUPS,
    ocr: bool = False,
) -> Records:
    """Read a VRDU data set (folder or dataset.jsonl), or a prediction file for one of its splits.

    `split` keeps the test documents of a split, by its name or file; `meta` is another meta.json;
    `grouping` puts lone components into rows, by repetition unless `groupings` says otherwise of
    their group; `groups` names components where no meta.json does; `ocr` keeps the words of the
    pages beside the tree.
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
    own = meta_file(path) if meta is None else Path(meta)
    known = None if own is None else read_meta(own)
    components = groups if known is None else _components(known)
    ways = {one: grouping or groupings.get(one, WAYS[0]) for one in components.values()}
    if dataset is None:
        return _predictions(path, components, ways) if path.is_file() else iter(())
    wanted = None if split is None else _test_ids(split_file(dataset, split))
    return _gold(dataset, components, ways, known, wanted, ocr=ocr)


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
    found = {file.stem: file for folder in folders for file in folder.glob("*.json")}
    name = Path(split).name.removesuffix(".json")
    if name not in found:
        raise UnknownName("split", name, found, where=str(dataset))
    return found[name]


def _test_ids(file: Path) -> frozenset[str]:
    tree = decode(read_bytes(file), str(file)).tree
    ids = tree.get("test") if isinstance(tree, dict) else None
    if not isinstance(ids, list):
        raise ConfigurationError("is no split: it has no list `test`", where=str(file))
    if not ids:
        raise DataError("is a split without test documents", where=str(file))
    return frozenset(str(one) for one in ids)


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
            yield flaw(None, "has no filename; left out", where)
            continue
        if wanted is not None and filename not in wanted:
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
        yield flaw(None, message, str(dataset))


def _line(line: bytes, where: str, *, ocr: bool) -> tuple[object, object, bytes | None, list[str]]:
    """Return the name, the annotations and the words of a line, and what had to be overlooked."""
    try:
        found = (_with_words if ocr else _fast).decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        tree, problems = decode(line, where)
        if not isinstance(tree, dict):
            raise DataError("is not a JSON object", where=where) from None
        words = encode(tree.get("ocr")).encode() if ocr else None
        return tree.get("filename"), tree.get("annotations"), words, problems
    raw = found.ocr if isinstance(found, _LineWithWords) else None
    return found.filename, found.annotations, None if raw is None else bytes(raw), []


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
        problems.append("has no `meta`, at which the released toolkit stops; read all the same")
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
