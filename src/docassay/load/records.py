"""Records from JSON: files, lines and lists of objects, and where each keeps its id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from docassay.errors import DataError
from docassay.load.files import files, id_of, numbered_lines, read_bytes, read_head
from docassay.load.format import NO_TAGS, Record
from docassay.load.wire import Decoded, decode
from docassay.model.document import LEAF_KEYS
from docassay.model.problem import Problem, ProblemCode, Remark

ID_KEYS = ("id", "doc_id", "document_id", "filename", "image_name")
TREE_KEYS = ("fields", "prediction")
_ENVELOPE = frozenset({*TREE_KEYS, "tags"})
HEAD = 1 << 16

Records = Iterator[Record | Problem]


def flaw(record_id: str | None, remark: Remark, where: str) -> Problem:
    """Return a problem of a document; the side is filled in where gold and pred meet."""
    return Problem(remark.code, record_id or "", "", "", remark.message, where)


def unreadable(record_id: str | None, message: str, where: str) -> Records:
    """Yield a document that cannot be read: the problem, and a record without tree."""
    yield flaw(record_id, Remark(ProblemCode.UNREADABLE_RECORD, message), where)
    yield Record(record_id, None, where)


def parsed(data: bytes, *, record_id: str | None, where: str) -> Records:
    """Yield the problems of a JSON text and then its record, without tree when unreadable."""
    try:
        tree, problems = decode(data, where)
    except DataError as error:
        yield from unreadable(record_id, error.what if data.strip() else "is empty", where)
        return
    for problem in problems:
        yield flaw(record_id, problem, where)
    if type(tree) is dict:
        yield Record(record_id, tree, where)
    else:
        yield from checked(Record(record_id, tree, where))


def checked(record: Record) -> Records:
    """Yield a record whose tree is an object as it is, and any other as unreadable."""
    if isinstance(record.tree, dict):
        yield record
    else:
        yield from unreadable(record.id, _not_an_object(record.tree), record.where)


def from_folder(path: Path, suffixes: tuple[str, ...]) -> Records:
    """Yield every JSON file of a folder, or a single file, as one document."""
    for file in files(path, suffixes):
        data = read_bytes(file)
        if data.strip() or file != path:  # an empty lone file is no document at all
            yield from parsed(data, record_id=id_of(file, path), where=str(file))


def from_lines(path: Path) -> Records:
    """Yield every line of JSON lines as a record without id."""
    for file in files(path, (".jsonl", ".ndjson")):
        name = str(file)
        for number, line in numbered_lines(file):
            yield from parsed(line, record_id=None, where=f"{name}:{number}")


def is_document(key: str, value: object) -> bool:
    """Say whether a member of a file is a whole document rather than a field with its leaf."""
    return isinstance(value, dict) and not ("value" in value and LEAF_KEYS.issuperset(value))


def from_file(path: Path, is_document: Callable[[str, object], bool] = is_document) -> Records:
    """Yield the records of one JSON value: a list of objects, {id: tree}, or a single document."""
    data = read_bytes(path)
    if not data.strip():
        return
    tree, problems = decode(data, str(path))
    for problem in problems:
        yield flaw(None, problem, str(path))
    if isinstance(tree, list):
        for number, item in enumerate(tree, start=1):
            yield from checked(Record(None, item, f"{path}: item {number}"))
    elif isinstance(tree, dict) and all(is_document(key, value) for key, value in tree.items()):
        for key, value in tree.items():
            yield Record(key, value, str(path))
    elif isinstance(tree, dict):
        yield Record(None, tree, str(path))
    else:
        raise DataError(_not_an_object(tree), where=str(path))


def from_anywhere(path: Path, is_document: Callable[[str, object], bool] = is_document) -> Records:
    """Yield the objects of a folder, of JSON lines or of one JSON file, whichever it is."""
    if path.is_dir():
        return from_folder(path, (".json",))
    if looks_like_lines(path, read_head(path, HEAD)):
        return from_lines(path)
    return from_file(path, is_document)


def id_keys(id_key: str | None, known: tuple[str, ...] = ID_KEYS) -> tuple[str, ...]:
    """Return the keys that may hold an id: those known, or the one that was asked for."""
    return known if id_key is None else (id_key,)


def looks_like_lines(path: Path, head: bytes) -> bool:
    """Say whether the start of a file is one JSON object a line."""
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return any(line.lstrip().startswith(b"{") for line in head.split(b"\n"))
    first, _, rest = head.strip().partition(b"\n")
    if not first.startswith(b"{"):
        return False
    return first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")


def with_ids(records: Records, *, ids: tuple[str, ...]) -> Records:
    """Yield the records under the ids that their objects hold.

    When no object has an id, all records stay without one, unreadable ones included, so that they
    can be paired by position. Otherwise an object without id is a problem. What stands before the
    first id is held back until it is known which it is.
    """
    held: list[Record | Problem] = []
    for item in records:
        held.append(item)
        if isinstance(item, Record) and (item.id or find_id(item.tree, ids) is not None):
            yield from _named(chain(held, records), ids, named=True)
            return
    if len(ids) == 1:
        raise DataError(f"no document has the id key {ids[0]!r}", hint="check the option id_key")
    yield from _named(held, ids, named=False)


def _named(records: Iterable[Record | Problem], ids: tuple[str, ...], *, named: bool) -> Records:
    pending: list[Problem] = []
    for item in records:
        if isinstance(item, Problem):
            pending.append(item)
            continue
        record, problems = _identified(item, ids, named=named)
        if pending or problems:
            owner = item.id if record is None else record.id
            for problem in (*pending, *problems):
                yield problem._replace(document=owner or problem.document)
            pending.clear()
        if record is not None:
            yield record
    yield from pending


def reshaped(records: Iterable[Record | Problem], shape: Callable[[object], Decoded]) -> Records:
    """Yield the records with their trees turned into ours; a tree of another shape is a problem."""
    for item in records:
        if isinstance(item, Problem) or item.tree is None:
            yield item
            continue
        try:
            tree, problems = shape(item.tree)
        except DataError as error:
            yield from unreadable(item.id, error.what, item.where)
            continue
        for problem in problems:
            yield flaw(item.id, problem, item.where)
        yield item._replace(tree=tree)


def _identified(
    item: Record, names: tuple[str, ...], *, named: bool
) -> tuple[Record | None, list[Problem]]:
    """Return the record under its own id, or None when it must stay out."""
    if item.id is not None:
        return item, []
    if not isinstance(item.tree, dict):
        return None if named else item, []
    name = find_id(item.tree, names)
    if name is None and named:
        remark = Remark(ProblemCode.NO_ID, f"has no id ({', '.join(names)}); left out")
        return None, [flaw(None, remark, item.where)]
    return _opened(item, name), []


def _opened(item: Record, name: str | None) -> Record:
    """Return the record of an object that holds its id under `name`, and tags perhaps."""
    whole = item.tree
    assert isinstance(whole, dict)
    if name is None and _ENVELOPE.isdisjoint(whole):
        return item
    rest = {key: value for key, value in whole.items() if key != name}
    tags = _tags(rest)
    if tags is not NO_TAGS:
        del rest["tags"]
    tree: object = rest
    for key in TREE_KEYS:
        if isinstance(rest.get(key), dict):
            tree = rest[key]
            break
    return Record(None if name is None else str(whole[name]), tree, item.where, tags)


def find_id(tree: object, names: tuple[str, ...]) -> str | None:
    """Return the first of the keys that holds an id: a text that is not blank, or an integer."""
    if not isinstance(tree, dict):
        return None
    for name in names:
        value = tree.get(name)
        if (isinstance(value, str) and value.strip()) or type(value) is int:
            return name
    return None


def _tags(rest: Mapping[str, object]) -> Mapping[str, str]:
    """Return the tags of an object: a `tags` member that maps names to plain values."""
    tags = rest.get("tags")
    if not isinstance(tags, dict) or any(isinstance(v, dict | list) for v in tags.values()):
        return NO_TAGS
    return {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in tags.items()
        if value is not None
    }


def _not_an_object(tree: object) -> str:
    kinds = {list: "a list", bool: "true or false", int: "a number", type(None): "null"}
    return f"is {kinds.get(type(tree), 'a text')}, not a JSON object"
