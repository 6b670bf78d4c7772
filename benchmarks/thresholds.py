"""Whether guaranteed thresholds keep their target on documents that nobody has looked at.

    python benchmarks/thresholds.py [--seeds 100] [--docs 1000] [--further 100000] [--target 0.02]

Thresholds are chosen on a generated corpus of each seed, with a confidence of 0.95, and their true
error rates are measured on further documents of the same kind. A seed fails when the true rate of
any field exceeds the target: that may happen to 5 of 100. Two kinds of corpus:

- `synth`: what `docassay synth` writes, scored with its schema; a bad document is bad throughout;
- `drawn`: drawn with more dependence than that: often all values of a field in a document are wrong
  together, and say nothing of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

import docassay as da
from docassay.analysis.thresholds.curves import DOCUMENTS, VALUES, candidates, naive
from docassay.analysis.thresholds.guarantee import guarantee
from docassay.analysis.thresholds.outcomes import FieldValues, Outcomes, Told, gather, read_outcomes
from docassay.matching.confidences import RIGHT, SUBSTITUTED
from docassay.synth.corpus import generate, schema_text

CONFIDENCE = 0.95
FURTHER_SEED = 1_000_000
CHUNK = 2_000
WAYS = {
    "guaranteed": "guaranteed, documents independent",
    "values": "guaranteed, values independent",
    "naive": "naive: the laxest threshold within the target",
}
Chosen = Mapping[str, Mapping[str, float | None]]
"""Way -> field -> threshold."""


class Truth(NamedTuple):
    """The further values of a field, surest last, and how many are wrong from each of them on."""

    confidence: NDArray[np.float64]
    wrong: NDArray[np.int64]

    def error_rate(self, tau: float | None) -> float:
        """Return the share of wrong values among those not reviewed, 0 when there are none."""
        if tau is None:
            return 0.0
        at = int(np.searchsorted(self.confidence, tau))
        left = len(self.confidence) - at
        return int(self.wrong[at]) / left if left else 0.0

    def auto_rate(self, tau: float | None) -> float:
        """Return the share of values not reviewed."""
        if tau is None:
            return 0.0
        return 1 - float(np.searchsorted(self.confidence, tau)) / len(self.confidence)


def synth_corpus(seed: int, docs: int) -> Iterator[Outcomes]:
    """Yield the outcomes of a generated corpus, some documents at a time."""
    schema = yaml.safe_load(schema_text())
    samples = generate(docs, rows=None, seed=seed)
    for start in range(0, docs, CHUNK):
        scorer = da.Scorer(schema=schema, metrics=["kieval"])
        for _, sample in zip(range(start, min(docs, start + CHUNK)), samples, strict=False):
            scorer.add(sample.id, sample.gold, sample.pred)
        yield read_outcomes(scorer.ledger())


def drawn_corpus(seed: int, docs: int) -> Iterator[Outcomes]:
    """Yield outcomes whose values are wrong by document: 3 single fields, 3 with up to 8 values."""
    yield gather(_drawn(np.random.default_rng(seed), docs), tuple(map(str, range(docs))))


def _drawn(chance: np.random.Generator, docs: int) -> Iterator[Told]:
    for document in range(docs):
        for field in range(6):
            values = 1 if field < 3 else int(chance.integers(1, 9))
            doubt = float(chance.beta(0.3, 6)) * (field + 1) / 3
            spoilt = chance.random() < 0.1 * doubt
            for _ in range(values):
                wrong = spoilt or chance.random() < 0.3 * doubt
                sure = round(1 - min(1.0, 0.5 * doubt * (0.5 + float(chance.random()))), 3)
                yield document, f"field_{field}", SUBSTITUTED if wrong else RIGHT, sure, 1


CORPORA: Mapping[str, Callable[[int, int], Iterator[Outcomes]]] = {
    "synth": synth_corpus,
    "drawn": drawn_corpus,
}


def choose(outcomes: Outcomes, target: float) -> Chosen:
    """Return the thresholds of every way."""
    fields = outcomes.fields
    kept = {
        unit: guarantee(outcomes, fields, target=target, alpha=1 - CONFIDENCE, independent=unit)
        for unit in (DOCUMENTS, VALUES)
    }
    return {
        "guaranteed": {path: one.threshold for path, one in kept[DOCUMENTS].items()},
        "values": {path: one.threshold for path, one in kept[VALUES].items()},
        "naive": {path: naive(candidates(values), target) for path, values in fields.items()},
    }


def truth_of(parts: Iterator[Outcomes]) -> dict[str, Truth]:
    """Return the further values by field."""
    found: dict[str, list[FieldValues]] = {}
    for part in parts:
        for path, values in part.fields.items():
            found.setdefault(path, []).append(values)
    return {path: _truth(values) for path, values in found.items()}


def _truth(parts: list[FieldValues]) -> Truth:
    confidence = np.concatenate([one.confidence for one in parts])
    wrong = np.concatenate([one.wrong for one in parts])
    order = np.argsort(confidence, kind="stable")
    return Truth(confidence[order], np.append(np.cumsum(wrong[order][::-1])[::-1], 0))


class Tried(NamedTuple):
    """What became of the thresholds of one way, over all seeds."""

    failed: int
    auto_rate: float
    """The share of further values not reviewed, over the fields and seeds."""


def trial(kind: str, *, seeds: int, docs: int, further: int, target: float) -> dict[str, Tried]:
    """Return how often each way breaks the target on further documents."""
    corpus = CORPORA[kind]
    truth = truth_of(corpus(FURTHER_SEED, further))
    failed = dict.fromkeys(WAYS, 0)
    auto: dict[str, list[float]] = {way: [] for way in WAYS}
    for seed in range(seeds):
        (outcomes,) = corpus(seed, docs)
        for way, taus in choose(outcomes, target).items():
            failed[way] += any(truth[path].error_rate(tau) > target for path, tau in taus.items())
            auto[way] += [truth[path].auto_rate(tau) for path, tau in taus.items()]
    return {way: Tried(failed[way], float(np.mean(auto[way]))) for way in WAYS}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--docs", type=int, default=1_000)
    parser.add_argument("--further", type=int, default=100_000)
    parser.add_argument("--target", type=float, default=0.02)
    parser.add_argument("--corpus", choices=[*CORPORA], action="append")
    given = parser.parse_args()
    print(
        f"{given.seeds} seeds of {given.docs:,} documents, target {given.target}, "
        f"confidence {CONFIDENCE}, {given.further:,} further documents"
    )
    for kind in given.corpus or CORPORA:
        found = trial(
            kind, seeds=given.seeds, docs=given.docs, further=given.further, target=given.target
        )
        for way, one in found.items():
            print(
                f"{kind}  {WAYS[way]:46}  fails {one.failed:3} of {given.seeds}, "
                f"auto-rate {one.auto_rate:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
