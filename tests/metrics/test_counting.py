"""Every readout of a small corpus, with what it was counted on, from counts made by hand.

By field, over both documents: right, substituted, added, deleted, and right wherever they stand.
"""

from __future__ import annotations

import pytest

import docassay as da
from docassay.metrics.confidence import auroc, brier, ece, reliability
from docassay.metrics.trade_off import area, at_tau, by_field, curve, tally_key, with_the_unsure

GOLD = {
    "a": {
        "total": "10",
        "tax": "2",
        "items": [{"n": "tea", "p": "3"}, {"n": "rye", "p": "7"}],
    },
    "b": {"total": "5", "tax": "1", "date": "x"},
}
PRED = {
    "a": {
        "total": "10",
        "tax": "9",
        "items": [{"n": "tea", "p": "7"}, {"n": "rye", "p": "3"}, {"n": "sum"}],
    },
    "b": {"total": "5", "fee": "4"},
}
COUNTS = {
    "date": (0, 0, 1, 0, 0),
    "fee": (0, 0, 0, 1, 0),
    "items.n": (2, 0, 0, 1, 2),
    "items.p": (0, 2, 0, 0, 2),
    "tax": (0, 1, 1, 0, 0),
    "total": (2, 0, 0, 0, 2),
}
WHOLE = tuple(sum(counts[i] for counts in COUNTS.values()) for i in range(5))


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def f1(tp: int, fp: int, fn: int) -> float | None:
    return share(2 * tp, 2 * tp + fp + fn)


Expected = dict[str, tuple[float | int | None, int]]


def of_kieval(counts: tuple[int, ...]) -> Expected:
    tp, subs, adds, dels, loose = counts
    gold, pred, every = tp + subs + adds, tp + subs + dels, tp + subs + adds + dels
    grouped, ungrouped = f1(tp, pred - tp, gold - tp), f1(loose, pred - loose, gold - loose)
    gap = None if grouped is None or ungrouped is None else ungrouped - grouped
    return {
        "entity_precision": (share(tp, pred), pred),
        "entity_recall": (share(tp, gold), gold),
        "entity_f1": (grouped, gold),
        "aligned": (share(tp, every), every),
        "structure_gap": (gap, gold),
        "tp": (tp, gold),
        "fp": (subs + dels, gold),
        "fn": (subs + adds, gold),
        "substitutions": (subs, gold),
        "additions": (adds, gold),
        "deletions": (dels, gold),
        "corrections": (subs + adds + dels, gold),
        "area": (None, pred),
    }


def of_entity(counts: tuple[int, ...]) -> Expected:
    tp, subs, adds, dels, loose = counts
    gold, pred = tp + subs + adds, tp + subs + dels
    return {
        "precision": (share(loose, pred), pred),
        "recall": (share(loose, gold), gold),
        "f1": (f1(loose, pred - loose, gold - loose), gold),
        "accuracy": (share(loose, gold + pred - loose), gold + pred - loose),
        "tp": (loose, gold),
        "fp": (pred - loose, gold),
        "fn": (gold - loose, gold),
    }


def readouts(report: da.Report, metric: str, key: str) -> Expected:
    return {
        one.readout: (one.value, one.support)
        for one in report.scores
        if one.metric == metric and one.key == key
    }


def check(found: Expected, expected: Expected) -> None:
    assert found.keys() >= expected.keys()
    for name, (value, support) in expected.items():
        assert found[name][0] == pytest.approx(value), name
        assert found[name][1] == support, name


@pytest.mark.parametrize("key", ["", *COUNTS])
def test_every_readout_of_values_follows_from_the_counts(key: str) -> None:
    report = da.score(GOLD, PRED, metrics=["entity", "kieval"])
    counts = COUNTS[key] if key else WHOLE
    check(readouts(report, "kieval", key), of_kieval(counts))
    check(readouts(report, "entity", key), of_entity(counts))


def test_rows_are_counted_whole() -> None:
    report = da.score(GOLD, PRED, metrics=["kieval"])
    # of two rows of gold and three of pred none is right; three are to be worked on
    expected: Expected = {
        "group_precision": (0, 3),
        "group_recall": (0, 2),
        "group_f1": (0, 2),
        "group_aligned": (0, 3),
        "group_tp": (0, 2),
        "group_fp": (3, 2),
        "group_fn": (2, 2),
    }
    check(readouts(report, "kieval", ""), expected)
    check(readouts(report, "kieval", "items"), expected)
    assert readouts(report, "kieval", "")["documents_exact"] == (0, 2)
    same = da.score(GOLD, GOLD, metrics=["kieval"])
    assert readouts(same, "kieval", "")["documents_exact"] == (2, 2)
    assert readouts(same, "kieval", "items")["group_f1"] == (1, 2)


def test_the_macro_mean_is_over_fields() -> None:
    report = da.score(GOLD, PRED, metrics=["entity"])
    scores = [of_entity(counts)["f1"][0] or 0 for counts in COUNTS.values()]
    value, support = readouts(report, "entity", "")["macro_f1"]
    assert value == pytest.approx(sum(scores) / len(COUNTS))
    assert support == len(COUNTS)


def test_weights_multiply_the_counts_of_a_field() -> None:
    schema = {
        "extra": "count",
        "fields": {"total": {"type": "text", "weight": 3}, "tax": {"type": "text", "weight": 0.5}},
        "groups": {"items": {"fields": {"n": {"type": "text", "weight": 2}, "p": "text"}}},
    }
    weights = {"total": 3, "tax": 0.5, "items.n": 2}
    sums = [
        sum(weights.get(path, 1) * counts[i] for path, counts in COUNTS.items()) for i in range(5)
    ]
    tp, subs, adds, dels, loose = sums
    report = da.score(GOLD, PRED, schema=schema, metrics=["entity", "kieval"])
    gold, pred = tp + subs + adds, tp + subs + dels
    aligned, entity = report["kieval.weighted_aligned"], report["entity.weighted_f1"]
    assert aligned.value == pytest.approx(tp / (tp + subs + adds + dels))
    assert entity.value == pytest.approx(2 * loose / (gold + pred))
    assert aligned.support == entity.support == len(COUNTS)
    plain = da.score(GOLD, PRED, metrics=["entity", "kieval"])
    assert not any("weighted" in one.readout for one in plain.scores)


def test_effort_counts_minutes_by_kind_and_names_the_worst_field() -> None:
    report = da.score(GOLD, PRED, metrics=["effort"], settings={"effort.hourly_rate": 30})
    # half a minute a substitution, three quarters an addition, a quarter a deletion
    minutes = {
        path: 0.5 * counts[1] + 0.75 * counts[2] + 0.25 * counts[3]
        for path, counts in COUNTS.items()
    }
    hours = {path: amount / 60 * 1000 / 2 for path, amount in minutes.items()}
    for path, counts in COUNTS.items():
        score = report[f"effort.hours_per_1000@{path}"]
        assert (score.value, score.support) == (pytest.approx(hours[path]), sum(counts[1:4]))
        assert report[f"effort.cost_per_1000@{path}"].value == pytest.approx(30 * hours[path])
    whole = report["effort.hours_per_1000"]
    assert whole.value == pytest.approx((sum(minutes.values()) + 2) / 60 * 1000 / 2)
    assert whole.support == sum(WHOLE[1:4])
    worst = report["effort.worst_field_hours_per_1000"]
    assert (worst.value, worst.support) == (pytest.approx(hours["tax"]), 2)


TALLIES = [
    (0.0, (1, 0, 2)),
    (0.25, (2, 1, 0)),
    (0.5, (1, 1, 1)),
    (0.9, (6, 1, 0)),
    (1.0, (4, 0, 0)),
]
VALUES = [
    (sure, outcome)
    for sure, counts in TALLIES
    for outcome, count in enumerate(counts)
    for _ in range(count)
]
"""Each value with its confidence and 0 for right, 1 for substituted, 2 for deleted."""


@pytest.mark.parametrize("additions", [0, 3])
@pytest.mark.parametrize("tau", [0, 0.1, 0.25, 0.3, 0.5, 0.9, 0.95, 1.0])
def test_a_threshold_sends_the_less_sure_to_review(tau: float, additions: int) -> None:
    kept = [(sure, outcome) for sure, outcome in VALUES if sure >= tau]
    reviewed = [outcome for sure, outcome in VALUES if sure < tau]
    # who reviews puts substitutions right and strikes deletions out
    wrong = sum(outcome != 0 for _, outcome in kept) + additions
    every = len(VALUES) - reviewed.count(2) + additions
    point = at_tau(TALLIES, additions, tau)
    assert point is not None
    assert point.auto_rate == pytest.approx(len(kept) / len(VALUES))
    assert point.aligned == pytest.approx(1 - wrong / every)


def test_above_every_confidence_all_are_reviewed() -> None:
    last = curve(TALLIES, 3)[-1]
    assert last.tau is None
    assert last.auto_rate == pytest.approx(0)
    assert last.aligned == pytest.approx(1 - 3 / (len(VALUES) - 3 + 3))
    assert [point.tau for point in curve([(0.5, (1, 0, 0))], 0)] == [0.0, 0.5, None]
    assert curve([], 3) == []
    assert at_tau([], 0, 0.5) is None


def test_the_area_is_the_sum_of_trapezoids() -> None:
    points = curve(TALLIES, 3)
    expected = 0.0
    for left, right in zip(points[1:], points, strict=False):
        heights = (left.aligned or 0) + (right.aligned or 0)
        expected += (right.auto_rate - left.auto_rate) * heights / 2
    assert area(points) == pytest.approx(expected)
    assert area([]) is None


def test_values_that_state_nothing_come_before_the_least_sure() -> None:
    assert with_the_unsure([(0.5, (1, 0, 0))], (3, 1, 0)) == [(0.0, (2, 1, 0)), (0.5, (1, 0, 0))]
    assert with_the_unsure([(0.5, (1, 0, 0))], (1, 0, 0)) == [(0.5, (1, 0, 0))]


def test_tallies_of_a_table_stand_by_field_from_the_least_sure_on() -> None:
    table = {
        tally_key("a", 0.9): (1, 0, 0),
        tally_key("b.c", 0.5): (2, 0, 0),
        tally_key("a", 0.1): (3, 0, 0),
    }
    assert by_field(table) == {
        "a": [(0.1, (3, 0, 0)), (0.9, (1, 0, 0))],
        "b.c": [(0.5, (2, 0, 0))],
    }


def test_calibration_is_what_its_definitions_say() -> None:
    right = [float(outcome == 0) for _, outcome in VALUES]
    sure = [confidence for confidence, _ in VALUES]
    number = len(VALUES)
    assert brier(TALLIES) == pytest.approx(
        sum((one - other) ** 2 for one, other in zip(sure, right, strict=True)) / number
    )
    gaps = 0.0
    for low in range(10):
        inside = [i for i in range(number) if min(int(sure[i] * 10), 9) == low]
        gaps += abs(sum(right[i] for i in inside) - sum(sure[i] for i in inside))
    assert ece(TALLIES) == pytest.approx(gaps / number)
    pairs = [
        (a > b) + (a == b) / 2
        for a, good in zip(sure, right, strict=True)
        if good
        for b, other in zip(sure, right, strict=True)
        if not other
    ]
    assert auroc(TALLIES) == pytest.approx(sum(pairs) / len(pairs))
    bins = reliability(TALLIES)
    assert len(bins) == 10
    assert [one.values for one in bins] == [3, 0, 3, 0, 0, 3, 0, 0, 0, 11]
    assert [one.right for one in bins] == [1, 0, 2, 0, 0, 1, 0, 0, 0, 10]
    assert [one.sure for one in bins] == pytest.approx([0, 0, 0.75, 0, 0, 1.5, 0, 0, 0, 10.3])


def test_nothing_predicted_has_no_calibration() -> None:
    assert (ece([]), brier([]), auroc([])) == (None, None, None)
    assert auroc([(0.5, (3, 0, 0))]) is None
    assert auroc([(0.5, (0, 3, 0))]) is None


def test_confidence_counts_the_values_that_state_none() -> None:
    pred = {"d": {"a": {"value": "1", "confidence": 0.75}, "b": "2", "c": "9"}}
    report = da.score({"d": {"a": "1", "b": "2", "e": "3"}}, pred, metrics=["confidence"])
    assert readouts(report, "confidence", "")["without_confidence"] == (2, 3)
    assert readouts(report, "confidence", "")["brier"] == (pytest.approx(0.0625), 1)
    assert readouts(report, "confidence", "a")["without_confidence"] == (0, 1)
    assert readouts(report, "confidence", "b")["without_confidence"] == (1, 1)
    assert readouts(report, "confidence", "b")["ece"] == (None, 0)
