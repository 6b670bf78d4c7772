"""Columns and texts of two documents' rows: by their definition, in both forms."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docassay.kernel.readings import Sense
from docassay.model.schema import Field, Schema
from docassay.values.field import BoundField
from tests.kernel.forms import FORMS, Form
from tests.kernel.test_kernel import ROWS, Items, pairs_of

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
ONE_OF_EACH = example(
    golds=[{"n": "a", "p": "b ", "q": "c"}, {"n": "a"}],
    preds=[{"n": "a", "p": " b", "q": "a"}, {"n": "A"}, {"p": "a"}],
)
"""Cells that are the same, that differ and that only one side has, in rows and beyond them."""


@BOTH
@given(golds=ROWS, preds=ROWS)
@ONE_OF_EACH
def test_columns_are_counted_place_by_place(form: Form, golds: Items, preds: Items) -> None:
    left, right = pairs_of(form, golds, preds)
    columns = form.columns.contrast_rows(left, right, "rows")
    rests = {path: columns[path].rests() for path in columns}  # before items are looked up
    items = {path: columns[path].items for path in columns}
    cells = {path: columns[path].cells for path in columns}
    ours, theirs = ([row.values for row in rows] for rows in (left, right))
    assert {*columns} == {path for row in ours + theirs for path in row}
    for path, column in columns.items():
        both = [
            (own[path][0], other[path][0])
            for own, other in zip(ours, theirs, strict=False)
            if path in own and path in other
        ]
        others = [pair for pair in both if pair[0] is not pair[1]]
        assert (column.group, column.shared) == ("rows", len(both))
        assert column.same == len(both) - len(others)
        equal = sum(form.readings.by_keys(*pair) for pair in others)
        assert column.in_place == column.same + equal
        assert [*zip(*cells[path], strict=True)] == others
        for side, rows in zip(items[path], (ours, theirs), strict=True):
            assert side == tuple(row[path][0] for row in rows if path in row)
        assert (column.golds, column.preds) == (len(items[path][0]), len(items[path][1]))
        counts = [Counter(side) for side in items[path]]
        kept = [counts[0] - counts[1], counts[1] - counts[0]]
        assert [Counter(side) for side in rests[path]] == kept
        assert column.matched == form.columns.UNKNOWN


@BOTH
@given(golds=ROWS, preds=ROWS)
@ONE_OF_EACH
def test_what_is_left_of_items_is_a_difference_of_multisets(
    form: Form, golds: Items, preds: Items
) -> None:
    for path in ("n", "p", "q"):
        left, right = (form.columns.column_of(rows, path) for rows in pairs_of(form, golds, preds))
        own, other, both = form.columns.part_items(left, right)
        counts = Counter(left), Counter(right)
        assert (Counter(own), Counter(other)) == (counts[0] - counts[1], counts[1] - counts[0])
        assert both == {*left} & {*right}


@BOTH
@given(golds=ROWS, preds=ROWS)
@ONE_OF_EACH
def test_values_are_compared_by_field_and_the_same_texts_are_left_out_unread(
    form: Form, golds: Items, preds: Items
) -> None:
    for gold, pred in zip(*pairs_of(form, golds, preds), strict=False):
        unread = form.rows.value_pairs(gold, pred, False)
        values, others = gold.values, pred.values
        every = [
            (path, values.get(path, (None,))[0], others.get(path, (None,))[0])
            for path in sorted({*values, *others})
        ]
        assert unread == [(path, own, other) for path, own, other in every if own is not other]
        assert form.rows.value_pairs(gold, pred, False) == unread
        assert form.rows.value_pairs(gold, pred, True) == every
        alone = [(path, values[path][0]) for path in sorted(values)]
        lost = form.rows.value_pairs(gold, None, False)
        assert lost == [(path, own, None) for path, own in alone]
        extra = form.rows.value_pairs(None, gold, False)
        assert extra == [(path, None, own) for path, own in alone]


@BOTH
@pytest.mark.parametrize(
    ("numbers", "order", "rising"),
    [
        ([(0, 0), (1, 1)], [0, 1], True),
        ([(1, 0), (0, 1), (None, 2)], [1, 0, 2], False),
        ([(None, 1), (None, 0), (2, None), (3, 5)], [2, 3, 1, 0], True),
    ],
    ids=["as they are", "another order", "alone"],
)
def test_rows_come_in_the_order_of_gold_and_those_of_pred_alone_last(
    form: Form, numbers: list[tuple[int | None, int | None]], order: list[int], rising: bool
) -> None:
    pairs = [
        tuple(None if at is None else form.readings.Group("r", at, {}) for at in both)
        for both in numbers
    ]
    ordered = form.rows.in_file_order(pairs)
    assert ordered == [pairs[place] for place in order]
    assert form.rows.follow_in_order(ordered) is rising
    assert form.rows.row_path("p.r[0].") == "p.r[0]"
    assert form.rows.row_path("") == ""


@BOTH
@given(
    numbers=st.lists(
        st.tuples(*[st.none() | st.integers(0, 5)] * 2, st.booleans()).filter(
            lambda row: row[:2] != (None, None)
        ),
        max_size=7,
    )
)
def test_rows_come_in_file_order_whatever_their_numbers(
    form: Form, numbers: list[tuple[int | None, int | None, bool]]
) -> None:
    """Rows without a number, with the same one and with gaps between them among others."""
    pairs = [
        tuple(
            None if at is None else form.readings.Group("r", None if bare else at, {})
            for at in (gold, pred)
        )
        for gold, pred, bare in numbers
    ]

    def key(place: int) -> tuple[object, ...]:
        gold, pred = pairs[place]
        numbered = [-1 if row is None or row.index is None else row.index for row in (gold, pred)]
        return (gold is None, *numbered, place)

    ordered = [pairs[place] for place in sorted(range(len(pairs)), key=key)]
    made = form.rows.in_file_order(pairs)
    assert [tuple(map(id, pair)) for pair in made] == [tuple(map(id, pair)) for pair in ordered]


@BOTH
@given(golds=ROWS, preds=ROWS)
@ONE_OF_EACH
def test_items_are_equal_by_their_keys_as_long_as_they_share_a_scope(
    form: Form, golds: Items, preds: Items
) -> None:
    for path in ("n", "p", "q"):
        left, right = (form.columns.column_of(rows, path) for rows in pairs_of(form, golds, preds))
        scopes = {item.sense.scope for item in left + right} - {None}
        assert form.columns.have_keys(left + right) == (len(scopes) < 2)
        pairs = [*zip(left, right, strict=False)]
        equal = [
            own.key == other.key
            and (
                None in (own.sense.scope, other.sense.scope) or own.sense.scope == other.sense.scope
            )
            for own, other in pairs
        ]
        assert [form.readings.by_keys(*pair) for pair in pairs] == [*map(int, equal)]
        sides = ([pair[side] for pair in pairs] for side in (0, 1))
        assert form.columns.count_equal(*sides, _never_asked) == sum(equal)


@BOTH
def test_whoever_knows_the_field_is_asked_where_keys_do_not_tell(form: Form) -> None:
    reading, sense = form.readings.Reading, form.readings.Sense
    keyed = reading("a", lambda text: sense(text, "k", None, None))
    keyless = reading("b", lambda text: sense(text, None, None, None))
    several = keyed.located(alternatives=(keyed, keyed))
    for other in (keyless, several):
        assert form.readings.by_keys(keyed, other) == form.readings.by_keys(other, keyed) == -1
        assert form.columns.count_equal([keyed], [other], lambda *_: True) == 1
        assert form.columns.count_equal([keyed], [other], lambda *_: False) == 0
        assert not form.columns.have_keys((keyed, other))


def _never_asked(gold: object, pred: object) -> bool:
    raise AssertionError((gold, pred))


TEXT = st.text(alphabet="aAbB. `\t\u00e9\u00df1", max_size=6)
NUMBER = st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{0,4})?", fullmatch=True)


@BOTH
@given(text=st.one_of(TEXT, NUMBER), other=st.one_of(TEXT, NUMBER))
@example(text="Wireless mouse", other="wireless Desk")
@example(text="1.50", other="1.5")
@example(text="1.50", other="1.05")
def test_texts_that_differ_unread_differ_when_they_are_read(
    form: Form, text: str, other: str
) -> None:
    for kind in ("text", "number"):
        bound = BoundField(Field("f", kind), Schema()).readings.senses
        classes = {"text": form.senses.TextSenses, "number": form.senses.NumberSenses}
        senses = classes[kind]("f\x1f", lambda text, bound=bound: _as_sense(form, bound(text)))
        assert not senses.differ(text, other) or senses(text).key != senses(other).key


@BOTH
def test_most_texts_need_not_be_read_to_differ(form: Form) -> None:
    texts = form.senses.TextSenses("f\x1f", _never_read)
    numbers = form.senses.NumberSenses("f\x1f", _never_read)
    assert texts.differ("Wireless mouse", "wireless Desk")
    assert not texts.differ("Wireless mouse", "wireless  Mouse")
    assert numbers.differ("1.50", "1.05")
    assert numbers.differ("138", "83")
    assert not numbers.differ("1.50", "1.5")
    assert not numbers.differ("1,50", "2,50")


def _as_sense(form: Form, sense: Sense) -> object:
    return form.readings.Sense(sense.value, sense.key, sense.scope, sense.problem)


def _never_read(text: str) -> object:
    raise AssertionError(text)
