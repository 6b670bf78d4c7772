"""Pairs of groups, what is wrong in them and why: the same in both forms of the kernel."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel import senses
from docassay.metrics.causes import SIGN
from docassay.metrics.causes.values import RULES
from tests.kernel.forms import FORMS, Form
from tests.kernel.test_kernel import ROWS, Items, pairs_of

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
TEXTS = st.text("01.-,$ aopEe|!&é/:", max_size=8) | st.sampled_from(
    ["2020-03-04", "4 March 2020", "03/04/2020", "Smith, John", "John Smith", "1 of 2", "2 of 1"]
)


def fields(path: str) -> object:
    kind = "number" if path == "n" else "text"
    return SimpleNamespace(
        path=path,
        gist=senses.usual_text,
        spec=SimpleNamespace(type=kind),
        schema=SimpleNamespace(dates="day-first"),
    )


MATCHER = SimpleNamespace(pairwise=frozenset(), layout=SimpleNamespace(field=fields))


def made(form: Form, golds: Items, preds: Items) -> list[Any]:
    """Return pairs of rows, those behind the shorter list without a partner."""
    left, right = pairs_of(form, golds, preds)
    rows = [
        (
            left[at] if at < len(left) else None,
            right[at] if at < len(right) else None,
        )
        for at in range(max(len(left), len(right)))
    ]
    matching = SimpleNamespace(matcher=MATCHER, inside=lambda *_: [])
    return [form.pairs.GroupPair(matching, "items", *pair) for pair in rows]


def everything(form: Form, golds: Items, preds: Items) -> object:
    pairs = made(form, golds, preds)
    if not pairs:
        return None
    spellings = form.mistakes.Spellings(RULES)
    names = form.pairs.CauseNames("missing", "false", "split", "type", frozenset({SIGN}))
    plain = form.pairs.PlainCauses(
        names, spellings, frozenset({senses.usual_text}), senses.usual_text
    )
    place = {id(pair): number for number, pair in enumerate(pairs)}
    alone = form.pairs.rows_alone(pairs, lambda pair: place[id(pair)] % 2 == 0)
    found: list[object] = [[place[id(pair)] for pair in alone.get("items", ())]]
    causes: dict[int, tuple[str, str]] = {id(pair): ("a", "b") for pair in alone.get("items", ())}
    for seams in (set(), {(id(pair), "n") for pair in pairs}):
        for foreign in (None, lambda path: path == "n"):
            rows = form.pairs.RowCauses(causes, seams)
            around = form.pairs.Around(pairs)
            told, unsure = plain.of(pairs, around, rows, "p", foreign)
            found += [told, unsure, form.pairs.count_by_kind(pairs, told)]
    for pair in pairs:
        if pair.gold is not None and pair.pred is not None:
            found.append(form.pairs.wider_fields(pair.gold, pair.pred, pair.mistakes, spellings))
    return found


@given(golds=ROWS, preds=ROWS)
def test_both_forms_find_the_same_causes(golds: Items, preds: Items) -> None:
    imported, source = (everything(form, golds, preds) for form in FORMS)
    assert imported == source


@given(TEXTS, TEXTS, st.sampled_from(["text", "number", "money", "date", "id", "exact"]))
def test_both_forms_tell_texts_apart_alike(gold: str, pred: str, kind: str) -> None:
    imported, source = (
        form.mistakes.Spellings(RULES).between(gold, pred, kind, "day-first") for form in FORMS
    )
    assert imported == source


@BOTH
def test_identical_pairs_have_no_mistakes_and_are_left_out(form: Form) -> None:
    (pair,) = made(form, [{"n": "1"}], [{"n": "2"}])
    assert len(pair.mistakes) == 1
    same = form.pairs.GroupPair(pair.matching, "items", pair.gold, pair.pred, True)
    assert same.mistakes == []
    assert form.pairs.rows_alone([same], lambda _: True) == {}
    assert form.pairs.rows_alone([pair], lambda _: True) == {}  # one may just be wrong
    with pytest.raises(NotImplementedError):
        pair.compared_mistakes()


@BOTH
def test_rows_have_nothing_right_if_all_of_gold_is_missed(form: Form) -> None:
    def strangers(golds: Items, preds: Items) -> int:
        return len(form.pairs.rows_alone(made(form, golds, preds), lambda _: True))

    assert strangers([{"n": "1", "p": "2"}], [{"n": "3", "p": "4"}]) == 1
    assert strangers([{"n": "1", "p": "2"}], [{"n": "3", "p": "2"}]) == 0
    assert strangers([{"n": "1", "p": "2", "q": "6"}], [{"n": "3", "p": "4", "q": "6"}]) == 0
    assert strangers([{"n": "1"}], []) == 1
    assert strangers([], [{"n": "1"}]) == 1
