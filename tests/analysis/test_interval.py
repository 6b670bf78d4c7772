"""Intervals: what is drawn, what is added on the worse side, and where Wilson steps in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import nan
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, stdtrit
from scipy.stats import binom, chi2

import docassay as da
from docassay.analysis import intervals as module
from docassay.analysis.aggregate import build
from docassay.analysis.intervals import DocumentSample, draw, expanded, intervals, wilson
from docassay.errors import ConfigurationError
from docassay.metrics.metric import Context, Metric, Readout, Totals
from docassay.model.report import (
    DRAWS,
    FEWEST,
    HIGHER,
    LOWER,
    RATE,
    LazyInterval,
    ReadoutSpec,
    Score,
)
from docassay.model.stats import Counts, ratio, text_table, total
from docassay.run.plan import BoundMetric
from docassay.run.score import Row

SPECS = {
    "share": ReadoutSpec("share", better=HIGHER),
    "error": ReadoutSpec("error", better=LOWER),
    "neither": ReadoutSpec("neither", better=None),
    "wrong": ReadoutSpec("wrong", unit="count"),
    "rate": ReadoutSpec("rate", unit=RATE, better=LOWER),
}


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    fields = text_table(totals, "fields")
    for key, (right, wrong) in {"": total(fields.values(), 2), **fields}.items():
        whole = right + wrong
        yield Readout("share", key, ratio(right, whole), whole)
        yield Readout("error", key, ratio(wrong, whole), whole)
        yield Readout("neither", key, ratio(right, whole), whole)
        yield Readout("wrong", key, wrong, whole)
        yield Readout("rate", key, ratio(wrong, right), right)


METRIC = BoundMetric(
    Metric("counts", lambda case: {}, 1, {"fields": ("right", "wrong")}, readouts), {}, {}
)


def rows(
    counts: Sequence[Counts | None], *, key: str = "total", tags: Sequence[str] = ()
) -> list[Row]:
    return [
        Row(
            f"{key} {i}",
            "",
            "",
            {"maker": tags[i]} if tags else {},
            {"counts": {"fields": {} if pair is None else {key: pair}}},
            (),
        )
        for i, pair in enumerate(counts)
    ]


def ends(
    counts: Sequence[Counts | None],
    *,
    seed: int = 0,
    name: str = "share",
    key: str = "",
    draws: int = DRAWS,
    tags: Sequence[str] = (),
) -> tuple[float, float]:
    interval = spread(
        rows(counts, tags=tags), seed=seed, draws=draws, cluster="maker" if tags else None
    )[name, key]
    assert interval is not None
    return interval


def spread(
    rows: Sequence[Row], *, seed: int = 0, draws: int = DRAWS, cluster: str | None = None
) -> dict[tuple[str, str], tuple[float, float] | None]:
    sample = DocumentSample(METRIC, rows, Context(len(rows), None, {}), cluster=cluster)
    return intervals(sample, SPECS, seed=seed, draws=draws)


def further(number: int) -> float:
    """The share of draws beyond an end of Hesterberg's expanded percentile interval."""
    return float(ndtr(-((number / (number - 1)) ** 0.5) * stdtrit(number - 1, 0.975)))


def drawn_plainly(
    counts: Sequence[Counts | None], seed: int, *, worse: str | None = "low"
) -> tuple[float, float]:
    """Draw documents one by one, with one more that is all wrong on the worse side."""
    number = len(counts) + 1
    matrix = module._by_content(np.array([pair or (0, 0) for pair in counts], dtype=np.float64))
    present = int(matrix.any(axis=1).sum())
    lows, highs = [], []
    for row in np.random.default_rng(seed).integers(number, size=(DRAWS, number)):
        taken = [matrix[i] for i in row if i < len(counts)]
        right, whole = sum(pair[0] for pair in taken), sum(pair.sum() for pair in taken)
        share = right / whole if whole else nan
        added = int((row == len(counts)).sum()) / present
        lows.append(share / (1 + added) if worse == "low" else share)
        highs.append(share)
    beyond = expanded(present)
    low = 0.025 if worse == "low" else beyond
    return (
        float(np.nanquantile(lows, low)),
        float(np.nanquantile(highs, 1 - beyond)),
    )


@given(
    counts=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=FEWEST, max_size=9),
    seed=st.integers(0, 3),
)
def test_an_interval_is_that_of_drawing_documents_one_by_one(
    counts: list[Counts | None], seed: int
) -> None:
    defined = [pair for pair in counts if any(pair)]
    if len(defined) < FEWEST or all(0 in pair for pair in defined):
        return
    share = sum(pair[0] for pair in defined) / sum(map(sum, defined))
    low, high = drawn_plainly(counts, seed)
    assert ends(counts, seed=seed) == pytest.approx((min(low, share), max(high, share)))
    # the errors are the complement, with the document that is all wrong at the other end
    expected = (1 - max(high, share), 1 - min(low, share))
    assert ends(counts, seed=seed, name="error") == pytest.approx(expected)


def test_nothing_is_added_where_neither_more_nor_less_is_better() -> None:
    counts: list[Counts | None] = [(i, 6 - i) for i in range(1, 6)]
    expected = drawn_plainly(counts, 0, worse=None)
    assert ends(counts, name="neither") == pytest.approx(expected)


def test_a_count_has_an_interval_for_as_many_documents() -> None:
    counts: list[Counts | None] = [(1, 0), (1, 2), (1, 4), (1, 1), (1, 3), (1, 2)] * 10
    low, high = ends(counts, name="wrong")
    half = 1.96 * float(np.std([pair[1] for pair in counts if pair])) * 60**0.5
    assert low < 120 < high
    assert (high - low) / 2 == pytest.approx(half, rel=0.2)


def test_documents_that_hold_more_values_weigh_more() -> None:
    counts: list[Counts | None] = [(1, 3), (16, 4), (2, 2), (3, 1), (9, 1)]
    assert ends(counts) == pytest.approx(drawn_plainly(counts, 0))


def test_documents_without_the_field_do_not_narrow_its_interval() -> None:
    counts: list[Counts | None] = [(2, 8), (4, 6), (6, 4), (8, 2), (9, 1), (3, 7)]
    alone = ends(counts, key="total")
    among = ends([*counts, *[None] * 50], key="total")
    assert among[1] - among[0] > 0.8 * (alone[1] - alone[0])


@pytest.mark.parametrize("shares", [[1.0] * 8, [0.0] * 8, [0.0, 1.0, 1.0, 1.0] * 2])
def test_where_every_document_is_right_or_wrong_the_interval_is_wilsons(
    shares: list[float],
) -> None:
    counts: list[Counts | None] = [(3, 0) if share else (0, 3) for share in shares]
    assert ends(counts) == pytest.approx(wilson(sum(shares) / 8, 8))


def test_wilsons_number_is_that_of_the_documents_in_which_the_score_is_defined() -> None:
    counts: list[Counts | None] = [*[(3, 0), (0, 3), (3, 0), (3, 0)] * 2, *[None] * 30]
    assert ends(counts) == pytest.approx(wilson(0.75, 8))


def test_documents_that_are_right_or_wrong_but_of_other_sizes_are_drawn() -> None:
    counts: list[Counts | None] = [(9, 0), (0, 1), (9, 0), (0, 1), (9, 0), (0, 1)]
    assert ends(counts) == pytest.approx(drawn_plainly(counts, 0))


def test_below_five_documents_there_is_no_interval() -> None:
    few: list[Counts | None] = [(1, 2), (3, 1), (2, 2), (5, 1)]
    assert {*spread(rows(few)).values()} == {None}
    field = [*rows([*few, None, None, None]), *rows([(1, 1)] * 5, key="other")]
    some = spread(field)
    assert {key for (_, key), interval in some.items() if interval is None} == {"total"}
    assert {key for (_, key), interval in some.items() if interval is not None} == {"", "other"}
    assert None not in spread(rows([*few, (1, 1)])).values()


@pytest.mark.parametrize("pair", [(4, 0), (0, 4), (2, 2)])
@pytest.mark.parametrize("number", [FEWEST - 1, FEWEST])
def test_whether_a_score_abstains_depends_on_the_number_of_documents_alone(
    number: int, pair: Counts
) -> None:
    every = spread(rows([pair] * number)).values()
    assert {interval is None for interval in every} == {number < FEWEST}


def test_an_interval_is_the_same_whichever_others_are_worked_out_with_it() -> None:
    field = [*rows([(i, 6 - i) for i in range(6)]), *rows([(1, 2), (3, 1)] * 3, key="other")]
    sample = DocumentSample(METRIC, field, Context(len(field), None, {}))
    whole = intervals(sample, SPECS)
    for name, key in whole:
        alone = intervals(sample, SPECS, wanted=lambda each: each[:2] == (name, key))  # noqa: B023
        assert alone == {(name, key): whole[name, key]}


def test_the_same_seed_draws_the_same_documents_and_another_does_not() -> None:
    counts: list[Counts | None] = [(i, 9 - i) for i in range(1, 9)]
    assert ends(counts) == ends(counts)
    assert ends(counts) != ends(counts, seed=1)


def test_drawing_in_portions_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[Counts | None] = [(i, 9 - i) for i in range(1, 9)]
    whole = ends(counts)
    for cells in (1, 8, 9 * 300):
        monkeypatch.setattr(module, "MOST_CELLS", cells)
        assert ends(counts) == whole


@pytest.mark.parametrize("limit", ["MOST_DOCUMENTS", "MOST_COUNTS"])
def test_many_documents_are_drawn_in_blocks(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(2)
    counts: list[Counts | None] = [
        (int(right), 10 - int(right)) for right in generator.integers(5, 11, size=600)
    ]
    whole = ends(counts)
    monkeypatch.setattr(module, limit, 599)
    monkeypatch.setattr(module, "BLOCKS", 200)
    low, high = ends(counts)
    assert (low, high) != whole
    assert (high - low) == pytest.approx(whole[1] - whole[0], rel=0.2)


def test_a_sample_says_of_how_many_documents_blocks_stand_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Comparisons and evidence look at more documents one by one than intervals of a run do."""
    many = rows([(i % 5, 2) for i in range(60)])
    context = Context(len(many), None, {})
    with monkeypatch.context() as patched:
        patched.setattr(module, "BLOCKS", 20)
        assert len(DocumentSample(METRIC, many, context, most=60).counts) == 60
        assert len(DocumentSample(METRIC, many, context, most=59).counts) == 20


@pytest.mark.parametrize("cluster", [None, "page"])
def test_blocks_are_as_large_as_each_other_whatever_the_order_of_documents(
    cluster: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So what is added up over documents does not seem to differ by how many are drawn."""
    monkeypatch.setattr(module, "BLOCKS", 20)
    many = [
        row._replace(tags={"page": f"p{number}"})
        for number, row in enumerate(rows([(1, 1)] * 59 + [(7, 3)]))
    ]
    context = Context(len(many), None, {})
    blocks, turned = (
        DocumentSample(METRIC, some, context, cluster=cluster, most=10).counts
        for some in (many, many[::-1])
    )
    assert sorted(blocks.sum(axis=1).tolist()) == [6.0] * 19 + [14.0]
    assert (blocks == turned).all()


@pytest.mark.parametrize("few", [1, 4, 60, 600])
def test_in_how_many_documents_there_is_something_to_count_is_told_of_blocks_too(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCKS", 200)
    many = rows([(1, 1)] * few + [(0, 0)] * (600 - few))
    context = Context(len(many), None, {})
    alone, blocks = (DocumentSample(METRIC, many, context, most=most) for most in (600, 599))
    assert {*alone.present().tolist()} == {few}
    assert blocks.present().tolist() == pytest.approx(alone.present().tolist(), rel=0.1)


def test_about_95_of_100_intervals_hold_the_truth() -> None:
    dice = np.random.default_rng(3)
    samples = [dice.binomial(20, dice.beta(4, 1, size=80)).tolist() for _ in range(100)]
    held = sum(
        low <= 0.8 <= high
        for low, high in (ends([(right, 20 - right) for right in sample]) for sample in samples)
    )
    assert 90 <= held <= 100


def test_a_sample_without_the_rare_bad_document_still_holds_the_truth() -> None:
    # one document in twenty is all wrong, the others have nine of ten right: the truth is 0.855
    counts: list[Counts | None] = [(9, 1)] * 10 + [(10, 0)] * 5 + [(8, 2)] * 5
    low, high = ends(counts)
    assert low < 0.855 < high
    assert high - low < 0.2


@given(st.integers(0, 60), st.integers(1, 60))
def test_wilsons_ends_are_the_roots_of_its_equation_but_near_0_and_1(
    right: int, number: int
) -> None:
    right = min(right, number)
    share = right / number
    low, high = wilson(share, number)
    assert 0 <= low <= share <= high <= 1
    rare = 3 if number > 50 else 2
    for root, odd in ((low, right), (high, number - right)):
        if 1 <= odd <= rare:
            # from here on so many, or more, that say otherwise have a chance of 5 %
            mean = float(chi2.ppf(0.05, 2 * odd)) / 2 / number
            expected = mean if root == low else 1 - mean
            roots = (min, max)[root == high]
            assert root == pytest.approx(roots(expected, root), abs=1e-8)
            assert abs(root - share) >= abs(expected - share) - 1e-8
        else:
            error = 1.959963984540054 * (root * (1 - root) / number) ** 0.5
            assert abs(root - share) == pytest.approx(error, abs=1e-9)


def test_wilsons_ends_by_hand() -> None:
    # z² = 3.841459; none of 4: 0 to z² / (4 + z²)
    assert wilson(0.0, 4) == pytest.approx((0.0, 3.841459 / 7.841459), abs=1e-6)
    assert wilson(1.0, 4) == pytest.approx((4 / 7.841459, 1.0), abs=1e-6)
    # one of 10 and 18 of 20 as Brown, Cai and DasGupta modify them, 17 of 20 and 48 of 51 not
    assert wilson(0.1, 10)[0] == pytest.approx(0.0512933 / 10, abs=1e-7)
    assert wilson(0.9, 20)[1] == pytest.approx(1 - 0.3553615 / 20, abs=1e-7)
    assert wilson(0.85, 20) == pytest.approx((0.6396, 0.9476), abs=1e-4)
    assert wilson(48 / 51, 51)[1] == pytest.approx(1 - 0.8176914 / 51, abs=1e-7)
    assert wilson(47 / 50, 50)[1] == pytest.approx(0.9794, abs=1e-4)


@pytest.mark.parametrize("number", [5, 10, 20, 60])
def test_wilsons_interval_holds_nearly_everywhere(number: int) -> None:
    every = [wilson(right / number, number) for right in range(number + 1)]
    chances = np.linspace(0.01, 0.99, 99)
    held = [
        sum(
            float(binom.pmf(right, number, chance))
            for right, (low, high) in enumerate(every)
            if low <= chance <= high
        )
        for chance in chances
    ]
    assert min(held) > 0.91
    assert np.mean(held) > 0.95


@pytest.mark.parametrize("number", [5, 8, 20, 200, 10_000])
def test_where_nothing_is_added_an_end_leaves_out_what_students_distribution_says(
    number: int,
) -> None:
    assert expanded(number) == pytest.approx(further(number), rel=0.05)


def test_an_end_beyond_which_nothing_is_added_is_defined_for_one_document() -> None:
    assert 0 < expanded(1) < 0.001


@given(
    counts=st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=5, max_size=12),
    order=st.randoms(use_true_random=False),
)
def test_an_interval_holds_its_score_whatever_the_order_of_documents(
    counts: list[Counts], order: Random
) -> None:
    other = [*counts]
    order.shuffle(other)
    for name, share in (("share", 0), ("error", 1)):
        low, high = ends(counts, name=name, draws=100)
        value = sum(pair[share] for pair in counts) / sum(map(sum, counts))
        assert 0 <= low <= value + 1e-12
        assert value - 1e-12 <= high <= 1
        assert ends(other, name=name, draws=100) == (low, high)


def test_an_interval_shrinks_with_the_number_of_documents() -> None:
    counts: list[Counts | None] = [(5, 1), (3, 3), (6, 0), (4, 2), (2, 2)]
    widths = [high - low for low, high in (ends(counts * times) for times in (1, 4, 16, 64))]
    assert widths == sorted(widths, reverse=True)
    assert widths[3] < widths[0] / 5


def test_more_draws_give_steadier_ends() -> None:
    counts: list[Counts | None] = [(i % 7, 1 + i % 3) for i in range(30)]

    def spread(draws: int) -> float:
        return float(np.std([ends(counts, seed=seed, draws=draws)[0] for seed in range(12)]))

    assert spread(4_000) < spread(100)


def test_clusters_of_one_document_are_documents() -> None:
    counts: list[Counts | None] = [(i, 9 - i) for i in range(1, 9)]
    assert ends(counts, tags=[f"maker {i}" for i in range(8)]) == ends(counts)
    # and so are documents without the tag
    assert ends(counts, tags=["a", *[""] * 7]) == ends(counts)


def test_a_cluster_is_drawn_as_one_document_with_the_sum_of_its_counts() -> None:
    counts: list[Counts | None] = [(i, 9 - i) for i in range(1, 9)]
    tags = [f"maker {i}" for i in range(8) for _ in range(2)]
    halves: list[Counts | None] = [part for i in range(1, 9) for part in ((i, 0), (0, 9 - i))]
    assert ends(halves, tags=tags) == ends(counts)
    assert ends(halves) != ends(counts)


def test_the_number_of_clusters_decides_whether_they_are_too_few() -> None:
    many = rows([(i % 5, 2) for i in range(40)], tags=[f"maker {i % 4}" for i in range(40)])
    assert {*spread(many, cluster="maker").values()} == {None}
    assert None not in spread(many).values()


def test_a_rate_has_a_document_that_is_all_wrong_at_its_high_end_also_above_1() -> None:
    for factor, worst in ((1, 1.0), (30, 3.75)):
        counts: list[Counts | None] = [(8, factor * (i % 3)) for i in range(12)]
        low, high = ends(counts, name="rate")
        value = factor * 12 / 96
        # nearly four of thirteen documents, drawn as many as the rest, are the one that is added
        assert low < value < high
        assert high < worst * 4 / 13 + 2.5 * value
        assert high > value + (worst - value) * 2 / 13


@pytest.mark.parametrize("documents", [7, 300])
def test_draws_are_the_same_however_they_are_counted(
    documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    for limit, at_hand in product((1, 1_000), (1, 5 * documents, 1_000_000)):
        monkeypatch.setattr(module, "MOST_TOGETHER", limit)
        monkeypatch.setattr(module, "AT_HAND", at_hand)
        module._kept_draws.cache_clear()  # else the first ones would be drawn again
        counted.append(np.concatenate([*draw(documents, 22, 3)]))
    assert all((times == counted[0]).all() for times in counted)
    assert (counted[0].sum(axis=1) == documents).all()


def test_sums_of_draws_are_the_same_however_many_are_added_up_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    generator = np.random.default_rng(1)
    # some sums are beyond what single precision holds
    numbers = generator.integers(1 << 10, size=(6, 9)) * (1 << np.arange(0, 36, 6))[:, None]
    times = generator.integers(4, size=(22, 9), dtype=np.int16)
    for at_hand in (1, 45, 1_000):
        monkeypatch.setattr(module, "AT_HAND", at_hand)
        sums = module.DrawnSums(numbers.astype(np.float64)).of(times)
        assert (sums == numbers @ times.T).all()


def tagged_report(tags: Sequence[str], **options: int) -> da.Report:
    scorer = da.Scorer(metrics=["kieval"], types="text")
    for i, tag in enumerate(tags):
        scorer.add(f"d{i}", {"a": "x", "b": "y"}, {"a": "x", "b": "yz"[i % 2]}, tags={"maker": tag})
    return scorer.report(cluster="maker" if options.get("cluster", 1) else None)


def test_a_report_says_where_there_are_too_few_documents_or_clusters() -> None:
    few = tagged_report("abc", cluster=0)
    aligned = few["kieval.aligned"]
    assert (aligned.low, aligned.high) == (None, None)
    assert aligned.interval.reason == "too few documents"
    clustered = tagged_report("aabbccdd")
    assert clustered["kieval.aligned"].interval.reason == "too few clusters"
    assert "no intervals: too few clusters (4; they need 5)" in clustered.notes
    enough = tagged_report("abcde", cluster=0)
    assert enough["kieval.aligned"].interval.reason == ""
    assert not any("too few" in note for note in enough.notes)


def test_a_report_says_what_was_drawn_together() -> None:
    report = tagged_report(["a", "a", "b", "c", "d", "e", "", ""])
    assert (
        "intervals draw documents of the same maker together: 5 clusters in 8 documents, "
        "2 documents without it one by one"
    ) in report.notes
    clusters = {"draws": 1000, "seed": 0, "cluster": "maker", "clusters": 5, "alone": 2}
    assert report.facts["intervals"] == clusters
    assert "intervals" not in tagged_report("abcdef", cluster=0).facts


def test_a_tag_that_no_document_has_draws_documents_one_by_one_and_says_so() -> None:
    scorer = da.Scorer(metrics=["kieval"], types="text")
    for i in range(6):
        scorer.add(f"d{i}", {"a": "x"}, {"a": "xy"[i % 2]}, tags={"maker": "m", "year": "1"})
    report = scorer.report(cluster="vendor")
    assert report["kieval.aligned"].low == scorer.report()["kieval.aligned"].low
    note = "no document has vendor, so intervals draw documents one by one; there is: maker, year"
    assert note in report.notes


def test_too_few_draws_are_refused() -> None:
    ledger = da.Scorer(metrics=["kieval"]).ledger()
    with pytest.raises(ConfigurationError, match="draws: 99 are too few"):
        build(ledger, draws=99)
    assert build(ledger, draws=100).documents == 0


def test_an_interval_is_worked_out_when_it_is_first_read_and_only_once() -> None:
    calls: list[int] = []

    def work_out() -> tuple[float, float]:
        calls.append(1)
        return (0.25, 0.75)

    score = Score("m", "r", "", "", 0.5, 1, LazyInterval(work_out))
    assert not calls
    assert (score.low, score.high) == (0.25, 0.75)
    assert len(calls) == 1
    assert score == Score("m", "r", "", "", 0.5, 1, LazyInterval.of(0.25, 0.75))


@given(
    columns=st.lists(
        st.lists(st.just(nan) | st.integers(0, 9).map(float), min_size=7, max_size=7), max_size=4
    ),
    shares=st.lists(st.sampled_from([0.0, 0.025, 0.3, 0.5, 0.975, 1.0]), max_size=3),
    each=st.lists(st.floats(0, 1), min_size=4, max_size=4),
)
def test_percentiles_are_those_of_the_defined_numbers_sorted(
    columns: list[list[float]], shares: list[float], each: list[float]
) -> None:
    drawn = np.array(columns).reshape(len(columns), 7).T
    own = np.array(each[: len(columns)])
    found = module.percentiles(drawn, [*shares, own])
    assert len(found) == len(shares) + 1
    for share, values in zip([*shares, own], found, strict=True):
        for at, column in enumerate(columns):
            ordered = sorted(number for number in column if number == number) or [nan]
            place = float(np.broadcast_to(share, own.shape)[at]) * (len(ordered) - 1)
            below = int(place)
            upper = ordered[min(below + 1, len(ordered) - 1)]
            expected = ordered[below] + (place - below) * (upper - ordered[below])
            assert values[at] == pytest.approx(expected, nan_ok=True)
