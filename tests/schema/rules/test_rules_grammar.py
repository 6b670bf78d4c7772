"""Rules as written: what is understood, what is a mistake, and that nothing crashes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, DocassayError
from docassay.model.schema import Rule
from docassay.schema.rules.check import bind_rules
from docassay.schema.rules.grammar import (
    MOST_NESTED,
    Binary,
    FunctionCall,
    Literal,
    Name,
    Unary,
    parse,
    post_order,
)
from docassay.schema.source import check_schema, load_schema
from tests.counted import calls, growth

FIELDS = {
    "currency": "AUD",
    "fields": {
        "TOTAL": "money",
        "RATE": "percent",
        "ABN": "id",
        "PAID": "boolean",
        "DATE": "date",
        "DUE": {"type": "date", "aliases": ["due_by"]},
        "PERIOD": "date_range",
        "OPEN": "time",
        "Total (AUD)": "money",
    },
    "groups": {
        "items": {
            "fields": {"name": "text", "price": "money", "count": "number"},
            "columns": {"price": "PRICES"},
            "groups": {"sub": {"fields": {"price": "money"}}},
        },
        "payments": {"fields": {"amount": "money", "date": "date"}},
    },
}


def shape(node: object) -> str:
    """A tree with every operation in parentheses."""
    match node:
        case Binary(sign=sign, left=left, right=right):
            return f"({shape(left)} {sign} {shape(right)})"
        case Unary(sign=sign, operand=operand):
            return f"({sign} {shape(operand)})"
        case FunctionCall(function=function, arguments=arguments):
            return f"{function}({', '.join(map(shape, arguments))})"
        case Literal(value=value) | Name(name=value):
            return str(value)
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("a + b * c", "(a + (b * c))", id="products bind tighter than sums"),
        pytest.param("a - b - c", "((a - b) - c)", id="differences go from the left"),
        pytest.param("a / b * c", "((a / b) * c)", id="quotients go from the left"),
        pytest.param("(a + b) * c", "((a + b) * c)", id="parentheses come first"),
        pytest.param("-a * b", "((- a) * b)", id="a sign binds tightest"),
        pytest.param("a - -b", "(a - (- b))", id="a sign after a sign"),
        pytest.param("a or b and c", "(a or (b and c))", id="and binds tighter than or"),
        pytest.param("not a == b", "(not (a == b))", id="not takes the whole comparison"),
        pytest.param("not not a", "(not (not a))", id="not twice"),
        pytest.param("a <= b <= c", "((a <= b) and (b <= c))", id="a chain asks twice"),
        pytest.param("a<b", "(a < b)", id="no spaces needed"),
        pytest.param("menu.sub.price", "menu.sub.price", id="a path is one name"),
        pytest.param("`Total (AUD)` > 0", "(Total (AUD) > 0)", id="backquotes hold any name"),
        pytest.param("sum(a, b)", "sum(a, b)", id="several arguments"),
        pytest.param("a == 'x y'", "(a == x y)", id="a text"),
        pytest.param('a == "it\'s"', "(a == it's)", id="a text with an apostrophe"),
        pytest.param("a == true", "(a == True)", id="a truth value"),
        pytest.param("0.10", "0.10", id="decimals are exact"),
        pytest.param("größe > 1", "(größe > 1)", id="letters of any language"),
        pytest.param("android == 1", "(android == 1)", id="a name may begin with a word"),
    ],
)
def test_signs_bind_as_in_arithmetic(text: str, wanted: str) -> None:
    assert shape(parse(text)) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the end at character 1 where a field, a number or a function belongs"),
        ("a = b", "'=' at character 3 is not understood (equality is ==)"),
        ("a +", "the end at character 4 where a field"),
        ("(a", "the end at character 3 where ')' belongs"),
        ("a b", "'b' at character 3 where the end or a sign belongs"),
        ("sum()", "')' at character 5 where a field"),
        ("sum(a,)", "')' at character 7 where a field"),
        ("a and", "the end at character 6"),
        ("1.2.3", "'1' at character 1 is not understood"),
        ("12abc", "'1' at character 1 is not understood"),
        ("'open", '"\'" at character 1 is not understood'),
        ("a; import os", "';' at character 2 is not understood"),
        ("a.__class__()", "')' at character 13"),
        ("a ** 2", "'*' at character 4"),
    ],
)
def test_what_cannot_be_parsed_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        parse(text)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("TOTL == 1", "did you mean 'TOTAL'?", id="an unknown field"),
        pytest.param("sume(items.price) == 1", "unknown function 'sume'", id="unknown function"),
        pytest.param("TOTAL", "TOTAL is an amount of money, which neither", id="no condition"),
        pytest.param("sum(DATE) == 1", "DATE is a date where", id="sum of a date"),
        pytest.param("TOTAL == DATE", "a date and an amount of money do not go", id="mixed"),
        pytest.param("ABN < ABN", "a text is neither less nor more", id="order of texts"),
        pytest.param("not TOTAL", "TOTAL is an amount of money where true or false", id="not"),
        pytest.param("DATE + DUE == DATE", "DUE is a date where a number", id="sum of dates"),
        pytest.param("DATE * 2 == DATE", "DATE is a date where", id="product of a date"),
        pytest.param("TOTAL > 0 and 5", "5 is a number where true or false", id="and"),
        pytest.param("abn(TOTAL)", "TOTAL is an amount of money where a text", id="checksum"),
        pytest.param("abn(ABN, ABN)", "abn() takes 1 argument, not 2", id="too many"),
        pytest.param("running(TOTAL) ", "running() takes 2 to 4 arguments, not 1", id="too few"),
        pytest.param(
            "items.price == payments.amount", "rows of items and of payments", id="other rows"
        ),
        pytest.param(
            "items.price == items.sub.price", "rows of items and of items.sub", id="inner rows"
        ),
        pytest.param("DATE == 'soon'", "'soon' is not a date", id="a text its field cannot read"),
        pytest.param("DATE == 'NOT_FOUND'", "means no value", id="a text that means nothing"),
        pytest.param("min(DATE, DUE) == 'x'", "can be compared with a field only", id="a text"),
        pytest.param("'a' == 'a'", "can be compared with a field only", id="two texts"),
        pytest.param("items == items", "compares a group", id="a group"),
        pytest.param("sum(items) > 0", "items is a group where", id="sum of a group"),
        pytest.param("min(DATE, TOTAL) == DATE", "do not go together", id="mixed arguments"),
    ],
)
def test_what_makes_no_sense_for_the_schema_is_a_mistake(text: str, said: str) -> None:
    (mistake,) = check_schema({**FIELDS, "rules": [text]})
    assert str(mistake).startswith("rules[0]: ")
    assert said in str(mistake)


@pytest.mark.parametrize(
    "text",
    [
        "sum(items.price) == TOTAL",
        "sum(PRICES) == `Total (AUD)`",
        "items.price * items.count <= TOTAL",
        "DATE <= due_by",
        "DUE - DATE <= 30",
        "start(PERIOD) <= payments.date <= end(PERIOD)",
        "DATE >= '1 Jan 2000'",
        "count(items) == count(items.name)",
        "count(items.sub) >= 0",
        "TOTAL / TOTAL == RATE / 100",
        "OPEN < '18:00' or PAID",
        "PAID == true",
        "round(TOTAL, 1) == TOTAL",
        "max(TOTAL, 5) == TOTAL",
    ],
)
def test_what_makes_sense_is_no_mistake(text: str) -> None:
    assert check_schema({**FIELDS, "rules": [text]}) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(" * 900 + "TOTAL", f"nested more than {MOST_NESTED} deep"),
        ("-" * 900 + "TOTAL == 1", f"nested more than {MOST_NESTED} deep"),
        ("not " * 200 + "PAID", f"nested more than {MOST_NESTED} deep"),
        ("abs(" * 200 + "TOTAL", f"nested more than {MOST_NESTED} deep"),
        ("+".join(["TOTAL"] * 10_000) + " == 1", "more than 1000 characters"),
        ("1" * 2000 + " == 1", "more than 1000 characters"),
    ],
    ids=["parentheses", "signs", "nots", "calls", "terms", "length"],
)
def test_a_bomb_is_a_mistake_and_no_crash(text: str, said: str) -> None:
    (mistake,) = check_schema({**FIELDS, "rules": [text]})
    assert said in str(mistake)


PIECES = st.sampled_from(
    [
        *("TOTAL", "items.price", "PRICES", "DATE", "PERIOD", "PAID", "ABN", "items", "nobody"),
        *("sum(", "count(", "running(", "ordered(", "abn(", "(", ")", ",", "'x'", "1", "0.5"),
        *("+", "-", "*", "/", "==", "<", ">=", "and", "or", "not", "true", "`", "\n", "é"),
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=12).map(" ".join)))
def test_any_text_is_a_rule_or_a_mistake(text: str) -> None:
    for mistake in check_schema({**FIELDS, "rules": [text]}):
        assert isinstance(mistake, DocassayError)


def test_a_mistake_in_a_file_names_its_line(tmp_path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("fields: {TOTAL: money}\nrules:\n  - TOTAL > 0\n  - TOTAL > \n")
    (mistake,) = check_schema(path)
    assert str(mistake).startswith(f"{path}:4: rules[1]: the end at character 8")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([{"check": "TOTAL > 0", "nmae": "x"}], "did you mean 'name'?"),
        ([{"name": "x"}], "no check"),
        ([{"check": "TOTAL > 0", "types": ["invoce"]}], "unknown document type 'invoce'"),
        ([{"check": "TOTAL > 0", "tolerance": -1}], "where a number of at least 0 belongs"),
        ([{"check": "TOTAL > 0", "when": "TOTAL"}], "which neither holds nor fails"),
        (["TOTAL > 0", "TOTAL > 0"], "the rule 'TOTAL > 0' stands twice"),
        ([["TOTAL > 0"]], "a list where a text belongs"),
        ([None], "nothing where a text belongs"),
    ],
)
def test_a_rule_that_is_badly_described_is_a_mistake(rules: list[object], said: str) -> None:
    (mistake,) = check_schema({**FIELDS, "rules": rules})
    assert said in str(mistake)


LONG_RULES = [
    pytest.param(lambda n: " + ".join(["TOTAL"] * n) + " == 1", 100, id="a sum"),
    pytest.param(lambda n: "1 == " + "*".join(["TOTAL"] * n), 100, id="a product"),
    pytest.param(lambda n: " and ".join(["PAID"] * n), 100, id="and"),
    pytest.param(lambda n: " or ".join(["PAID"] * n), 100, id="or"),
    pytest.param(lambda n: " < ".join(["TOTAL"] * n), 100, id="comparisons in a chain"),
    pytest.param(lambda n: f"max({', '.join(['TOTAL'] * n)}) == 1", 80, id="arguments"),
    pytest.param(lambda n: "(" * n + "TOTAL" + ")" * n + " == 1", 28, id="parentheses"),
    pytest.param(lambda n: "abs(" * n + "TOTAL" + ")" * n + " == 1", 28, id="calls"),
    pytest.param(lambda n: "(PAID == " * n + "PAID" + " == PAID)" * n, 28, id="shared operands"),
    pytest.param(lambda n: "-(" * (n // 2) + "TOTAL" + ")" * (n // 2) + " > 1", 28, id="signs"),
]


@pytest.mark.parametrize(("rule", "most"), LONG_RULES)
def test_the_work_of_checking_and_asking_a_rule_grows_with_its_length(
    rule: Callable[[int], str], most: int
) -> None:
    schema = load_schema(FIELDS)

    def work(size: int) -> int:
        ruled = replace(schema, rules=(Rule(rule(size)),))
        tree = {"TOTAL": "1", "PAID": "yes"}
        return calls(lambda: bind_rules(ruled).check(tree))

    assert growth(work, most // 2) < 1.2


@pytest.mark.parametrize(("rule", "most"), LONG_RULES)
def test_a_rule_of_ten_thousand_terms_is_a_mistake(rule: Callable[[int], str], most: int) -> None:
    (mistake,) = check_schema({**FIELDS, "rules": [rule(10_000)]})
    assert "a rule of more than 1000 characters" in str(mistake)


def test_parts_come_after_their_operands_and_once() -> None:
    parts = [part.source for part in post_order(parse("a + b < c < sum(d, -e)"))]
    assert parts == [
        *("a", "b", "a + b", "c", "a + b < c", "d", "e", "-e", "sum(d, -e)"),
        *("c < sum(d, -e)", "a + b < c < sum(d, -e)"),
    ]
