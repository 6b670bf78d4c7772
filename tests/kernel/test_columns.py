"""Columns and texts of two documents' rows: by their definition, in both forms."""

from __future__ import annotations

import pytest
from hypothesis import example, given

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
def test_a_cell_is_the_same_on_both_sides_or_a_change(
    form: Form, golds: Items, preds: Items
) -> None:
    left, right = pairs_of(form, golds, preds)
    same, changes = form.columns.compare_cells(left, right)
    ours, theirs = ([row.values for row in rows] for rows in (left, right))
    for path in ("n", "p", "q"):
        both = [
            (own[path][0], other[path][0])
            for own, other in zip(ours, theirs, strict=False)
            if path in own and path in other
        ]
        assert same.get(path, 0) == sum(own is other for own, other in both)
        gold_cells, pred_cells, gold_only, pred_only = changes.get(path, ([], [], [], []))
        others = [pair for pair in both if pair[0] is not pair[1]]
        assert [*zip(gold_cells, pred_cells, strict=True)] == others
        columns = [form.columns.column_of(rows, path) for rows in (left, right)]
        assert columns[0] == tuple(own[path][0] for own in ours if path in own)
        assert len(columns[0]) == len(both) + len(gold_only)
        assert len(columns[1]) == len(both) + len(pred_only)


@BOTH
@given(golds=ROWS, preds=ROWS)
@ONE_OF_EACH
def test_fields_differ_where_their_texts_are_not_the_same(
    form: Form, golds: Items, preds: Items
) -> None:
    for gold, pred in zip(*pairs_of(form, golds, preds), strict=False):
        unread = form.rows.other_fields(gold, pred), form.rows.texts_of(gold)
        values, others = gold.values, pred.values
        paths = {*values, *others}
        differing = sorted(path for path in paths if values.get(path) != others.get(path))
        texts = {path: own[0].text for path, own in values.items()}
        assert (form.rows.other_fields(gold, pred), form.rows.texts_of(gold)) == unread
        assert unread == (differing, texts)


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
