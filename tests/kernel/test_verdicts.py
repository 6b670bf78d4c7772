"""The walk through two documents: which values have a verdict, where they stand, and why."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.kernel.forms import FORMS, Form
from tests.kernel.test_kernel import pairs_of

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])


def walked(
    form: Form,
    golds: list[dict[str, object]],
    preds: list[dict[str, object]],
    *,
    every: bool = True,
    same: bool = True,
    pairwise: frozenset[str] = frozenset(),
) -> list[object]:
    """Return the blocks of two documents whose rows are matched by their places."""
    left, right = pairs_of(form, golds, preds)  # type: ignore[arg-type]
    roots = [form.readings.Group("", None, {}, {"items": rows}) for rows in (left, right)]
    size = max(len(left), len(right))
    filled = [[*rows, *[None] * (size - len(rows))] for rows in (left, right)]
    twins = [pair for pair in zip(*filled, strict=True) if pair[0] and pair[1]]
    alone = [pair for pair in zip(*filled, strict=True) if not (pair[0] and pair[1])]

    def inside(gold: object, pred: object) -> list[object]:
        return [("items", (SimpleNamespace(pairs=twins), alone))]

    judges = form.verdicts.Judges(
        inside,
        lambda gold, pred: [("items.n", "right", 0, 1), ("items.p", "deletion", None, 0)],
        lambda path, gold, pred: path == "n",
        lambda path, gold, pred: (gold, 0.25, f"compared {path}"),
    )
    walk = form.verdicts.Walk("d", pairwise, judges, every, same)
    walk.add(tuple(roots), ("", ""), "")
    return list(walk.made)


def said(blocks: list[object]) -> list[tuple[object, ...]]:
    return [
        (one.verdict, one.gold_path, one.pred_path, one.gold, one.pred, one.similarity, one.reason)
        for block in blocks
        for one in block.verdicts  # type: ignore[attr-defined]
    ]


@BOTH
def test_every_value_has_its_verdict_in_the_order_of_fields(form: Form) -> None:
    made = walked(form, [{"p": "1", "n": "a"}, {"n": "b"}], [{"p": "1", "n": "x"}])
    assert said(made) == [
        ("substitution", "items[0].n", "items[0].n", "a", "x", 0.25, "compared n"),
        ("right", "items[0].p", "items[0].p", "1", "1", 0.25, "compared p"),
        ("addition", "items[1].n", None, "b", None, None, "missing from the prediction"),
    ]
    assert [(block.type, block.gold, block.pred) for block in made] == [  # type: ignore[attr-defined]
        ("items", "items[0]", "items[0]"),
        ("items", "items[1]", None),
    ]


@BOTH
def test_values_that_gold_does_not_have_are_deletions(form: Form) -> None:
    assert said(walked(form, [], [{"n": "b"}])) == [
        ("deletion", None, "items[0].n", None, "b", None, "not in gold")
    ]


@BOTH
def test_without_the_same_texts_rows_stay_and_right_values_have_no_verdict(form: Form) -> None:
    made = walked(form, [{"n": "a"}, {"n": "b"}], [{"n": "a"}, {"n": "c"}], same=False)
    assert [len(block.verdicts) for block in made] == [0, 1]  # type: ignore[attr-defined]


@BOTH
def test_with_wrong_values_alone_there_are_no_rows_without_any(form: Form) -> None:
    golds: list[dict[str, object]] = [{"n": "a"}]
    assert walked(form, golds, [{"n": "a"}], every=False) == []
    (block,) = walked(form, golds, [], every=False)
    assert block.gold == "items[0]"  # type: ignore[attr-defined]


@BOTH
def test_fields_without_keys_are_compared(form: Form) -> None:
    golds: list[dict[str, object]] = [{"n": "a", "p": "1"}]
    made = walked(form, golds, [{"n": "x", "p": "2"}], pairwise=frozenset({"n", "p"}))
    assert [verdict for verdict, *_ in said(made)] == ["right", "substitution"]


@BOTH
def test_of_several_values_the_places_are_named(form: Form) -> None:
    reading, group = form.readings.Reading, form.readings.Group
    usual = form.readings.UsualSenses("", lambda text: form.readings.Sense(text, text, None, None))
    one, two = reading("a", usual), reading("b", usual, confidence=0.5)
    marked = two.located(page=1)
    gold = group("items", 0, {"items.n": (one,)}, {}, {}, single=True)
    pred = group("items", 3, {"items.n": (one, marked), "items.p": (two,)}, {}, {}, single=False)
    judges = form.verdicts.Judges(
        lambda *_: [],
        lambda gold, pred: [("items.n", "substitution", 0, 1), ("items.p", "deletion", None, 0)],
        None,
        lambda path, gold, pred: (gold, 0.0, "differ"),
    )
    walk = form.verdicts.Walk("d", frozenset(), judges, True, True)
    walk.add((gold, pred), ("items[0].", "items[3]."), "items")
    (block,) = walk.made
    assert said([block]) == [
        ("substitution", "items[0].n", "items[3].n[1]", "a", "b", 0.0, "differ"),
        ("deletion", None, "items[3].p", None, "b", None, "not in gold"),
    ]
    assert block.marked
    assert [one.confidence for one in block.verdicts] == [None, 0.5]
