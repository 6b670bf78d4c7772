"""`located`: what is right in text and place, by each way to match places."""

from __future__ import annotations

import pytest

import docassay as da
from docassay.errors import ConfigurationError

LEFT, RIGHT, HALF, FAR = [0, 0, 0.4, 0.1], [0.5, 0, 0.9, 0.1], [0, 0, 0.3, 0.1], [0, 0.8, 0.4, 0.9]


def leaf(value: str, box: list[float] | None = None, page: int = 1) -> object:
    return value if box is None else {"value": value, "box": box, "page": page}


def scores(gold: object, pred: object, **settings: object) -> dict[str, object]:
    report = da.score(
        {"x": gold},
        {"x": pred},
        types="text",
        metrics=["located"],
        settings={f"located.{name}": value for name, value in settings.items()},
    )
    return {score.address.removeprefix("located."): score.value for score in report.scores}


def counts(gold: object, pred: object, **settings: object) -> tuple[object, ...]:
    made = scores(gold, pred, **settings)
    return made["tp"], made["fp"], made["fn"]


@pytest.mark.parametrize(
    ("pred", "expected"),
    [
        (leaf("5", LEFT), (1, 0, 0)),
        (leaf("5", HALF), (1, 0, 0)),
        (leaf("5", RIGHT), (0, 1, 1)),
        (leaf("5", LEFT, page=2), (0, 1, 1)),
        (leaf("6", LEFT), (0, 1, 1)),
        ([leaf("5", LEFT), leaf("5", LEFT)], (1, 1, 0)),
        (None, (0, 0, 1)),
    ],
)
def test_a_value_is_right_in_text_and_place(pred: object, expected: tuple[int, ...]) -> None:
    assert counts({"a": leaf("5", LEFT)}, {"a": pred}) == expected


def test_the_overlap_must_be_above_the_threshold() -> None:
    gold, pred = {"a": leaf("5", LEFT)}, {"a": leaf("5", HALF)}
    assert counts(gold, pred, threshold=0.74) == (1, 0, 0)
    assert counts(gold, pred, threshold=0.75) == (0, 1, 1)


def test_places_tell_equal_values_apart_whatever_their_order() -> None:
    gold = {"rows": [{"n": leaf("5", LEFT)}, {"n": leaf("5", FAR)}, {"n": leaf("7", RIGHT)}]}
    pred = {"rows": [{"n": leaf("5", FAR)}, {"n": leaf("7", RIGHT)}, {"n": leaf("5", LEFT)}]}
    assert counts(gold, pred) == (3, 0, 0)


def test_shares_of_right_texts_in_place_and_of_places_with_the_right_text() -> None:
    gold = {"a": leaf("1", LEFT), "b": leaf("2", RIGHT), "c": leaf("3", FAR)}
    pred = {"a": leaf("1", LEFT), "b": leaf("2", FAR), "c": leaf("4", FAR)}
    made = scores(gold, pred)
    assert made["placed"] == 1 / 2
    assert made["read"] == 1 / 2
    assert made["f1"] == pytest.approx(1 / 3)
    assert made["precision@a"] == 1.0
    assert made["placed@b"] == 0.0
    assert made["read@c"] == 0.0


def test_the_place_alone_counts_where_asked() -> None:
    gold = {"a": leaf("1", LEFT), "b": leaf("2", RIGHT)}
    pred = {"a": leaf("9", LEFT), "b": leaf("2", FAR)}
    assert counts(gold, pred, text=False) == (1, 1, 1)


def test_words_are_aligned_by_place_before_fields_are_looked_at() -> None:
    # the box of b lies on that of gold's a: nothing is left there for a's own prediction
    gold = {"a": leaf("1", LEFT)}
    pred = {"a": leaf("1", HALF), "b": leaf("1", LEFT)}
    assert counts(gold, pred) == (1, 1, 0)
    assert counts(gold, pred, match="words") == (0, 2, 1)
    assert counts(gold, {"a": leaf("2", HALF)}, match="words", text=False) == (1, 0, 0)


def test_values_without_a_box_cannot_be_judged() -> None:
    gold = {"a": [leaf("1", LEFT), "2"]}
    # a prediction equal to the gold value without a place is neither right nor wrong
    assert counts(gold, {"a": [leaf("1", LEFT), leaf("2", FAR)]}) == (1, 0, 0)
    assert counts(gold, {"a": [leaf("1", LEFT), leaf("3", FAR)]}) == (1, 1, 0)
    # one that does not say where it stands is not in its place
    assert counts(gold, {"a": ["1", leaf("3", FAR)]}) == (0, 2, 1)


@pytest.mark.parametrize(
    ("gold", "pred"), [({"a": "1"}, {"a": leaf("1", LEFT)}), ({"a": leaf("1", LEFT)}, {"a": "1"})]
)
def test_a_document_without_boxes_on_one_side_is_undefined_and_said(
    gold: object, pred: object
) -> None:
    report = da.score({"x": gold}, {"x": pred}, types="text", metrics=["located"])
    assert report["located.f1"].value is None
    (section,) = report.details.sections
    assert section.above == ("No places to compare in 1 of 1 document: no boxes.",)


WORDS = [
    {"text": "Total", "box": [0, 0, 0.25, 0.1], "page": 1},
    {"text": "12", "box": [0.3, 0, 0.4, 0.1], "page": 1},
]


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ([0.3, 0, 0.4, 0.1], (1, 0, 0)),
        # larger, but around no other character
        ([0.26, 0, 0.99, 0.3], (1, 0, 0)),
        # without the centre of the last character
        ([0.3, 0, 0.37, 0.1], (0, 1, 1)),
        # with the centre of one character more
        ([0.22, 0, 0.4, 0.1], (0, 1, 1)),
        ([0.5, 0.5, 0.6, 0.6], (0, 1, 1)),
    ],
)
def test_docile_asks_for_the_same_centres_of_characters(
    box: list[float], expected: tuple[int, ...]
) -> None:
    gold, pred = {"a": leaf("12", [0.29, 0, 0.41, 0.1])}, {"a": leaf("12", box)}
    report = da.score(
        {"x": gold},
        {"x": pred},
        types="text",
        metrics=["located"],
        settings={"located.match": "docile"},
        source={"x": WORDS},
    )
    counts = tuple(report[f"located.{name}"].value for name in ("tp", "fp", "fn"))
    assert counts == expected


def test_docile_without_words_is_undefined_and_a_problem() -> None:
    gold = {"x": {"a": leaf("12", LEFT)}}
    report = da.score(
        gold, gold, types="text", metrics=["located"], settings={"located.match": "docile"}
    )
    assert report["located.f1"].value is None
    assert "--source" in report.problems[0].message


@pytest.mark.parametrize("setting", [{"match": "near"}, {"threshold": 1}, {"threshold": -0.1}])
def test_what_cannot_work_is_refused(setting: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match=r"located\.(match|threshold)"):
        counts({"a": "1"}, {"a": "1"}, **setting)
