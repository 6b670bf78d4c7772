"""The schema that goes with a generated corpus, as the YAML text of a schema file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docassay.synth.documents import KINDS

_OPTIONS = {
    "document_type": "type: choice",
    "money": "type: money, currency: AUD",
}
_EXTRAS = {"TOTAL_AMOUNT": ", weight: 3, category: totals", "GST_AMOUNT": ", category: totals"}


def schema_text(name: str = "synthetic") -> str:
    """Return a schema with the fields, groups and document types of all kinds."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    yield f"name: {name}"
    yield "absent: [NOT_FOUND]"
    yield "dates: day-first"
    yield "types:"
    for kind_name, kind in KINDS.items():
        aliases = ", ".join(kind.aliases)
        counted = ", ".join((*kind.fields, kind.group))
        yield f"  {kind_name}:"
        yield f"    aliases: [{aliases}]"
        yield f"    fields: [{counted}]"
    yield "fields:"
    fields = {field: type_ for kind in KINDS.values() for field, type_ in kind.fields.items()}
    yield from _field_lines(fields, "  ")
    yield "groups:"
    for group, columns in {kind.group: kind.columns for kind in KINDS.values()}.items():
        yield f"  {group}:"
        yield "    match: best"
        yield "    fields:"
        yield from _field_lines(columns, "      ")


def _field_lines(types: Mapping[str, str], indent: str) -> Iterator[str]:
    for field, type_ in types.items():
        options = _OPTIONS.get(type_, f"type: {type_}")
        yield f"{indent}{field}: {{{options}{_EXTRAS.get(field, '')}}}"
