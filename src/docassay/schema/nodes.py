"""Schema nodes: texts, lists and mappings that know where they stand, and the mistakes in them.

Every source of a schema (YAML, JSON, a Python mapping) becomes the same tree of nodes, so one
parser checks them all and every mistake can name its file and line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal

import yaml

from docassay.errors import ConfigurationError, SchemaError, UnknownName
from docassay.registry import convert

MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a schema: a text, nothing, a list or a mapping of nodes."""

    value: str | tuple[Node, ...] | Mapping[str, Node] | None
    path: str
    """The keys that lead here: `fields.total.accept`, `absent[2]`; "" for the whole."""
    where: str | None
    """File and line of the key it stands under, or None for a schema made in Python."""

    def below(self, key: str) -> str:
        """Return the path of a key of this mapping."""
        return f"{self.path}.{key}" if self.path else key


class Mistakes:
    """The mistakes found so far, so that a check reports all of them and not only the first."""

    def __init__(self) -> None:
        self.found: list[SchemaError] = []
        self._texts: set[str] = set()

    def add(self, node: Node, what: str, *, hint: str | None = None) -> None:
        """Note a mistake at a node."""
        named = f"{node.path}: {what}" if node.path else what
        error = SchemaError(named, where=node.where, hint=hint)
        # a definition that several places refer to is read once for each
        if str(error) not in self._texts:
            self._texts.add(str(error))
            self.found.append(error)

    def note(self, node: Node, error: ConfigurationError) -> None:
        """Note what another part of docassay has against a node."""
        self.add(node, error.what, hint=error.hint)

    def unknown(self, node: Node, kind: str, name: str, known: Iterable[str]) -> None:
        """Note a name that nothing answers to, with the nearest one and all that exist."""
        self.note(node, UnknownName(kind, name, known))


def from_plain(given: object, mistakes: Mistakes, *, path: str = "", depth: int = 0) -> Node:
    """Return Python data as nodes, every number and truth value as the text YAML would hold."""
    node = Node(None, path, None)
    if depth > MAX_DEPTH:
        mistakes.add(node, f"nested more than {MAX_DEPTH} deep")
        return node
    if given is None or isinstance(given, str):
        return Node(given, path, None)
    if isinstance(given, bool):
        return Node(str(given).lower(), path, None)
    if isinstance(given, (int, float, Decimal)):
        return Node(str(given), path, None)
    if isinstance(given, Mapping):
        return Node(_entries(given, node, mistakes, depth), path, None)
    if isinstance(given, (list, tuple, set, frozenset)):
        items = sorted(given, key=str) if isinstance(given, (set, frozenset)) else given
        parts = (
            from_plain(item, mistakes, path=f"{path}[{i}]", depth=depth + 1)
            for i, item in enumerate(items)
        )
        return Node(tuple(parts), path, None)
    mistakes.add(node, f"{given!r} is not text, a number, a list or a mapping")
    return node


def _entries(
    given: Mapping[object, object], node: Node, mistakes: Mistakes, depth: int
) -> dict[str, Node]:
    entries: dict[str, Node] = {}
    for key, item in given.items():
        if isinstance(key, str):
            below = node.below(key)
            entries[key] = from_plain(item, mistakes, path=below, depth=depth + 1)
        else:
            mistakes.add(node, f"the key {key!r} is not text")
    return entries


def plain(node: Node) -> object:
    """Return a node as plain data: texts, None, tuples and dicts."""
    if isinstance(node.value, Mapping):
        return {key: plain(item) for key, item in node.value.items()}
    if isinstance(node.value, tuple):
        return tuple(plain(item) for item in node.value)
    return node.value


def mapping(node: Node, mistakes: Mistakes) -> Mapping[str, Node]:
    """Return a mapping's entries; nothing at all is an empty mapping."""
    if isinstance(node.value, Mapping):
        return node.value
    if node.value is not None:
        mistakes.add(node, f"{kind(node)} where a mapping belongs")
    return {}


def text(node: Node, mistakes: Mistakes) -> str | None:
    """Return a text that says something."""
    if isinstance(node.value, str) and node.value.strip():
        return node.value
    mistakes.add(node, f"{kind(node)} where a text belongs")
    return None


def texts(node: Node, mistakes: Mistakes) -> tuple[str, ...]:
    """Return a list of texts; a single text is a list of one."""
    items = node.value if isinstance(node.value, tuple) else (node,)
    values = []
    for item in items:
        if isinstance(item.value, str):
            values.append(item.value)
        else:
            mistakes.add(item, f"{kind(item)} where a text belongs")
    return tuple(values)


def flag(node: Node, mistakes: Mistakes, *, default: bool) -> bool:
    """Return a true or false."""
    try:
        return convert(plain(node), default, node.path) is True
    except ConfigurationError:
        mistakes.add(node, f"{kind(node)} where true or false belongs")
        return default


def number(node: Node, mistakes: Mistakes, *, default: float, most: float = math.inf) -> float:
    """Return a number from 0 to `most`."""
    given = node.value
    try:
        amount = float(given) if isinstance(given, str) else math.nan
    except ValueError:
        amount = math.nan
    if math.isfinite(amount) and 0 <= amount <= most:
        return amount
    limits = "of at least 0" if math.isinf(most) else f"from 0 to {most:g}"
    mistakes.add(node, f"{kind(node)} where a number {limits} belongs")
    return default


def one_of(node: Node, mistakes: Mistakes, choices: tuple[str, ...]) -> str:
    """Return one of several words, the first when it is none of them."""
    if isinstance(node.value, str) and node.value in choices:
        return node.value
    if isinstance(node.value, str):
        mistakes.unknown(node, "setting", node.value, choices)
    else:
        mistakes.add(node, f"{kind(node)} where one of {', '.join(choices)} belongs")
    return choices[0]


def kind(node: Node) -> str:
    """Return what a node holds, in words for a message."""
    if isinstance(node.value, Mapping):
        return "a mapping"
    if isinstance(node.value, tuple):
        return "a list"
    return "nothing" if node.value is None else repr(node.value)


_NO_ALIASES = "write the value out in each place"


def read_yaml(text: str, mistakes: Mistakes, *, file: str) -> Node:
    """Return the one document of a YAML text, an empty node when it cannot be read."""
    return _Composer(text, file, mistakes, json_text=False).document()


def read_json(text: str, mistakes: Mistakes, *, file: str) -> Node:
    """Return a JSON text as nodes with lines; strict JSON, read as the YAML that it is."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        reason = getattr(error, "msg", None) or "nested too deep"
        mistakes.add(Node(None, "", f"{file}:{line}"), f"not JSON: {reason}")
        return Node(None, "", file)
    # A tab may stand between tokens in JSON but not in YAML; inside a JSON string it cannot stand.
    return _Composer(text.replace("\t", " "), file, mistakes, json_text=True).document()


def _events(text: str) -> Iterator[yaml.Event]:
    """Return the events of a text: by the compiled parser, which takes a tenth of the time.

    What it refuses is left to the other one, which says more clearly what is wrong, or takes it.
    """
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=yaml.SafeLoader)
    if yaml.__with_libyaml__ and "\t" not in text:  # it takes tabs where YAML has none
        with suppress(yaml.YAMLError, UnicodeError):
            return iter([*_until_too_deep(yaml.parse(text, Loader=yaml.CSafeLoader))])
    return events


def _until_too_deep(events: Iterable[yaml.Event]) -> Iterator[yaml.Event]:
    """Yield events up to one that is refused: the deeper it is, the longer the parser takes."""
    depth = 0
    for event in events:
        yield event
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH + 1:
            return


class _Composer:
    """Builds nodes from the events of one text."""

    def __init__(self, text: str, file: str, mistakes: Mistakes, *, json_text: bool) -> None:
        self.file = file
        self.mistakes = mistakes
        self.json_text = json_text
        self.events = _events(text)

    def document(self) -> Node:
        root: Node | None = None
        try:
            for event in self.events:
                if not isinstance(event, yaml.DocumentStartEvent):
                    continue
                if root is not None:
                    self._note(event, "", "a second document", "keep one schema a file")
                    break
                start = next(self.events)
                root = self._node(start, "", self._where(start), 0)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = self.file if mark is None else f"{self.file}:{mark.line + 1}"
            self._refuse(where, f"not YAML: {error.problem or error.context}")
        except yaml.YAMLError as error:
            self._refuse(self.file, f"not YAML: {str(error).splitlines()[0]}")
        except SchemaError as error:
            self.mistakes.found.append(error)
        return Node(None, "", self.file) if root is None else root

    def _node(self, event: yaml.Event, path: str, where: str, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise SchemaError(f"nested more than {MAX_DEPTH} deep", where=self._where(event))
        if isinstance(event, yaml.AliasEvent):
            self._note(event, path, f"the alias *{event.anchor} is not supported", _NO_ALIASES)
            return Node(None, path, where)
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            self._note(event, path, f"the anchor &{event.anchor} is not supported", _NO_ALIASES)
        tag = getattr(event, "tag", None)
        if tag is not None:
            self._note(event, path, f"the tag {tag} is not supported", "every value is text")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path, where, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path, where, depth)
        return Node(self._scalar(event), path, where)

    def _scalar(self, event: yaml.Event) -> str | None:
        if not isinstance(event, yaml.ScalarEvent):
            return None
        given = event.value
        # the two parsers say differently that a text is not quoted
        if not event.style and (given == "" or (self.json_text and given == "null")):
            return None
        if self.json_text:
            # JSON may spell one character as two escapes (surrogates), which YAML keeps apart.
            return given.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return given

    def _sequence(self, path: str, where: str, depth: int) -> Node:
        items: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            place = f"{path}[{len(items)}]"
            items.append(self._node(event, place, self._where(event), depth + 1))
        return Node(tuple(items), path, where)

    def _mapping(self, path: str, where: str, depth: int) -> Node:
        entries: dict[str, Node] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            line = self._where(event)
            key = self._node(event, path, line, depth + 1).value
            name = key if isinstance(key, str) else ""
            below = f"{path}.{name}" if path else name
            item = self._node(next(self.events), below, line, depth + 1)
            if not isinstance(key, str):
                self._note(event, path, "a key that is not text", "quote it if it is meant as text")
            elif key in entries:
                first = f"first at {entries[key].where}"
                self._note(event, path, f"the key {key!r} stands twice", first)
            else:
                entries[key] = item
        return Node(entries, path, where)

    def _where(self, event: yaml.Event) -> str:
        mark = event.start_mark
        return self.file if mark is None else f"{self.file}:{mark.line + 1}"

    def _note(self, event: yaml.Event, path: str, what: str, hint: str) -> None:
        self.mistakes.add(Node(None, path, self._where(event)), what, hint=hint)

    def _refuse(self, where: str, what: str) -> None:
        self.mistakes.add(Node(None, "", where), what)
