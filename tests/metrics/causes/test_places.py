"""Values that stand in another place are found among few texts, and all of them are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.kernel.prints import WORDS
from docassay.matching.case import Layouts, make_case
from docassay.metrics.causes import corrections as explaining
from docassay.metrics.causes.corrections import corrections
from docassay.metrics.causes.places import PRINTERS, all_places, all_values
from docassay.metrics.causes.rows import pairs_of
from docassay.model.document import Group, Reading
from docassay.schema.source import load_schema
from docassay.synth.corpus import generate, schema_text
from docassay.values.field import BoundField, CanonicalForms
from docassay.values.read.date import IN_DATES, date_or_text, parse_date

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


ALMOST = st.builds(
    lambda text, mark, place: text[:place] + mark + text[place:],
    st.sampled_from(TEXTS),
    st.sampled_from(["", " ", ".", "0", "é", "–", "`", "'", "-"]),
    st.integers(0, 12),
)
DATES = st.from_regex(r"\$?[0-9]{1,4}[./-][0-9]{1,2}([./-][0-9]{1,4})?", fullmatch=True)


@given(st.sampled_from(TYPES), ALMOST | DATES, ALMOST | DATES)
def test_texts_that_mean_the_same_have_one_print_or_none(kind: str, text: str, other: str) -> None:
    field = LAYOUTS.plain.field(kind)
    reading, its = field.readings[text], field.canonical[other]
    if reading is None or reading.canonical != its:
        return
    printer = PRINTERS.get(field.gist) if reading.problem is None else WORDS
    if printer is None:
        return
    prints = {printer.of(text), printer.of(other)}
    assert len(prints) == 1 or (-1 in prints and not printer.apart)


DATED = st.lists(
    st.sampled_from(
        [*sorted(word for word in IN_DATES if word.isascii()), *("po", "z", "x", "pm", "o", "l")]
    )
    | st.sampled_from(["1", "04", "12", "31", "99", "2020", "1999"]),
    min_size=1,
    max_size=4,
)


@settings(max_examples=500)
@given(DATED | st.permutations(["4", "march", "2020"]), st.sampled_from([" ", "", ".", "/", ", "]))
def test_dates_have_the_print_of_their_iso_form_or_none(words: list[str], mark: str) -> None:
    text = mark.join(words)
    for day_first in (True, False):
        date = parse_date(text, day_first=day_first)
        if date is not None:
            prints = {PRINTERS[date_or_text].of(form) for form in (text, str(date))}
            assert len(prints) == 1 or -1 in prints


def causes_of(gold: object, pred: object, layouts: Layouts, *, told: bool) -> list[str]:
    """Return all causes of a case; without being `told`, each value is looked for everywhere."""

    class AskAll:
        def __init__(self, _: object) -> None: ...

        def of(self, wrong: list, doubtful: list[int], *_: object) -> list[tuple[int, bool, bool]]:
            sides = [(place, *wrong[place][2:]) for place in doubtful]
            return [(place, gold is not None, pred is not None) for place, gold, pred in sides]

    case = make_case("x", gold, pred, layouts)
    with pytest.MonkeyPatch.context() as patch:
        if not told:
            patch.setattr(explaining, "Elsewhere", AskAll)
        return [correction.cause for correction in corrections(case, pairs_of(case))]


@given(gold=TREES, pred=TREES)
def test_prints_change_no_cause(gold: dict[str, object], pred: dict[str, object]) -> None:
    told = causes_of(gold, pred, LAYOUTS, told=True)
    assert told == causes_of(gold, pred, LAYOUTS, told=False)


@pytest.mark.parametrize("model", ["careful", "hasty"])
def test_prints_change_no_cause_of_usual_documents(model: str) -> None:
    layouts = Layouts(load_schema(yaml.safe_load(schema_text())))
    for sample in generate(60, rows=None, seed=3, profile=model):
        told = causes_of(sample.gold, sample.pred, layouts, told=True)
        assert told == causes_of(sample.gold, sample.pred, layouts, told=False)
