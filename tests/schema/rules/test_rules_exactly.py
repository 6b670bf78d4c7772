"""Quick ways of asking rules come to what the plain ones do: exact fractions, each side alone."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.case import Layouts, make_case
from docassay.model.schema import EXTRAS, Schema
from docassay.schema.rules.check import BROKEN, HOLDS, RuleSheet
from docassay.schema.rules.exact import MOST_BITS, add, divide, is_too_long, multiply, subtract
from docassay.schema.rules.names import ContentReader
from docassay.schema.rules.values import ColumnValue, Figure, Single, Value
from docassay.schema.source import load_schema

LONG = "9" * 800
NUMBERS = st.one_of(
    st.decimals(-1000, 1000, places=2).map(str),
    st.integers(-5, 5).map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.sampled_from(["0", "-0.00", "1e900", "-1e-900", "1e1500", LONG, f"0.{LONG}"]),
)
DECIMALS = NUMBERS.map(Decimal)
PLAIN = {"fields": {"A": "number", "B": "number", "C": "number"}}
LISTED = {
    "fields": {"A": "money", "B": "money", "N": "number"},
    "groups": {"rows": {"fields": {"x": "money", "y": "number"}}},
}
SINGLES = ("A", "B", "N", "1.5", "11")
COLUMNS = ("rows.x", "rows.y")
AGGREGATES = ("sum({})", "mean({})", "min({})", "max({})", "count({})", "first({})")
SIGNS = ("==", "!=", "<", "<=", ">", ">=")


def worth(leaves: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Give expressions of figures."""
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda e: f"({' '.join(e)})"),
            st.tuples(st.sampled_from(("-", "abs", "round")), inner).map(
                lambda e: f"{e[0]}({e[1]})"
            ),
        ),
        max_leaves=4,
    )


AGGREGATED = st.tuples(st.sampled_from(AGGREGATES), st.sampled_from((*COLUMNS, *SINGLES[:3])))
FIGURE = worth(
    st.one_of(st.sampled_from((*SINGLES, *COLUMNS)), AGGREGATED.map(lambda e: e[0].format(e[1])))
)
COMPARED = st.tuples(FIGURE, st.sampled_from(SIGNS), FIGURE).map(" ".join)
CHECKS = st.one_of(
    COMPARED,
    st.tuples(COMPARED, st.sampled_from(("and", "or")), COMPARED).map(" ".join),
    st.just("running(rows.x, rows.y)"),
    st.just("running(rows.x, rows.y, A, B)"),
    st.just("ordered(rows.x)"),
)
AMOUNTS = st.one_of(NUMBERS, NUMBERS.map("USD {}".format), st.sampled_from(["AUD 1", "?", None]))
ROWS = st.lists(st.fixed_dictionaries({}, optional={"x": AMOUNTS, "y": NUMBERS}), max_size=4)
TREES = st.fixed_dictionaries({}, optional={"A": AMOUNTS, "B": AMOUNTS, "N": NUMBERS, "rows": ROWS})
LIMITS = st.sampled_from(({}, {"tolerance": 0.1}, {"relative": 0.01}, {"tolerance": 0}))


def plainly(single: Single) -> Single:
    return Figure(Fraction(single.number), single.unit) if isinstance(single, Figure) else single


def in_fractions(value: Value) -> Value:
    if not isinstance(value, ColumnValue):
        return plainly(value)
    return value._replace(cells=tuple(map(plainly, value.cells)))


@given(CHECKS, LIMITS, TREES)
def test_a_rule_comes_to_the_same_in_fractions_alone(
    check: str, limits: dict[str, float], tree: dict[str, object]
) -> None:
    schema = load_schema({**LISTED, "rules": [{"check": check, **limits}]})
    sheet = RuleSheet(schema, None)
    (rule,) = sheet.bind_all()
    content = sheet.reader.read(tree, ContentReader(rule.names))
    plain = {name: in_fractions(value) for name, value in content.items()}
    assert rule.ask(content) == rule.ask(plain)


FEW_AMOUNTS = st.sampled_from(["1.00", "$1.00", "2.00", "$2.00", "EUR 2.00", "0.01", "-1.00", "?"])
FEW_ROWS = st.lists(
    st.fixed_dictionaries({}, optional={"x": FEW_AMOUNTS, "y": st.sampled_from("-120")}),
    max_size=4,
)
USUAL = st.sampled_from(
    [
        *(f"rows.y * rows.x {sign} rows.x" for sign in SIGNS),
        *("rows.x + rows.x == 2 * rows.x", "rows.x - rows.y == A", "rows.x / 2 == A - rows.x"),
        *("sum(rows.x) == A", "sum(rows.x, rows.y) == A", "sum(rows.y * rows.x) <= A"),
        *("rows.x <= A and rows.y == 1", "mean(rows.x) == A / 3", "max(rows.x) > rows.y"),
    ]
)


def cell_by_cell(value: Value) -> Value:
    return value._replace(cells=tuple(value.cells)) if isinstance(value, ColumnValue) else value


@given(USUAL, LIMITS, FEW_ROWS, FEW_AMOUNTS)
def test_a_column_comes_to_what_its_cells_do(
    check: str, limits: dict[str, float], rows: list[dict[str, str]], amount: str
) -> None:
    sheet = RuleSheet(load_schema({**LISTED, "rules": [{"check": check, **limits}]}), None)
    (rule,) = sheet.bind_all()
    content = sheet.reader.read({"A": amount, "rows": rows}, ContentReader(rule.names))
    cells = {name: cell_by_cell(value) for name, value in content.items()}
    assert rule.ask(content) == rule.ask(cells)


WRITTEN = st.one_of(
    st.sampled_from(
        ["$1.00", "1.00", "-$1,234.50", "0.01", "$0.01", "AUD 2", "EUR 2.00", "?", "5"]
    ),
    st.decimals(-3, 3, places=2).map("${}".format),
    st.sampled_from(["123456789012.34", "$99,999,999,999.99", "0.00001", "", None]),
    st.integers(-3, 3),
)
COUNTED = st.sampled_from(
    ["1", "2", "-3", "0", "1.5", "0.12345", "2.50", "123456789012345", "", None]
)
DAYS = st.sampled_from(["2024-01-01", "02/01/2024", "2023-12-31", "2024-01", "soon", None])
BOOKED = {
    "dates": "day-first",
    "fields": {
        **{"A": {"type": "money", "currency": "AUD"}, "B": "money", "N": "number", "Q": "quantity"},
        **{"T": "boolean", "I": "id"},
    },
    "groups": {
        "rows": {
            "fields": {
                "x": {"type": "money", "currency": "AUD"},
                **{"y": "number", "d": "date", "i": "id"},
            }
        }
    },
}
BOOKED_CHECKS = (
    *(f"A {sign} B" for sign in SIGNS),
    *(f"rows.x * rows.y {sign} A" for sign in SIGNS),
    *("rows.x + A == rows.x", "rows.x - rows.x * 2 <= B", "rows.x - rows.y > N", "T"),
    *("sum(rows.x) == A", "sum(rows.x * rows.y) == A + B", "sum(rows.x) == 0.99999", "N * N == Q"),
    *("A == B / 11", "A / N == 0.5", "rows.x / N <= A", "rows.x / rows.y == A", "A / -2 == B"),
    *(
        "ordered(rows.d)",
        "ascending(rows.d)",
        "descending(rows.x)",
        "ordered(N)",
        "rows.d > rows.d",
    ),
    *(
        "running(rows.x, rows.y)",
        "running(rows.x, rows.x, rows.y)",
        "running(rows.x, rows.y, rows.x)",
    ),
    *(
        "running(rows.x, rows.y, rows.y, A)",
        "abn(I)",
        "luhn(rows.i)",
        "gtin(I) or T",
        "rows.y * N == N",
    ),
    *("not T", "abs(A) == B", "A * A * A * A == B", "count(rows) == N", "I == '18'", "-A == B"),
)
BOOKED_ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={"x": WRITTEN, "y": COUNTED, "d": DAYS, "i": st.sampled_from(["18", "59", "a-9"])},
    ),
    max_size=4,
)
BOOKED_TREES = st.fixed_dictionaries(
    {},
    optional={
        **{"A": WRITTEN, "B": WRITTEN, "N": COUNTED, "Q": COUNTED, "rows": BOOKED_ROWS},
        "T": st.sampled_from(["yes", "no", "true", "perhaps", True]),
        "I": st.sampled_from(["51 824 753 556", "ABN 51 824 753 557", "18", "-", None]),
    },
)


@given(
    st.lists(st.sampled_from(BOOKED_CHECKS), min_size=1, max_size=4),
    LIMITS,
    st.sampled_from(({}, {"when": "T"}, {"when": "A > 0"}, {"when": "rows.x > 0"})),
    BOOKED_TREES,
    BOOKED_TREES,
    st.sets(st.sampled_from(("A", "B", "N", "T", "I", "rows"))),
)
def test_few_steps_tell_what_the_general_way_does(
    checks: list[str],
    limits: dict[str, float],
    when: dict[str, str],
    gold: dict[str, object],
    pred: dict[str, object],
    kept: set[str],
) -> None:
    rules = [
        {"check": check, "name": f"{number}", **limits, **when}
        for number, check in enumerate(checks)
    ]
    layouts = Layouts(load_schema({**BOOKED, "rules": rules}))
    pred = {**pred, **{name: gold[name] for name in kept if name in gold}}
    case = make_case("a", gold, pred, layouts)
    assert layouts.rules is not None
    for side, tree in (("gold", gold), ("pred", pred)):
        alone = layouts.rules.check(tree) if tree else ()
        assert case.rule_outcomes[side].states == tuple(outcome.state for outcome in alone)


@given(
    worth(st.sampled_from(("A", "B", "C"))).filter(lambda text: "round" not in text),
    st.sampled_from(SIGNS),
    st.fixed_dictionaries(dict.fromkeys("ABC", st.decimals(-100, 100, places=2))),
)
def test_a_rule_of_numbers_is_what_python_makes_of_it_in_fractions(
    left: str, sign: str, numbers: dict[str, Decimal]
) -> None:
    check = f"{left} {sign} A"
    schema = load_schema({**PLAIN, "rules": [check]})
    tree = {name: str(number) for name, number in numbers.items()}
    outcomes = make_case("a", tree, None, Layouts(schema)).rule_outcomes["gold"]
    try:
        exact = {name: Fraction(number) for name, number in numbers.items()}
        wanted = HOLDS if eval(check, {"abs": abs, **exact}) else BROKEN
    except ZeroDivisionError:
        return
    assert [outcome.state for outcome in outcomes] == [wanted]


@pytest.mark.parametrize(
    ("quick", "plain"),
    [
        (add, Fraction.__add__),
        (subtract, Fraction.__sub__),
        (multiply, Fraction.__mul__),
        (divide, Fraction.__truediv__),
    ],
    ids=["add", "subtract", "multiply", "divide"],
)
@given(left=DECIMALS, right=DECIMALS)
def test_arithmetic_is_exact_and_a_decimal_never_too_long(quick, plain, left, right) -> None:  # type: ignore[no-untyped-def]
    if plain is Fraction.__truediv__ and not right:
        return
    result = quick(left, right)
    exact = plain(Fraction(left), Fraction(right))
    assert Fraction(result) == exact
    assert isinstance(result, Fraction) or not is_too_long(exact)


def test_long_figures_are_fractions_and_very_long_ones_are_given_up() -> None:
    wide = multiply(Decimal("1e900"), Decimal("1e900"))
    assert isinstance(wide, Fraction)
    assert not is_too_long(wide)
    assert is_too_long(Fraction(2**MOST_BITS))
    assert isinstance(divide(Decimal(1), Decimal(3)), Fraction)
    assert isinstance(divide(Decimal(1), Decimal(4)), Decimal)


TYPED = {
    "absent": ["NONE"],
    "types": {
        "bill": {"fields": ["TOTAL", "items", "NUMS"]},
        "part": {"fields": ["TOTAL", "items.t"]},
        "quiet": {"fields": ["TOTAL", "items"], "unscored": ["TAX", "items.q"]},
        "hush": {"unscored": ["TAX"]},
        "any": {},
    },
    "fields": {
        "TOTAL": {"type": "money", "aliases": ["sum"]},
        "TAX": "money",
        "NUMS": {"type": "number", "list": True},
        "WHEN": "date",
    },
    "groups": {
        "items": {
            "fields": {"n": "text", "t": "money", "q": "quantity"},
            "columns": {"t": "TS", "q": "QS"},
            "groups": {"sub": {"fields": {"p": "money"}}},
        },
        "terms": {"section": True, "fields": {"days": "number"}},
    },
    "rules": [
        "sum(items.t) == TOTAL",
        {"check": "TAX < TOTAL", "when": "TAX > 0"},
        "items.q * 2 == items.t",
        "count(items) == length(items.t)",
        "sum(items.sub.p) == items.t",
        "sum(NUMS) == 3",
        "ascending(NUMS)",
        "WHEN >= '1 Jan 2020'",
        "terms.days == 14",
    ],
}
LEAF = st.sampled_from(["1", "2", "2.00", "$2", "AUD 2", "NONE", "oops", None, 3, "1 | 2"])
VALUE = st.one_of(
    LEAF,
    LEAF.map(lambda leaf: {"value": leaf, "confidence": 0.5}),
    st.lists(LEAF, max_size=3),
    st.lists(LEAF, min_size=1, max_size=2).map(lambda leaves: {"any_of": leaves}),
)
CELLS = {
    "n": VALUE,
    "t": VALUE,
    "q": VALUE,
    "odd": VALUE,
    "sub": st.lists(st.fixed_dictionaries({"p": VALUE}), max_size=2),
}
DOCUMENT = st.fixed_dictionaries(
    {"DOCUMENT_TYPE": st.sampled_from(["bill", "part", "quiet", "hush", "any", "other"])},
    optional={
        **dict.fromkeys(("TOTAL", "sum", "TAX", "NUMS", "TS", "QS", "odd"), VALUE),
        "WHEN": st.sampled_from(["2 Jan 2020", "2019-01-01"]),
        "items": st.lists(st.fixed_dictionaries({}, optional=CELLS), max_size=3),
        "terms": st.fixed_dictionaries({}, optional={"days": VALUE, "odd": VALUE}),
    },
)


@pytest.fixture(scope="module", params=EXTRAS)
def typed(request: pytest.FixtureRequest) -> Schema:
    return load_schema({**TYPED, "extra": request.param})


@given(
    gold=DOCUMENT, pred=DOCUMENT, kept=st.sets(st.sampled_from(["TOTAL", "TAX", "NUMS", "items"]))
)
def test_a_case_asks_rules_as_each_tree_alone_does(
    typed: Schema, gold: dict[str, object], pred: dict[str, object], kept: set[str]
) -> None:
    pred = {**pred, **{name: gold[name] for name in kept if name in gold}}
    layouts = Layouts(typed)
    case = make_case("a", gold, pred, layouts)
    assert layouts.rules is not None
    case.tally()
    for side, tree in (("gold", case.gold.tree), ("pred", case.pred.tree)):
        outcomes = case.rule_outcomes[side]
        alone = layouts.rules.check(tree, case.type)
        assert (*outcomes,) == alone
        assert outcomes.states == tuple(outcome.state for outcome in alone)
        assert [*outcomes.broken()] == [outcome for outcome in alone if outcome.broken]


def test_a_rule_is_not_asked_of_pred_where_it_says_what_gold_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = ["abs(A) == 1", "abs(B) == 2", "abs(C) == 3"]
    layouts = Layouts(load_schema({**PLAIN, "rules": rules}))
    asked: list[str] = []
    monkeypatch.setattr(
        "docassay.schema.rules.formula._order",
        lambda left, right, margin: asked.append(str(left.number)) or 0,
    )
    case = make_case("a", {"A": "1", "B": "5"}, {"A": "1.0", "B": "6"}, layouts)
    assert case.rule_outcomes["pred"]
    assert asked == ["1", "5", "6"]
