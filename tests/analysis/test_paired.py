"""Paired tests against the plain way: every swap tried, every readout computed by its metric."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.analysis import paired as module
from docassay.analysis.paired import PairedDifference, PairedSample, paired_differences
from docassay.metrics.metric import Context
from docassay.model.stats import fold
from docassay.run.ledger import Ledger
from docassay.run.plan import bind
from docassay.run.score import Row
from tests.analysis.paired_corpus import FIELDS, ledger

MARKS = st.sampled_from(["", "", "a", "b", "ab", "abc", "abcd", "-"])
HALF = module.APART


def differences_of(
    first: Ledger, second: Ledger, *, draws: int = 500, cluster: str | None = None, seed: int = 0
) -> dict[tuple[str, str], PairedDifference]:
    (metric,) = bind(first.header.plan).metrics
    context = Context(len(first.rows), None, metric.options)
    sample = PairedSample(metric, [first.rows, second.rows], context, cluster=cluster)
    return paired_differences([sample], [(0, 1)], seed=seed, draws=draws)[0, 1][0]


def plain_values(run: Ledger, rows: list[Row]) -> dict[tuple[str, str], float | None]:
    (metric,) = bind(run.header.plan).metrics
    context = Context(len(rows), None, metric.options)
    totals = fold(row.stats[metric.name] for row in rows)
    made = metric.metric.readouts(totals, context, **metric.display)
    return {(readout.name, readout.key): readout.value for readout in made}


def every_swap(first: Ledger, second: Ledger) -> dict[tuple[str, str], float]:
    """Return the share of all ways to swap documents that part the runs as far as they are."""
    before, after = plain_values(first, [*first.rows]), plain_values(second, [*second.rows])
    hits: dict[tuple[str, str], int] = {}
    ways = [*product((False, True), repeat=len(first.rows))]
    for way in ways:
        pairs = [*zip(first.rows, second.rows, way, strict=True)]
        one = plain_values(first, [b if swap else a for a, b, swap in pairs])
        other = plain_values(first, [a if swap else b for a, b, swap in pairs])
        for name, value in before.items():
            end = after.get(name)
            if value is None or end is None:
                continue
            left, right = one.get(name), other.get(name)
            undefined = left is None or right is None
            if undefined or abs(right - left) >= abs(end - value) - 1e-9:  # type: ignore[operator]
                hits[name] = hits.get(name, 0) + 1
    return {name: number / len(ways) for name, number in hits.items()}


@settings(max_examples=10, deadline=None)
@given(answers=st.lists(st.tuples(MARKS, MARKS), min_size=1, max_size=4))
def test_where_few_documents_differ_p_is_the_share_of_all_swaps(
    answers: list[tuple[str, str]],
) -> None:
    first, second = (ledger([pair[side] for pair in answers]) for side in (0, 1))
    expected = every_swap(first, second)
    for name, difference in differences_of(first, second).items():
        assert difference.p == pytest.approx(expected[name]), name


def test_documents_that_do_not_differ_leave_the_test_exact() -> None:
    first, second = ledger(["a", "b", "", *[""] * 60]), ledger(["", "", "", *[""] * 60])
    p = differences_of(first, second, draws=4)["aligned", ""].p
    assert p == 2 / 4  # of the four ways to swap two documents two part the runs as far


def test_draws_below_the_number_of_ways_are_random_and_count_themselves() -> None:
    first, second = ledger(["a", "b", "c"] * 4), ledger([""] * 12)
    p = differences_of(first, second, draws=999)["aligned", ""].p
    assert p * 1000 == pytest.approx(round(p * 1000))
    assert 1 / 1000 <= p <= 10 / 1000


def test_random_draws_come_near_the_exact_share(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = ledger(["a", "b", "", "ab", "", "c", "d", ""]), ledger(["", "", "a"] + [""] * 5)
    exact = differences_of(first, second, draws=256)["aligned", ""].p
    sampled = differences_of(first, second, draws=63)["aligned", ""].p
    assert exact == 48 / 256
    assert sampled == pytest.approx(exact, abs=0.15)
    assert round(sampled * 64) == pytest.approx(sampled * 64)
    monkeypatch.setattr(module, "MOST_CELLS", 30)
    assert differences_of(first, second, draws=256)["aligned", ""].p == exact


def test_a_run_does_not_differ_from_itself() -> None:
    run = ledger(["a", "", "bc", ""] * 15)
    for difference in differences_of(run, run).values():
        assert (difference.value, difference.p) == (0, 1)
        if difference.documents:
            assert difference.interval == difference.narrow == (0, 0)


@settings(max_examples=10, deadline=None)
@given(answers=st.lists(st.tuples(MARKS, MARKS), min_size=5, max_size=9), seed=st.integers(0, 5))
def test_turning_a_pair_around_turns_its_difference_around(
    answers: list[tuple[str, str]], seed: int
) -> None:
    first, second = (ledger([pair[side] for pair in answers]) for side in (0, 1))
    there, back = (
        differences_of(first, second, seed=seed, draws=300),
        differences_of(second, first, seed=seed, draws=300),
    )
    for name, difference in there.items():
        other = back[name]
        assert other.value == pytest.approx(-difference.value)
        assert other.p == pytest.approx(difference.p)
        for ends, turned in (
            (difference.interval, other.interval),
            (difference.narrow, other.narrow),
        ):
            assert (ends is None) == (turned is None)
            if ends is not None and turned is not None:
                assert turned == pytest.approx((-ends[1], -ends[0]), abs=1e-9)


@settings(max_examples=10, deadline=None)
@given(answers=st.lists(st.tuples(MARKS, MARKS), min_size=1, max_size=9))
def test_intervals_hold_the_difference_and_the_narrow_one_lies_inside(
    answers: list[tuple[str, str]],
) -> None:
    first, second = (ledger([pair[side] for pair in answers]) for side in (0, 1))
    for difference in differences_of(first, second, draws=200).values():
        assert (difference.interval is None) == (difference.documents < 5)
        if difference.interval is not None and difference.narrow is not None:
            low, high = difference.interval
            inner_low, inner_high = difference.narrow
            assert low <= inner_low <= difference.value <= inner_high <= high


def plain_bootstrap(first: Ledger, second: Ledger, draws: int) -> dict[int, tuple[float, float]]:
    """Return the middle 95 % and 90 % of differences of `aligned` over documents drawn anew."""
    from docassay.analysis.intervals import draw

    drawn = []
    for times in draw(len(first.rows), draws, 0):
        for line in times:
            one, other = (
                [row for row, often in zip(run.rows, line, strict=True) for _ in range(int(often))]
                for run in (first, second)
            )
            ends = [plain_values(first, rows)["aligned", ""] for rows in (one, other)]
            drawn.append(ends[1] - ends[0])  # type: ignore[operator]
    return {
        share: tuple(np.percentile(drawn, [50 - share / 2, 50 + share / 2])) for share in (90, 95)
    }


def test_from_enough_documents_on_the_interval_is_the_paired_percentile_bootstrap() -> None:
    first = ledger([("a", "", "ab", "")[number % 4] for number in range(50)])
    second = ledger([("", "", "abc", "b")[number * 7 % 4] for number in range(50)])
    difference = differences_of(first, second, draws=120)["aligned", ""]
    expected = plain_bootstrap(first, second, 120)
    assert difference.interval == pytest.approx(expected[95])
    assert difference.narrow == pytest.approx(expected[90])


def added(first: Ledger, second: Ledger, reach: float, draws: int) -> tuple[float, float]:
    """Return the ends for few documents: each drawn with one more in which the runs differ."""
    from docassay.analysis.intervals import draw

    number = len(first.rows)
    right = np.array(
        [[plain_values(run, [row])["aligned", ""] for row in run.rows] for run in (first, second)],
        dtype=float,
    )
    lows, highs = [], []
    for times in draw(number + 1, draws, 0):
        for line in times:
            own, extra = line[:number], line[number] / number
            # documents of equal size: their mean is the score
            apart = (own @ (right[1] - right[0])) / own.sum()
            lows.append((apart - extra * reach) / (1 + extra))
            highs.append((apart + extra * reach) / (1 + extra))
    return float(np.percentile(lows, 2.5)), float(np.percentile(highs, 97.5))


@pytest.mark.parametrize(
    ("wrong", "reach"),
    [pytest.param("a", HALF, id="half at least"), pytest.param("abc", 0.75, id="the most seen")],
)
def test_below_enough_documents_one_more_is_drawn_in_which_the_runs_differ(
    wrong: str, reach: float
) -> None:
    first, second = ledger([wrong, *[""] * 11]), ledger(["", "a", *[""] * 10])
    difference = differences_of(first, second, draws=300)["aligned", ""]
    assert difference.interval == pytest.approx(added(first, second, reach, 300))


def test_what_is_no_share_is_drawn_without_an_added_document() -> None:
    first, second = ledger(["a", *[""] * 11]), ledger(["", "a", *[""] * 10])
    differences = differences_of(first, second, draws=300)
    low, high = differences["corrections", ""].interval or (0, 0)
    assert -4 < low <= -2 < 2 <= high < 4
    same = differences_of(first, first, draws=300)
    assert same["corrections", ""].interval == (0, 0)
    low, high = same["aligned", ""].interval or (0, 0)
    assert low < -0.05 < 0.05 < high


def test_a_count_of_few_documents_is_of_as_many_documents_in_every_draw() -> None:
    differences = differences_of(ledger([""] * 8), ledger(["a"] * 8), draws=300)
    low, high = differences["corrections", ""].interval or (0, 0)
    assert (low, high) == pytest.approx((8, 8))


def test_where_nothing_is_wanted_nothing_is_tested() -> None:
    (metric,) = bind(ledger([""]).header.plan).metrics
    sample = PairedSample(
        metric,
        [ledger([""]).rows, ledger(["a"]).rows],
        Context(1, None, metric.options),
        wanted=lambda name, key, steps: False,
    )
    assert paired_differences([sample], [(0, 1)], draws=100) == {(0, 1): [{}]}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    first, second = ledger(["a", "", "bc", ""] * 15), ledger(["", "b", "", "d"] * 15)
    assert repr(differences_of(first, second)) == repr(differences_of(first, second))
    one, other = (
        differences_of(first, second)["aligned", ""],
        differences_of(first, second, seed=1)["aligned", ""],
    )
    assert one.interval != other.interval


def test_the_order_in_which_scores_are_drawn_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = [ledger(["a", "", "bc", ""] * 14), ledger(["", "b", "", "d"] * 14), ledger([""] * 56)]
    (metric,) = bind(runs[0].header.plan).metrics
    context = Context(56, None, metric.options)
    sample = PairedSample(metric, [run.rows for run in runs], context)
    pairs = [(0, 1), (0, 2), (1, 2)]
    together = paired_differences([sample], pairs, draws=200)
    monkeypatch.setattr(module, "MOST_HELD", 200 * len(sample.sample.formulas))
    assert repr(paired_differences([sample], pairs, draws=200)) == repr(together)
    alone = differences_of(runs[1], runs[2], draws=200)
    assert repr(together[1, 2][0]["aligned", ""]) == repr(alone["aligned", ""])


def test_too_many_scores_are_drawn_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = ledger(["a", "", "bc", ""] * 15), ledger(["", "b", "", "d"] * 15)
    few = differences_of(first, second, draws=150)["aligned", ""].interval
    assert few != differences_of(first, second, draws=300)["aligned", ""].interval
    monkeypatch.setattr(module, "MOST_HELD", 1)
    monkeypatch.setattr(module, "LEAST_DRAWS", 150)
    assert differences_of(first, second, draws=300)["aligned", ""].interval == few


# --- clusters -----------------------------------------------------------------------------------


def test_clusters_of_one_document_are_documents() -> None:
    answers = ["a", "", "bc", "", "d", "ab"], ["", "b", "", "d", "", ""]
    tags = [{"template": f"t{number}"} for number in range(6)]
    plain = differences_of(*(ledger(own) for own in answers))
    clustered = differences_of(*(ledger(own, tags=tags) for own in answers), cluster="template")
    assert repr(plain) == repr(clustered)
    untagged = differences_of(*(ledger(own) for own in answers), cluster="template")
    assert repr(plain) == repr(untagged)


def test_a_cluster_is_swapped_and_drawn_as_a_whole() -> None:
    first, second = ["a", "a", "a", "", "b", "b"], ["", "", "", "d", "", ""]
    names = ["x", "x", "x", "y", "z", "z"]
    tags = [{"template": name} for name in names]
    difference = differences_of(
        ledger(first, tags=tags), ledger(second, tags=tags), cluster="template"
    )
    aligned = difference["aligned", ""]
    # 3 clusters: 8 ways to swap, of which two part the runs by 4 of 24, and two by 6 of 24
    assert aligned.p == 4 / 8
    assert (aligned.documents, aligned.interval) == (3, None)
    assert differences_of(ledger(first), ledger(second))["aligned", ""].p == 14 / 64


# --- what has no test ---------------------------------------------------------------------------


def test_a_score_that_one_run_lacks_has_no_test() -> None:
    first, second = ledger(["-"] * 6), ledger(["a"] * 6)
    differences = differences_of(first, second)
    assert ("aligned", "") in differences
    assert ("entity_precision", "") not in differences, "the first run has predicted nothing"


def test_only_what_is_wanted_is_differences_of() -> None:
    first, second = ledger(["a"] * 6), ledger(["b"] * 6)
    (metric,) = bind(first.header.plan).metrics
    context = Context(6, None, metric.options)
    sample = PairedSample(
        metric,
        [first.rows, second.rows],
        context,
        wanted=lambda name, key, steps: name == "aligned" and key != "a" and steps < 50,
    )
    ((differences,),) = paired_differences([sample], [(0, 1)], draws=100).values()
    assert {*differences} == {("aligned", key) for key in ("", *FIELDS[1:])}


def test_documents_in_which_neither_run_finds_anything_do_not_count() -> None:
    first, second = ledger(["a", "+", "", "+"]), ledger(["", "", "+", "+"])
    differences = differences_of(first, second)
    assert differences["aligned", ""].documents == 4
    assert differences["aligned", "e"].documents == 3
    assert differences["substitutions", ""].documents == 4, "a count of none is one too"


def test_a_draw_that_leaves_a_score_undefined_speaks_for_chance() -> None:
    # the first run has predicted one document and the second the other: after one swap one run
    # has predicted both, and the other none
    first, second = ledger(["", "-"]), ledger(["-", "a"])
    assert differences_of(first, second)["entity_precision", ""].p == 1


def test_a_score_whose_formula_is_another_in_each_run_has_no_test() -> None:
    first, second = (
        ledger(["a"] * 6, metrics=["effort"]),
        ledger(["b"] * 5 + [""], metrics=["effort"]),
    )
    names = {name for name, _ in differences_of(first, second)}
    assert "hours_per_1000" in names
    assert "worst_field_hours_per_1000" not in names, "each run has a worst field of its own"
