"""Resampling against the plain way: every metric's readouts computed on the documents drawn."""

from __future__ import annotations

import random
from typing import cast

import numpy as np
import pytest

from docassay.analysis import intervals as module
from docassay.analysis.intervals import DocumentSample
from docassay.analysis.tape import Tape, Traced, remembering
from docassay.api.score import Scorer
from docassay.metrics.kieval import readouts
from docassay.metrics.metric import METRICS, Context
from docassay.model.stats import Stats, fold, mean
from docassay.run.plan import BoundMetric, bind
from docassay.run.score import Row
from docassay.synth.corpus import generate

NOTHING_TO_COUNT = {"rules", "grounded", "located", "linking"}
"""Metrics of rules, texts, places and links, of which these documents have none."""
TOO_LONG = {"confidence.auroc", "confidence.brier", "kieval.area"}
"""Scores made of the counts of every confidence."""
NOT_TRACED = {
    "causes.corrections",
    "confidence.ece",
    "fields.deviation",
    "vrdu.names_undefined",
}
"""Scores with absolute values, roots or roundings in them; they have no interval."""
OTHER_BRANCH = {
    "effort.worst_field_hours_per_1000",
    "fields.absent_agreed",
    "fields.hallucination_rate",
    "fields.total_fields",
}
"""Scores whose formula depends on which fields the documents drawn hold: that of all is used."""


WEIGHTED = {
    "extra": "count",
    "fields": {"document_number": {"type": "id", "weight": 3}, "total": "money"},
}


@pytest.mark.parametrize("schema", [None, WEIGHTED], ids=["no schema", "weights"])
def test_a_replayed_formula_gives_what_a_metric_gives_on_the_documents_drawn(
    schema: object,
) -> None:
    scorer = Scorer(metrics=list(METRICS.names()), schema=schema)
    for sample in generate(14, seed=3, profile="hasty"):
        scorer.add(sample.id, sample.gold, sample.pred)
    ledger = scorer.ledger()
    plain_names = set()
    metrics = bind(ledger.header.plan).metrics
    # released tools say 0 where nothing is defined, which is a branch of its own
    for metric in (metric for metric in metrics if not metric.name.endswith("_official")):
        context = Context(len(ledger.rows), ledger.header.plan.schema, metric.options)
        for seed in range(3):
            drawn = random.Random(seed).choices(range(len(ledger.rows)), k=len(ledger.rows))
            check(metric, ledger.rows, context, drawn)
        if metric.name not in NOTHING_TO_COUNT:
            plain_names |= untraced(metric, ledger.rows, context)
    assert plain_names - OTHER_BRANCH == NOT_TRACED | TOO_LONG


def check(metric: BoundMetric, rows: tuple[Row, ...], context: Context, drawn: list[int]) -> None:
    sample = DocumentSample(metric, rows, context)
    if not sample.formulas:
        assert metric.name in NOTHING_TO_COUNT
        return
    replayed = sample.values(sample.counts[drawn].sum(axis=0, keepdims=True))[0]
    expected = values(metric, [rows[i] for i in drawn], context)
    for formula, value in zip(sample.formulas, replayed, strict=True):
        plain = expected.get((formula.name, formula.key))
        if plain is not None and f"{metric.name}.{formula.name}" not in OTHER_BRANCH:
            assert value == pytest.approx(plain, abs=1e-9), (metric.name, formula)
    for keyed in (True, False):
        part = sample.part(lambda formula: bool(formula.key) is keyed)  # noqa: B023
        own = [bool(formula.key) is keyed for formula in sample.formulas]
        sums = part.terms(sample.counts)[drawn].sum(axis=0, keepdims=True)
        assert part.values(sums)[0].tolist() == pytest.approx(replayed[own], rel=0, nan_ok=True)


def values(
    metric: BoundMetric, rows: list[Row], context: Context
) -> dict[tuple[str, str], float | None]:
    totals = fold(row.stats[metric.name] for row in rows)
    made = metric.metric.readouts(totals, context, **metric.display)
    return {(readout.name, readout.key): readout.value for readout in made}


def untraced(metric: BoundMetric, rows: tuple[Row, ...], context: Context) -> set[str]:
    formulas = DocumentSample(metric, rows, context).formulas
    traced = {(formula.name, formula.key) for formula in formulas}
    return {
        f"{metric.name}.{name}"
        for (name, key), value in values(metric, [*rows], context).items()
        if value is not None and (name, key) not in traced
    }


def test_arithmetic_on_traced_numbers_is_replayed_on_whole_columns() -> None:
    tape = Tape()
    left, right = remembering(tape, tape.leaf(), 6), remembering(tape, tape.leaf(), 4)
    made = [left + right, left - right, left * right, left / right, -left, 2 + left, 2 - left]
    made += [3 * right, 1 / right, sum([left, right, 1]) / 2, left + 0.5, 0.5 - left / right]
    assert [isinstance(number, int) for number in made[:3]] == [True] * 3
    columns = np.array([[6.0, 4.0], [3.0, 2.0], [1.0, 0.0]])
    replayed = tape.replay({0: columns[:, 0], 1: columns[:, 1]}, [number.place for number in made])
    assert replayed[0].tolist() == pytest.approx(
        [10, 2, 24, 1.5, -6, 8, -4, 12, 0.25, 5.5, 6.5, -1]
    )
    assert replayed[1].tolist() == pytest.approx([5, 1, 6, 1.5, -3, 5, -1, 6, 0.5, 3, 3.5, -1])
    assert [float(number) for number in made] == pytest.approx(replayed[0].tolist())
    assert np.isnan(replayed[2]).tolist() == [n in (3, 8, 11) for n in range(12)]


def test_a_mean_leaves_out_what_a_draw_does_not_hold() -> None:
    tape = Tape()
    left, right = remembering(tape, tape.leaf(), 6), remembering(tape, tape.leaf(), 4)
    made = mean([left / right, None, left / 2])
    assert made == 2.25
    replayed = tape.replay({0: np.array([6.0, 3.0]), 1: np.array([4.0, 0.0])}, [made.place])
    assert replayed[:, 0].tolist() == [2.25, 1.5]
    assert tape.columns(tape.needed([made.place])) == [0, 1]


def test_the_documents_of_a_formula_are_those_that_hold_one_of_its_columns() -> None:
    tape = Tape()
    first, second, third = (remembering(tape, tape.leaf(), 1) for _ in range(3))
    places = [(first + 1).place, (first / second).place, (third - third).place]
    assert [tape.columns(tape.needed([place])) for place in places] == [[0], [0, 1], [2]]
    assert [len(tape.needed([place])) for place in places] == [3, 3, 2]
    assert tape.reads(places, {0: 1, 1: 2, 2: 4}) == [1, 3, 4]


def test_terms_are_the_sums_of_columns_that_other_steps_are_made_of() -> None:
    tape = Tape()
    first, second, third = (remembering(tape, tape.leaf(), 1) for _ in range(3))
    whole = sum([first, second, third])
    share = (first - second) / whole
    made = [share, 2 * whole, third, mean([share, third / whole])]
    places = [number.place for number in made]
    terms = tape.terms(places)
    (whole_place, apart_place) = (whole.place, tape.parts(share.place)[0])
    assert terms == sorted([third.place, whole_place, apart_place])
    columns = {at: np.array([3.0, 0.0, 7.0]) * (at + 1) for at in range(3)}
    known = dict(zip(terms, tape.replay(columns, terms).T, strict=True))
    np.testing.assert_array_equal(tape.replay(known, places), tape.replay(columns, places))


def test_sums_of_draws_are_exact_whether_or_not_single_precision_holds_them() -> None:
    most = module.SINGLE // 6
    numbers = np.array(
        [[1, 0, 7, 2, 3], [most - 1, 1, 0, most - 1, 1], [most + 1, -3, 10**9, 1, 0]]
    )
    times = np.array([[5, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 2, 0, 3, 0]], dtype=np.int16)
    sums = module.DrawnSums(numbers.astype(np.float64))
    assert sums.of(times).tolist() == (numbers @ times.T).tolist()


def test_what_is_needed_twice_counts_twice_in_the_bound_of_steps() -> None:
    tape = Tape()
    first, second = (remembering(tape, tape.leaf(), 1) for _ in range(2))
    whole = first + second
    share = first / whole
    most = tape.most_steps()
    assert most[whole.place] == len(tape.needed([whole.place])) == 3
    assert most[share.place] == len(tape.needed([share.place])) + 1 == 5


def test_a_formula_of_too_many_steps_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = Scorer(metrics=["kieval"], types="text")
    for sample in generate(6, seed=3, profile="hasty"):
        scorer.add(sample.id, sample.gold, sample.pred)
    ledger = scorer.ledger()
    (metric,) = bind(ledger.header.plan).metrics
    context = Context(len(ledger.rows), None, metric.options)
    whole = DocumentSample(metric, ledger.rows, context)
    longest = max(len(whole.tape.needed([formula.place])) for formula in whole.formulas)
    monkeypatch.setattr(module, "MOST_STEPS", longest - 1)
    fewer = DocumentSample(metric, ledger.rows, context)
    left_out = {*whole.formulas} - {*fewer.formulas}
    assert left_out
    assert all(len(whole.tape.needed([formula.place])) == longest for formula in left_out)
    assert fewer.counts.shape[1] <= whole.counts.shape[1]


@pytest.mark.parametrize("unsure", [0, 5])
@pytest.mark.parametrize("tau", [None, "0", "0.5", "1"])
@pytest.mark.parametrize("confidences", [1, 2, 3, 20])
def test_a_trade_off_that_is_left_out_unseen_has_too_many_steps(
    confidences: int, tau: str | None, unsure: int
) -> None:
    tape = Tape()

    def leaf(count: int) -> Traced:
        return remembering(tape, tape.leaf(), count)

    table = {("a", f"{at / 100}"): (leaf(3), leaf(2), leaf(1)) for at in range(confidences)}
    table |= {("b", key): (leaf(1), leaf(0), leaf(0)) for _, key in [*table][::2]}
    predicted = {path: sum(own == path for own, _ in table) for path in "ab"}
    fields = {
        path: (leaf(3 * number + unsure), leaf(2 * number), leaf(4), leaf(number), leaf(0))
        for path, number in predicted.items()
    }
    totals = cast(
        Stats,
        {
            "fields": fields,
            "groups": {},
            "documents": {"": (leaf(1), leaf(0))},
            "confidence": table,
        },
    )

    def steps(most: int | None) -> dict[tuple[str, str], int]:
        context = Context(1, None, {}, most)
        return {
            (readout.name, readout.key): len(tape.needed([readout.value.place]))
            for readout in readouts(totals, context, tau=tau)
            if isinstance(readout.value, Traced)
        }

    every = steps(None)
    for most in (11, 12, 24, 100, 200, 239, 240):
        seen = steps(most)
        assert {score: every[score] for score in seen} == seen
        assert all(every[score] > most for score in every.keys() - seen.keys())
    if confidences == 20:
        assert ("area", "") not in steps(200)


def test_what_is_needed_does_not_depend_on_what_was_asked_before() -> None:
    tape = Tape()
    first, second, third = (remembering(tape, tape.leaf(), 2) for _ in range(3))
    both = first + second
    share = both / third
    asked = [both.place, share.place]
    everything = tape.needed(asked)
    assert everything == [0, 1, 2, 3, 4]
    assert tape.needed(asked, [both.place]) == [2, 3, 4]
    more = share * first
    assert tape.needed(asked) == everything
    assert tape.needed([*asked, more.place]) == [*everything, more.place]
    assert tape.needed([share.place], [share.place]) == [share.place]
