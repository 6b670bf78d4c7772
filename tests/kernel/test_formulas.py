"""Rules in whole numbers: each part by its definition, and the same in both forms."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.model.document import Number
from tests.kernel.forms import FORMS, Form

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
CENT = ((1, 200), (0, 1))
NOTHING = ((0, 1), (0, 1))
HOLDS, BROKEN, SKIPPED = "holds", "broken", "not applicable"
Cells = list[int | None]


class Fields:
    """Documents of fields and rows of them, texts of which are amounts of money."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.senses = form.senses.MoneySenses("p", self._general, lambda unit: str)
        self.asked: list[str] = []

    def _general(self, text: str) -> object:
        return self.form.readings.Sense(text, text, "AUD", None)

    def _whole(self, text: str) -> tuple[int, str | None] | None:
        self.asked.append(text)
        unit, _, digits = text.rpartition(" ")
        return (int(digits) * 10_000, unit or None) if digits.isdigit() else None

    def named(self, path: str, group: str | None = None) -> object:
        texts = self.form.formulas.TextWholes(self.senses, self._whole, 10_000)
        numbers = self.form.formulas.TextWholes(None, self._whole, 10_000)
        return self.form.formulas.NamedWholes(path, group, texts, numbers)

    def document(self, tree: dict[str, object], rows: list[dict[str, object]]) -> object:
        root = self._group("", tree)
        root.groups = {"rows": [self._group("rows", row) for row in rows]}  # type: ignore[attr-defined]
        return root

    def _group(self, kind: str, tree: dict[str, object]) -> object:
        readings = self.form.readings
        texts = readings.Readings(self._general, frozenset())
        steps = self.shapes.setdefault(
            tuple(tree), tuple((key, texts, texts, False, None) for key in tree)
        )
        leaves = [
            readings.Number(leaf) if isinstance(leaf, Number) else leaf for leaf in tree.values()
        ]
        (group,) = readings.read_rows(
            [dict(zip(tree, leaves, strict=True))], kind, {tuple(tree): steps}
        ) or [readings.Group(kind, 0, {})]
        return group

    @property
    def shapes(self) -> dict[tuple[str, ...], object]:
        return self.__dict__.setdefault("_shapes", {})


def series(module: ModuleType, cells: Cells, per: int = 1, unit: str | None = None) -> object:
    return module.Series(cells, per, unit, len(cells) == 1)


def worth(part: object, *operands: object) -> object:
    return part.of(None, [*operands])  # type: ignore[attr-defined]


def told(result: object) -> tuple[Cells, int, object]:
    return result.cells, result.per, result.unit  # type: ignore[attr-defined]


@BOTH
def test_leaves_are_wholes_with_the_one_unit_that_they_state(form: Form) -> None:
    fields = Fields(form)
    rows: list[dict[str, object]] = [
        {"x": "$1,234.50", "y": "a"},
        {"x": "-0.05", "y": "a"},
        {"x": "AUD 7", "y": "a"},
        {"y": "a"},
        {"x": Number("3"), "y": "a"},
        {"x": 4, "y": "a"},
    ]
    result = fields.named("x", "rows").of(fields.document({"A": "1.00"}, rows), [])  # type: ignore[attr-defined]
    assert told(result) == ([12_345_000, -500, 70_000, None, 30_000, 40_000], 10_000, "AUD")
    assert not result.single
    assert fields.asked == ["AUD 7", "3", "4"]
    single = fields.named("A").of(fields.document({"A": "1.00"}, []), [])  # type: ignore[attr-defined]
    assert (told(single), single.single) == (([10_000], 10_000, None), True)


@BOTH
@pytest.mark.parametrize("text", ["EUR 7", "seven"])
def test_leaves_in_two_units_and_those_that_cannot_be_read_are_not_told(
    form: Form, text: str
) -> None:
    fields = Fields(form)
    root = fields.document({"A": "1.00"}, [{"x": "$1.00"}, {"x": text}])
    assert fields.named("x", "rows").of(root, []) is None  # type: ignore[attr-defined]


@BOTH
def test_a_text_is_read_once_until_there_are_too_many(form: Form) -> None:
    asked: list[str] = []
    wholes = form.formulas.TextWholes(None, lambda text: asked.append(text) or (1, None), 1)
    for text in ("a", "b", "a"):
        wholes.add(text, [None], 0, None)
    assert asked == ["a", "b"]
    for number in range(form.readings.CACHE_SIZE):
        wholes.add(str(number), [None], 0, None)
    wholes.add("a", [None], 0, None)
    assert asked.count("a") == 2


@BOTH
def test_rows_that_were_read_otherwise_are_not_told(form: Form) -> None:
    fields = Fields(form)
    root = fields.document({"A": "1.00"}, [])
    root.groups = {"rows": [form.readings.Group("rows", 0, {})]}  # type: ignore[attr-defined]
    assert fields.named("x", "rows").of(root, []) is None  # type: ignore[attr-defined]
    assert not fields.named("x", "rows").is_same(root, [], root, [])  # type: ignore[attr-defined]


@BOTH
@pytest.mark.parametrize(
    ("other", "same"),
    [
        ([{"x": "1.00", "y": "b"}, {"x": "$2.00", "y": "b"}], True),
        ([{"x": "1.00", "y": "a"}], False),
        ([{"x": "1.00", "y": "a"}, {"x": "2.00", "y": "a"}], False),
        ([{"x": "$2.00", "y": "a"}, {"x": "1.00", "y": "a"}], False),
    ],
    ids=["another field differs", "a row less", "another writing", "another order"],
)
def test_a_field_says_the_same_where_its_leaves_are(
    form: Form, other: list[dict[str, object]], same: bool
) -> None:
    fields = Fields(form)
    rows: list[dict[str, object]] = [{"x": "1.00", "y": "a"}, {"x": "$2.00", "y": "a"}]
    first, second = fields.document({"A": "1.00"}, rows), fields.document({"A": "1.00"}, other)
    assert fields.named("x", "rows").is_same(first, [], second, []) is same  # type: ignore[attr-defined]


@BOTH
def test_a_number_is_not_the_same_as_a_text_of_its_digits(form: Form) -> None:
    fields = Fields(form)
    first, second = fields.document({"A": "5"}, []), fields.document({"A": Number("5")}, [])
    assert not fields.named("A").is_same(first, [], second, [])  # type: ignore[attr-defined]


@BOTH
def test_what_is_worked_out_is_the_same_where_both_operands_are(form: Form) -> None:
    module = form.formulas
    first, second, third = (series(module, [1]) for _ in range(3))
    addition = module.Addition(0, 1, minus=False)
    assert addition.is_same(None, [first, second], None, [first, second])
    assert not addition.is_same(None, [first, second], None, [first, third])
    assert not addition.is_same(None, [third, second], None, [first, second])
    assert module.Given(5, 1).is_same(None, [], None, [])


@BOTH
def test_figures_in_other_parts_add_up_and_multiply(form: Form) -> None:
    module = form.formulas
    left, right = series(module, [30, None, 5], 10), series(module, [7], 100, "AUD")
    assert told(worth(module.Addition(0, 1, minus=False), left, right)) == (
        [3070, None, 570],
        1000,
        "AUD",
    )
    assert told(worth(module.Addition(1, 0, minus=True), left, right)) == (
        [-2930, None, -430],
        1000,
        "AUD",
    )
    assert told(worth(module.Product(0, 1), left, right)) == ([210, None, 35], 1000, "AUD")
    assert told(worth(module.Addition(0, 0, minus=False), left)) == ([60, None, 10], 10, None)


@BOTH
def test_a_quotient_keeps_its_parts_positive(form: Form) -> None:
    module = form.formulas
    left = series(module, [30, None], 10)
    for divisor, cells in ((-7, [-3000, None]), (7, [3000, None])):
        result = worth(module.Quotient(0, 1), left, series(module, [divisor], 100))
        assert told(result) == (cells, 70, None)
    for other in ([0], [None], [1, 2]):
        assert worth(module.Quotient(0, 1), left, series(module, [*other])) is None


@BOTH
@pytest.mark.parametrize("name", ["Addition", "Product", "Quotient", "ComparedWholes"])
def test_two_units_and_very_small_parts_are_not_told(form: Form, name: str) -> None:
    module = form.formulas
    margin = module.WholeMargin(*NOTHING)
    options = {
        "Addition": {"minus": False},
        "ComparedWholes": {"margin": margin, "less": True, "equal": True, "more": True},
    }
    part = getattr(module, name)(0, 1, **options.get(name, {}))
    aud, eur = (series(module, [1], 1, unit) for unit in ("AUD", "EUR"))
    assert worth(part, aud, eur) is None
    assert worth(part, aud, None) is None
    assert worth(part, None, aud) is None
    assert worth(part, aud, aud) is not None
    if name != "ComparedWholes":
        assert worth(part, series(module, [1], 10**60), series(module, [2], 2)) is None


@BOTH
def test_a_total_passes_over_what_is_absent(form: Form) -> None:
    module = form.formulas
    assert told(worth(module.Total(0), series(module, [1, None, 3], 10, "AUD"))) == ([4], 10, "AUD")
    assert told(worth(module.Total(0), series(module, [None, None]))) == ([None], 1, None)
    assert worth(module.Total(0), None) is None


FIGURES = st.integers(-300, 300)


@BOTH
@given(
    own=FIGURES,
    other=FIGURES,
    per=st.sampled_from([1, 100]),
    other_per=st.sampled_from([1, 100, 7]),
    absolute=st.sampled_from(["0", "0.005", "1"]),
    relative=st.sampled_from(["0", "0.01", "0.5"]),
    truths=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_a_comparison_is_what_fractions_make_of_it(
    form: Form,
    own: int,
    other: int,
    per: int,
    other_per: int,
    absolute: str,
    relative: str,
    truths: tuple[bool, bool, bool],
) -> None:
    module = form.formulas
    less, equal, more = truths
    ratios = [Decimal(limit).as_integer_ratio() for limit in (absolute, relative)]
    part = module.ComparedWholes(
        0, 1, module.WholeMargin(*ratios), less=less, equal=equal, more=more
    )
    left, right = Fraction(own, per), Fraction(other, other_per)
    apart = abs(left - right)
    most = max(abs(left), abs(right))
    if apart <= Fraction(absolute) or apart <= Fraction(relative) * most:
        wanted = equal
    else:
        wanted = less if left < right else more
    result = worth(part, series(module, [own], per), series(module, [other], other_per))
    assert told(result) == ([int(wanted)], 1, None)


@BOTH
@pytest.mark.parametrize(
    ("cells", "rising", "falling"),
    [
        ([1, 1, None, 2], 1, 0),
        ([2, 1, 1], 0, 1),
        ([1, 1], 1, 1),
        ([1, 2, 1], 0, 0),
        ([5, None], None, None),
        ([], None, None),
    ],
)
def test_values_are_in_order(
    form: Form, cells: Cells, rising: int | None, falling: int | None
) -> None:
    module = form.formulas
    column = module.Series([*cells], 1)
    results = {}
    for up, down in product((True, False), repeat=2):
        part = module.Ordered(0, rising=up, falling=down)
        results[up, down] = worth(part, column).cells[0]  # type: ignore[attr-defined]
    assert results[True, False] == rising
    assert results[False, True] == falling
    either = None if rising is None or falling is None else max(rising, falling)
    assert results[True, True] == either


@BOTH
@pytest.mark.parametrize(
    ("balances", "gains", "losses", "truth"),
    [
        ([100, 150, 120], [None, 50, None], [None, None, 30], 1),
        ([120, 150, 100], [None, 50, None], [30, None, None], 1),
        ([100, None, 120], [None, 50, None], [None, None, 30], 1),
        ([100, 150, 121], [None, 50, None], [None, None, 30], 0),
        ([100, None], [1, 2], [3, 4], None),
    ],
    ids=["down", "up", "a balance is absent", "broken", "one balance"],
)
def test_balances_follow_from_each_other(
    form: Form, balances: Cells, gains: Cells, losses: Cells, truth: int | None
) -> None:
    module = form.formulas
    columns = [module.Series([*cells], 100) for cells in (balances, gains, losses)]
    part = module.Running(0, 1, 2, module.WholeMargin(*CENT))
    assert worth(part, *columns).cells == [truth]  # type: ignore[attr-defined]
    net = [(gain or 0) - (loss or 0) for gain, loss in zip(gains, losses, strict=True)]
    part = module.Running(0, 1, -1, module.WholeMargin(*CENT))
    changes = module.Series(net, 100)
    assert worth(part, columns[0], changes).cells == [truth]  # type: ignore[attr-defined]


@BOTH
def test_balances_in_other_parts_or_units_than_movements_are_not_told(form: Form) -> None:
    module = form.formulas
    part = module.Running(0, 1, 2, module.WholeMargin(*CENT))
    own, parts = (module.Series([1, 2], per, "AUD") for per in (100, 10))
    euros = module.Series([1, 2], 100, "EUR")
    for operands in product((own, parts, euros, None), repeat=3):
        assert (worth(part, *operands) is None) == (len({*operands}) > 1 or None in operands)


@BOTH
@pytest.mark.parametrize(
    ("check", "when", "state"),
    [
        ([1, 1], None, HOLDS),
        ([1, None], None, HOLDS),
        ([1, 0], None, BROKEN),
        ([None, None], None, SKIPPED),
        ([], None, SKIPPED),
        ([0], [1], BROKEN),
        ([0], [0], SKIPPED),
        ([0], [None], SKIPPED),
        (None, [0], SKIPPED),
        (None, [1], None),
        (None, None, None),
    ],
)
def test_a_rule_holds_where_it_holds_in_every_row_that_has_what_it_needs(
    form: Form, check: Cells | None, when: Cells | None, state: str | None
) -> None:
    module = form.formulas
    values = [
        None if cells is None else module.Series([*cells], 1, None, False)
        for cells in (check, when)
    ]
    program = module.Program([], [(0, -1 if when is None else 1), (-1, -1)])
    assert program.states(values) == (state, None)


@BOTH
def test_a_program_works_out_again_only_what_differs(form: Form) -> None:
    module = form.formulas
    fields = Fields(form)
    parts = [
        *(fields.named("A"), fields.named("B"), module.Given(10_000, 10_000)),
        *(module.Addition(0, 2, minus=False), module.Addition(1, 2, minus=False)),
    ]
    program = module.Program(parts, [])
    gold = fields.document({"A": "1.00", "B": "2.00"}, [])
    pred = fields.document({"A": "1.00", "B": "3.00"}, [])
    first = program.values(gold)
    second = program.values(pred, gold, first)
    assert [told(value) for value in second] == [told(value) for value in program.values(pred)]
    assert [own is other for own, other in zip(second, first, strict=True)] == [
        *(True, False, True, True, False)
    ]


@BOTH
def test_documents_that_were_read_otherwise_are_not_told(form: Form) -> None:
    fields = Fields(form)
    program = form.formulas.Program([fields.named("A")], [(0, -1)])
    root = fields.document({"A": "1.00"}, [])
    assert program.values(root) != [None]
    root.slots = {"A": [1]}  # type: ignore[attr-defined]
    assert program.values(root) == [None]
    assert program.values(form.readings.Group("", None, {})) == [None]
