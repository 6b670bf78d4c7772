"""The schema that goes with a generated corpus, as the YAML text of a schema file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docassay.synth.documents import KINDS

_OPTIONS = {
    "document_type": "type: choice",
    "money": "type: money, currency: AUD",
}
_WEIGHTS = {"TOTAL_AMOUNT": "weight: 3"}
_CATEGORIES = {
    "identification": ("DOCUMENT_TYPE",),
    "business": ("BUSINESS_ABN", "SUPPLIER_NAME", "BUSINESS_ADDRESS"),
    "customer": ("PAYER_NAME", "PAYER_ADDRESS"),
    "dates": ("INVOICE_DATE", "STATEMENT_DATE_RANGE"),
    "totals": ("IS_GST_INCLUDED", "GST_AMOUNT", "TOTAL_AMOUNT"),
}
_RULES = """\
rules:
  - {name: ABN has its check digits, check: abn(BUSINESS_ABN)}
  - {name: quantity times price, check: line_items.quantity * line_items.price == line_items.total}
  - {name: line totals make the total, check: sum(line_items.total) == TOTAL_AMOUNT}
  - {name: GST is an eleventh, check: GST_AMOUNT == TOTAL_AMOUNT / 11, when: IS_GST_INCLUDED}
  - name: running balance
    check: running(transactions.balance, transactions.amount_received, transactions.amount_paid)
  - {name: dates in order, check: ordered(transactions.date)}"""
_CATEGORY = {field: name for name, fields in _CATEGORIES.items() for field in fields}


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
        yield from _field_lines(columns, "      ", category=group.replace("_", " "))
    yield _RULES


def _field_lines(
    types: Mapping[str, str], indent: str, *, category: str | None = None
) -> Iterator[str]:
    for field, type_ in types.items():
        told = [
            _OPTIONS.get(type_, f"type: {type_}"),
            *filter(None, [_WEIGHTS.get(field)]),
            f"category: {_CATEGORY[field] if category is None else category}",
        ]
        yield f"{indent}{field}: {{{', '.join(told)}}}"
