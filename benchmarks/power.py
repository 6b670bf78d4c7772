"""Whether `docassay power` forecasts what a comparison shows, measured by simulation.

    python benchmarks/power.py [--population 3000] [--trials 300] [--pilots 40]

A population of generated documents is scored with pairs of models that differ by a little or by a
lot. For each pair and score, the documents needed to see their difference with a power of 0.8 are
forecast from the whole population, and from pilots of 100 documents drawn from it. Then samples of
many sizes are drawn, each is compared by the paired test, and the share of samples in which the
test sees the difference is the power of that size; where it reaches 0.8 is the need. A forecast is
good when need and power lie within a fifth of what is simulated.

The last rows ask another question: a pair of models that are equally good forecasts what another
pair, which differs, will need. That is how a sample is planned before the second model exists.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

import docassay as da
from docassay.analysis.paired import PairedSample, paired_differences
from docassay.analysis.power import (
    DifferenceShape,
    PowerQuestion,
    PowerStudy,
    documents_needed,
    study_power,
)
from docassay.metrics.metric import Context
from docassay.run.ledger import Ledger
from docassay.run.plan import bind
from docassay.run.reopen import NamedRun
from docassay.synth.corpus import generate, schema_text
from docassay.synth.profiles import PROFILES, Profile

CAREFUL = PROFILES["careful"]
MODELS: Mapping[str, Profile] = {
    "careful": CAREFUL,
    "equal": replace(CAREFUL, name="equal"),
    "near": replace(CAREFUL, name="near", wrong=0.03, dropped=0.01),
    "poor": replace(CAREFUL, name="poor", wrong=0.045, dropped=0.015, added=0.06),
    "hasty": PROFILES["hasty"],
}
PAIRS = (("careful", "hasty"), ("careful", "poor"), ("careful", "near"))
SCORES = (
    *("kieval.aligned", "kieval.entity_f1"),
    *("kieval.aligned@line_items.total", "kieval.aligned@SUPPLIER_NAME"),
)
POWER, ALPHA = 0.8, 0.05
DRAWS = 500
PILOT = 100
SIZES = (0.5, 0.7, 0.85, 1.0, 1.2, 1.5)
"""Sizes of samples, as multiples of the forecast."""
MOST = 1_200
"""A need beyond this is not simulated."""


class Trial(NamedTuple):
    """A forecast beside what was simulated."""

    pair: str
    score: str
    difference: float
    forecast: int
    pilots: tuple[float, float, float]
    """The first quartile, the median and the third quartile of what pilots forecast."""
    simulated: float | None
    """The need that samples show, None where no size reached the power."""
    power: float
    """Of samples as large as the forecast says."""


def score_all(documents: int, seed: int) -> dict[str, Ledger]:
    """Return a population of documents as each model reads it."""
    schema = yaml.safe_load(schema_text())
    ledgers = {}
    for name, profile in MODELS.items():
        scorer = da.Scorer(schema=schema, metrics=["kieval"])
        for sample in generate(documents, rows=None, seed=seed, profile=profile):
            scorer.add(sample.id, sample.gold, sample.pred)
        ledgers[name] = scorer.ledger()
    return ledgers


def sampled(ledger: Ledger, places: Sequence[int]) -> Ledger:
    """Return some documents of a ledger, under new ids: one may be drawn twice."""
    rows = tuple(
        ledger.rows[place]._replace(id=f"{number:06}") for number, place in enumerate(places)
    )
    return ledger._replace(rows=rows)


def need_of(pair: Sequence[Ledger], score: str, question: PowerQuestion) -> int:
    """Return the documents that a pair of runs says are needed, 0 where it says nothing."""
    study = study_power([NamedRun(str(at), own) for at, own in enumerate(pair)], question)
    return study[score].needed or 0


def whole_sample(pair: Sequence[Ledger], score: str) -> PairedSample:
    """Return one score of a pair of runs, ready to be drawn from."""
    bound = bind(pair[0].header.plan)
    (metric,) = bound.metrics
    name, _, key = score.removeprefix(f"{metric.name}.").partition("@")
    return PairedSample(
        metric,
        [own.rows for own in pair],
        Context(len(pair[0].rows), bound.plan.schema, metric.options),
        wanted=lambda readout, own_key, _: (readout, own_key) == (name, key),
    )


def drawn_sample(whole: PairedSample, places: NDArray[np.int64]) -> PairedSample:
    """Return some documents of a sample."""
    part = copy(whole)
    part.counts = tuple(counts[places] for counts in whole.counts)
    part.sums = np.array([counts.sum(axis=0) for counts in part.counts])
    part.values = whole.sample.values(part.sums)
    return part


def power_of(whole: PairedSample, size: int, trials: int) -> float:
    """Return the share of samples of a size in which the test sees the difference that is there."""
    chance = np.random.default_rng((7, size))
    seen = 0
    for trial in range(trials):
        part = drawn_sample(whole, chance.integers(len(whole.counts[0]), size=size))
        (differences,) = paired_differences([part], [(0, 1)], seed=trial, draws=DRAWS)[0, 1]
        seen += any(own.p <= ALPHA and own.value < 0 for own in differences.values())
    return seen / trials


def simulated_need(powers: Sequence[tuple[int, float]]) -> float | None:
    """Return where power reaches what is asked for, between the two sizes around it."""
    for (size, below), (larger, above) in pairwise(powers):
        if below < POWER <= above:
            return size + (larger - size) * (POWER - below) / (above - below)
    return None


def pilot_studies(pair: Sequence[Ledger], pilots: int) -> Iterator[PowerStudy]:
    """Yield what small samples of a pair of runs say."""
    chance = np.random.default_rng(1)
    for _ in range(pilots):
        places = [int(place) for place in chance.integers(len(pair[0].rows), size=PILOT)]
        runs = [NamedRun(str(at), sampled(own, places)) for at, own in enumerate(pair)]
        yield study_power(runs, PowerQuestion())


def pilot_needs(
    studies: Sequence[PowerStudy], score: str, question: PowerQuestion
) -> tuple[float, float, float]:
    """Return the quartiles of what pilots say is needed."""
    deviations = [study[score].deviation for study in studies]
    shapes = [DifferenceShape(deviation) for deviation in deviations if deviation]
    needs = [documents_needed(shape, question) for shape in shapes]
    low, middle, high = np.quantile(needs, (0.25, 0.5, 0.75))
    return float(low), float(middle), float(high)


def try_pair(
    ledgers: Mapping[str, Ledger],
    names: tuple[str, str],
    score: str,
    *,
    by: tuple[str, str] | None,
    studies: Sequence[PowerStudy],
    trials: int,
) -> Trial | None:
    """Return the forecast of a pair, made by itself or `by` another one, and what came of it."""
    pair = [ledgers[name] for name in names]
    source = pair if by is None else [ledgers[name] for name in by]
    study = study_power([NamedRun(name, ledgers[name]) for name in names], PowerQuestion())
    difference = abs(study[score].observed or 0.0)
    question = PowerQuestion(difference, POWER, ALPHA)
    forecast = need_of(source, score, question)
    if forecast > MOST:
        return None
    sizes = sorted({round(forecast * part) for part in SIZES})
    whole = whole_sample(pair, score)
    powers = [(size, power_of(whole, size, trials)) for size in sizes]
    label = f"{names[0]}, {names[1]}" + ("" if by is None else f" by {by[0]}, {by[1]}")
    return Trial(
        label,
        score,
        difference,
        forecast,
        pilot_needs(studies, score, question),
        simulated_need(powers),
        dict(powers)[forecast],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--population", type=int, default=1_500)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--pilots", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    ledgers = score_all(given.population, given.seed)
    print(
        f"{given.population:,} documents, {given.trials} samples a size, power {POWER}, "
        f"alpha {ALPHA}, pilots of {PILOT} documents"
    )
    print(
        "| pair | score | difference | forecast | pilots, quartiles | simulated | "
        "forecast / simulated | power at forecast |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    asked = [(pair, None) for pair in PAIRS] + [(pair, ("careful", "equal")) for pair in PAIRS]
    for pair, by in asked:
        source = [ledgers[name] for name in by or pair]
        studies = [*pilot_studies(source, given.pilots)]
        for score in SCORES:
            trial = try_pair(ledgers, pair, score, by=by, studies=studies, trials=given.trials)
            if trial is None:
                continue
            low, middle, high = trial.pilots
            need = trial.simulated
            print(
                f"| {trial.pair} | {trial.score} | {trial.difference:.4f} | {trial.forecast} | "
                f"{low:.0f}, {middle:.0f}, {high:.0f} | "
                + (f"{need:.0f} | {trial.forecast / need:.2f}" if need else "– | –")
                + f" | {trial.power:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
