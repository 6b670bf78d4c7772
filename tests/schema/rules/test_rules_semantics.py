"""What rules mean: on single values, on columns of rows, on what is absent or cannot be read."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.schema import Field, Rule, Schema
from docassay.schema.rules.check import BROKEN, HOLDS, SKIPPED, RuleOutcome, bind_rules
from docassay.schema.rules.values import Figure, show
from docassay.schema.source import load_schema
from tests.strategies import TREE

FIELDS = {
    "fields": {
        "TOTAL": "money",
        "TAX": "money",
        "SHIPPING": "money",
        "RATE": "percent",
        "N": "number",
        "QTY": "quantity",
        "ABN": "id",
        "NAME": "text",
        "PAID": "boolean",
        "DATE": "date",
        "DUE": "date",
        "PERIOD": "date_range",
        "OPEN": "time",
        "LIST": "number",
        "OTHER": "number",
    },
    "groups": {
        "items": {
            "fields": {"n": "text", "q": "quantity", "p": "money", "t": "money", "tax": "boolean"},
            "columns": {"q": "QS", "p": "PS", "t": "TS"},
            "groups": {"sub": {"fields": {"p": "money"}}},
        },
        "moves": {
            "fields": {"date": "date", "in": "money", "out": "money", "bal": "money"},
            "columns": {"date": "DATES", "in": "INS", "out": "OUTS", "bal": "BALS"},
        },
        "terms": {"section": True, "fields": {"days": "number"}},
    },
}


def ask(check: str, tree: dict[str, object], **options: object) -> RuleOutcome:
    rule = {"check": check, **options}
    (found,) = bind_rules(load_schema({**FIELDS, "rules": [rule]})).check(tree)
    return found


def rows(**columns: list[object]) -> dict[str, object]:
    length = max(map(len, columns.values()))
    return {
        "items": [
            {name: cells[i] for name, cells in columns.items() if i < len(cells)}
            for i in range(length)
        ]
    }


HELD = [
    ("sum(items.t) == TOTAL", {**rows(t=["10.00", "100.00"]), "TOTAL": "$110"}, "a sum"),
    ("sum(TS) == TOTAL", {"TS": "10 | 100", "TOTAL": "110"}, "a sum of a column by its name"),
    ("sum(items.t) == TOTAL", {"TS": "10 | 100", "TOTAL": "110"}, "columns are rows of a group"),
    ("sum(items.t) == TOTAL", {**rows(t=["1", None, "2"]), "TOTAL": "3"}, "missing cells add 0"),
    ("sum(TOTAL, TAX, SHIPPING) == 12", {"TOTAL": "10", "TAX": "2"}, "absent terms add nothing"),
    (
        "items.q * items.p == items.t",
        rows(q=["2", "3"], p=["5", "1.3333"], t=["10", "4.00"]),
        "rows",
    ),
    ("TAX == TOTAL / 11", {"TOTAL": "110.05", "TAX": "10.00"}, "equal to the cent"),
    ("TAX == TOTAL / 11 or PAID", {"TOTAL": "1", "TAX": "9", "PAID": "yes"}, "one side suffices"),
    ("not PAID or TAX == 1", {"PAID": "no"}, "what decides nothing may be absent"),
    ("PAID and N == 1", {"PAID": "yes", "N": "1"}, "both"),
    ("PAID == true", {"PAID": "yes"}, "a truth value"),
    ("DATE <= DUE", {"DATE": "3/4/2025", "DUE": "3 April 2025"}, "dates in any writing"),
    ("DUE - DATE == 30", {"DATE": "1 Jan 2025", "DUE": "31 Jan 2025"}, "days between"),
    (
        "DATE + terms.days == DUE",
        {"DATE": "2025-01-01", "DUE": "2025-01-15", "terms": {"days": 14}},
        "a section",
    ),
    ("DATE >= '1 Jan 2020'", {"DATE": "2025-01-01"}, "a text is read as its field"),
    ("NAME == 'ACME  ltd'", {"NAME": "Acme Ltd"}, "a text has its field's idea of equality"),
    ("TOTAL == '$1,000'", {"TOTAL": "1000.00"}, "an amount in words of the field"),
    (
        "start(PERIOD) <= DATE <= end(PERIOD)",
        {"PERIOD": "1-31 July 2025", "DATE": "5/7/2025"},
        "a date range",
    ),
    ("start(DATE) == end(DATE)", {"DATE": "2025-01-01"}, "a day begins and ends on itself"),
    ("OPEN < '18:00'", {"OPEN": "9:30 am"}, "times of day"),
    ("TOTAL * RATE / 100 == TAX", {"TOTAL": "50", "RATE": "10 %", "TAX": "5"}, "per cent"),
    ("QTY * N == 6", {"QTY": "2 kg", "N": "3"}, "units of quantities are left aside"),
    ("count(items) == 2", rows(n=["a", "b"]), "rows of a group"),
    ("count(items.p) == 1", rows(n=["a", "b"], p=["1"]), "cells with a value"),
    ("count(items.p) == 0", {}, "none are counted as 0"),
    (
        "count(items.sub.p) == 3",
        {"items": [{"sub": [{"p": 1}, {"p": 2}]}, {"sub": {"p": 3}}]},
        "rows inside rows",
    ),
    (
        "sum(items.sub.p) == 6",
        {"items": [{"sub": [{"p": 1}, {"p": 2}]}, {"sub": {"p": 3}}]},
        "their sum",
    ),
    ("length(PS) == length(QS)", {"PS": "1 | NOT_FOUND", "QS": "NOT_FOUND | 2"}, "placeholders"),
    ("length(items.p) == 2", rows(n=["a", "b"], p=["1"]), "rows as long as their list"),
    ("length(LIST) == 3", {"LIST": [1, None, 3]}, "a list with a gap"),
    ("LIST * 2 == OTHER", {"LIST": "1 | 2", "OTHER": "2 | 4"}, "lists of the document by position"),
    ("sum(LIST) == 6", {"LIST": [1, 2, 3]}, "a list of the document"),
    (
        "min(items.p) == 1 and max(items.p, TOTAL) == 9",
        {**rows(p=["1", "2"]), "TOTAL": "9"},
        "extremes",
    ),
    ("mean(items.p) == 1.5", rows(p=["1", "2"]), "a mean"),
    ("first(items.n) == last(items.n)", rows(n=["a", "b", "A"]), "the ends of a column"),
    ("max(DATE, DUE) == DUE", {"DATE": "2025-01-01", "DUE": "2025-01-02"}, "the later date"),
    ("abs(TOTAL) == 5", {"TOTAL": "-5.00"}, "without its sign"),
    ("round(TOTAL / 8) == 0.63", {"TOTAL": "5"}, "a half is rounded away from zero"),
    ("round(-N / 8, 2) == -0.63", {"N": "5"}, "on either side of it"),
    ("round(N, 0) == 3", {"N": "2.5"}, "to whole numbers"),
    ("-N < 0 and N - -1 == 6", {"N": "5"}, "signs"),
    (
        "not items.tax or items.p > 1",
        rows(tax=["no", "yes"], p=[None, "2"]),
        "what a row needs not",
    ),
    ("N / 3 * 3 == N", {"N": "1"}, "thirds are exact"),
    ("TOTAL / TAX * SHIPPING > 0", {"TOTAL": "$1", "TAX": "$1", "SHIPPING": "€1"}, "a share"),
    ("PERIOD == '2025'", {"PERIOD": "1/1/2025 to 31/12/2025"}, "date ranges"),
    ("first(PAID) == true or false", {"PAID": "yes"}, "truth values"),
    ("N == 0.1 + 0.2", {"N": "0.3"}, "decimals are exact"),
    ("TOTAL != TAX", {"TOTAL": "1.00", "TAX": "1.01"}, "a cent apart is different"),
    ("TOTAL >= TAX", {"TOTAL": "1.0000", "TAX": "1.0040"}, "equal to the cent is not less"),
    ("abn(ABN)", {"ABN": "ABN: 51 824 753 556"}, "a checksum behind its label"),
    ("abn(NAME)", {"NAME": "ABN 51 824 753 556"}, "a checksum of a text"),
    ("TOTAL > 0", {"TOTAL": {"any_of": ["5", "-5"]}}, "the first alternative"),
    ("TOTAL > 0", {"TOTAL": {"value": "5", "confidence": 0.1}}, "a leaf with a confidence"),
]


@pytest.mark.parametrize(
    ("check", "tree"), [pytest.param(c, t, id=f"{i}: {c}") for c, t, i in HELD]
)
def test_a_rule_holds(check: str, tree: dict[str, object]) -> None:
    assert ask(check, tree) == RuleOutcome(check, HOLDS, "")


@pytest.mark.parametrize(
    ("check", "tree", "message"),
    [
        (
            "sum(items.t) == TOTAL",
            {**rows(t=["10", "100"]), "TOTAL": "111"},
            "sum(items.t) is 110.00, TOTAL is 111.00",
        ),
        (
            "items.q * items.p == items.t",
            rows(q=["2", "3"], p=["5", "1"], t=["10", "4"]),
            "items[1]: items.q * items.p is 3.00, items.t is 4.00",
        ),
        ("TOTAL > 0", {"TOTAL": "-1"}, "TOTAL is -1.00"),
        ("TAX == N / 11", {"TAX": "1", "N": "12"}, "TAX is 1.00, N / 11 is about 1.0909"),
        ("N == 5", {"N": "6.5"}, "N is 6.5"),
        (
            "DATE <= DUE",
            {"DATE": "2/1/2025", "DUE": "1/1/2025"},
            "DATE is 2025-01-02, DUE is 2025-01-01",
        ),
        ("abn(ABN)", {"ABN": "51 824 753 557"}, "'51824753557' is not an ABN"),
        ("PAID", {"PAID": "no"}, "PAID is false"),
        ("PAID == false", {"PAID": "yes"}, "PAID is true"),
        ("false", {}, "false is false"),
        ("PERIOD == '2024'", {"PERIOD": "2025"}, "PERIOD is 2025-01-01/2025-12-31"),
        ("iban(NAME)", {"NAME": "x" * 99}, "'" + "x" * 39 + "…' is not an IBAN"),
        ("not PAID", {"PAID": "yes"}, "PAID holds"),
        ("PAID or N > 5", {"PAID": "no", "N": "1"}, "PAID is false, and N is 1"),
        ("PAID and N > 5", {"PAID": "yes", "N": "1"}, "N is 1"),
        ("NAME == 'b'", {"NAME": "a"}, "NAME is 'a'"),
        ("1 == 2", {}, "1 == 2 is false"),
        ("LIST > 1", {"LIST": "2 | 0"}, "[1]: LIST is 0"),
        (
            "items.p > 1",
            rows(p=["1"] * 5),
            "items[0]: items.p is 1.00; items[1]: items.p is 1.00; items[2]: items.p is 1.00; "
            "and 2 more",
        ),
        (
            "items.sub.p > 1",
            {"items": [{"n": "a"}, {"sub": [{"p": 2}, {"p": 1}]}]},
            "items[1].sub[1]: items.sub.p is 1.00",
        ),
        ("ascending(LIST)", {"LIST": "1 | 3 | 2"}, "[2]: 2 follows 3"),
        (
            "ordered(moves.date)",
            {"DATES": "3/1/2025 | 2/1/2025 | 4/1/2025 | 1/1/2025"},
            "moves[2]: 2025-01-04 follows 2025-01-02",
        ),
    ],
)  # fmt: skip
def test_a_broken_rule_says_what_is_wrong(
    check: str, tree: dict[str, object], message: str
) -> None:
    assert ask(check, tree) == RuleOutcome(check, BROKEN, message)


@pytest.mark.parametrize(
    ("check", "tree", "message"),
    [
        ("TOTAL > 0", {}, "TOTAL is absent"),
        ("TOTAL > 0", {"TOTAL": "NOT_FOUND"}, "TOTAL is absent"),
        ("TOTAL > 0", {"TOTAL": "soon"}, "TOTAL: 'soon' is not an amount of money"),
        ("sum(items.t) == 0", {}, "items.t is absent"),
        ("sum(items.t) == 0", rows(t=["1", "x"]), "items[1]: 'x' is not an amount of money"),
        ("sum(items.t) > 0", rows(t=["$1", "€1"]), "EUR and USD are different currencies"),
        ("TOTAL == TAX", {"TOTAL": "$1", "TAX": "€1"}, "EUR and USD are different currencies"),
        ("TOTAL / N == 1", {"TOTAL": "1", "N": "0"}, "a division by zero"),
        ("items.p / items.q == 1", rows(p=["1"], q=["0"]), "a division by zero"),
        ("items.p > items.q", rows(p=["1"]), "no row has all the values it needs"),
        ("DATE < DUE", {"DATE": "March 2025", "DUE": "1/4/2025"}, "DATE: 2025-03 is no whole date"),
        ("DATE + N > DATE", {"DATE": "2025-01-01", "N": "0.5"}, "a part of a day"),
        ("DATE + N > DATE", {"DATE": "2025-01-01", "N": "9999999"}, "a date beyond the calendar"),
        ("DATE + N > DATE", {"DATE": "2025-01-01", "N": "1e30"}, "a date beyond the calendar"),
        ("length(PS) == 1", {}, "PS is absent"),
        ("PAID and N > 1", {"PAID": "yes"}, "N is absent"),
        ("ascending(LIST)", {"LIST": "1"}, "no row has all the values it needs"),
        ("round(N, N) == 1", {"N": "0.5"}, "round() takes from 0 to 20 places"),
        ("N * N * N * N * N > 1", {"N": "9e900"}, "a figure is too long"),
        ("TOTAL == PS", {"TOTAL": "x", "PS": "1 | 2"}, "TOTAL: 'x' is not an amount of money"),
    ],
)
def test_a_rule_without_what_it_needs_does_not_apply(
    check: str, tree: dict[str, object], message: str
) -> None:
    assert ask(check, tree) == RuleOutcome(check, SKIPPED, message)


@pytest.mark.parametrize(
    ("options", "state"),
    [
        pytest.param({}, BROKEN, id="two cents are too much by default"),
        pytest.param({"tolerance": 0.02}, HOLDS, id="the bound itself is within"),
        pytest.param({"tolerance": 0.019}, BROKEN, id="beyond the bound"),
        pytest.param({"relative": 0.0002}, HOLDS, id="a share of the greater"),
        pytest.param({"tolerance": 0, "relative": 0.00001}, BROKEN, id="a share too small"),
    ],
)
def test_a_tolerance_says_how_far_apart_figures_may_be(
    options: dict[str, object], state: str
) -> None:
    assert ask("TOTAL == TAX", {"TOTAL": "100.02", "TAX": "100"}, **options).state == state


def test_no_tolerance_at_all_tells_fractions_of_a_cent_apart() -> None:
    assert ask("TOTAL == TAX", {"TOTAL": "1.001", "TAX": "1"}, tolerance=0).state == BROKEN


def test_a_tolerance_between_dates_is_in_days() -> None:
    tree = {"DATE": "2025-01-01", "DUE": "2025-01-03"}
    assert ask("DATE == DUE", tree, tolerance=2).state == HOLDS
    assert ask("DATE == DUE", tree, tolerance=1).state == BROKEN


@pytest.mark.parametrize(
    ("tree", "outcome"),
    [
        ({"PAID": "yes", "N": "1"}, RuleOutcome("paid", HOLDS, "")),
        ({"PAID": "yes", "N": "2"}, RuleOutcome("paid", BROKEN, "N is 2")),
        ({"PAID": "no", "N": "2"}, RuleOutcome("paid", SKIPPED, "PAID is false")),
        ({"N": "2"}, RuleOutcome("paid", SKIPPED, "PAID is absent")),
    ],
)
def test_a_rule_applies_only_when_its_condition_holds(
    tree: dict[str, object], outcome: RuleOutcome
) -> None:
    assert ask("N == 1", tree, when="PAID", name="paid") == outcome


STATEMENT = {
    "INS": "100 | NOT_FOUND | 5",
    "OUTS": "NOT_FOUND | 30 | NOT_FOUND",
    "BALS": "100 | 70 | 75",
}


@pytest.mark.parametrize(
    ("check", "tree", "state", "message"),
    [
        pytest.param("{}", STATEMENT, HOLDS, "", id="movements make the balance"),
        pytest.param(
            "{}",
            {"INS": "5 | NOT_FOUND | 100", "OUTS": "NOT_FOUND | 30", "BALS": "75 | 70 | 100"},
            HOLDS,
            "",
            id="newest first",
        ),
        pytest.param(
            "{}",
            {**STATEMENT, "BALS": "100 | 71 | 75"},
            BROKEN,
            "moves[1]: the balance is 71.00, what came before makes 70.00; "
            "moves[2]: the balance is 75.00, what came before makes 76.00",
            id="a wrong balance speaks twice",
        ),
        pytest.param(
            "{}", {**STATEMENT, "BALS": "100 | NOT_FOUND | 75"}, HOLDS, "", id="a balance left out"
        ),
        pytest.param(
            "{}",
            {**STATEMENT, "OUTS": "NOT_FOUND | x"},
            HOLDS,
            "",
            id="rows that can be told suffice",
        ),
        pytest.param("{}", {"BALS": "100"}, SKIPPED, None, id="one balance says nothing"),
        pytest.param("{}", {"INS": "100"}, SKIPPED, None, id="no balance"),
        pytest.param(
            "running(moves.bal, moves.in, moves.out, TOTAL)",
            {**STATEMENT, "TOTAL": "0"},
            HOLDS,
            "",
            id="from the opening balance",
        ),
        pytest.param(
            "running(moves.bal, moves.in, moves.out, TOTAL)",
            {**STATEMENT, "TOTAL": "1"},
            BROKEN,
            "moves[0]: the balance is 100.00, what came before makes 101.00",
            id="a wrong opening balance",
        ),
        pytest.param(
            "running(moves.bal, moves.in)",
            {"INS": "5 | -3", "BALS": "5 | 2"},
            HOLDS,
            "",
            id="movements with a sign",
        ),
        pytest.param(
            "running(moves.bal, moves.in)",
            {"INS": "$5 | €3", "BALS": "$5 | $8"},
            SKIPPED,
            None,
            id="another currency",
        ),
        pytest.param(
            "running(moves.bal, moves.in, 1)",
            {"INS": "0 | 3", "BALS": "5 | 7"},
            HOLDS,
            "",
            id="fee",
        ),
    ],
)
def test_balances_follow_from_movements(
    check: str, tree: dict[str, object], state: str, message: str | None
) -> None:
    found = ask(check.format("running(moves.bal, moves.in, moves.out)"), tree)
    assert found.state == state
    assert message in (None, found.message)


MONEY = st.integers(-10_000, 10_000)


@given(opening=MONEY, moves=st.lists(MONEY, min_size=2, max_size=6), backwards=st.booleans())
def test_a_statement_that_adds_up_holds_in_either_direction(
    opening: int, moves: list[int], backwards: bool
) -> None:
    balances = [opening + sum(moves[: i + 1]) for i in range(len(moves))]
    lines = [{"in": str(m), "bal": str(b)} for m, b in zip(moves, balances, strict=True)]
    tree: dict[str, object] = {"moves": lines[::-1] if backwards else lines, "TOTAL": str(opening)}
    assert ask("running(moves.bal, moves.in, 0, TOTAL)", tree).state == HOLDS


@given(values=st.lists(st.integers(-5, 5), min_size=2, max_size=6))
def test_ordered_means_sorted_one_way_or_the_other(values: list[int]) -> None:
    state = ask("ordered(LIST)", {"LIST": [*map(str, values)]}).state
    expected = values in (sorted(values), sorted(values, reverse=True))
    assert state == (HOLDS if expected else BROKEN)


def cents(amount: int) -> str:
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02}"


@given(values=st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=8))
def test_sums_are_exact_to_the_cent(values: list[int]) -> None:
    cells = [cents(one) for one in values]
    for wrong in (0, 1):
        tree = {**rows(p=[*cells]), "TOTAL": cents(sum(values) + wrong)}
        assert ask("sum(items.p) == TOTAL", tree).state == (BROKEN if wrong else HOLDS)


CHECKS = (
    "sum(items.p) == total",
    "items.p * items.q == total or ordered(items.p)",
    "running(items.p, items.q) and count(items) > 0",
    "length(items.n) == count(items.sub.n)",
    "date <= date + 5",
)


@given(tree=TREE)
def test_any_document_can_be_asked(tree: dict[str, object]) -> None:
    schema = {
        "fields": {"total": "money", "date": "date"},
        "groups": {
            "items": {
                "fields": {"n": "text", "p": "money", "q": "quantity"},
                "groups": {"sub": {"fields": {"n": "text"}}},
            }
        },
        "rules": [*CHECKS],
    }
    outcomes = bind_rules(load_schema(schema)).check(tree)
    assert [one.rule for one in outcomes] == [*CHECKS]
    assert all((one.message == "") == (one.state == HOLDS) for one in outcomes)


TYPED = {
    "types": {
        "statement": {"fields": ["DOCUMENT_TYPE", "dates"], "unscored": ["BALANCE", "moves.in"]},
        "invoice": {"fields": ["DOCUMENT_TYPE", "TOTAL"]},
        "letter": {"unscored": ["TOTAL"]},
    },
    "fields": {"TOTAL": "money", "BALANCE": "money", "dates": "date"},
    "groups": {"moves": {"fields": {"in": "money"}, "columns": {"in": "INS"}}},
    "rules": [
        {"check": "sum(moves.in) == BALANCE", "types": ["statement"]},
        {"check": "TOTAL > 0", "types": ["invoice", "letter"]},
    ],
}


@pytest.mark.parametrize(
    ("kind", "tree", "states"),
    [
        pytest.param("statement", {"INS": "1 | 2", "BALANCE": "3"}, [HOLDS], id="unscored fields"),
        pytest.param("invoice", {"TOTAL": "5"}, [HOLDS], id="rules of another type are not asked"),
        pytest.param("letter", {"TOTAL": "5"}, [HOLDS], id="a type that lists nothing has all"),
        pytest.param("", {"TOTAL": "5"}, [], id="no type"),
    ],
)
def test_the_document_type_decides_which_rules_are_asked(
    kind: str, tree: dict[str, object], states: list[str]
) -> None:
    found = bind_rules(load_schema(TYPED)).check(tree, kind)
    assert [one.state for one in found] == states


def test_a_column_that_two_groups_share_belongs_to_the_type_at_hand() -> None:
    schema = load_schema(
        {
            "types": {"a": {"fields": ["COUNTS"]}, "b": {"fields": ["goods", "NAMES"]}},
            "groups": {
                "people": {"fields": {"x": "number"}, "columns": {"x": "COUNTS"}},
                "goods": {
                    "fields": {"n": "text", "y": "money"},
                    "columns": {"y": "PRICES", "n": "NAMES"},
                },
            },
            "rules": ["count(COUNTS) == 2"],
        }
    )
    assert bind_rules(schema).check({"COUNTS": "1 | 2"}, "a")[0].state == HOLDS


def test_a_document_type_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownName, match="unknown document type 'lettr'"):
        bind_rules(load_schema(TYPED)).check({}, "lettr")


def test_a_schema_made_in_python_is_checked_when_it_is_bound() -> None:
    schema = Schema(fields=(Field("a", "number"),), rules=(Rule("a == b", name="sums"),))
    with pytest.raises(ConfigurationError, match="rule sums: unknown field, column or group 'b'"):
        bind_rules(schema)


@pytest.mark.parametrize(
    ("number", "cents", "shown"),
    [
        (Fraction(5), False, "5"),
        (Fraction(5), True, "5.00"),
        (Fraction(-1, 8), True, "-0.125"),
        (Fraction(-1, 3), True, "about -0.3333"),
        (Fraction(10**50), False, "1" + "0" * 38 + "…"),
    ],
)
def test_figures_are_shown_as_people_write_them(number: Fraction, cents: bool, shown: str) -> None:
    assert show(Figure(number), cents=cents) == shown


def test_days_and_truths_are_shown_in_words() -> None:
    assert show(datetime.date(2025, 1, 2)) == "2025-01-02"
    assert show(True) == "true"


def test_rules_name_the_fields_they_are_about() -> None:
    schema = load_schema(
        {
            "types": {"bill": {"fields": ["total"]}},
            "type_field": "kind",
            "fields": {"total": {"type": "money", "aliases": ["Sum"]}, "paid": "boolean"},
            "groups": {"items": {"fields": {"price": "money"}}},
            "rules": [
                {"name": "sum", "check": "sum(items.price) == Sum", "when": "paid"},
                {"name": "positive", "check": "total > 0", "types": ["bill"]},
            ],
        }
    )
    rules = bind_rules(schema)
    about = {"sum": {"items.price", "total"}}
    assert rules.fields() == about
    assert rules.fields("bill") == {**about, "positive": {"total"}}
    assert rules.fields("bill") is rules.fields("bill")
