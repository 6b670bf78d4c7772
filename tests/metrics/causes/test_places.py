"""Values that stand in another place are found among few texts, and all of them are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.case import Layouts, make_case
from docassay.metrics.causes.places import all_places, all_values
from docassay.model.document import Group, Reading
from docassay.schema.source import load_schema
from docassay.values.field import BoundField, CanonicalForms

TYPES = ("number", "text", "date", "currency", "money", "id", "address", "exact", "phone", "name")
LAYOUTS = Layouts(
    load_schema(
        {
            "fields": {kind: kind for kind in TYPES},
            "groups": {"items": {"fields": {f"items.{kind}": kind for kind in TYPES}}},
        }
    )
)
TEXTS = (
    *("12", "12.0", "1,200", "0", "three", "3", "1e3", "1000", "3/4", "0.75", "½", "12 kg"),
    *("2020-03-04", "4 March 2020", "03/04/2020", "2020-0Sg02", "20200304", "R6.3.12"),
    *("USD", "US dollar", "$", "4BP", "EUR 12", "€12"),
    *("Pump A12", "pump  a12.", "Hauptstraße 12", "12 Main St", "12 main street", "No. 12"),
    *("First Avenue 3", "Acme", "ACME", "acme."),
)
LEAVES = st.one_of(
    st.sampled_from(TEXTS),
    st.fixed_dictionaries({"any_of": st.lists(st.sampled_from(TEXTS), min_size=2, max_size=3)}),
    st.fixed_dictionaries({"value": st.sampled_from(TEXTS), "normalised": st.just("2020-03-04")}),
)
VALUES = st.dictionaries(st.sampled_from(TYPES), LEAVES, max_size=4)
TREES = st.builds(
    lambda own, rows: {**own, "items": rows}, VALUES, st.lists(VALUES, min_size=1, max_size=3)
)


def root_of(tree: dict[str, object]) -> Group:
    return make_case("x", tree, {}, LAYOUTS).gold.root


def every_form(root: Group) -> list[tuple[Group, str, Reading]]:
    return [
        (group, path, form)
        for group, path, reading in all_values(root)
        for form in reading.accepted
    ]


def canonical_forms(reading: Reading) -> set[str]:
    return {form.canonical for form in reading.accepted}


@given(tree=TREES)
def test_a_value_is_found_in_another_row_or_field_as_if_all_were_compared(
    tree: dict[str, object],
) -> None:
    root = root_of(tree)
    forms = every_form(root)
    places = all_places(root)
    for group, path, reading in all_values(root):
        field = LAYOUTS.plain.field(path)
        own = canonical_forms(reading)
        alike = places.alike(field, reading, reading)
        assert places.in_other_row(group, field, alike) == any(
            other == path and row is not group and form.canonical in own
            for row, other, form in forms
        )
        assert places.in_other_field(field, alike) == any(
            other != path and field.canonical[form.text] in own for _, other, form in forms
        )


def test_texts_that_cannot_mean_the_same_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"text": f"Desk lamp B{number}00", "number": f"{number}.50"} for number in range(11, 99)
    ]
    places = all_places(root_of({"items": rows}))
    read: list[str] = []
    missing: Callable[[CanonicalForms, str], str | None] = CanonicalForms.__missing__

    def count(forms: CanonicalForms, text: str) -> str | None:
        read.append(text)
        return missing(forms, text)

    monkeypatch.setattr(CanonicalForms, "__missing__", count)
    wrong = {"number": "7777.1", "text": "Desk lanp B7777", "date": "2020-0Sg02", "currency": "4BP"}
    for kind, text in wrong.items():
        field: BoundField = LAYOUTS.plain.field(kind)
        reading = field.readings[text]
        assert reading is not None
        alike = places.alike(field, reading, None)
        assert not alike or not places.in_other_field(field, alike)
    assert read == []
