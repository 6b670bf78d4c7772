"""The prompt that a schema makes: a table of what to extract, rules, the form, and an example.

Two styles are built in, both as templates with the same placeholders that a template of one's own
may have: `json` asks for one object with rows as lists of objects, `lines` for one `KEY: value` a
line with the values of a column joined by " | ". The example is made of the schema alone, so that
an answer which repeats it can be recognised.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.extract.shape import object_schema, sample_rows, sample_value
from docassay.model.document import SEPARATOR
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.listing import Listing, short_name

STYLES = ("json", "lines")
INPUTS = ("images", "text", "both")
"""What a model gets of a document: its pages, its text, or both."""
NOT_FOUND = "NOT_FOUND"
NO_SUB_CATEGORY = "(not applicable)"
OWN = "(document)"
"""The category of values that stand in no group."""
TEXT = "text"
_PLACE = re.compile(r"\{\{\s*([A-Za-z_]*)\s*\}\}")
_GIVEN = {
    "images": "You will be provided with a document as images of its pages.",
    "text": "You will be provided with the text of a document.",
    "both": "You will be provided with a document as images of its pages, and with the text that "
    "was recognised in them.",
}
_JSON = """\
{{given}}

Your task is to analyse the document carefully and to extract key information from it.

The entities to be extracted along with their descriptions are provided below.

{{table}}
{{types}}
Return the entities in the following format:

```json
{{format}}
```

Note the following:

{{rules}}

Here is an example of the expected format. Its values are invented; never copy them.

```json
{{example}}
```
{{text}}"""
_LINES = """\
{{given}}

Your task is to analyse the document carefully and to extract key information from it.

The entities to be extracted along with their descriptions are provided below.

{{table}}
{{types}}
Return one line for each entity, with exactly these keys and in this order:

{{format}}

Note the following:

{{rules}}

Here is an example of the expected lines. Its values are invented; never copy them.

{{example}}
{{text}}"""
TEMPLATES: Mapping[str, str] = {"json": _JSON, "lines": _LINES}
PLACES = ("given", "table", "types", "format", "rules", "example", "json_schema", TEXT)
"""What a template may ask for."""
_WORDS = {
    "money": "amount of money",
    "number": "number",
    "quantity": "quantity",
    "percent": "percentage",
    "date": "date",
    "date_range": "period, from one date to another",
    "time": "time of day",
    "boolean": "true or false",
    "id": "number or code that identifies something",
    "phone": "telephone number",
    "address": "address",
    "name": "name of a person or company",
}
"""What a type is in words, where the schema describes nothing."""


class Prompt(NamedTuple):
    """What a model is asked for documents of one type, and what an answer must not repeat."""

    template: str
    """The instruction with everything filled in but the text of the document."""
    example: Mapping[str, object]
    """The record of the prompt's example."""
    answer_schema: Mapping[str, object]
    """The JSON Schema of an answer."""
    style: str
    example_text: str
    """The example as it stands in the prompt."""

    @property
    def digest(self) -> str:
        """A short name for the instruction: equal for equal prompts."""
        return hashlib.blake2b(self.template.encode(), digest_size=8).hexdigest()

    @property
    def instruction(self) -> str:
        """The prompt without a document."""
        return self.template.replace(_TEXT_PLACE, "").rstrip() + "\n"

    def for_text(self, text: str | None) -> str:
        """Return the prompt of a document; its text is data, nothing in it is filled in again."""
        shown = "" if text is None else f"\nThe text of the document:\n\n<<<\n{text.strip()}\n>>>\n"
        # a template of one's own may have no place for the text
        if _TEXT_PLACE not in self.template:
            return self.template + shown
        return self.template.replace(_TEXT_PLACE, shown)


_TEXT_PLACE = "{{text}}"


@dataclass(frozen=True, slots=True)
class PromptMaker:
    """Makes prompts of a schema: one for all documents, or one for each document type."""

    schema: Schema
    style: str = "json"
    template: str | None = None
    """A template of one's own; None for the one of the style."""
    inputs: str = "images"

    def prompt(self, type_name: str | None = None) -> Prompt:
        """Return the prompt for documents of a type, None for documents of any type."""
        if self.style not in STYLES:
            raise UnknownName("style of prompt", self.style, STYLES)
        kind = None if type_name is None else document_type(self.schema, type_name)
        parts = _Parts(self.schema, kind)
        if self.style == "lines":
            _refuse_nested(self.schema)
        example = parts.example() if self.style == "json" else parts.line_example()
        example_text = shown_json(example) if self.style == "json" else _as_lines(example)
        answer_schema = parts.answer_schema()
        filled = {
            "given": _GIVEN[self.inputs],
            "table": "\n".join(parts.table() if self.style == "json" else parts.line_table()),
            "types": "" if kind is not None else "\n".join(_about_types(self.schema)),
            "format": parts.form() if self.style == "json" else parts.line_form(),
            "rules": parts.rules() if self.style == "json" else parts.line_rules(),
            "example": example_text,
            "json_schema": shown_json(answer_schema),
            TEXT: _TEXT_PLACE,
        }
        template = TEMPLATES[self.style] if self.template is None else self.template
        return Prompt(_filled(template, filled), example, answer_schema, self.style, example_text)


def document_type(schema: Schema, name: str) -> DocumentType:
    """Return the type of a name or alias; raise UnknownName with all types for any other."""
    wanted = name.strip().casefold()
    for kind in schema.types:
        if wanted in (kind.name.casefold(), *(alias.casefold() for alias in kind.aliases)):
            return kind
    raise UnknownName("document type", name, [kind.name for kind in schema.types])


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with its places filled, once: what is filled in is not looked at."""

    def part(place: re.Match[str]) -> str:
        if place[1] not in parts:
            raise UnknownName("place in the template", place[1], PLACES, where="--template")
        return parts[place[1]]

    return _PLACE.sub(part, template)


def shown_json(tree: object) -> str:
    """Return a tree as JSON that is laid out for readers."""
    return json.dumps(tree, ensure_ascii=False, indent=2)


def _as_lines(example: Mapping[str, object]) -> str:
    return "\n".join(f"{key}: {value}" for key, value in example.items())


def _about_types(schema: Schema) -> Iterator[str]:
    """Yield which entities documents of each type have."""
    if not schema.types:
        return
    yield "\nWhich entities a document has depends on its type:\n"
    for kind in schema.types:
        also = f" (also: {', '.join(kind.aliases)})" if kind.aliases else ""
        yield f"- {kind.name}{also}: {', '.join(kind.fields) or 'all'}"
    yield ""


def _refuse_nested(schema: Schema) -> None:
    for group in schema.groups:
        if any(not inner.section for inner in group.groups):
            raise ConfigurationError(
                f"style lines cannot ask for rows inside rows of {group.path!r}",
                hint="use style json",
            )


class _Member(NamedTuple):
    """A field to extract, and the groups around it, outermost first."""

    field: Field
    enclosing: tuple[GroupSpec, ...]

    @property
    def key(self) -> str:
        """The key of its value in an answer."""
        return short_name(self.field.path, [group.path for group in self.enclosing])


class _Parts:
    """The parts of a prompt, for one document type or for all."""

    def __init__(self, schema: Schema, kind: DocumentType | None) -> None:
        listing = Listing(schema, kind)
        self._wanted = listing.expected_paths
        own = [field.path for field in schema.fields]
        if schema.types and schema.type_field not in own:
            own.insert(0, schema.type_field)
        # the listing knows the choices of the field that names a type
        self._fields = tuple(listing.fields[path] for path in own if path in self._wanted)
        self._groups = self._kept(schema.groups)

    def _kept(self, groups: Sequence[GroupSpec]) -> tuple[GroupSpec, ...]:
        kept = []
        for group in groups:
            fields = tuple(field for field in group.fields if field.path in self._wanted)
            inner = self._kept(group.groups)
            if fields or inner:
                kept.append(replace(group, fields=fields, groups=inner))
        return tuple(kept)

    def _members(self) -> Iterator[_Member]:
        yield from (_Member(field, ()) for field in self._fields)
        yield from _inside(self._groups, ())

    def table(self) -> Iterator[str]:
        """Yield the table of category, sub-category, entity and description."""
        yield "| Category | Sub-Category (if applicable) | Entity | Description |"
        yield "| --- | --- | --- | --- |"
        before = None
        for member in self._members():
            top = member.enclosing[0].path if member.enclosing else OWN
            inner = [_key_of(group, member.enclosing) for group in member.enclosing[1:]]
            shown = "" if top == before else top
            before = top
            cells = (shown, ".".join(inner) or NO_SUB_CATEGORY, member.key)
            yield f"| {' | '.join(map(_cell, cells))} | {_cell(describe_field(member.field))} |"

    def form(self) -> str:
        """Return the outline of an answer: every key of the root with what stands under it."""
        entries = {member.key: "<text>" for member in self._members() if not member.enclosing}
        for group in self._groups:
            entries[group.path] = "<object>" if group.section else "<list of objects>"
        lines = [
            f"  {json.dumps(key, ensure_ascii=False)}: {what}" for key, what in entries.items()
        ]
        return "{\n" + ",\n".join(lines) + "\n}"

    def rules(self) -> str:
        """Return the rules of grouping, as a numbered list."""
        rules = [
            f"Entities of the category {OWN} stand at the top of the answer.",
            "Each value is a text, as it is printed in the document.",
            "An entity that is not in the document is null; invent nothing.",
        ]
        if self._groups:
            rules[1:1] = [
                "All entities of one category that belong together are one object.",
                "Several objects of one category are a list, in the order of the document.",
            ]
            rules.append("A category of which the document has nothing is an empty list.")
        inner = [group.path for group in self._groups if group.groups]
        if inner:
            names = ", ".join(inner)
            rules.append(
                f"Sub-categories ({names}) are grouped in the same way, inside the object "
                "that they belong to."
            )
        rules.append(
            "Answer with JSON only; the keys are exactly the categories and entities of the table."
        )
        return _numbered(rules)

    def example(self) -> dict[str, object]:
        """Return a record with invented values of every field, and two rows a group."""
        number = count(1)
        tree: dict[str, object] = {
            _Member(field, ()).key: sample_value(field, next(number)) for field in self._fields
        }
        for group in self._groups:
            tree[group.path] = sample_rows(group, (), number)
        return tree

    def answer_schema(self) -> dict[str, object]:
        """Return the JSON Schema of an answer: every key is there, a value may be null."""
        return object_schema(self._fields, self._groups, ())

    def _line_keys(self) -> dict[str, _Member]:
        """Return the members by their keys in lines; a column has the name of its own."""
        return {line_key(member.field, member.enclosing): member for member in self._members()}

    def line_table(self) -> Iterator[str]:
        """Yield the keys with what they mean."""
        yield "| Key | Description |"
        yield "| --- | --- |"
        for key, member in self._line_keys().items():
            many = "of every row: " if _repeats(member) else ""
            yield f"| {_cell(key)} | {_cell(many + describe_field(member.field))} |"

    def line_form(self) -> str:
        """Return the lines that are expected, without values."""
        return "\n".join(f"{key}: <value>" for key in self._line_keys())

    def line_rules(self) -> str:
        """Return the rules of lines, as a numbered list."""
        rules = [
            "Write `KEY: value`, one a line, and nothing else: no JSON, no remarks.",
            f"A value that is not in the document is {NOT_FOUND}; invent nothing.",
            "Write each value as it is printed in the document.",
        ]
        if any(_repeats(member) for member in self._line_keys().values()):
            rules.append(
                f'Several values of one key are separated by "{SEPARATOR}". Keys of rows have as '
                f"many values as there are rows, in the order of the document; {NOT_FOUND} "
                "stands where a row has none."
            )
        return _numbered(rules)

    def line_example(self) -> dict[str, object]:
        """Return invented values by the keys of lines, two where values repeat."""
        number = count(1)
        return {
            key: SEPARATOR.join(
                sample_value(member.field, next(number))
                for _ in range(2 if _repeats(member) else 1)
            )
            for key, member in self._line_keys().items()
        }


def _inside(groups: Sequence[GroupSpec], enclosing: tuple[GroupSpec, ...]) -> Iterator[_Member]:
    for group in groups:
        around = (*enclosing, group)
        yield from (_Member(field, around) for field in group.fields)
        yield from _inside(group.groups, around)


def _repeats(member: _Member) -> bool:
    return bool(member.field.repeated) or any(not group.section for group in member.enclosing)


def line_key(field: Field, enclosing: Sequence[GroupSpec]) -> str:
    """Return the key of a field in an answer of lines."""
    return next(
        (group.columns[field.path] for group in enclosing if field.path in group.columns),
        field.path,
    )


def _key_of(group: GroupSpec, enclosing: Sequence[GroupSpec]) -> str:
    around = [outer.path for outer in enclosing[: [*enclosing].index(group)]]
    return short_name(group.path, around)


def describe_field(field: Field) -> str:
    """Return what a field is: as the schema describes it, else by its name and type."""
    if field.description:
        return field.description
    words = re.sub(r"[_.\-]+", " ", field.path.rpartition(".")[2]).strip().lower()
    choices = field.options.get("choices")
    if isinstance(choices, list | tuple) and choices:
        return f"{words}: one of {', '.join(map(str, choices))}"
    kind = _WORDS.get(field.type)
    return words if kind is None or kind in words else f"{words} ({kind})"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _numbered(rules: Sequence[str]) -> str:
    return "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, start=1))
