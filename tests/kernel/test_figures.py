"""What columns are to rules: found from leaves as from readings, and the same in both forms."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings

from tests.kernel.forms import FORMS, Form
from tests.kernel.test_kernel import ROWS, Items, Steps, own_numbers

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])


class Meanings(dict[object, object]):
    """What senses are to rules: their values."""

    def __missing__(self, sense: object) -> object:
        return sense.value  # type: ignore[attr-defined]


def field_values(form: Form, steps: Steps, path: str) -> object:
    readings = steps.by_path[path]
    texts = form.figures.TextValues(None, lambda text: readings[text].sense.value)
    return form.figures.RuleValues(path, texts, texts, Meanings())


@BOTH
@settings(deadline=None)
@given(items=ROWS)
def test_values_are_found_in_leaves_as_in_readings(form: Form, items: Items) -> None:
    steps = Steps(form)
    rows = form.readings.read_rows(own_numbers(form, items), "g", steps)
    if rows is None:
        return
    read = [form.readings.Group("g", row.index, row.values) for row in rows]
    for path in ("n", "p", "q"):
        field = field_values(form, steps, path)
        wanted = [row.values[path][0].sense.value if path in row.values else None for row in read]
        assert field.under(rows) == wanted  # type: ignore[attr-defined]
        assert field.under(read) == wanted  # type: ignore[attr-defined]
        assert [form.figures.values_in(row, [field])[0] for row in rows] == wanted
    assert form.figures.indexes_of(rows) == tuple(row.index for row in rows)


@BOTH
def test_several_values_are_no_one_value(form: Form) -> None:
    steps = Steps(form)
    reading = steps.by_path["n"]["a"]
    row = form.readings.Group("g", 0, {"n": (reading, reading)})
    field = field_values(form, steps, "n")
    assert field.under([row]) is None  # type: ignore[attr-defined]
    assert form.figures.values_in(row, [field]) == [form.figures.SEVERAL]


@BOTH
def test_a_usual_number_is_its_digits_and_any_other_text_what_is_said_of_it(form: Form) -> None:
    senses = form.senses.NumberSenses("p", lambda text: text)
    values = form.figures.TextValues(senses, str.upper)
    assert values.of("1.50") == form.figures.Figure(Decimal("1.5"))
    assert values.of("1.50") is values.of("1.50")
    assert values.of("a") == "A"
    unusual = form.figures.TextValues(form.readings.UsualSenses("p", str), str.upper)
    assert unusual.of("1.50") == "1.50"


@BOTH
def test_full_values_of_texts_begin_anew(form: Form) -> None:
    values = form.figures.TextValues(None, lambda text: [text])
    first = values.of("0")
    for number in range(form.readings.CACHE_SIZE):
        values.of(str(number))
    assert values.of("0") is first
    values.of("one more")
    assert values.of("0") == first
    assert values.of("0") is not first


@BOTH
@pytest.mark.parametrize(
    ("cells", "unit"),
    [
        ([("1", None), ("2", None)], None),
        ([("1", "AUD"), ("2", None), ("3", "AUD")], "AUD"),
        ([("1", None), ("2", "AUD")], "AUD"),
    ],
    ids=["open", "stated", "stated later"],
)
def test_figures_in_one_unit_go_together(
    form: Form, cells: list[tuple[str, str | None]], unit: str | None
) -> None:
    singles = [form.figures.Figure(Decimal(number), unit) for number, unit in cells]
    figures = form.figures.figures_of(singles)
    assert figures.numbers == tuple(Decimal(number) for number, _ in cells)
    assert figures.units == tuple(unit for _, unit in cells)
    assert figures.unit == unit
    assert len(figures) == len(cells)
    assert [*figures] == singles
    assert figures == form.figures.figures_of([*singles])
    assert hash(figures) == hash(form.figures.figures_of([*singles]))
    assert figures != form.figures.figures_of(singles[:1])
    assert figures != singles


@BOTH
def test_other_cells_stay_apart(form: Form) -> None:
    figure = form.figures.Figure
    for cells in (
        [],
        [None],
        ["1"],
        [figure(Fraction(1, 3))],
        [figure(Decimal(1), "AUD"), figure(Decimal(1), "EUR")],
    ):
        assert form.figures.figures_of(cells) is None


@BOTH
def test_figures_of_one_number_and_unit_are_equal(form: Form) -> None:
    figure = form.figures.Figure
    assert figure(Decimal("1.0"), "AUD") == figure(Fraction(1), "AUD")
    assert hash(figure(Decimal("1.0"), "AUD")) == hash(figure(Fraction(1), "AUD"))
    assert figure(Decimal(1), "AUD") != figure(Decimal(1))
    assert figure(Decimal(1)) != figure(Decimal(2))
    assert figure(Decimal(1)) != Decimal(1)
    assert repr(figure(Decimal(1), "AUD")) == "Figure(Decimal('1'), 'AUD')"
