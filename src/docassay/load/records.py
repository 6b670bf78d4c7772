"""Records from JSON: files, lines and lists of objects, and where each keeps its id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from docassay.errors import DataError
from docassay.load.files import (
    certainly_lacks,
    current_feed,
    file_names,
    files,
    id_of,
    numbered_lines,
    read_bytes,
    read_head,
)
from docassay.load.format import NO_TAGS, Record
from docassay.load.wire import Decoded, clean_tree, decode, outer_text
from docassay.model.document import LEAF_KEYS, LEAF_MARKS
from docassay.model.problem import (
    OUTCOMES,
    PARTIAL,
    TRUNCATED,
    UNPARSEABLE,
    Problem,
    ProblemCode,
    Remark,
    Repair,
    ResponseOutcome,
)

ID_KEYS = ("id", "doc_id", "document_id", "filename", "image_name")
TREE_KEYS = ("fields", "prediction", "record")
_ENVELOPE = frozenset({*TREE_KEYS, "tags"})
BESIDE_RECORD = frozenset({*ID_KEYS, *_ENVELOPE})
"""Keys of an object that holds a record, none of which is bookkeeping."""
HEAD = 1 << 16
LINE_SUFFIXES = (".jsonl", ".ndjson")
MANY_KEYS = 12
"""How many keys an error lists."""
LONGEST_NUMBER = 10
LOSS_CODES = {
    PARTIAL: ProblemCode.PARTIAL_RESPONSE,
    UNPARSEABLE: ProblemCode.UNPARSEABLE_RESPONSE,
}
"""The outcomes of raw responses that are problems."""

Records = Iterator[Record | Problem]


def flaw(record_id: str | None, remark: Remark, where: str) -> Problem:
    """Return a problem of a document; the side is filled in where gold and pred meet."""
    return Problem(remark.code, record_id or "", "", "", remark.message, where)


def unreadable(record_id: str | None, message: str, where: str) -> Records:
    """Yield a document that cannot be read: the problem, and a record without tree."""
    yield flaw(record_id, Remark(ProblemCode.UNREADABLE_RECORD, message), where)
    yield Record(record_id, None, where)


def parsed(
    data: bytes, *, record_id: str | None, where: str, ids: tuple[str, ...] = ()
) -> Iterable[Record | Problem]:
    """Return the problems of a JSON text and then its record, without tree when unreadable.

    Of a text that cannot be read, an id under one of the keys `ids` is used nevertheless.
    """
    try:
        tree, problems = decode(data, where)
    except DataError as error:
        broken_id = record_id or outer_text(data, ids)
        return unreadable(broken_id, error.what if data.strip() else "is empty", where)
    record = Record(record_id, tree, where)
    records = (record,) if type(tree) is dict else checked(record)
    if not problems:
        return records
    return chain((flaw(record_id, problem, where) for problem in problems), records)


def checked(record: Record) -> Records:
    """Yield a record whose tree is an object as it is, and any other as unreadable."""
    if isinstance(record.tree, dict):
        yield record
    else:
        yield from unreadable(record.id, _not_an_object(record.tree), record.where)


def from_folder(path: Path, suffixes: tuple[str, ...]) -> Records:
    """Yield every JSON file of a folder, or a single file, as one document."""
    feed = current_feed()
    return _every_file(_files_of(path, suffixes) if feed is None else feed, path)


def _files_of(path: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    names = file_names(path, suffixes)
    if names == [str(path)]:
        yield names[0], read_bytes(path)
        return
    for name in names:
        yield name, read_bytes(name)


def _every_file(texts: Iterable[tuple[str, bytes]], path: Path) -> Records:
    lone = str(path)
    for where, data in texts:
        if data.strip() or where != lone:  # an empty lone file is no document at all
            yield from parsed(data, record_id=id_of(where, lone), where=where)


def from_lines(path: Path, ids: tuple[str, ...] = ()) -> Records:
    """Yield every line of JSON lines as a record without id; a broken one under its id, if seen."""
    feed = current_feed()
    return _every_line(_lines_of(path) if feed is None else feed, ids)


def _lines_of(path: Path) -> Iterator[tuple[str, bytes]]:
    for file in files(path, LINE_SUFFIXES):
        name = str(file)
        for number, line in numbered_lines(file):
            yield f"{name}:{number}", line


def _every_line(lines: Iterable[tuple[str, bytes]], ids: tuple[str, ...]) -> Records:
    for where, line in lines:
        tree = clean_tree(line)
        if type(tree) is dict:
            yield Record(None, tree, where)
        else:
            yield from parsed(line, record_id=None, where=where, ids=ids)


def is_document(key: str, value: object) -> bool:
    """Say whether a member of a file is a whole document rather than a field with its leaf."""
    return isinstance(value, dict) and not is_leaf(value)


def is_leaf(value: Mapping[str, object]) -> bool:
    """Say whether an object is a value with what is known about it, not a row."""
    marked = not LEAF_MARKS.isdisjoint(value)
    return marked and (LEAF_KEYS | LEAF_MARKS).issuperset(value)


def from_file(
    path: Path,
    is_document: Callable[[str, object], bool] = is_document,
    root: str | None = None,
) -> Records:
    """Yield the records of one JSON value: a list of objects, {id: tree}, or a single document.

    What stands under `root` is that value, if it is a list or {id: tree}.
    """
    data = read_bytes(path)
    if not data.strip():
        return
    tree, problems = decode(data, str(path))
    for problem in problems:
        yield flaw(None, problem, str(path))
    inner = MISSING if root is None else reach(tree, root)
    if root is not None and _holds_documents(inner, is_document):
        # as if the root stood around each document, which is where readers look for it
        yield from _rooted_again(_several(inner, path, is_document), root)
    elif isinstance(tree, dict | list):
        yield from _several(tree, path, is_document)
    else:
        raise DataError(_not_an_object(tree), where=str(path))


def _holds_documents(tree: object, is_document: Callable[[str, object], bool]) -> bool:
    if isinstance(tree, dict):
        return bool(tree) and all(is_document(key, value) for key, value in tree.items())
    return isinstance(tree, list) and any(isinstance(item, dict) for item in tree)


def _several(tree: object, path: Path, is_document: Callable[[str, object], bool]) -> Records:
    if isinstance(tree, list):
        for number, item in enumerate(tree, start=1):
            yield from checked(Record(None, item, f"{path}: item {number}"))
    elif isinstance(tree, dict) and _holds_documents(tree, is_document):
        for key, value in tree.items():
            yield Record(key, value, f"{path}: {key}")
    else:
        yield Record(None, tree, str(path))


def _rooted_again(records: Records, root: str) -> Records:
    for item in records:
        if isinstance(item, Record) and item.tree is not None:
            yield item._replace(tree={root: item.tree})
        else:
            yield item


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
    if path.suffix.lower() in LINE_SUFFIXES:
        return any(line.lstrip().startswith(b"{") for line in head.split(b"\n"))
    first, _, rest = head.strip().partition(b"\n")
    if not first.startswith(b"{"):
        return False
    return first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")


class Way(NamedTuple):
    """Where the objects of a file keep the id and the record."""

    ids: tuple[str, ...]
    """Keys, or the one path that was asked for."""
    root: str | None = None

    @property
    def asked(self) -> bool:
        """Whether the place of the id was given."""
        return len(self.ids) == 1

    def is_bare(self, item: Record) -> bool:
        """Whether an object certainly is a record and no more: it has no key of an id, nor others.

        Most are, or have an id; what is asked for may stand deeper.
        """
        return (
            self.ids == ID_KEYS
            and self.root is None
            and item.id is None
            and item.whole is None
            and type(item.tree) is dict
            and BESIDE_RECORD.isdisjoint(item.tree)
        )


def with_ids(
    records: Records, *, ids: tuple[str, ...], root: str | None = None, lines: Path | None = None
) -> Records:
    """Yield the records under the ids that their objects hold, each the part under `root`.

    When no object has an id, all records stay without one, unreadable ones included, so that they
    can be paired by position. Otherwise an object without id is a problem. What stands before the
    first id is held back until it is known which it is, unless the file of `lines` that they are
    read from is seen to hold none.
    """
    way = Way(ids, root)
    feed = current_feed()
    if feed is not None:
        return _named(records, way, named=feed.named)
    if lines is not None and has_no_ids(lines, way):
        return _named(records, way, named=False)
    return _first_named(records, way)


def has_no_ids(lines: Path, way: Way) -> bool:
    """Say whether a large file of lines is seen to hold no ids; False also where nobody looked."""
    # what is asked for may be a path of several keys
    return not way.asked and certainly_lacks(lines, _spellings(way.ids))


def _spellings(keys: Iterable[str]) -> list[bytes]:
    """Return texts one of which JSON holds wherever it has one of the keys, all in ASCII."""
    escapes = [b"\\u00%d" % half for half in range(4, 8)]  # of letters and the underscore
    return [*(f'"{key}"'.encode() for key in keys), *escapes]


def _first_named(records: Records, way: Way) -> Records:
    held: list[Record | Problem] = []
    bare = True
    for item in records:
        held.append(item)
        if isinstance(item, Record) and way.is_bare(item):
            continue
        bare = False
        if isinstance(item, Record) and _is_named(item, way):
            yield from _named(chain(held, records), way, named=True)
            return
    if way.asked:
        raise _no_such_place(held, f"no document has the id key {way.ids[0]!r}", way.ids[0])
    yield from held if bare else _named(held, way, named=False)


def _is_named(item: Record, way: Way) -> bool:
    if item.id is not None and not way.asked:
        return True
    return id_place(item.tree, way) is not None


class IdPlace(NamedTuple):
    """Where an id was found: in the object as a whole or in the record inside it."""

    path: str
    inside: bool


def id_place(tree: object, way: Way) -> IdPlace | None:
    """Return where an object has its id, None when it has none."""
    path = id_path(tree, way.ids, asked=way.asked)
    if path is not None or way.root is None:
        return None if path is None else IdPlace(path, inside=False)
    path = id_path(reach(tree, way.root), way.ids, asked=way.asked)
    return None if path is None else IdPlace(path, inside=True)


def _named(records: Iterable[Record | Problem], way: Way, *, named: bool) -> Records:
    pending: list[Problem] = []
    reached, lost = way.root is None, None
    for item in records:
        if isinstance(item, Problem):
            pending.append(item)
            continue
        record, problems = _identified(item, way, named=named)
        if pending or problems:
            owner = item.id if record is None else record.id
            for problem in (*pending, *problems):
                yield problem._replace(document=owner or problem.document)
            pending.clear()
        if record is None:
            continue
        if way.root is not None and record.tree is not None:
            missing = reach(record.tree, way.root) is MISSING
            reached = reached or not missing
            lost = lost or (record if missing else None)
            yield from opened_at(record, way.root)
        else:
            yield record
    yield from pending
    if not reached and lost is not None and way.root is not None:
        raise _no_such_place([lost], f"no document has the root {way.root!r}", way.root)


def _no_such_place(items: Iterable[Record | Problem], what: str, path: str) -> DataError:
    """Return the error of a path that no document has; it names the keys there are instead."""
    for item in items:
        if isinstance(item, Record) and isinstance(item.tree, dict):
            holder: object = item.tree
            *way, _ = path.split(".")
            for key in way:
                deeper = reach(holder, key)
                if not isinstance(deeper, dict | list):
                    break
                holder = deeper
            keys = [*holder] if isinstance(holder, dict) else ["0"]
            listed = ", ".join(map(str, keys[:MANY_KEYS])) + (", …" if keys[MANY_KEYS:] else "")
            return DataError(what, where=item.where, hint=f"there is: {listed}")
    return DataError(what, hint="no document could be read")


def reshaped(
    records: Iterable[Record | Problem],
    shape: Callable[[object], Decoded],
    *,
    keep: bool = False,
) -> Records:
    """Yield the records with their trees turned into ours; a tree of another shape is a problem.

    `keep` leaves what the file holds beside the tree.
    """
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
        yield item._replace(tree=tree, whole=item.tree if keep else item.whole)


def _identified(item: Record, way: Way, *, named: bool) -> tuple[Record | None, list[Problem]]:
    """Return the record under its own id, or None when it must stay out."""
    if not isinstance(item.tree, dict):
        return None if named and item.id is None else item, []
    if item.id is not None and not way.asked:
        return item, []
    place = id_place(item.tree, way)
    if place is None and named:
        remark = Remark(ProblemCode.NO_ID, f"has no id ({', '.join(way.ids)}); left out")
        return None, [flaw(None, remark, item.where)]
    return _with_kept_outcome(_opened(item, place, way.root))


def _with_kept_outcome(record: Record) -> tuple[Record, list[Problem]]:
    """Return a record with what became of its raw answer, where an extraction has kept that."""
    beside = record.whole
    if not isinstance(beside, dict) or "raw" not in beside:
        return record, []
    kind, repairs = beside.get("outcome"), beside.get("repairs")
    if not isinstance(repairs, list) or kind not in (*OUTCOMES, TRUNCATED):
        return record, []
    reasons = tuple(Repair(str(repair)) for repair in repairs)
    if kind == TRUNCATED:
        kind, reasons = PARTIAL if record.tree else UNPARSEABLE, (Repair(TRUNCATED), *reasons)
    outcome = ResponseOutcome(str(kind), reasons)
    code = LOSS_CODES.get(outcome.kind)
    remark = f"the response is {outcome.summary}"
    problems = [] if code is None else [flaw(record.id, Remark(code, remark), record.where)]
    return record._replace(outcome=outcome), problems


def _opened(item: Record, place: IdPlace | None, root: str | None) -> Record:
    """Return the record of an object that holds its id at a place, and tags perhaps."""
    whole = item.tree
    assert isinstance(whole, dict)
    if place is None and _ENVELOPE.isdisjoint(whole):
        return item
    rest = whole
    record_id = None
    if place is not None:
        path = f"{root}.{place.path}" if place.inside else place.path
        record_id = str(reach(whole, path))
        rest = _without(whole, path)
    tags = _tags(rest)
    if tags is not NO_TAGS:
        rest = _without(rest, "tags")
    if root is not None:
        return item._replace(id=record_id, tree=rest, tags=tags, whole=whole)
    for key in TREE_KEYS:
        tree = rest.get(key)
        if isinstance(tree, dict):
            own = rest.get("schema")
            meta = {**item.meta, "schema": own} if isinstance(own, str | dict) else item.meta
            return Record(record_id, tree, item.where, tags, item.outcome, meta, whole)
    return Record(record_id, rest, item.where, tags, item.outcome, item.meta, item.whole)


def opened_at(record: Record, root: str) -> Records:
    """Yield the record under a path; text that stands there is read as a model's response is."""
    content = reach(record.tree, root)
    whole = record.tree if record.whole is None else record.whole
    if content is None or isinstance(content, dict):
        # null says that there is nothing in it, which is an empty document
        yield record._replace(tree=content or {}, whole=whole)
    elif isinstance(content, str):
        from docassay.load.response.answer import parse_response

        response = parse_response(content)
        code = LOSS_CODES.get(response.outcome)
        if code is not None:
            remark = Remark(code, f"the response is {response.summary}")
            yield flaw(record.id, remark, record.where)
        yield record._replace(tree=response.tree, outcome=response.result, whole=whole)
    else:
        what = f"has no {root!r}" if content is MISSING else f"its {root} {_not_an_object(content)}"
        yield from unreadable(record.id, what, record.where)


MISSING = object()
"""What stands at a path that a tree does not have."""


def reach(tree: object, path: str) -> object:
    """Return what stands at a dotted path, MISSING for nothing; numbers count in lists from 0.

    A key that holds dots itself goes first. A text on the way is read as JSON.
    """
    if isinstance(tree, str):
        from docassay.load.response.json import strict_object

        tree = strict_object(tree)
    if isinstance(tree, dict) and path in tree:
        return tree[path]
    for key, rest in _splits(path):
        inner: object = MISSING
        if isinstance(tree, dict):
            inner = tree.get(key, MISSING)
        elif isinstance(tree, list) and key.isdecimal() and len(key) < LONGEST_NUMBER:
            inner = MISSING if int(key) >= len(tree) else tree[int(key)]
        if inner is not MISSING:
            return reach(inner, rest) if rest else inner
    return MISSING


def _splits(path: str) -> Iterator[tuple[str, str]]:
    """Yield a path as its first key, which may hold dots, and the rest; short keys first."""
    parts = path.split(".")
    for at in range(1, len(parts) + 1):
        yield ".".join(parts[:at]), ".".join(parts[at:])


def _without(tree: dict[str, object], path: str) -> dict[str, object]:
    """Return an object without what stands at a path, nor objects that are empty then."""
    if path in tree:
        others = tree.copy()
        del others[path]
        return others
    for key, rest in _splits(path):
        inner = tree.get(key)
        if isinstance(inner, dict) and rest:
            left = _without(inner, rest)
            kept = {name: value for name, value in tree.items() if name != key}
            return {**tree, key: left} if left else kept
    return tree


def id_path(tree: object, names: tuple[str, ...], *, asked: bool) -> str | None:
    """Return the first key, or the path that was asked for, that holds an id."""
    if not asked:
        return find_id(tree, names)
    return names[0] if is_id(reach(tree, names[0])) else None


def is_id(value: object) -> bool:
    """Return whether a value can be an id: a text that is not blank, or an integer."""
    return (isinstance(value, str) and bool(value.strip())) or type(value) is int


def find_id(tree: object, names: tuple[str, ...]) -> str | None:
    """Return the first of the keys that holds an id: a text that is not blank, or an integer."""
    if not isinstance(tree, dict):
        return None
    for name in names:
        if name in tree and is_id(tree[name]):
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
