"""A guess must not make right values wrong, nor wrong values right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.model.document import Number
from docassay.model.schema import Schema
from docassay.schema.guess import (
    _IN_PERCENTS,
    _PERCENT,
    _UNIT,
    _have_currency_mark,
    _is_usual_day,
    _looks_coded,
    _names_day,
    _states_currency,
)
from docassay.schema.infer import guess_schema
from docassay.schema.observed import LONGEST, ObservedValues
from docassay.values.field import BoundField
from docassay.values.read.currencies import MARKS
from docassay.values.read.date import read_date
from docassay.values.read.id import read_id


def bound(values: list[object]) -> BoundField:
    schema = guess_schema({"x": value} for value in values).schema
    assert schema is not None
    return BoundField(schema.fields[0], schema)


def equal(field: BoundField, gold: str, pred: str) -> bool:
    left, right = field.readings[gold], field.readings[pred]
    return left is not None and right is not None and field.equal(left, right)


@pytest.mark.parametrize(
    ("values", "gold", "pred"),
    [
        (["1.9", "1.10", "2.0"], "1.10", "1.1"),
        (["2025-07-16T14:05", "2025-07-17T09:30"], "2025-07-16T14:05", "2025-07-16T15:05"),
        (["16/07/2025 14:05", "17/07/2025 09:30"], "16/07/2025 14:05", "17/07/2025 14:05"),
        (["R-88213", "R-10245"], "R-88213", "-88213"),
        (["R-88213", "R-10245"], "R-88213", "88213"),
        (["01067", "10115"], "01067", "1067"),
        (["INV-001", "INV-002"], "INV-001", "INV-1"),
        (["12 A", "14 B", "3 C"], "12 A", "12 B"),
        (["12 A", "14 B", "3 C"], "12 A", "12"),
        (["TEA 2.5L", "MILK 10 L"], "TEA 2.5L", "TEA 25L"),
        (["$5.00", "$7.50"], "$5.00", "$50.0"),
        (["2023", "2024"], "2023", "2024"),
        (["10%", "20%"], "10%", "1.0%"),
        (["CA", "NY", "TX"], "CA", "Canada"),
        (["yes", "maybe", "no"], "yes", "true"),
        (["one", "two"], "one", "1"),
        (["1.250", "0.375"], "1.250", "1250"),
        (["3:1", "2:1"], "3:1", "31"),
        (["A+", "B-"], "A+", "A"),
        (["Hex bolt M8", "Hex bolt M10"], "Hex bolt M8", "Hex bolt M 8"),
    ],
)
def test_wrong_values_stay_wrong(values: list[str], gold: str, pred: str) -> None:
    assert not equal(bound([*values]), gold, pred)


@pytest.mark.parametrize(
    ("values", "gold", "pred"),
    [
        (["$5.00", "$7.50"], "$7.50", "7.5"),
        (["5.00", "7.50"], "7.50", "7,50"),
        (["60.000", "12.500"], "60.000", "60,000"),
        (["2025-07-16", "2025-08-01"], "2025-07-16", "16 July 2025"),
        (["1", "2", "12"], "12", "12.0"),
        (["INV-001", "INV-002"], "INV-001", "inv 001"),
        (["51 824 753 556", "53 004 085 616"], "51 824 753 556", "51824753556"),
        (["Acme Corp", "Globex GmbH"], "Acme Corp", "ACME CORP"),
        (["EUR", "USD"], "EUR", "€"),
        (["DE", "FR"], "DE", "Germany"),
        (["yes", "no"], "yes", "true"),
        (["4 Main St, Ulm", "12 Elm Road, Bonn"], "4 Main St, Ulm", "4 Main Street, Ulm"),
    ],
)
def test_right_values_in_another_form_are_right(values: list[str], gold: str, pred: str) -> None:
    assert equal(bound([*values]), gold, pred)


TEXTS = st.one_of(
    st.text(max_size=12),
    st.from_regex(r"[$€R]?[- ]?[0-9]{1,4}([.,][0-9]{1,3})?", fullmatch=True),
    st.from_regex(r"[0-9]{1,2}[./-][0-9]{1,2}[./-](20)?[0-9]{2}", fullmatch=True),
    st.sampled_from(["yes", "no", "EUR", "DE", "en", "10 %", "2 kg", "INV-001", "R-88213", "noon"]),
)


@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_every_value_equals_itself_by_the_guessed_type(values: list[str]) -> None:
    schema = guess_schema({"x": value} for value in values).schema
    for field in () if schema is None else schema.fields:
        reader = BoundField(field, schema or Schema())
        for value in values:
            reading = reader.readings[value]
            assert reading is None or reader.equal(reading, reading)


@given(st.lists(TEXTS, min_size=1, max_size=12), st.randoms())
def test_the_order_of_documents_does_not_decide(values: list[str], random) -> None:
    shuffled = [*values]
    random.shuffle(shuffled)
    schemas = [guess_schema({"x": value} for value in each).schema for each in (values, shuffled)]
    assert schemas[0] == schemas[1]


@pytest.mark.parametrize(
    "tree",
    [None, 5, [], {"a": object()}, {"a": {1, 2}}, {"": "x"}, {"a": [[[["x"]]]]}, {5: "x"}],
    ids=["nothing", "a number", "a list", "an object", "a set", "no name", "deep lists", "no text"],
)
def test_what_no_schema_describes_is_left_to_who_reads_it(tree: object) -> None:
    guess_schema([tree, {"b": "1"}])


def test_a_tree_of_any_depth_is_no_error() -> None:
    tree: object = "x"
    for _ in range(400):
        tree = {"a": tree}
    guess_schema([tree])


def test_nothing_to_guess_from_is_no_schema() -> None:
    assert guess_schema([]).schema is None
    assert guess_schema([{"a": None}, {"a": "NOT_FOUND"}]).schema is None


def test_a_guessed_schema_counts_other_fields_as_text() -> None:
    schema = guess_schema([{"a": "5.00", "b": Number("7")}, {"a": "6.00"}]).schema
    assert schema is not None
    assert (schema.extra, schema.unnamed) == ("count", "text")
    assert [field.type for field in schema.fields] == ["money", "number"]


@pytest.mark.parametrize(
    ("dates", "noted"),
    [
        (["03/04/2025", "05/06/2025"], "'03/04/2025' is read day-first"),
        (["03/04/2025", "16/06/2025"], None),
        (["04/04/2025", "05/05/2025"], None),
        (["2025-04-03", "3 May 2025"], None),
        (["16/07/2025", "07/16/2025", "01/02/2025"], "'01/02/2025' is read day-first"),
    ],
)
def test_an_order_of_day_and_month_that_nothing_shows_is_reported(dates, noted) -> None:
    notes = guess_schema({"d": date} for date in dates).notes
    assert [noted in note for note in notes] == ([] if noted is None else [True])


def test_choices_and_rows_are_left_to_infer() -> None:
    trees = [{"way": way, "a": "1 | 2", "b": "x | y"} for way in ("cash", "card") * 5]
    schema = guess_schema(trees).schema
    assert schema is not None
    assert {field.path: field.type for field in schema.fields} == {
        "way": "text",
        "a": "number",
        "b": "text",
    }
    assert schema.groups == ()


def test_numbers_of_json_have_a_decimal_point() -> None:
    values = [Number("60.100"), Number("12.500"), Number("7.300")]
    assert bound([*values]).spec.type == "number"


def test_long_texts_are_cut_off_and_texts() -> None:
    for text in ("9" * 100_000, "1 " * 100_000, "a b" * 100_000, "1.1." * 50_000):
        assert bound([text, f"{text}1"]).spec.type == "text"


def test_documents_of_countless_keys_have_a_bounded_schema() -> None:
    tree = {f"key {number}": "1" for number in range(6_000)}
    schema = guess_schema([tree]).schema
    assert schema is not None
    assert len(schema.fields) == 5_000


def test_the_order_of_keys_does_not_decide() -> None:
    first = {"b": "1", "a": "x", "g": {"d": "2", "c": "y"}, "e": [{"z": "1"}]}
    second = {"e": [{"z": "1"}], "g": {"c": "y", "d": "2"}, "a": "x", "b": "1"}
    assert guess_schema([first]).schema == guess_schema([second]).schema


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(["1", "1.5", "true", "", " ", "NOT_FOUND", "a | b", " | ", "x" * 200, "b"]),
    st.sampled_from(["1.5", "2e3", "1"]).map(Number),
    st.text(max_size=4),
)


@given(st.lists(st.lists(LEAVES, max_size=12), max_size=5), st.integers(1, 8))
def test_values_counted_together_are_those_counted_one_by_one(
    batches: list[list[str | int | None]], most: int
) -> None:
    values = ObservedValues(most)
    texts: Counter[str] = Counter()
    seen = truths = numbers = 0
    for leaves in batches:
        for leaf in leaves:
            values.add(leaf)
            if leaf is None:
                continue
            text = str(leaf).lower() if isinstance(leaf, bool) else str(leaf)
            for part in text.split(" | "):
                if part.strip().casefold() in ("", "not_found"):
                    continue
                part = part if len(part) <= LONGEST else f"{part[:LONGEST]}…"
                seen += 1
                truths += isinstance(leaf, bool)
                plain = isinstance(leaf, bool) or type(leaf) is str
                numbers += not plain
                if part in texts or len(texts) < most:
                    texts[part] += 1
        values.count_waiting()
    assert (values.seen, values.truths, values.numbers) == (seen, truths, numbers)
    assert [*values.texts.items()] == [*texts.items()]


@given(
    st.lists(st.sampled_from(["2025-05-16", "16 May 2025", "12.50", "May", "x", "70807.3"])),
    st.lists(st.sampled_from(["2025-05-16", "17.5.2025"]), max_size=60),
)
def test_looking_and_reading_are_two_questions(some: list[str], dates: list[str]) -> None:
    values = ObservedValues()
    values.waiting += [*some, *dates, "2025-01-02"]
    values.count_waiting()
    both = values.nearly_all(_names_day) and values.mostly("date")
    assert values.look_and_read(_names_day, "date") == both
    assert values.look_and_read(_names_day, "date", _is_usual_day) == both


@given(st.from_regex(r"\d{1,4}[-./ ]\d{1,2}[-./]\d{1,4}", fullmatch=True) | st.dates().map(str))
def test_a_usual_day_looks_like_a_date_and_is_one(text: str) -> None:
    if _is_usual_day(text):
        assert _names_day(text)
        read_date(text)


@given(st.from_regex(_PERCENT), st.text(max_size=5))
def test_what_is_marked_as_a_percentage_has_one_of_the_marks(marked: str, other: str) -> None:
    values = ObservedValues()
    values.texts.update([other, marked])
    assert values.mention(_IN_PERCENTS)


@given(
    st.sampled_from(["{}7", "{} 1,234.50", "-{}.5.00", "5'000{}", "9 {}.", "7.50-{}", "{}x 5.00"]),
    st.sampled_from([*MARKS]),
    st.sampled_from([str.lower, str.upper, str.title]),
)
def test_what_states_a_currency_has_one_of_the_marks(
    form: str, mark: str, case: Callable[[str], str]
) -> None:
    text = form.format(case(mark))
    if _states_currency(text):
        assert _have_currency_mark(["nothing", text, "5"])
    assert not _have_currency_mark(["nothing", "5.00"])


@given(st.from_regex(r"([#:]?[A-Za-z0-9][A-Za-z0-9/._:#-]{0,6} ?){1,4}", fullmatch=True))
def test_what_looks_like_a_code_can_be_read_as_one(text: str) -> None:
    if _looks_coded(text):
        assert read_id(text)


@given(st.floats() | st.integers() | st.decimals(allow_nan=False))
def test_a_number_of_json_has_no_mark(number: float | Decimal) -> None:
    text = str(number)
    assert not _states_currency(text)
    assert _PERCENT.search(text) is None
    assert _UNIT.fullmatch(text) is None
