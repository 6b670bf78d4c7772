"""Layouts of one schema share their fields, and with them what texts mean."""

from __future__ import annotations

from docassay.model.schema import DocumentType, Field, Schema
from docassay.schema.layout import Layout


def test_layouts_of_one_schema_share_fields_and_those_of_another_do_not() -> None:
    total = Field("total", "number")
    schema = Schema(fields=(total,), types=(DocumentType("invoice", fields=("total",)),))
    plain, typed = Layout(schema, None), Layout(schema, schema.types[0])
    assert plain.field("total") is typed.field("total")
    other = Layout(Schema(fields=(total,), absent=("7",)), None)
    assert other.field("total") is not plain.field("total")
    assert plain.field("total").readings["7"] is not None
    assert other.field("total").readings["7"] is None
