"""Links between the values of a document: which answer belongs to which question.

FUNSD states them with its entities. Other documents state them beside their record, as `links`: a
list of `[head, tail]` or `[head, tail, kind]`, or of objects with `head`, `tail` and `kind`; head
and tail are paths such as `question[2]` or `items[0].price`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docassay.load.format import Record
from docassay.model.document import Number

LINKS, FORM = "links", "form"
HEADS, TAILS = ("head", "from", "source"), ("tail", "to", "target")
KINDS = ("kind", "relation", "label", "type")
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
Box = tuple[float, ...]


class End(NamedTuple):
    """A value that a link begins or ends at."""

    field: str
    text: str
    box: Box | None


class Link(NamedTuple):
    """An ordered pair of values, with the kind of their relation."""

    head: End
    tail: End
    kind: str


class LinkList(NamedTuple):
    """The links of a document, each once, and how many of those stated name no value."""

    links: tuple[Link, ...] = ()
    broken: int = 0


NO_LINKS = LinkList()


def links_beside(record: Record | None) -> LinkList:
    """Return the links that stand beside a record."""
    whole = None if record is None else record.whole
    if record is None or not isinstance(whole, Mapping):
        return NO_LINKS
    form, stated = whole.get(FORM), whole.get(LINKS)
    if isinstance(form, list):
        return _distinct(_of_form(form))
    return _distinct(_stated(stated, record.tree)) if isinstance(stated, list) else NO_LINKS


Stated = tuple[object, object, str, End | None, End | None]
"""What names head and tail, the kind, and the values they name; None for none."""


def _distinct(stated: Iterator[Stated]) -> LinkList:
    links: dict[tuple[object, object, str], Link | None] = {}
    for head_name, tail_name, kind, head, tail in stated:
        whole = head is not None and tail is not None
        links[str(head_name), str(tail_name), kind] = (
            Link(head, tail, kind or f"{head.field} > {tail.field}")
            if whole and head is not None and tail is not None
            else None
        )
    kept = tuple(link for link in links.values() if link is not None)
    return LinkList(kept, len(links) - len(kept))


def _of_form(form: list[object]) -> Iterator[Stated]:
    """Yield the links of FUNSD's entities; both ends state the same pair, head first."""
    entities = [entity for entity in form if isinstance(entity, dict)]
    ends = {str(entity.get("id")): _entity(entity) for entity in entities}
    for entity in entities:
        pairs = entity.get("linking")
        for pair in pairs if isinstance(pairs, list) else ():
            if isinstance(pair, list) and len(pair) == 2:
                head, tail = map(str, pair)
                yield head, tail, "", ends.get(head), ends.get(tail)


def _entity(entity: Mapping[str, object]) -> End | None:
    label, text = entity.get("label"), entity.get("text")
    if not isinstance(label, str) or not isinstance(text, str) or not text.strip():
        return None
    return End(label, text, _box(entity.get("box")))


def _stated(stated: list[object], tree: object) -> Iterator[Stated]:
    for item in stated:
        if isinstance(item, Mapping):
            head, tail, kind = (
                next((item[key] for key in keys if key in item), None)
                for keys in (HEADS, TAILS, KINDS)
            )
        elif isinstance(item, list | tuple) and len(item) in (2, 3):
            head, tail, kind = (*item, None)[:3]
        else:
            head = tail = kind = None
        name = kind if isinstance(kind, str) else ""
        yield head, tail, name, _end(head, tree), _end(tail, tree)


def _end(path: object, tree: object) -> End | None:
    """Return the value at a path, None where there is none."""
    if not isinstance(path, str):
        return None
    names = []
    for index, name in _STEP.findall(path):
        if index:
            at = int(index)
            tree = tree[at] if isinstance(tree, list) and at < len(tree) else None
        else:
            names.append(name)
            tree = tree.get(name) if isinstance(tree, Mapping) else None
    box = None
    if isinstance(tree, Mapping):
        box, tree = _box(tree.get("box")), tree.get("value")
    if isinstance(tree, bool) or not isinstance(tree, str | int | float) or not names:
        return None
    return End(".".join(names), str(tree), box)


def _box(raw: object) -> Box | None:
    if not isinstance(raw, list | tuple) or len(raw) != 4:
        return None
    try:
        return (
            tuple(float(part) for part in raw if isinstance(part, int | float | Number))
            if all(isinstance(part, int | float | Number) for part in raw)
            else None
        )
    except (ValueError, OverflowError):
        return None
