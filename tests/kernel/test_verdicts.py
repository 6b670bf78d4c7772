"""The walk through two documents: which values have a verdict, where they stand, and why."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.kernel.forms import FORMS, Form
from tests.kernel.test_kernel import pairs_of

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])


def walked(
    form: Form,
    golds: list[dict[str, object]],
    preds: list[dict[str, object]],
    *,
    same: bool = True,
    pairwise: frozenset[str] = frozenset(),
) -> list[object]:
    """Return the blocks of two documents whose rows are matched by their places."""
    left, right = pairs_of(form, golds, preds)  # type: ignore[arg-type]
    roots = [form.readings.Group("", None, {}, {"items": rows}) for rows in (left, right)]
    size = max(len(left), len(right))
    filled = [[*rows, *[None] * (size - len(rows))] for rows in (left, right)]
    matched = [pair for pair in zip(*filled, strict=True) if pair[0] and pair[1]]
    twins = [pair for pair in matched if form.rows.are_twins(*pair)]
    others = [pair for pair in zip(*filled, strict=True) if pair not in twins]

    def inside(gold: object, pred: object) -> list[object]:
        return [("items", (SimpleNamespace(pairs=twins, twins=len(twins)), others))]

    judges = form.verdicts.Judges(
        inside,
        lambda gold, pred: [("items.n", "right", 0, 1), ("items.p", "deletion", None, 0)],
        lambda path, gold, pred: path == "n",
    )
    walk = form.verdicts.Walk("d", pairwise, judges, same)
    walk.add(tuple(roots), form.verdicts.ROOT)
    for asked in walk.asked:
        form.verdicts.tell(asked, asked[1], 0.25, f"compared {asked[0]}")
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
def test_wrong_values_that_were_found_have_their_verdicts_in_the_order_of_rows(form: Form) -> None:
    wanted: list[dict[str, object]] = [{"n": "a"}, {"n": "b"}]
    golds, preds = pairs_of(form, wanted, [{"n": "x"}, {"n": "b", "p": "1"}, {"n": "c"}])
    root, field = form.pairs.GroupPair(None, "", None, None), SimpleNamespace(path="items.n")

    def pair(gold: int | None, pred: int | None) -> Any:
        own = None if gold is None else golds[gold]
        other = None if pred is None else preds[pred]
        made = form.pairs.GroupPair(None, "items", own, other)
        readings = [None if row is None else row.values["n"][0] for row in (own, other)]
        made.found = [(field, *readings)] if (gold, pred) != (1, 1) else []
        return made

    root.found = []
    root.rows_inside = {"items": [pair(None, 2), pair(1, 1), pair(0, 0)]}
    walk = form.verdicts.Walk("d", frozenset(), form.verdicts.Judges(None, None, None), False)
    walk.add_wrong(root, form.verdicts.ROOT)
    for asked in walk.asked:
        form.verdicts.tell(asked, asked[1], 0.25, f"compared {asked[0]}")
    assert said(walk.made) == [
        ("substitution", "items[0].n", "items[0].n", "a", "x", 0.25, "compared items.n"),
        ("deletion", None, "items[2].n", None, "c", None, "not in gold"),
    ]


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
    )
    walk = form.verdicts.Walk("d", frozenset(), judges, True)
    place = form.verdicts.RowPlaces(9).inside(form.verdicts.ROOT, "items", gold, pred)
    walk.add((gold, pred), place)
    for asked in walk.asked:
        form.verdicts.tell(asked, asked[1], 0.0, "differ")
    (block,) = walk.made
    assert said([block]) == [
        ("substitution", "items[0].n", "items[3].n[1]", "a", "b", 0.0, "differ"),
        ("deletion", None, "items[3].p", None, "b", None, "not in gold"),
    ]
    assert block.marked
    assert [one.confidence for one in block.verdicts] == [None, 0.5]


@BOTH
def test_identical_rows_are_looked_at_unless_they_are_twins(form: Form) -> None:
    """Rows may be identical by their keys, and written in other ways."""
    golds, preds = pairs_of(form, [{"n": "a"}, {"n": "b"}], [{"n": "x"}, {"n": "y"}])
    pairs = [*zip(golds, preds, strict=True)]
    roots = [form.readings.Group("", None, {}, {"items": rows}) for rows in (golds, preds)]
    for twins, same, looked_at in [(0, False, 2), (1, False, 1), (2, False, 0), (2, True, 2)]:
        settled = SimpleNamespace(pairs=pairs, twins=twins)
        judges = form.verdicts.Judges(lambda *_, own=settled: [("items", (own, []))], None, None)
        walk = form.verdicts.Walk("d", frozenset(), judges, same)
        walk.add(tuple(roots), form.verdicts.ROOT)
        assert [len(block.told) for block in walk.made] == [0] * (2 - looked_at) + [1] * looked_at


@BOTH
def test_places_of_rows_are_made_once_and_few_are_kept(form: Form) -> None:
    group, root = form.readings.Group, form.verdicts.ROOT
    places = form.verdicts.RowPlaces(2)
    one, two = group("items", 0, {}), group("items", 3, {})
    place = places.inside(root, "items", one, two)
    assert (place.type, place.gold, place.pred) == ("items", "items[0]", "items[3]")
    assert place.starts == ("items[0].", "items[3].")
    assert places.inside(root, "items", group("items", 0, {}), group("items", 3, {})) is place
    alone = places.inside(root, "items", None, two)
    assert (alone.gold, alone.pred, alone.starts) == (None, "items[3]", ("", "items[3]."))
    lone_object = places.inside(root, "items", group("items", None, {}), None)
    assert (lone_object.gold, lone_object.pred) == ("items", None)
    assert places.inside(root, "items", one, two) is not place
    part = group("items.parts", 1, {})
    inner = places.inside(place, "items.parts", part, part)
    assert (inner.gold, inner.pred) == ("items[0].parts[1]", "items[3].parts[1]")
