"""The safe YAML reader: a text becomes nodes, and what would surprise is refused with its line.

Texts stay texts (NO is not false, 0123 is not 83). Duplicate keys, anchors, aliases, tags, several
documents, keys that are not text and nesting deeper than fifty are mistakes. It works on PyYAML's
events rather than its objects: nothing is built before it has been looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import yaml

from docassay.errors import SchemaError
from docassay.schema.nodes import MAX_DEPTH, Mistakes, Node

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


class _Composer:
    """Builds nodes from the events of one text."""

    def __init__(self, text: str, file: str, mistakes: Mistakes, *, json_text: bool) -> None:
        self.file = file
        self.mistakes = mistakes
        self.json_text = json_text
        self.events: Iterator[yaml.Event] = yaml.parse(text, Loader=yaml.SafeLoader)

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
        if event.style is None and (given == "" or (self.json_text and given == "null")):
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
