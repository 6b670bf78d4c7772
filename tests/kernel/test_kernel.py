"""The steps that every value goes through: by their definition, and the same in both forms."""

from __future__ import annotations

import pickle
import re
import sysconfig
from array import array
from collections import Counter
from collections.abc import Callable
from copy import copy, deepcopy
from decimal import Decimal
from itertools import chain, permutations, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import docassay.kernel
from docassay.matching.assignment import assign_few
from docassay.model.document import Number
from tests.kernel.forms import FOLDER, FORMS, IMPORTED, SOURCE, Form

ABSENT = frozenset({"", "not_found", "5"})
TEXTS = st.sampled_from(
    ["a", "A", "b ", " b", "", "5", "NOT_FOUND", "c | d", "c|d", "é", "?", "€ 1"]
)
NUMBERS = st.sampled_from(["5", "1.50", "1.5", "-2"])
LEAF = st.one_of(TEXTS, st.builds(Number, NUMBERS), st.integers(4, 6), st.none())
ODD_LEAF = st.one_of(LEAF, st.booleans(), st.just(["a"]), st.just({"value": "a"}))
KEY = st.sampled_from(["n", "p", "q", "alias of n"])
ROWS = st.lists(st.dictionaries(KEY, LEAF, max_size=4), max_size=6)
ODD_ROWS = st.lists(
    st.one_of(st.dictionaries(KEY, ODD_LEAF, max_size=3), st.just({"value": "a"}), st.just("a")),
    max_size=4,
)
# what a matching is worth is known of rows with a value in each field that they have
PLAIN_ROW = st.dictionaries(st.sampled_from("np"), st.sampled_from("abc"), min_size=1)
Items = list[object]


def senses_of(form: Form, path: str) -> Callable[[str], object]:
    """Return what gives senses: without case and spaces, a scope before a number, `?` is none."""

    def sense(text: str) -> object:
        bare = text.strip().lower()
        if bare == "?":
            return form.readings.Sense(bare, f"{path}\x1f{bare}", None, "a question")
        scope = bare[0] if bare[:1] == "€" else None
        return form.readings.Sense(bare, f"{path}\x1f{bare.lstrip('€ ')}", scope, None)

    return sense


class Steps(dict[tuple[str, ...], object]):
    """The steps of rows with any keys; texts of `q` may hold several values."""

    def __init__(self, form: Form, absent: frozenset[str] = ABSENT) -> None:
        super().__init__()
        self.by_path = {
            path: form.readings.Readings(senses_of(form, path), absent)
            for path in ("n", "p", "q", "value")
        }

    def __missing__(self, keys: tuple[str, ...]) -> object:
        paths = [key.removeprefix("alias of ") for key in keys]
        steps = tuple((p, self.by_path[p], self.by_path[p], p == "q", None) for p in paths)
        plain = len({*paths}) == len(paths) and "value" not in keys
        self[keys] = steps if plain else None
        return self[keys]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("leaf", "other", "same"),
    [
        ("a", "a", True),
        ("a", "A", False),
        ("5", 5, False),
        (5, 5, True),
        (5, 6, False),
        (None, None, True),
        (None, "", False),
    ],
)
def test_leaves_are_the_same_if_they_are_equal_and_of_one_kind(
    form: Form, leaf: object, other: object, same: bool
) -> None:
    assert form.readings.same_leaf(leaf, other) is same


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_a_number_is_the_same_leaf_as_an_equal_number_only(form: Form) -> None:
    number = form.readings.Number
    assert form.readings.same_leaf(number("1.50"), number("1.50"))
    assert not form.readings.same_leaf(number("1.50"), number("1.5"))
    assert not form.readings.same_leaf(number("1.50"), "1.50")


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("text", "values"), [("c | d", -1), ("c|d", 1), ("c |d", 1), ("c", 1), ("NOT_FOUND", 0)]
)
def test_a_text_is_several_values_only_with_spaces_around_a_bar(
    form: Form, text: str, values: int
) -> None:
    (step,) = Steps(form)[("q",)]  # type: ignore[misc]
    assert form.readings.presence(step, text) == values


def content(row: object) -> list[tuple[str, list[str]]]:
    return [(path, [reading.text for reading in each]) for path, each in row.values.items()]  # type: ignore[attr-defined]


def shown(rows: object) -> object:
    return None if rows is None else [(row.index, content(row)) for row in rows]  # type: ignore[attr-defined]


def own_numbers(form: Form, tree: object) -> object:
    """Return a tree with the numbers of a form, which has a class of its own."""
    if isinstance(tree, dict):
        return {key: own_numbers(form, child) for key, child in tree.items()}
    if isinstance(tree, list):
        return [own_numbers(form, child) for child in tree]
    return form.readings.Number(tree) if type(tree) is Number else tree


def pairs_of(form: Form, golds: Items, preds: Items) -> tuple[list, list]:  # type: ignore[type-arg]
    """Return the rows of both sides, those left out that have no plain leaves."""
    steps = Steps(form)
    return tuple(  # type: ignore[return-value]
        form.readings.read_rows(own_numbers(form, side), "items", steps) or []
        for side in (golds, preds)
    )


def everything(form: Form, golds: Items, preds: Items) -> list[object]:
    """Return what every step comes to for two lists of rows, as plain data."""
    left, right = pairs_of(form, golds, preds)
    kernel = form.rows
    places = {id(row): (side, row.index) for side, rows in enumerate((left, right)) for row in rows}

    def at(row: object) -> object:
        return places[id(row)]

    unread = (kernel.count_rows(left), kernel.paths_in(left))
    pairs, golds_left, preds_left = kernel.pair_twins(left, right)
    survey = form.survey.Survey()
    survey.add_rows(golds_left, True)
    survey.add_rows(preds_left, False)
    rows = [kernel.plain_rows(side, frozenset()) for side in (golds_left, preds_left)]
    paired = kernel.pair_unrepeated(*rows)
    obvious = kernel.take_obvious(*map(list, rows))
    identical = form.alike.pair_identical(*rows)
    ordered = [list(side) for side in rows]
    for side in ordered:
        form.alike.sort_by_content(side)
    cells = [array("q", bytes(8 * len(rows[0]) * len(rows[1]))) for _ in range(2)]
    common = form.alike.add_shared(*map(memoryview, cells), *rows, 2)
    counts: dict[str, list[int]] = {}
    lefts: tuple[dict[str, list], dict[str, list]] = ({}, {})  # type: ignore[type-arg]
    others = [(gold, None) for gold in golds_left] + [(None, pred) for pred in preds_left]
    others += [(gold, pred) for gold, pred in zip(left, right, strict=False)]
    outcome = kernel.count_pairs(counts, lefts, others, frozenset())
    doubtful = kernel.count_pairs(counts, lefts, others, frozenset({"p"}))
    equal = {path: kernel.equal_keys(lefts[0][path], lefts[1].get(path, ())) for path in lefts[0]}
    return [
        unread,
        (kernel.count_rows(left), kernel.paths_in(left)),
        [(at(gold), at(pred)) for gold, pred in pairs],
        [[at(row) for row in side] for side in (golds_left, preds_left)],
        survey.pairwise,
        [(of_gold, path, reading.text) for of_gold, path, reading in survey.flawed],
        [[(sorted(tokens), at(row)) for tokens, row in side] for side in rows],
        None if paired is None else [(at(gold), at(pred)) for gold, pred in paired[0]],
        [(at(gold), at(pred)) for gold, pred in obvious],
        [(at(gold), at(pred)) for gold, pred in identical[0]],
        [[at(row) for _, row in side] for side in (*identical[1:], *ordered)],
        (cells, sorted(common), [form.alike.kinds(side)[0] for side in rows]),
        [[kernel.worth(gold, pred) for pred in rows[1]] for gold in rows[0]],
        counts,
        outcome,
        doubtful,
        [kernel.hold_any(left, frozenset({path})) for path in "npq"],
        [
            {path: [reading.text for reading in each] for path, each in side.items()}
            for side in lefts
        ],
        equal,
        shown(left),
        shown(right),
    ]


def test_the_compiled_form_is_not_older_than_its_source() -> None:
    if not docassay.kernel.COMPILED:
        pytest.skip("the kernel is not compiled here: there was no compiler, or DOCASSAY_PURE=1")
    for name in Form._fields:
        compiled = FOLDER / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
        source = max((FOLDER / f"{name}{suffix}").stat().st_mtime for suffix in (".py", ".pxd"))
        assert compiled.stat().st_mtime >= source, "run `make setup`"


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@given(items=ROWS, others=ROWS)
def test_values_are_found_by_the_places_of_their_texts(
    form: Form, items: Items, others: Items
) -> None:
    rows, more = pairs_of(form, items, others)
    group = form.readings.Group
    inner = group("items", 0, {}, {"items.parts": rows})
    two = tuple(form.readings.Reading(text, str) for text in ("one", "two"))
    root = group("", None, {"own": two}, {"items": [inner], "more": more}, single=False)
    texts: list[str] = []
    assert form.rows.texts_in(root, texts)
    found = [form.rows.value_at(root, place) for place in range(len(texts))]
    assert [reading.text for _, _, reading in found] == texts
    assert [(holder, path) for holder, path, _ in found] == [
        (holder, path)
        for holder in (root, inner, *rows, *more)
        for path, readings in holder.values.items()
        for _ in readings
    ]
    with pytest.raises(IndexError):
        form.rows.value_at(root, len(texts))


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@given(items=ROWS)
def test_rows_are_counted_alike_before_and_after_they_are_read(form: Form, items: Items) -> None:
    rows, _ = pairs_of(form, items, [])
    before = (form.rows.count_rows(rows), form.rows.paths_in(rows))
    early: list[str] = []
    late: list[str] = []
    assert all(form.rows.texts_in(row, early) for row in rows)
    fields = Counter(path for row in rows for path, _ in content(row))
    assert all(form.rows.texts_in(row, late) for row in rows)
    assert early == late == [text for row in rows for _, texts in content(row) for text in texts]
    assert before == (form.rows.count_rows(rows), form.rows.paths_in(rows))
    assert before == ((fields, {}), {*fields})
    for path in "npq":
        unread, _ = pairs_of(form, items, [])
        assert form.rows.hold_any(unread, frozenset({path})) == (path in fields)
        assert form.rows.hold_any(rows, frozenset({path})) == (path in fields)


@given(ROWS, ROWS)
def test_both_forms_come_to_the_same(golds: Items, preds: Items) -> None:
    assert everything(IMPORTED, golds, preds) == everything(SOURCE, golds, preds)


class Judge:
    """Decides as simply as can be."""

    def choose(self, golds: list, preds: list, path: str) -> list[object]:  # type: ignore[type-arg]
        return [(gold[1], pred[1]) for gold, pred in zip(golds, preds, strict=False)]

    def are_equal(self, path: str, gold: object, pred: object) -> bool:
        return gold.value == pred.value  # type: ignore[attr-defined, no-any-return]


def compared(form: Form, gold: object, pred: object, keyless: set[str]) -> object:
    """Return what two documents with rows under `q` come to, as plain data."""
    steps = Steps(form)
    group = SimpleNamespace(path="q", shapes=steps, pairs_freely=True)

    class Shapes(dict[tuple[str, ...], object]):
        def __missing__(self, keys: tuple[str, ...]) -> object:
            own = steps[keys]
            member = SimpleNamespace(group=group)
            return own and tuple((*step[:4], member) for step in own)  # type: ignore[attr-defined]

    roots = [form.plain.read_plain(own_numbers(form, side), Shapes()) for side in (gold, pred)]
    if None in roots:
        return [root is None for root in roots]
    (outcome,) = form.plain.compare([form.plain.PlainPair(*roots, keyless, Judge())])
    if outcome is None:
        return None
    counted = outcome.counted
    return [
        (counted.fields, counted.groups, counted.exact, form.plain.equal_anywhere(counted)),
        [
            {path: [reading.text for reading in each] for path, each in side.items()}
            for side in (counted.missed, counted.spurious)
        ],
        [
            (rows.path, rows.values, [[row and row.index for row in pair] for pair in pairs])
            for rows in outcome.rows
            for pairs in (rows.identical, rows.others)
        ],
        (outcome.pairwise, [(side, path, value.text) for side, path, value in outcome.flawed]),
        [content(root) for root in roots],
    ]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_rows_with_a_value_that_no_key_settles_are_left_to_others(form: Form) -> None:
    document = {"p": "1", "q": [{"n": "2"}]}
    assert compared(form, document, document, {"n"}) is None
    assert compared(form, document, document, {"p"}) is not None


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize("is_group", [False, True])
@pytest.mark.parametrize(
    ("leaf", "sure"),
    [
        ({"value": "a", "confidence": Number("0.93")}, 0.93),
        ({"confidence": Number("0"), "value": "a"}, 0.0),
        ({"value": "a", "confidence": Number("1.0")}, 1.0),
        ({"value": "a", "confidence": Number("1.1")}, None),
        ({"value": "a", "confidence": Number("-0.1")}, None),
        ({"value": "a", "confidence": "0.5"}, None),
        ({"value": "a", "confidence": 1}, None),
        ({"value": "a"}, None),
        ({"value": "a", "page": Number("0.5")}, None),
        ({"value": "a", "confidence": Number("0.5"), "page": 1}, None),
        ({"value": "c | d", "confidence": Number("0.5")}, None),
        ({"value": "NOT_FOUND", "confidence": Number("0.5")}, None),
        ({"value": Number("1.5"), "confidence": Number("0.5")}, None),
    ],
)
def test_a_text_with_its_confidence_is_read_where_somebody_hears_of_it(
    form: Form, is_group: bool, leaf: dict[str, object], sure: float | None
) -> None:
    texts = Steps(form).by_path["q"]
    steps = (("q", texts, texts, True, SimpleNamespace(is_group=is_group)),)
    raws = [own_numbers(form, leaf)]
    read = form.readings.read_leaves
    assert read({}, raws, steps, 0) == 0
    reader = SimpleNamespace(confident=False)
    values: dict[str, tuple[Any, ...]] = {}
    if sure is None or is_group:
        assert read(values, raws, steps, 0, reader) == 0
        assert (values, reader.confident) == ({}, False)
        return
    assert read(values, raws, steps, 0, reader) == -1
    ((path, (reading,)),) = values.items()
    assert (path, reading.text, reading.confidence, reader.confident) == ("q", "a", sure, True)
    assert reading.origin is texts["a"]
    assert read(values, raws, steps, 0, reader) == 0  # a second value of the field


DOCUMENT = st.builds(
    lambda own, rows: {**own, "q": rows}, st.dictionaries(KEY, ODD_LEAF, max_size=3), ROWS
)


@given(DOCUMENT, DOCUMENT, st.sampled_from([set(), {"n"}, {"p", "q"}]))
def test_both_forms_compare_documents_alike(gold: object, pred: object, keyless: set[str]) -> None:
    told = [compared(form, gold, pred, keyless) for form in FORMS]
    assert told[0] == told[1]


@given(ODD_ROWS)
def test_both_forms_leave_the_same_rows_to_their_caller(items: Items) -> None:
    read = [
        shown(form.readings.read_rows(own_numbers(form, items), "items", Steps(form)))
        for form in FORMS
    ]
    assert read[0] == read[1]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@given(items=ODD_ROWS)
def test_rows_are_read_if_every_leaf_is_the_one_value_of_its_field(
    form: Form, items: Items
) -> None:
    def plain(item: object) -> bool:
        if type(item) is not dict or "value" in item:
            return False
        values = [value for value in item.values() if type(value) is not type(None)]
        single = all(type(value) in (str, Number, int) for value in values)
        paths = [key.removeprefix("alias of ") for key in item]
        several = " | " in str(item.get("q"))
        return single and not several and len({*paths}) == len(paths)

    rows = form.readings.read_rows(own_numbers(form, items), "items", Steps(form))
    assert (rows is not None) == all(map(plain, items))
    if rows is not None:
        expected = []
        for index, item in enumerate(items):
            texts = [
                (key.removeprefix("alias of "), str(v)) for key, v in item.items() if v is not None
            ]
            present = [(p, [t]) for p, t in texts if " ".join(t.split()).casefold() not in ABSENT]
            expected += [(index, present)] if present else []
        assert shown(rows) == expected


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@settings(max_examples=150)
@given(golds=ROWS, preds=ROWS)
def test_twins_are_the_rows_of_equal_readings(form: Form, golds: Items, preds: Items) -> None:
    left, right = pairs_of(form, golds, preds)
    pairs, golds_left, preds_left = form.rows.pair_twins(left, right)
    both = Counter(repr(sorted(content(row))) for row in left)
    both &= Counter(repr(sorted(content(row))) for row in right)
    assert len(pairs) == both.total()
    assert all(sorted(content(gold)) == sorted(content(pred)) for gold, pred in pairs)
    assert [len(golds_left), len(preds_left)] == [len(left) - len(pairs), len(right) - len(pairs)]
    if form is SOURCE:  # a compiled module has its own constant
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(form.rows, "FEW_PAIRS", -1)
            many = form.rows.pair_twins(*pairs_of(form, golds, preds))
        assert [[*map(shown, side)] for side in (zip(*many[0], strict=True), many[1:])] == [
            [*map(shown, side)] for side in (zip(*pairs, strict=True), (golds_left, preds_left))
        ]


@pytest.mark.parametrize("few", [400, -1], ids=["few", "many"])
def test_a_number_is_no_twin_of_its_text_where_they_are_read_apart(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SOURCE.rows, "FEW_PAIRS", few)
    texts, numbers = (SOURCE.readings.Readings(senses_of(SOURCE, "p"), ABSENT) for _ in range(2))
    shapes = {("p",): (("p", texts, numbers, False, None),)}
    golds, preds = (
        SOURCE.readings.read_rows([{"p": leaf} for leaf in leaves], "x", shapes)
        for leaves in (["1.5", "2", 7], ["2", "7", SOURCE.readings.Number("1.5")])
    )
    pairs, left, right = SOURCE.rows.pair_twins(golds, preds)
    assert [(gold.index, pred.index) for gold, pred in pairs] == [(1, 0), (2, 1)]
    assert [row.index for row in (*left, *right)] == [0, 2]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_equal_leaves_are_twins_before_they_are_read(form: Form) -> None:
    price = form.readings.Number
    items = [{"n": "a", "p": price("1.50"), "q": 7}, {"n": "b", "p": price("3")}]
    steps = Steps(form, frozenset({"", "not_found"}))
    golds, preds = (form.readings.read_rows([{**i} for i in items], "x", steps) for _ in range(2))
    pairs, _, _ = form.rows.pair_twins(golds, preds)
    assert len(pairs) == 2
    assert form.rows.count_rows(golds) == ({"n": 2, "p": 2, "q": 1}, {})
    assert not any(readings.known for readings in steps.by_path.values())


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("gold", "pred", "same", "alike"),
    [
        (5, "5", True, True),
        ("1.5", Number("1.5"), False, True),
        (Number("5"), 5, False, True),
        (5, "6", False, False),
        ("1.5", Number("1.50"), False, False),
        (Number("1.5"), Number("1.50"), False, False),
        (Number("1.50"), Number("1.50"), True, True),
        (7, 7, True, True),
        (None, None, True, True),
        (None, "5", False, False),
        ("5", None, False, False),
    ],
)
def test_leaves_are_the_same_if_they_are_read_as_one_text(
    form: Form, gold: object, pred: object, same: bool, alike: bool
) -> None:
    """`alike` is what is the same where numbers mean what they do as texts."""
    own, other = own_numbers(form, [gold]), own_numbers(form, [pred])
    texts, numbers = (form.readings.Readings(senses_of(form, "p"), ABSENT) for _ in range(2))
    for step, expected in (
        (("p", texts, numbers, False, None), same),
        (("p", texts, texts, False, None), alike),
    ):
        steps = (step, step)
        assert form.rows.same_leaves(own, other, steps) == expected
        assert form.rows.same_leaves([*own, "a"], [*other, "a"], steps) == expected  # type: ignore[misc]
        assert not form.rows.same_leaves([*own, "a"], [*other, "b"], steps)  # type: ignore[misc]


MIXED = st.sampled_from(
    [
        *(5, -5, 0, 7, 10**20, Number("5"), Number("1.5"), Number("0"), None),
        *("5", "-5", "05", "-0", "0", "٥", "a", "100000000000000000000", "1.5", "-", ""),
    ]
)
PAIRS = st.lists(st.tuples(MIXED, MIXED), max_size=7)


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize("apart", [False, True], ids=["alike", "apart"])
@settings(max_examples=200)
@given(golds=PAIRS, preds=PAIRS)
def test_twins_are_found_anywhere_whatever_kinds_of_leaves_they_have(
    form: Form, apart: bool, golds: Items, preds: Items
) -> None:
    texts, others = (form.readings.Readings(senses_of(form, "p"), frozenset()) for _ in range(2))
    steps = tuple((path, texts, others if apart else texts, False, None) for path in "pn")

    def rows(items: Items, side: int) -> list:  # type: ignore[type-arg]
        # so many that pairs are not looked at one by one, none of them in its place
        shift = [("only here", None)] if side else []
        several = [*shift, *items, *((f"{side} {place}", None) for place in range(21))]
        trees = [dict(zip("pn", own_numbers(form, [*pair]), strict=True)) for pair in several]  # type: ignore[call-overload]
        return form.readings.read_rows(trees, "x", {("p", "n"): steps})  # type: ignore[no-any-return]

    def said(leaf: object) -> tuple[object, ...]:
        return () if leaf is None else (str(leaf), apart and type(leaf) is Number)

    left, right = rows(golds, 0), rows(preds, 1)
    pairs, golds_left, preds_left = form.rows.pair_twins(left, right)
    # of several rows of one content the first that is free
    assert len({id(row) for pair in pairs for row in pair}) == 2 * len(pairs)
    contents = [Counter(tuple(map(said, pair)) for pair in side) for side in (golds, preds)]  # type: ignore[call-overload]
    for content_of in contents:
        del content_of[(), ()]  # no row at all
    assert len(pairs) == (contents[0] & contents[1]).total()
    assert all(content(gold) == content(pred) for gold, pred in pairs)
    for side, rest, each in ((left, golds_left, 0), (right, preds_left, 1)):
        paired = [id(pair[each]) for pair in pairs]
        assert [id(row) for row in side if id(row) not in paired] == [id(row) for row in rest]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@settings(max_examples=100)
@given(golds=ROWS, preds=ROWS)
def test_rows_that_are_unread_count_as_they_do_when_read(
    form: Form, golds: Items, preds: Items
) -> None:
    def outcome(*, read: bool) -> object:
        left, right = pairs_of(form, golds, preds)
        before = [content(row) for row in (*left, *right)] if read else []
        survey = form.survey.Survey()
        taken = [survey.add_plain(side, at == 0) for at, side in enumerate((left, right))]
        plain = [form.rows.plain_rows(side, frozenset()) for side in pairs_of(form, golds, preds)]
        assert [[sorted(row[0]) for row in side] for side in taken] == [
            [sorted(row[0]) for row in side] for side in plain
        ]
        counts: dict[str, list[int]] = {}
        lefts: tuple[dict[str, list], dict[str, list]] = ({}, {})  # type: ignore[type-arg]
        several = [*zip(left, right, strict=False)]
        pairs = [*several, *((row, None) for row in left), *((None, row) for row in right)]
        rows = form.rows.count_pairs(counts, lefts, pairs, frozenset())
        fields = [form.rows.fields_of(row) for row in (*left, *right)]
        both = [form.rows.overlap(gold, pred) for gold, pred in several]
        kinds = form.alike.kinds([(frozenset(), row) for row in left])[0]
        cells: dict[str, list] = {path: [] for path in "npq"}  # type: ignore[type-arg]
        above = form.readings.Group("", None, {}, {"items": [*left, *right]})
        for path, each in cells.items():
            form.rows.readings_in(above, path, each)
        column = [[value.text for value in each] for each in cells.values()]
        assert not before or before == [content(row) for row in (*left, *right)]
        missed = [
            [(path, [value.text for value in each]) for path, each in side.items()]
            for side in lefts
        ]
        flawed = [(of_gold, path, value.text) for of_gold, path, value in survey.flawed]
        others = (column, survey.pairwise, flawed)
        return [*counts.items()], missed, rows, fields, both, kinds, others

    assert outcome(read=False) == outcome(read=True)


AMOUNT = re.compile(r"(-?)\$?([0-9]{1,3}(?:,[0-9]{3})*|[0-9]+)\.([0-9]{2})")


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    "text",
    [
        *("$1,234.50", "-$1,234.50", "-0.00", "$0.00", "1234.50", "007.10", "1.5", "1.500", "5.0٣"),
        *(
            "12,34.00",
            ",123.00",
            "1234,567.00",
            "1,234,567.89",
            "$-5.00",
            "5.00$",
            "5.",
            ".50",
            "$",
        ),
        *(f"{'1' * 36}.00", f"{'1' * 37}.00", "1,23a.00", "--5.00", "10.00", "100.10", "-0.05"),
    ],
)
def test_an_amount_as_most_are_written_is_its_digits(form: Form, text: str) -> None:
    match = AMOUNT.fullmatch(text) if len(text) < 40 else None
    digits = form.senses.usual_amount(text)
    senses = form.senses.MoneySenses(
        "p",
        lambda text: form.readings.Sense(text, None, "dollars", None),
        lambda unit: lambda digits: (digits, unit),
    )
    sense, figure = senses.of(text), senses.figure(text)
    if match is None:
        assert digits is None
        assert figure is None
        assert senses.whole(text) is None
        assert sense.key is senses.key(text) is None
        return
    value = Decimal(match[1] + match[2].replace(",", "") + "." + match[3])
    assert Decimal(digits) == value
    assert digits == (re.sub(r"\.?0+$", "", format(value, "f")) if value else "0")
    unit = "dollars" if "$" in text else None
    assert figure == (digits, unit)
    assert (sense.key, sense.value, sense.problem) == (f"p{digits}", (digits, unit), None)
    assert sense.scope == unit
    assert (senses.key(text), senses.scope(text)) == (sense.key, unit)
    assert senses.whole(text) == (value * 10_000 if len(text) <= 14 else None)
    assert senses.dollar(text) == "dollars"


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("1.234,50", "1234.5"),
        ("-$1.234.567,89", "-1234567.89"),
        ("309,93", "309.93"),
        ("0,00", "0"),
        ("1,234,50", None),
        ("1.23,00", None),
        ("1.234.50", None),
        ("1,5", None),
    ],
)
def test_an_amount_with_a_decimal_comma_is_its_digits(
    form: Form, text: str, digits: str | None
) -> None:
    assert form.senses.usual_amount(text) == digits
    money = form.senses.MoneySenses(
        "p", lambda text: form.readings.Sense(text, None, None, None), str
    )
    assert money.whole(text) is None  # in ten-thousandths only what has a point
    unread = form.readings.Sense(text, None, None, None)
    signed = form.senses.NumberSenses("p", lambda _: unread, signs=True)
    number = signed.of(text)
    assert number.key == signed.key(text) == money.key(text) == (digits and f"p{digits}")
    assert number.value == (text if digits is None else Decimal(digits))
    assert form.senses.NumberSenses("p", lambda _: unread).of(text) is unread


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("0", 0),
        ("-12", -120_000),
        ("1.2345", 12_345),
        ("1.234500", 12_345),
        ("1.23451", None),
        ("99999999999999", 999_999_999_999_990_000),
        ("-99999999999.99", None),
        ("1,234", None),
        ("$1.00", None),
        ("", None),
    ],
)
def test_a_usual_number_is_told_in_ten_thousandths(
    form: Form, text: str, whole: int | None
) -> None:
    senses = form.senses.NumberSenses("p", lambda text: text)
    assert senses.whole(text) == whole
    assert senses.whole(form.readings.Number(text)) == whole
    assert form.readings.UsualSenses("p", str).whole(text) is None
    assert form.readings.UsualSenses("p", str).dollar(text) is None


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("text", "first_day", "first_month"),
    [
        ("2019-10-07", "2019-10-07", "2019-10-07"),
        ("7.10.2019", "2019-10-07", "2019-07-10"),
        ("07/31/2019", "2019-07-31", "2019-07-31"),
        ("31-7-2019", "2019-07-31", "2019-07-31"),
        ("29.02.2024", "2024-02-29", "2024-02-29"),
        *((text, None, None) for text in ("29.02.2023", "2019/10/07", "7.10.19", "7 10 2019")),
        *((text, None, None) for text in ("2019-1a-07", "2019-00-07", "2019-10-00", "+1.10.2019")),
        *((text, None, None) for text in ("", "20191007", "1.123.2019", "12..2019", "1..1.2019")),
    ],
)
def test_a_usual_day_is_told_as_iso_writes_it(
    form: Form, text: str, first_day: str | None, first_month: str | None
) -> None:
    for day_first, day in ((True, first_day), (False, first_month)):
        assert form.senses.usual_day(text, day_first) == day
        unread = form.readings.Sense(text, None, None, None)
        senses = form.senses.DateSenses("p", lambda _, any=unread: any, list, day_first=day_first)
        sense = senses.of(text)
        assert senses.key(text) == (day and f"p{day}")
        if day is None:
            assert sense is unread
        else:
            assert (sense.key, sense.value, sense.problem) == (f"p{day}", list(day), None)


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_leaves_are_surely_alike_if_they_have_one_key_at_sight(form: Form) -> None:
    def never_read(text: str) -> object:
        raise AssertionError(text)

    def readings(senses: object) -> object:
        return form.readings.Readings(senses, ABSENT)

    numbers = readings(form.senses.NumberSenses("n\x1f", never_read))
    words = readings(form.senses.TextSenses("n\x1f", never_read))
    exact = readings(form.senses.ExactSenses("n\x1f", never_read))
    own_number = form.readings.Number("5.0")
    for texts, of_numbers, gold, pred, alike in (
        (words, numbers, "Desk  lamp", "desk LAMP", True),
        (words, numbers, "Desk lamp", "desks", False),
        (words, numbers, "caf\u00e9", "caf\u00e9", False),
        (exact, exact, "Desk  lamp", "Desk lamp", True),
        (exact, exact, "Desk lamp", "desk lamp", False),
        (exact, exact, "caf\u00e9", "caf\u00e9", False),
        (numbers, numbers, 5, "5.00", True),
        (numbers, numbers, own_number, "5", True),
        (numbers, readings(never_read), own_number, "5", False),
        (readings(never_read), numbers, own_number, "5", False),
    ):
        step = ("n", texts, of_numbers, False, None)
        assert form.readings.surely_alike(step, gold, pred) is alike
        assert form.readings.surely_alike(step, pred, gold) is alike
    assert form.readings.UsualSenses("n\x1f", never_read).key("a") is None
    assert form.readings.UsualSenses("n\x1f", never_read).scope("a") is None


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12 Main St., 00184\nROMA", ["12", "main", "st", "00184", "roma"]),
        ("a", ["a"]),
        (" .,", []),
        ("", []),
        ("4/12 Main", None),
        ("a\tb", None),
        ("a_b", None),
        ("caf\u00e9", None),
        ("a" * 1000, ["a" * 1000]),
        ("a" * 1001, None),
    ],
)
def test_words_between_usual_marks_are_told(form: Form, text: str, words: object) -> None:
    assert form.senses.usual_words(text) == words
    assert form.senses.usual_words(form.readings.Number(text)) == words


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("line", "apart"),
    [
        ("12 main st 00184 roma", True),
        ("5 5th ave", True),
        ("5th 12", True),
        ("ny 10001", True),
        ("12 st", False),
        ("12 345", False),
        ("main 5a", False),
        ("main a5", False),
        ("main 5xx", False),
        ("main a", False),
        ("12 b", False),
        ("", True),
    ],
)
def test_words_stand_apart_that_no_number_goes_with(form: Form, line: str, apart: bool) -> None:
    assert form.senses.stand_apart(line.split()) == apart


@pytest.mark.parametrize("few", [400, -1], ids=["few", "many"])
def test_rows_under_other_keys_are_twins_where_one_reader_reads_them(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SOURCE.rows, "FEW_PAIRS", few)
    own, other = (SOURCE.readings.Readings(senses_of(SOURCE, "p"), ABSENT) for _ in range(2))

    def step(path: str, reader: object) -> tuple[object, ...]:
        return (path, reader, reader, False, None)

    shapes = {
        ("p", "n"): (step("p", own), step("n", own)),
        ("n", "p"): (step("n", own), step("p", own)),
        ("p of others",): (step("p", other),),
        ("q", "p"): (step("q", own), step("p", own)),
    }
    golds: Items = [{"p": "a", "n": "b"}, {"p": "c", "n": None}, {"q": "d", "p": "e"}]
    preds: Items = [
        *({"n": "x", "p": "y"}, {"p of others": "c"}, {"q": "c", "p": None}),
        *({"q": "d", "p": "e"}, {"n": "b", "p": "a"}, {"n": None, "p": "c"}),
    ]
    left, right = (SOURCE.readings.read_rows(side, "x", shapes) for side in (golds, preds))
    pairs, golds_left, _ = SOURCE.rows.pair_twins(left, right)
    assert sorted((gold.index, pred.index) for gold, pred in pairs) == [(0, 4), (1, 5), (2, 3)]
    assert not golds_left
    assert not any(reader.known for reader in (own, other))


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_many_rows_that_share_common_tokens_have_no_obvious_partner(form: Form) -> None:
    golds: Items = [{"n": "same", "p": f"g{i}"} for i in range(25)] + [{"n": "one", "p": "g"}]
    preds: Items = [{"n": "same", "p": f"p{i}"} for i in range(25)] + [{"n": "one", "p": "p"}]
    sides = pairs_of(form, golds, [*preds, {"n": "x", "p": "g3"}])
    left, right = (form.rows.plain_rows(side, frozenset()) for side in sides)
    pairs = form.rows.take_obvious(left, right)
    assert [(gold.index, pred.index) for gold, pred in pairs] == [(25, 25)]
    sides = pairs_of(form, golds[:1] + golds[25:], preds)
    left, right = (form.rows.plain_rows(side, frozenset()) for side in sides)
    assert [gold.index for gold, _ in form.rows.take_obvious(left, right)] == [1]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@settings(max_examples=200)
@given(text=st.text(alphabet=" a.\t\n\x1c\x00~", max_size=6))
def test_white_space_is_collapsed(form: Form, text: str) -> None:
    assert form.senses.collapsed(text) == " ".join(text.split())


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@settings(max_examples=150)
@given(golds=ROWS, preds=ROWS)
def test_obvious_pairs_share_values_with_each_other_alone(
    form: Form, golds: Items, preds: Items
) -> None:
    sides = pairs_of(form, golds, preds)
    left, right = (form.rows.plain_rows(side, frozenset()) for side in sides)
    expected = [
        (gold[1].index, pred[1].index)
        for gold in left
        for pred in right
        if gold[0] & pred[0]
        and sum(bool(gold[0] & other[0]) for other in right) == 1
        and sum(bool(other[0] & pred[0]) for other in left) == 1
    ]
    near = [(gold.index, pred.index) for gold, pred in form.rows.take_obvious([*left], [*right])]
    assert near == expected
    if form is SOURCE:  # a compiled module has its own constant
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(form.rows, "FEW_PAIRS", -1)
            pairs = form.rows.take_obvious(left, right)
        assert [(gold.index, pred.index) for gold, pred in pairs] == expected


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@settings(max_examples=150)
@given(
    golds=st.lists(PLAIN_ROW, min_size=1, max_size=3),
    preds=st.lists(PLAIN_ROW, min_size=1, max_size=3),
)
def test_a_few_rows_are_worth_what_the_best_of_all_pairings_is(
    form: Form, golds: Items, preds: Items
) -> None:
    sides = pairs_of(form, golds, preds)
    left, right = (form.rows.plain_rows(side, frozenset()) for side in sides)
    few, many = sorted((left, right), key=len)

    def worth_of(some: Any, other: Any) -> tuple[int, ...]:
        gold, pred = (some, other) if few is left else (other, some)
        shared = gold[0] & pred[0]
        whole = shared == gold[0] == pred[0]
        spared = len(shared) + len({*gold[1].values} & {*pred[1].values})
        return len(shared), spared, int(whole), sum(map(form.rows.token_length, shared))

    pairings = permutations(many, len(few))
    worths = [[*map(worth_of, few, chosen)] for chosen in pairings]
    best = max(tuple(map(sum, zip(*each, strict=True))) for each in worths)
    assert form.rows.worth_of_few(left, right, assign_few) == best


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_a_number_is_copied_with_its_digits_and_takes_no_marks(form: Form) -> None:
    number = form.readings.Number("1.50")
    for same in (copy(number), deepcopy([number])[0]):
        assert (type(same), same) == (form.readings.Number, "1.50")
    with pytest.raises(AttributeError):
        number.mark = 1


def test_numbers_are_handed_to_other_processes() -> None:
    number = pickle.loads(pickle.dumps(Number("1.50")))
    assert (type(number), number) == (Number, "1.50")


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_many_rows_find_their_obvious_partners_by_an_index(form: Form) -> None:
    golds: Items = [{"n": f"x{i}", "p": f"g{i}"} for i in range(30)]
    preds: Items = [{"n": f"x{i}", "p": f"p{i}"} for i in range(29, -1, -1)]
    preds.append({"n": "x3", "p": "again"})
    sides = pairs_of(form, golds, preds)
    left, right = (form.rows.plain_rows(side, frozenset()) for side in sides)
    pairs = form.rows.take_obvious(left, right)
    assert {(gold.index, 29 - pred.index) for gold, pred in pairs} == {
        (i, i) for i in range(30) if i != 3
    }
    assert [row.index for _, row in left] == [3]
    assert [row.index for _, row in right] == [26, 30]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_a_full_cache_of_readings_begins_anew(form: Form) -> None:
    steps = Steps(form)
    own = steps.by_path["n"]
    for number in chain(range(form.readings.CACHE_SIZE), [0]):
        own[f"x{number}"]
    first = own["x0"]
    assert len(own.known) == form.readings.CACHE_SIZE
    own["one more"]
    assert len(own.known) == 1
    assert own["x0"] is not first


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("gold", "pred", "counts"),
    [
        ({"n": "a"}, {"n": "A"}, [1, 0, 0, 0]),
        ({"n": "a"}, {"n": "b"}, [0, 1, 0, 0]),
        ({"n": "a", "p": "x"}, {"p": "x"}, [0, 0, 1, 0]),
        ({"p": "x"}, {"n": "b", "p": "x"}, [0, 0, 0, 1]),
    ],
)
def test_a_value_is_right_substituted_added_or_deleted(
    form: Form, gold: object, pred: object, counts: list[int]
) -> None:
    (left,), (right,) = pairs_of(form, [gold], [pred])
    counted: dict[str, list[int]] = {}
    lefts: tuple[dict[str, list[object]], dict[str, list[object]]] = ({}, {})
    exact = form.rows.count_values(counted, lefts, left, right, frozenset())
    assert counted["n"] == counts
    assert exact == (counts == [1, 0, 0, 0])
    assert ["n" in side for side in lefts] == [bool(counts[1] + counts[k]) for k in (2, 3)]


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_counts_of_fields_become_the_tables_of_metrics(form: Form) -> None:
    # right, substituted, added, deleted
    fields = {"name": [3, 1, 2, 0], "price": [0, 0, 0, 4], "note": [1, 0, 5, 2]}
    equal = {"name": 4, "price": 0, "note": 2}
    plain = form.plain
    assert plain.with_equal(fields, equal) == {
        "name": (3, 1, 2, 0, 4),
        "price": (0, 0, 0, 4, 0),
        "note": (1, 0, 5, 2, 2),
    }
    # equal, only in pred, only in gold
    assert plain.without_groups(fields, equal) == {
        "name": (4, 0, 2),
        "price": (0, 4, 0),
        "note": (2, 1, 4),
    }
    assert plain.corrections_by_field(fields) == {
        "name": (1, 2, 0),
        "price": (0, 0, 4),
        "note": (0, 5, 2),
    }
    assert plain.most_pairs(fields) == 6 * 4
    assert plain.most_pairs({}) == 0


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
def test_a_field_is_one_right_value_only_if_nothing_else_was_counted(form: Form) -> None:
    for right, *wrong, equal in product((0, 1), (0, 1), (0, 1), (0, 1), (1, 2)):
        fields, equals = {"name": [right, *wrong]}, {"name": equal}
        substituted, added, deleted = wrong
        found = right + substituted - equal
        row = {"name": (right, *wrong, equal)}
        assert form.plain.with_equal(fields, equals) == row
        without = {"name": (equal, found + deleted, found + added)}
        assert form.plain.without_groups(fields, equals) == without
        assert form.plain.corrections_by_field(fields) == {"name": tuple(wrong)}


@pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
@pytest.mark.parametrize(
    ("leaf", "rows"),
    [
        ("NOT_FOUND", 0),
        (" not_found", 0),
        ("\tNot_Found ", 0),
        ("", 0),
        (" ", 0),
        ("5", 0),
        (5, 0),
        (None, 0),
        ("not found", 1),
        ("n", 1),
        ("x", 1),
        ("é", 1),
        (6, 1),
    ],
)
def test_a_leaf_that_means_no_value_is_none_however_it_is_written(
    form: Form, leaf: object, rows: int
) -> None:
    assert len(form.readings.read_rows([{"n": leaf}], "items", Steps(form))) == rows
