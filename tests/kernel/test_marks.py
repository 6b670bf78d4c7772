"""Marks of fields and the table that they make up: by their definition, in both forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.model.schema import METHODS
from docassay.model.stats import PARTS
from tests.kernel.forms import FORMS, Form

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
RATES = st.integers(0, 1024).map(lambda part: part / 1024)
"""Some of them lie halfway between two whole parts."""


@BOTH
@given(value=st.one_of(RATES, st.floats(0, 1)))
def test_a_share_in_parts_is_rounded_as_numbers_are(form: Form, value: float) -> None:
    assert form.marks.parts_of(value) == round(value * PARTS)


def contrast_of(form: Form, group: str, golds: int, preds: int) -> object:
    contrast = form.columns.Contrast(group)
    contrast.golds, contrast.preds, contrast.shared = golds, preds, min(golds, preds)
    return contrast


@BOTH
@given(golds=st.integers(1, 5), preds=st.integers(1, 5), data=st.data())
def test_marks_of_right_and_wrong_items_are_those_of_their_numbers(
    form: Form, golds: int, preds: int, data: st.DataObject
) -> None:
    tp = data.draw(st.integers(0, min(golds, preds)))
    in_place = data.draw(st.integers(0, tp))
    contrast = contrast_of(form, "", golds, preds)
    marks = form.marks.mark_counts(contrast, in_place, tp, False)
    assert (marks.tp, marks.fp, marks.fn, marks.parted) == (tp, preds - tp, golds - tp, False)
    assert marks.exact == float(in_place == golds == preds)
    assert marks.anls == marks.kieval_cost == tp / max(golds, preds)
    assert marks.f1 == 2 * tp / (golds + preds)
    assert marks.order_aware_f1 == 2 * in_place / (golds + preds)
    # a wrong item costs once where it is only missed
    once = form.marks.mark_counts(contrast, in_place, tp, True).order_aware_f1
    wrong = golds + preds - in_place - min(golds, preds)
    assert once == (2 * in_place / (2 * in_place + wrong) if in_place else 0.0)


@BOTH
@given(
    rates=st.lists(st.tuples(*[RATES] * 5), min_size=1, max_size=4),
    groups=st.lists(st.sampled_from(["", "rows", "more"]), min_size=4, max_size=4),
    methods=st.lists(st.sampled_from(range(len(METHODS))), min_size=4, max_size=4),
    perfect=st.integers(0, 3),
)
def test_a_document_scores_the_means_of_its_fields(
    form: Form,
    rates: list[tuple[float, ...]],
    groups: list[str],
    methods: list[int],
    perfect: int,
) -> None:
    scored = []
    for number, own in enumerate(rates):
        path, group = f"f{number}", groups[number]
        by_rows = methods[number] == form.marks.BY_ROWS
        unit = group if by_rows and group else path
        field = form.marks.ScoredField(path, True, number > 1, methods[number], unit, None)
        scored.append((field, contrast_of(form, group, 2, 1), form.marks.Marks(*own, 1, 0, 1)))
    columns = {
        group: [marks.f1 for _, contrast, marks in scored if contrast.group == group]
        for group in ("rows", "more")
        if group in groups[: len(rates)]
    }
    correlations = form.marks.correlations(scored, {"rows": 0.5})
    assert correlations == {
        group: (sum(scores) / len(scores) + (0.5 if group == "rows" else 1.0)) / 2
        for group, scores in columns.items()
    }
    table: dict[str, tuple[int, ...]] = {}
    document = form.marks.tabulate(table, scored, correlations, 0.9, perfect)
    shared, units = {}, {}
    for field, contrast, marks in scored:
        correlation = correlations.get(contrast.group, marks.f1)
        alone = [getattr(marks, name) for name in METHODS[:-1]]
        accuracy = [*alone, correlation][field.method]
        shared[contrast.group or field.path] = correlation
        units[field.unit] = accuracy
        flags = (int(field.expected), 1, 1, 1, 1, int(accuracy > 0.9))
        parts = [*alone, correlation, accuracy, accuracy * accuracy]
        assert table[field.path] == (*flags, 1, 0, 1, *[round(part * PARTS) for part in parts])
    every = [[own[place] for own in rates] for place in range(5)]
    means = [
        (sum(scores) + perfect) / (len(scores) + perfect)
        for scores in (*every, [*shared.values()], [*units.values()])
    ]
    assert (document.any, document.parted) == (True, 0)
    assert document.means == pytest.approx([mean * PARTS for mean in means], abs=1)


@BOTH
def test_a_document_without_fields_has_no_means(form: Form) -> None:
    document = form.marks.tabulate({}, [], {}, 0.9, 0)
    assert (document.any, document.means) == (False, [0] * 7)


@BOTH
def test_accuracies_are_shares_of_what_was_scored_and_counts_of_fields(form: Form) -> None:
    means = [part * PARTS for part in range(1, len(METHODS) + 2)]
    values = form.marks.accuracies((2, 1, 7, 8, *means), [12, 4, 5, 6, 8, 3, 6 * PARTS], 0.3)
    shares = [mean / 2 / PARTS for mean in means]
    assert values == [shares[-1], 0.3, 0.75, *shares[:-1], 3 / 4, 2 / 8, 12, 6, 5, 3, 6, 1]
    values = form.marks.accuracies((0,) * (len(METHODS) + 5), [0] * 7, None)
    assert values == [None] * (len(METHODS) + 5) + [0] * 6
