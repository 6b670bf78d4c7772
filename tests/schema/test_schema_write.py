"""A schema written as YAML or as plain data reads back equal, and shows as a table."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.model.schema import DATE_ORDERS, MATCHES, DocumentType, Field, GroupSpec, Schema
from docassay.schema.listing import child_path, short_name
from docassay.schema.nodes import Mistakes, read_yaml
from docassay.schema.parse import parse
from docassay.schema.source import check_schema, load_schema
from docassay.schema.write import describe, to_plain, to_yaml

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
names = st.one_of(
    st.sampled_from(["total", "NO", "0123", "menu.nm", "a: b", "# c", "- x", "null", "{}"]), texts
)
shares = st.floats(0, 1)
option_sets = {
    "exact": st.just({}),
    "text": st.fixed_dictionaries({}, optional={"strip": texts}),
    "money": st.fixed_dictionaries(
        {}, optional={"relative": st.sampled_from(["0.01", "1"]), "currency": st.just("AUD")}
    ),
    "date": st.fixed_dictionaries({}, optional={"dates": st.sampled_from(DATE_ORDERS)}),
    "choice": st.fixed_dictionaries(
        {}, optional={"choices": st.lists(texts, max_size=3).map(tuple)}
    ),
}
kinds = st.sampled_from(sorted(option_sets)).flatmap(
    lambda kind: st.tuples(st.just(kind), option_sets[kind])
)


@st.composite
def fields(draw, path):
    kind, options = draw(kinds)
    return Field(
        path,
        kind,
        options,
        compare=draw(st.sampled_from([None, "same"])) if kind == "exact" else None,
        accept=draw(shares),
        weight=draw(st.floats(0, 1e6)),
        match=draw(st.sampled_from(MATCHES)),
        split=draw(st.booleans()),
        category=draw(st.none() | texts),
        floor=draw(shares),
        method=draw(st.none() | st.just("anls")),
    )


@st.composite
def groups(draw, path, enclosing):
    inside = (*enclosing, path)
    keys = draw(st.lists(names, unique=True, max_size=3))
    members = tuple(
        draw(fields(child)) for child in dict.fromkeys(child_path(key, inside) for key in keys)
    )
    inner = draw(st.lists(texts, unique=True, max_size=2)) if len(inside) < 3 else []
    key = members[0].path if members and draw(st.booleans()) else None
    used = members[:2] if not enclosing else ()
    return GroupSpec(
        path,
        members,
        tuple(draw(groups(child_path(f"g{name}", inside), inside)) for name in inner),
        "key" if key is not None else draw(st.sampled_from(MATCHES)),
        key,
        {field.path: f"{path} column {i}" for i, field in enumerate(used)},
        draw(st.booleans()),
    )


@st.composite
def schemas(draw):
    keys = draw(st.lists(names, unique=True, min_size=1, max_size=4))
    members = tuple(draw(fields(key)) for key in keys)
    return Schema(
        draw(st.just("") | texts),
        members,
        tuple(draw(groups(f"g{i}", ())) for i in range(draw(st.integers(0, 2)))),
        tuple(
            DocumentType(f"t{i}", draw(st.lists(texts, max_size=2).map(tuple)), (keys[0],))
            for i in range(draw(st.integers(0, 2)))
        ),
        draw(st.just("DOCUMENT_TYPE") | texts),
        tuple(draw(st.lists(st.just("") | texts, max_size=2))),
        draw(st.sampled_from(DATE_ORDERS)),
        draw(st.sampled_from([None, "AUD"])),
    )


@settings(max_examples=25, deadline=None)
@given(schemas(), texts)
def test_yaml_reads_back_to_an_equal_schema(schema, note):
    mistakes = Mistakes()
    notes = {"": note, schema.fields[0].path: note}
    root = read_yaml(to_yaml(schema, notes=notes), mistakes, file="s.yaml")
    assert parse(root, mistakes).schema == schema


@settings(max_examples=25, deadline=None)
@given(schemas())
def test_plain_data_survives_json_and_reads_back_to_an_equal_schema(schema):
    assert load_plain(json.loads(json.dumps(to_plain(schema)))) == schema


def load_plain(plain):
    from docassay.schema.nodes import from_plain

    mistakes = Mistakes()
    return parse(from_plain(plain, mistakes), mistakes).schema


@given(st.lists(texts, min_size=1, max_size=3), texts)
def test_a_short_name_stands_for_its_path(enclosing, name):
    path = child_path(name, enclosing)
    assert child_path(short_name(path, enclosing), enclosing) == path


SCHEMA = Schema(
    fields=(Field("total", "money", {"relative": "0.01"}, weight=3.0),),
    groups=(
        GroupSpec(
            "menu",
            (Field("menu.nm", "text", accept=0.8),),
            (GroupSpec("menu.sub", (Field("menu.sub_nm", "text"),), section=True),),
            "key",
            "menu.nm",
        ),
    ),
)


def test_yaml_is_commented_and_made_to_be_edited():
    notes = {"": "From examples.", "total": "12 values", "menu.sub": "3 rows"}
    assert to_yaml(SCHEMA, notes=notes) == (
        "# From examples.\n"
        "fields:\n"
        "  # 12 values\n"
        "  total: {type: money, weight: 3, relative: 0.01}\n"
        "groups:\n"
        "  menu:\n"
        "    match: {key: nm}\n"
        "    fields:\n"
        "      nm: {type: text, accept: 0.8}\n"
        "    groups:\n"
        "      # 3 rows\n"
        "      sub:\n"
        "        section: true\n"
        "        fields:\n"
        "          menu.sub_nm: {type: text}\n"
    )


def test_a_schema_made_in_python_can_be_checked():
    assert check_schema(SCHEMA) == []
    wrong = Schema(fields=(Field("a", "mony"),))
    assert "unknown type 'mony'" in str(check_schema(wrong)[0])


def test_a_word_other_readers_take_for_something_else_is_quoted():
    schema = load_schema({"absent": ["NO", "007", "n/a"], "fields": {"a": "text"}})
    assert 'absent: ["NO", "007", n/a]' in to_yaml(schema)


def test_a_schema_shows_as_rows():
    assert [tuple(row) for row in describe(SCHEMA)] == [
        ("total", "money", "relative: 0.01", 3.0, "best"),
        ("menu", "group", "", None, "key menu.nm"),
        ("menu.nm", "text", "accept: 0.8", 1.0, "best"),
        ("menu.sub", "section", "", None, "best"),
        ("menu.sub_nm", "text", "", 1.0, "best"),
    ]
