"""Schemas in docassay's own form: what each key becomes, and every mistake with its line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, FileError, SchemaError
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.nodes import Mistakes, read_yaml
from docassay.schema.parse import parse
from docassay.schema.source import check, check_schema, load_schema

INVOICES = """\
name: invoices
absent: [NOT_FOUND, NO]
dates: month-first
currency: AUD
types:
  invoice: {aliases: [tax invoice], fields: [DOCUMENT_TYPE, ABN, TOTAL, line_items]}
  statement: {fields: [ABN, TOTAL], unscored: [BALANCE]}
fields:
  ABN: id
  TOTAL: {type: money, relative: 0.01, weight: 3, currency: AUD, category: totals}
  BALANCE: {type: money, aliases: [Closing balance]}
  NOTES: {type: text, list: false, floor: 0.6, method: anls, accept: 0.9, match: set}
  KIND: {type: choice, aliases: {cash: [coins, notes]}}
groups:
  line_items:
    match: {key: description}
    fields: {description: text, line_items.price: money}
    columns: {description: DESCRIPTIONS, price: PRICES}
    groups:
      sub: {match: order, section: true, fields: {nm: text, line_items.sub_nm: text}}
"""


def mistakes_in(text, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(text, encoding="utf-8")
    return [str(error).removeprefix(f"{path}:") for error in check_schema(path)]


@pytest.fixture
def invoices(tmp_path):
    path = tmp_path / "invoices.yaml"
    path.write_text(INVOICES, encoding="utf-8")
    return load_schema(path)


def test_the_head_of_a_schema_is_read(invoices):
    assert invoices.name == "invoices"
    assert invoices.absent == ("NOT_FOUND", "NO")
    assert invoices.dates == "month-first"
    assert invoices.currency == "AUD"
    assert invoices.type_field == "DOCUMENT_TYPE"


def test_document_types_list_their_fields(invoices):
    assert invoices.types == (
        DocumentType(
            "invoice", ("tax invoice",), ("DOCUMENT_TYPE", "ABN", "TOTAL", "line_items"), ()
        ),
        DocumentType("statement", (), ("ABN", "TOTAL"), ("BALANCE",)),
    )


def test_fields_keep_their_options_as_given(invoices):
    assert invoices.fields == (
        Field("ABN", "id"),
        Field(
            "TOTAL", "money", {"relative": "0.01", "currency": "AUD"}, weight=3.0, category="totals"
        ),
        Field("BALANCE", "money", aliases=("Closing balance",)),
        Field("NOTES", "text", accept=0.9, match="set", split=False, floor=0.6, method="anls"),
        Field("KIND", "choice", {"aliases": {"cash": ("coins", "notes")}}),
    )


def test_a_group_prefixes_names_that_are_not_full_paths(invoices):
    sub = GroupSpec(
        "line_items.sub",
        (Field("line_items.sub.nm", "text"), Field("line_items.sub_nm", "text")),
        match="order",
        section=True,
    )
    assert invoices.groups == (
        GroupSpec(
            "line_items",
            (Field("line_items.description", "text"), Field("line_items.price", "money")),
            (sub,),
            "key",
            "line_items.description",
            {"line_items.description": "DESCRIPTIONS", "line_items.price": "PRICES"},
        ),
    )


def test_a_mapping_is_a_schema_with_numbers_and_truths_as_python_has_them():
    schema = load_schema({"fields": {"t": {"type": "money", "weight": 2, "list": False}}})
    assert schema.fields == (Field("t", "money", weight=2.0, split=False),)


def test_a_schema_is_returned_as_it_is():
    schema = Schema(fields=(Field("a"),))
    assert load_schema(schema) is schema


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "feilds: {a: text}", "1: unknown key 'feilds' (did you mean 'fields'?", id="top key"
        ),
        pytest.param("rule: []\nfields: {a: text}", "1: unknown key 'rule'", id="rule"),
        pytest.param(
            "fields:\n  a: mony",
            "2: fields.a: unknown type 'mony' (did you mean 'money'",
            id="short type",
        ),
        pytest.param(
            "fields:\n  a: {type: txt}", "2: fields.a.type: unknown type 'txt'", id="type"
        ),
        pytest.param(
            "fields:\n  a: {wieght: 2}",
            "2: fields.a: unknown exact field key 'wieght' (did you mean 'weight'?",
            id="field key",
        ),
        pytest.param(
            "fields:\n  a: {type: money, relativ: 1}",
            "2: fields.a: unknown money field key 'relativ' (did you mean 'relative'?",
            id="option",
        ),
        pytest.param(
            "fields:\n  a: {type: text, currency: AUD}",
            "2: fields.a: unknown text field key 'currency'",
            id="option of another type",
        ),
        pytest.param(
            "fields:\n  a: {type: money, relative: x}",
            "2: fields.a.relative: option money.relative: 'x'",
            id="option value",
        ),
        pytest.param(
            "fields:\n  a: {type: money, relative: -1}",
            "2: fields.a.relative: '-1' where a number of at least 0",
            id="negative tolerance",
        ),
        pytest.param(
            "fields:\n  a: {type: money, relative: sNaN}",
            "2: fields.a.relative: option money.relative: 'sNaN' is not a finite number",
            id="tolerance that is not a number",
        ),
        pytest.param(
            "fields:\n  a: {type: choice, choices: [x, [y]]}",
            "2: fields.a.choices[1]: a list where a text belongs",
            id="a list among choices",
        ),
        pytest.param(
            "fields:\n  a: {type: date, dates: odd}",
            "2: fields.a.dates: option dates: 'odd'",
            id="value known to the reader",
        ),
        pytest.param(
            "fields:\n  a: {type: money, currency: }",
            "2: fields.a.currency: nothing",
            id="empty option",
        ),
        pytest.param(
            "fields:\n  a: {compare: sam}",
            "2: fields.a.compare: unknown comparator 'sam' (did you mean 'same'?",
            id="comparator",
        ),
        pytest.param(
            "fields:\n  a: {accept: 1.5}",
            "2: fields.a.accept: '1.5' where a number from 0 to 1",
            id="accept",
        ),
        pytest.param("fields:\n  a: {accept: nan}", "2: fields.a.accept: 'nan'", id="not a number"),
        pytest.param(
            "fields:\n  a: {weight: -1}",
            "2: fields.a.weight: '-1' where a number of at least 0",
            id="weight",
        ),
        pytest.param(
            "fields:\n  a: {weight: inf}", "2: fields.a.weight: 'inf'", id="infinite weight"
        ),
        pytest.param("fields:\n  a: {floor: 2}", "2: fields.a.floor: '2'", id="floor"),
        pytest.param(
            "fields:\n  a: {match: first}", "2: fields.a.match: unknown setting 'first'", id="match"
        ),
        pytest.param(
            "fields:\n  a: {list: maybe}",
            "2: fields.a.list: 'maybe' where true or false",
            id="flag",
        ),
        pytest.param(
            "fields:\n  a: {aliases: {b: c}}",
            "2: fields.a: unknown exact field key 'aliases'",
            id="aliases",
        ),
        pytest.param(
            "fields:\n  a: [b]", "2: fields.a: a list where a text belongs", id="list for field"
        ),
        pytest.param(
            "fields: text", "1: fields: 'text' where a mapping belongs", id="text for fields"
        ),
        pytest.param("- a", "1: a list where a mapping belongs", id="list for schema"),
        pytest.param(
            "dates: odd\nfields: {a: text}", "1: dates: unknown setting 'odd'", id="dates"
        ),
        pytest.param(
            "currency: XX\nfields: {a: text}", "1: currency: option currency: 'XX'", id="currency"
        ),
        pytest.param(
            "fields: {a: text}\ntypes:\n  t: {fields: [a, b]}",
            "3: types.t.fields[1]: unknown field, column or group 'b'",
            id="type lists unknown",
        ),
        pytest.param(
            "fields: {a: text}\ntypes:\n  t:\n    unscored:\n    - c",
            "5: types.t.unscored[0]: unknown field",
            id="unscored unknown",
        ),
        pytest.param(
            "fields: {a: text}\ntypes:\n  t: {fields: [a, a]}",
            "3: types.t.fields[1]: 'a' is listed twice",
            id="listed twice",
        ),
        pytest.param(
            "fields: {a: text}\ntypes:\n  t: {}\n  u: {aliases: [T]}",
            "4: types.u: the alias 'T' already stands for 't'",
            id="type alias",
        ),
        pytest.param(
            "fields:\n  a: text\n  b: {aliases: [a]}",
            "3: fields.b: the alias 'a' already stands for 'a'",
            id="field alias",
        ),
        pytest.param(
            "fields:\n  a: {aliases: [c]}\n  b: {aliases: [c]}",
            "3: fields.b: the alias 'c' already stands for 'a'",
            id="alias twice",
        ),
        pytest.param(
            "fields:\n  a: text\ngroups:\n  a: {fields: {b: text}}",
            "4: groups.a: 'a' is declared twice",
            id="field and group",
        ),
        pytest.param(
            "fields:\n  g.b: text\ngroups:\n  g:\n    fields:\n      b: text",
            "6: groups.g.fields.b: 'g.b' is declared twice",
            id="one path twice",
        ),
        pytest.param('fields:\n  "": text', "2: fields.: a name that is empty", id="empty name"),
        pytest.param(
            "groups:\n  g:\n    match: {key: x}\n    fields: {b: text}",
            "3: groups.g.match: unknown key field 'x' (there is: b)",
            id="key field",
        ),
        pytest.param(
            "groups:\n  g:\n    match: {}\n    fields: {b: text}",
            "3: groups.g.match: no key",
            id="no key",
        ),
        pytest.param(
            "groups:\n  g:\n    match: key\n    fields: {b: text}",
            "3: groups.g.match: unknown setting 'key'",
            id="key without field",
        ),
        pytest.param(
            "groups:\n  g:\n    fields: {b: text}\n    columns: {c: X}",
            "4: groups.g.columns: unknown field for a column 'c'",
            id="column of no field",
        ),
        pytest.param(
            "groups:\n  g:\n    fields: {b: text, c: text}\n    columns: {b: X, c: X}",
            "4: groups.g.columns: the column 'X' is used twice",
            id="column twice in a group",
        ),
        pytest.param(
            "groups:\n  g:\n    groups:\n      h: {fields: {b: text}, columns: {b: X}}",
            "4: groups.g.groups.h.columns: columns of a group inside",
            id="nested columns",
        ),
        pytest.param(
            "fields:\n  a: {accept: 0}",
            "2: fields.a.accept: 0 where a number above 0 belongs",
            id="everything accepted",
        ),
        pytest.param(
            "fields:\n  a: {method: anlz}",
            "2: fields.a.method: unknown setting 'anlz' (did you mean 'anls'?",
            id="method",
        ),
        pytest.param("groups:\n  g: {wat: 1}", "2: groups.g: unknown key 'wat'", id="group key"),
        pytest.param("", " an empty schema", id="empty file"),
        pytest.param("name: x", "1: an empty schema", id="no fields"),
    ],
)
def test_a_mistake_is_named_with_its_line(text, message, tmp_path):
    found = mistakes_in(text, tmp_path)
    assert len(found) == 1, found
    assert found[0].startswith(message)


SHARED_COLUMN = """\
fields: {a: text}
groups:
  items: {fields: {d: text, p: money}, columns: {d: DATES, p: PRICES}}
  moves: {fields: {d: text, m: money}, columns: {d: DATES, m: MOVES}}
"""


@pytest.mark.parametrize(
    ("types", "fine"),
    [
        pytest.param("", False, id="no types, so all at once"),
        pytest.param("types: {t: {}}", False, id="a type that lists nothing lists all"),
        pytest.param("types: {t: {fields: [items]}, u: {fields: [moves]}}", True, id="apart"),
        pytest.param("types: {t: {fields: [items, moves]}}", False, id="both groups"),
        pytest.param("types: {t: {fields: [items, moves.d]}}", False, id="a group and a field"),
        pytest.param("types: {t: {fields: [DATES]}}", False, id="the column alone, of either"),
        pytest.param("types: {t: {fields: [DATES, MOVES]}}", True, id="more columns of one"),
        pytest.param("types: {t: {fields: [items, DATES]}}", True, id="its group decides"),
    ],
)
def test_a_column_is_read_once_within_what_a_type_lists(types, fine, tmp_path):
    found = mistakes_in(SHARED_COLUMN + types, tmp_path)
    assert (found == []) is fine
    assert all("the column 'DATES' is used twice" in text for text in found)


def test_every_mistake_is_reported_in_the_order_of_lines(tmp_path):
    text = "name: [x]\nfields:\n  a: {weight: -1, accept: 2}\n  b: mony\ngroup: {}\n"
    lines = [found.split(":")[0] for found in mistakes_in(text, tmp_path)]
    assert lines == ["1", "3", "3", "4", "5"]


def test_loading_raises_the_first_mistake_and_counts_the_others(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("fields:\n  a: mony\n  b: {weight: -1}\n  c: {floor: 3}\n")
    with pytest.raises(SchemaError, match=r"s\.yaml:2: .*'mony'.*and 2 more mistakes"):
        load_schema(path)


def test_a_mistake_in_a_mapping_names_its_keys():
    with pytest.raises(SchemaError, match=r"^fields\.a\.weight: '-1'"):
        load_schema({"fields": {"a": {"weight": -1}}})


def test_a_mapping_that_contains_itself_is_refused():
    loop: dict[str, object] = {}
    loop["fields"] = {"a": loop}
    assert any("nested more than 50" in str(error) for error in check_schema(loop))


def test_a_missing_file_is_a_file_error(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        load_schema(tmp_path / "nowhere.yaml")


def test_a_file_that_is_not_utf8_is_a_mistake(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_bytes(b"name: \xff\n")
    assert "not UTF-8" in str(check_schema(path)[0])


@pytest.mark.parametrize("source", [3, None, "invoices", "schema.txt", ["a"]])
def test_what_cannot_be_a_schema_is_said(source):
    with pytest.raises(ConfigurationError):
        load_schema(source)


YAML_PIECES = ["fields:", "groups:", "types:", "\n", "  ", "a: ", "b: ", "{", "}", "[", "]", ", "]
YAML_PIECES += ["type: ", "money", "text", "match: ", "key: ", "columns: ", "- ", "1", "true", '"']


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(YAML_PIECES), max_size=25).map("".join))
def test_no_text_breaks_the_check(text):
    mistakes = Mistakes()
    check(parse(read_yaml(text, mistakes, file="s.yaml"), mistakes), mistakes)
    assert all(error.what for error in mistakes.found)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "anyOf", "$ref", "enum", "fields", "groups", "a"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(["$schema", "properties", "fields", "types"]), json_values))
def test_no_mapping_breaks_the_check(source):
    assert all(isinstance(error, SchemaError) for error in check_schema(source))
