"""A schema from examples: types come from values, structure from the trees."""

import json
from pathlib import Path

import pytest

from docassay.errors import DataError
from docassay.model.document import Number
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.schema.guess import ENOUGH_DISTINCT, ENOUGH_VALUES
from docassay.schema.infer import _Seen, guess_schema, infer, infer_with_notes
from docassay.schema.source import load_schema
from docassay.schema.write import to_plain, to_yaml

SHARED = Path(__file__).resolve().parents[3] / "shared"


def guessed(*values):
    return infer({"x": value} for value in values).fields[0]


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        pytest.param([True, False, True], "boolean", id="JSON truths"),
        pytest.param([True], "boolean", id="one JSON truth"),
        pytest.param(["yes", "no", "Yes"], "boolean", id="yes and no"),
        pytest.param(["1", "0", "1"], "number", id="ones and zeros are numbers"),
        pytest.param(["no", "No", "NO"], "text", id="one meaning is no question"),
        pytest.param(["2025-07-16"], "date", id="one ISO date"),
        pytest.param(["16/07/2025", "1 Aug 2025"], "date", id="dates"),
        pytest.param(["20250716", "20241231"], "date", id="compact dates"),
        pytest.param(["16.07", "31.12"], "money", id="two decimals are no dates"),
        pytest.param(["2023", "2024"], "id", id="years"),
        pytest.param([2023, 2024], "id", id="years as JSON numbers"),
        pytest.param(["90210", "10115"], "id", id="ZIP codes"),
        pytest.param(["01067", "9021"], "text", id="ZIP codes of two lengths, one with a zero"),
        pytest.param(["4711", "4712", "0815"], "id", id="whole numbers of one length"),
        pytest.param(["1", "2", "3"], "number", id="counts of things"),
        pytest.param(["12", "40", "15"], "number", id="short whole numbers"),
        pytest.param(["7", "120", "4500"], "number", id="whole numbers of several lengths"),
        pytest.param([1500, 2300, 4100], "number", id="JSON numbers of one length"),
        pytest.param(["-1500", "-2300"], "number", id="negative numbers are no codes"),
        pytest.param(["1.0", "0.0"], "number", id="figures are no truths"),
        pytest.param(["2025-07-16T14:05", "2025-07-17 09:30"], "text", id="a moment is no date"),
        pytest.param(["2025-07-16T00:00:00", "2025-07-17T00:00:00"], "date", id="midnight"),
        pytest.param(["R-88213", "R-10245"], "id", id="R-88213 is no rand"),
        pytest.param(["RM 88213", "RM 10245"], "id", id="letters before a number"),
        pytest.param(["USD-1001", "USD-1002"], "id", id="a code that begins as a currency does"),
        pytest.param(["KR 4411", "KR 5512", "$5"], "text", id="codes and an amount"),
        pytest.param(["R 1,250.00", "R 99.50"], "money", id="rand with cents"),
        pytest.param(["5 kr", "12 kr"], "money", id="a currency behind"),
        pytest.param(["US$ 5", "A$7"], "money", id="letters and a sign"),
        pytest.param(["5,-", "€ 7,50"], "money", id="no cents"),
        pytest.param(["5.00", "12"], "number", id="decimals that are not constant"),
        pytest.param(["1.250", "0.375"], "number", id="three decimals"),
        pytest.param(["1.251", "2.374"], "number", id="three decimals that are not round"),
        pytest.param(["1.9", "1.10", "2.0"], "text", id="versions"),
        pytest.param(["2.5", "1.25", "3"], "number", id="measures"),
        pytest.param(["2.50", "3", "1.5"], "number", id="measures, one with a zero at the end"),
        pytest.param(["17,850", "5.350", "48982.68"], "money", id="points and commas group"),
        pytest.param(["0.375", "1,250", "0.5"], "number", id="a comma groups, a point does not"),
        pytest.param(["(555) 123-4567", "(555) 987-6543"], "phone", id="an area code"),
        pytest.param(["COKE 330ML", "PEPSI 500ML"], "text", id="descriptions in capitals"),
        pytest.param(["EUR", "USD", "EUR"], "currency", id="currency codes"),
        pytest.param(["€", "$"], "currency", id="currency signs"),
        pytest.param(["EUR", "EUR"], "text", id="one currency proves nothing"),
        pytest.param(["all", "top"], "text", id="words that are codes in capitals"),
        pytest.param(["DE", "FR", "US"], "country", id="country codes"),
        pytest.param(["Germany", "France"], "country", id="country names"),
        pytest.param(["CA", "NY", "TX"], "text", id="states"),
        pytest.param(["de", "fr", "en"], "language", id="language codes"),
        pytest.param(["English", "German"], "language", id="language names"),
        pytest.param(["cash", "card"] * 5, "choice", id="few words, again and again"),
        pytest.param(["Flight 203 via Doha", "Flight 310 via Oslo"], "text", id="no street"),
        pytest.param(["1 TB drive SSD", "2 TB drive HDD"], "text", id="a drive that is no street"),
        pytest.param(["12 months", "24 months"], "quantity", id="months"),
        pytest.param(["12 A", "14 B", "3 C"], "text", id="doors"),
        pytest.param(["1 Jul 2025 - 31 Jul 2025", "1-31 August 2025"], "date_range", id="ranges"),
        pytest.param(["14:05", "2:05 pm"], "time", id="times"),
        pytest.param(["$5", "12"], "money", id="a currency sign"),
        pytest.param(["EUR 5", "7"], "money", id="a currency code"),
        pytest.param(["5.00", "12.50", "1,250.00"], "money", id="two decimals"),
        pytest.param(["60.000", "12.500", "1.250.000"], "money", id="thousands"),
        pytest.param([Number("5.00"), Number("12.50")], "money", id="JSON numbers to the cent"),
        pytest.param(["10%", "12.5 %"], "percent", id="percent"),
        pytest.param(["2 kg", "5 kg", "1.5 kg"], "quantity", id="units"),
        pytest.param(["INV-001", "INV-002"], "id", id="codes"),
        pytest.param(["51 824 753 556", "53 004 085 616"], "id", id="long digit strings"),
        pytest.param(["007", "012"], "id", id="leading zeros"),
        pytest.param(["3", "12", "4.5"], "number", id="numbers"),
        pytest.param([3, 12], "number", id="JSON numbers"),
        pytest.param([1000000, 2000000], "number", id="long JSON numbers"),
        pytest.param(["+61 2 9876 5432", "+61 3 1234 5678"], "phone", id="telephone numbers"),
        pytest.param(["cash", "card", "Card"] * 4, "choice", id="few repeated words"),
        pytest.param(
            ["4 Main St, Springfield", "12 Elm Road, Shelbyville"], "address", id="streets"
        ),
        pytest.param(
            ["Rua Augusta 5, 1100 Lisboa", "Cais 7, 4050 Porto"], "address", id="postcodes"
        ),
        pytest.param(["Acme Corp", "Globex GmbH"], "text", id="words"),
        pytest.param(["Hex bolt M8", "Washer 8mm"], "text", id="words with codes in them"),
        pytest.param(["12"], "text", id="one number proves nothing"),
        pytest.param(["2.5", "7"] * 10 + ["about 3"], "number", id="one in twenty may fail"),
        pytest.param([*map(str, range(9)), "about 3"], "text", id="one in ten may not"),
        pytest.param([None, "", "NOT_FOUND"], "text", id="no values"),
    ],
)
def test_a_type_is_guessed_from_values(values, type_):
    assert guessed(*values).type == type_


def test_a_name_says_nothing_about_a_type():
    schema = infer(
        [{"date": "Acme", "total_amount": "red"}, {"date": "Bolt", "total_amount": "up"}]
    )
    assert {field.type for field in schema.fields} == {"text"}


def test_a_choice_lists_its_commonest_spellings():
    field = guessed("cash", "card", "card", "Card", "cash", "card")
    assert field.options == {"choices": ("card", "cash")}


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["16/07/2025", "03/04/2025"], "day-first"),
        (["07/16/2025", "03/04/2025"], "month-first"),
        (["03/04/2025", "05/06/2025"], "day-first"),
        (["2025-07-16"], "day-first"),
    ],
)
def test_unambiguous_dates_give_the_order_away(dates, order):
    assert infer({"d": date} for date in dates).dates == order


def test_a_field_in_another_order_says_so_itself():
    trees = [{"a": "16/07/2025", "b": "07/16/2025"}, {"a": "17/07/2025", "b": "03/04/2025"}]
    schema = infer(trees)
    assert schema.dates == "day-first"
    assert [field.options for field in schema.fields] == [{}, {"dates": "month-first"}]


def test_the_tree_rules_are_followed():
    tree = {
        "total": {"value": "$5.00", "confidence": 0.9},
        "date": {"any_of": ["2025-07-16", "16 July 2025"]},
        "tags": "1 | 2",
        "menu": [{"menu.nm": "Tea", "sub": {"menu.sub_nm": "Milk"}}, {"nm": "Cake"}],
    }
    schema = infer([tree], name="receipts")
    assert schema.name == "receipts"
    assert schema.fields == (
        Field("total", "money"),
        Field("date", "date"),
        Field("tags", "number"),
    )
    sub = GroupSpec("menu.sub", (Field("menu.sub_nm", "text"),))
    assert schema.groups == (GroupSpec("menu", (Field("menu.nm", "text"),), (sub,)),)


def test_a_path_that_is_value_and_group_is_a_group_and_says_so():
    for trees in ([{"a": "x"}, {"a": {"b": "y"}}], [{"a": {"b": "y"}}, {"a": "x"}]):
        inferred = infer_with_notes(trees)
        assert inferred.schema.fields == ()
        assert "plain values in their place" in inferred.notes["a"]


def test_notes_say_how_many_values_and_how_many_were_read():
    trees = [{"a": "1.50"}] * 20 + [{"a": "2.50"}] * 19 + [{"a": "free"}]
    inferred = infer_with_notes(trees)
    assert inferred.notes["a"] == "40 values, 3 different, such as '1.50'; 98% read as money"
    assert "40 documents" in inferred.notes[""]


def test_nothing_to_infer_from_is_an_error():
    with pytest.raises(DataError, match="no values"):
        infer([])


def test_what_is_inferred_reads_back(tmp_path):
    trees = [{"kind": "cash", "d": "07/16/2025", "menu": [{"nm": "NO", "#": "# 1"}]}] * 6
    inferred = infer_with_notes([*trees, {"kind": "card"}, {"kind": "card"}])
    path = tmp_path / "s.yaml"
    path.write_text(to_yaml(inferred.schema, notes=inferred.notes), encoding="utf-8")
    assert load_schema(path) == inferred.schema == load_schema(to_plain(inferred.schema))


def test_real_receipts_have_amounts_and_counts():
    folder = SHARED / "data" / "cord-qwen2vl" / "pred_json"
    if not folder.is_dir():
        pytest.skip("the shared receipts are not there")
    trees = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir()))
    groups = {group.path: group for group in infer(trees).groups}
    types = {field.path: field.type for group in groups.values() for field in group.fields}
    assert types["menu.price"] == types["total.total_price"] == "money"
    assert types["menu.nm"] == "text"


PARALLEL = [
    {"LINE_ITEM_NAME": "Tea | Cake", "LINE_ITEM_PRICE": "$3.00 | $4.50", "total": "$7.50"},
    {"LINE_ITEM_NAME": "Lunch", "LINE_ITEM_PRICE": "$12.00", "total": "$12.00"},
    {"LINE_ITEM_NAME": ["A", "B", "C"], "LINE_ITEM_PRICE": ["$1", "$2", "$3"], "total": "$6.00"},
]


def test_parallel_lists_become_the_rows_of_a_group(tmp_path):
    inferred = infer_with_notes(PARALLEL)
    assert [field.path for field in inferred.schema.fields] == ["total"]
    (group,) = inferred.schema.groups
    assert group.path == "line_item"
    assert dict(group.columns) == {
        "line_item.NAME": "LINE_ITEM_NAME",
        "line_item.PRICE": "LINE_ITEM_PRICE",
    }
    assert [(field.path, field.type) for field in group.fields] == [
        ("line_item.NAME", "text"),
        ("line_item.PRICE", "money"),
    ]
    path = tmp_path / "s.yaml"
    path.write_text(to_yaml(inferred.schema, notes=inferred.notes), encoding="utf-8")
    assert load_schema(path) == inferred.schema


@pytest.mark.parametrize(
    ("trees", "columns"),
    [
        pytest.param([{"a": "1 | 2", "b": "x | y | z"}], [], id="other lengths"),
        pytest.param(
            [{"a": "1 | 2", "b": "x | y"}, {"a": "1 | 2", "b": "x"}], [], id="other lengths once"
        ),
        pytest.param([{"a": "1", "b": "x"}, {"a": "2", "b": "y"}], [], id="one value each"),
        pytest.param([{"a": "1 | 2"}, {"b": "x | y"}], [], id="never together"),
        pytest.param([{"a": "1 | 2", "b": "x | y"}], [["a", "b"]], id="no name in common"),
        pytest.param(
            [{"a": "1 | 2", "b": "x | y"}, {"a": "1", "b": ""}], [["a", "b"]], id="missing once"
        ),
        pytest.param(
            [{"a": "1 | 2", "b": "x | y"}, {"a": "3 | 4", "c": "5 | 6", "d": "7 | 8"}],
            [["a", "b"], ["c", "d"]],
            id="a column goes to the first of two groups",
        ),
        pytest.param([{"a": [{"x": 1}, {"x": 2}], "b": ["1", "2"]}], [], id="rows are rows"),
    ],
)
def test_only_lists_of_equal_lengths_are_parallel(trees, columns):
    groups = [group for group in infer(trees).groups if group.columns]
    assert [[*group.columns.values()] for group in groups] == columns


def test_names_of_rows_are_free():
    trees = [{"rows": "x", "a": "1 | 2", "b": "x | y", "i_": "1 | 2 | 3", "i_i": "1 | 2 | 3"}]
    groups = {group.path: [*group.columns] for group in infer(trees).groups}
    assert groups == {"rows_": ["rows_.a", "rows_.b"], "i": ["i.i_", "i.i_i"]}


def test_a_guess_looks_at_a_bounded_number_of_texts_a_field_and_a_draft_at_more() -> None:
    trees = [{"code": f"{number:05}"} for number in range(ENOUGH_DISTINCT)]
    trees += [{"code": "no code at all"}] * ENOUGH_DISTINCT
    assert [field.type for field in (guess_schema(trees).schema or Schema()).fields] == ["id"]
    assert [field.type for field in infer(trees).fields] == ["text"]


@pytest.mark.parametrize("leaf", ["no code", {"value": "no code"}, True], ids=str)
def test_a_guess_looks_at_the_first_values_of_a_field_and_a_draft_at_all(leaf: object) -> None:
    trees: list[object] = [{"code": f"{number % 9:05}"} for number in range(ENOUGH_VALUES)]
    trees += [{"code": leaf}] * ENOUGH_VALUES
    assert [field.type for field in (guess_schema(trees).schema or Schema()).fields] == ["id"]
    assert infer_with_notes(trees).notes["code"].startswith("2,000 values, 10 different")


def test_a_guess_finds_rare_fields_after_enough_values_of_others() -> None:
    trees: list[object] = [{"code": "12345"}] * (3 * ENOUGH_VALUES)
    trees += [{"code": "12345", "day": day} for day in ("2025-05-16", "2025-05-17")]
    fields = (guess_schema(trees).schema or Schema()).fields
    assert {field.path: field.type for field in fields}["day"] == "date"


def test_a_leaf_of_a_known_field_is_looked_at_as_any_other() -> None:
    leaves = [Number("1.5"), "7 | 8", "", "NOT_FOUND", None, True, {"value": "9"}, ["10"]]
    alone = [{"n": leaf} for leaf in leaves]
    later = [{"n": "6"}, *alone]
    seen = infer_with_notes(later).notes["n"]
    assert seen.startswith("7 values, 7 different")
    assert infer_with_notes([*alone, {"n": "6"}]).notes["n"].startswith("7 values, 7 different")


def test_rows_are_counted_in_all_documents() -> None:
    records = [{"items": [{"a": "1"}, {"a": "2"}]}, {"items": [{"a": "3"}]}, {"items": []}]
    notes = infer_with_notes([*records, *records]).notes
    assert notes["items"] == "6 rows"


def test_values_in_the_place_of_rows_are_not_kept() -> None:
    seen = _Seen(strict=False)
    seen.take([{"a": "1"}, {"a": {"b": "2"}}, {"a": "3"}, {"a": "4"}])
    assert [*seen.fields] == ["a.b"]
    assert seen.mixed == {"a"}
    assert all("a" not in members.lists for members in seen._members.values())


def test_documents_that_are_looked_at_together_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trees: list[object] = [{"a": [1, 2], "b": [3, 4]}, None, {"a": [1]}, {"b": [1, 2]}, {"a": [5]}]
    whole = infer_with_notes(trees)
    monkeypatch.setattr("docassay.schema.infer.COUNTED_AT_ONCE", 2)
    assert infer_with_notes(trees) == whole
    assert [group.path for group in whole.schema.groups] == ["rows"]
