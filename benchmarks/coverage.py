"""Whether 95 % intervals hold the truth, and whether the paired test raises false alarms.

    python benchmarks/coverage.py [--corpora 500] [--pairs 2000] [--pool 4000] [--write PAGE]

A pool of documents of each kind is generated and scored once; the score of the whole pool is the
truth, and a corpus is drawn from the pool with replacement. Three kinds of errors:

- `even`: every document is as hard as the next;
- `mixed`: documents differ widely in how hard they are;
- `bad`: as even, but one document in twenty was read from another page or not at all.

The invoices, receipts and statements are those of `docassay synth`, scored by its schema with
`entity`, `kieval` and `fields`; the pages for `ner` are those of ner_corpus.py. For the paired
test, two runs with errors of the same model read the same documents, and a third makes three
mistakes where they make four.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

import docassay as da
import ner_corpus
from docassay.analysis.intervals import DocumentSample, draw, ends_of, percentiles
from docassay.analysis.paired import PairedDifference, PairedSample, paired_differences
from docassay.metrics.metric import Context
from docassay.model.report import FEWEST, ReadoutSpec
from docassay.model.stats import fold
from docassay.run.ledger import Ledger
from docassay.run.plan import BoundMetric, bind
from docassay.synth.corpus import predict, schema_text
from docassay.synth.documents import KINDS as DOCUMENT_KINDS
from docassay.synth.documents import gold_document
from docassay.synth.profiles import PROFILES, Profile

Matrix = NDArray[np.float64]
EVEN, MIXED, BAD = "even", "mixed", "bad"
KINDS = {EVEN: "even errors", MIXED: "mixed quality", BAD: "5 % very bad"}
SIZES = (10, 20, 50, 200)
BAD_SHARE = 0.05
NER_RATES = ("MISREAD", "SPLIT_WORD", "MISSED", "INVENTED", "MISTAGGED", "SWAPPED")
EASIER = 0.5
"""How the errors of the pages for `ner` compare with those that ner_corpus.py makes."""
BETTER = 0.75
"""How many mistakes the better run makes for one of the others."""
MODELS = {"first": 1.0, "second": 1.0, "better": BETTER}
LABELS = {
    "kieval.aligned": "aligned",
    "entity.f1": "entity F1",
    "entity.macro_f1": "entity F1, mean of fields",
    "kieval.group_f1": "group F1",
    "fields.overall_accuracy": "accuracy, mean of documents",
    "fields.mean_field_accuracy": "accuracy, mean of fields",
    "fields.accuracy": "accuracy of single fields",
    "ner.ecer": "ECER",
    "ner.macro_ecer": "ECER, mean of categories",
}
BY_FIELD = "fields.accuracy"
PAIRED = ("kieval.aligned", "entity.f1", "kieval.group_f1")
PAIRED_DRAWS = 500
EQUAL, UNEQUAL = (0, 1), (2, 3)
"""The runs of a corpus that are compared."""
ALPHA = 0.05
LEAST_COVERED, MOST_ALARMS, LEAST_ALARMS, WIDEST = 0.93, 0.07, 0.03, 0.5
START, END = "<!-- coverage: written by `make bench-coverage` -->", "<!-- coverage end -->"


def difficulty(kind: str, dice: Random) -> float:
    """Return how hard a document is, 1 where all are the same."""
    return 10 * dice.betavariate(0.6, 1.8) if kind == MIXED else 1.0


def invoices(kind: str, docs: int, errors: float, name: str) -> Ledger:
    """Return the scored documents of `docassay synth` as one model reads them."""
    scorer = da.Scorer(schema=yaml.safe_load(schema_text()), metrics=["entity", "kieval", "fields"])
    profile = _scaled(PROFILES["careful"], errors, name)
    hardness, accident = Random(kind), Random(f"{kind} {name}")
    for index in range(docs):
        gold = gold_document(1, index, kinds=tuple(DOCUMENT_KINDS), rows=None)
        gold = gold._replace(difficulty=difficulty(kind, hardness))
        pred = predict(gold, profile, seed=1, index=index, confidences=False).tree
        if kind == BAD and accident.random() < BAD_SHARE:
            other = gold_document(2, index, kinds=(gold.kind,), rows=None)
            pred = other.tree if accident.random() < 0.5 else {}
        scorer.add(gold.id, gold.tree, pred)
    return scorer.ledger()


def _scaled(profile: Profile, errors: float, name: str) -> Profile:
    """Return a model with so many times the mistakes."""
    chances = ("reformatted", "invented", "dropped", "merged", "split", "duplicated", "added")
    scaled = {chance: getattr(profile, chance) * errors for chance in (*chances, "swapped")}
    return replace(profile, name=name, wrong=0.05 * errors, **scaled)


def pages(kind: str, docs: int) -> Ledger:
    """Return the scored pages of a civil register."""
    dice = Random(kind)
    usual = {name: getattr(ner_corpus, name) for name in NER_RATES}
    with tempfile.TemporaryDirectory() as place:
        folders = {side: Path(place, side) for side in ("gold", "pred")}
        for folder in folders.values():
            folder.mkdir()
        for number in range(docs):
            gold = ner_corpus.page(dice, dice.randint(4, 20))
            hardness = EASIER * difficulty(kind, dice)
            for name, rate in usual.items():
                setattr(ner_corpus, name, min(0.9, rate * hardness))
            pred = ner_corpus.read(dice, gold)
            if kind == BAD and dice.random() < BAD_SHARE:
                pred = ner_corpus.page(dice, dice.randint(4, 20)) if dice.random() < 0.5 else []
            for side, pieces in (("gold", gold), ("pred", pred)):
                text = ner_corpus.bio(pieces)
                folders[side].joinpath(f"{number:05}.bio").write_text(text, encoding="utf-8")
        report = da.score(
            folders["gold"],
            folders["pred"],
            gold_format="bio",
            pred_format="bio",
            metrics=["ner"],
            settings={"ner.macro": True},
        )
    assert report.ledger is not None
    return report.ledger


class Pool(NamedTuple):
    """All documents of a kind as counts, the scores of interest, and what readouts are."""

    sample: DocumentSample
    names: tuple[str, ...]
    specs: Mapping[str, ReadoutSpec]
    truth: Matrix


def wanted(metric: str, name: str, key: str, _: int) -> bool:
    """Return whether a readout is measured: overall ones by name, and the accuracy of fields."""
    address = f"{metric}.{name}"
    return address in LABELS and bool(key) == (address == BY_FIELD)


def pools(ledger: Ledger, *, every: bool = False) -> Iterator[Pool]:
    """Yield the documents of a ledger by metric; `every` readout, or those that are measured."""
    bound = bind(ledger.header.plan)
    for metric in bound.metrics:
        context = Context(len(ledger.rows), bound.plan.schema, metric.options)
        chosen = None if every else partial(wanted, metric.name)
        sample = DocumentSample(metric, ledger.rows, context, wanted=chosen)
        names = tuple(f"{metric.name}.{formula.name}" for formula in sample.formulas)
        truth = sample.values(sample.counts.sum(axis=0, keepdims=True))[0]
        yield Pool(sample, names, specs_of(metric, ledger, context), truth)


def specs_of(metric: BoundMetric, ledger: Ledger, context: Context) -> dict[str, ReadoutSpec]:
    """Return what each readout of a metric is."""
    totals = fold(row.stats[metric.name] for row in ledger.rows)
    readouts = metric.metric.readouts(totals, context, **metric.display)
    return {readout.name: metric.metric.spec(readout) for readout in readouts}


def corpus_of(sample: DocumentSample, chosen: NDArray[np.int64]) -> DocumentSample:
    """Return some documents of a sample, with the same formulas."""
    corpus = copy(sample)
    corpus.counts = sample.counts[chosen]
    corpus.other_counts = [counts[chosen] for counts in sample.other_counts]
    corpus.units = len(chosen)
    return corpus


class Tally:
    """How often an interval held the truth, and how wide it was."""

    def __init__(self) -> None:
        self.number = self.held = 0
        self.width = 0.0

    def add(self, truth: float, low: float, high: float) -> None:
        """Count one interval."""
        self.number += 1
        self.held += low - 1e-12 <= truth <= high + 1e-12
        self.width += high - low

    @property
    def coverage(self) -> float:
        """The share of intervals that held the truth."""
        return self.held / self.number if self.number else 1.0

    @property
    def mean_width(self) -> float:
        """The mean width of the intervals."""
        return self.width / self.number if self.number else 0.0


OURS, PLAIN = "ours", "plain"
Cell = tuple[str, str, int, str, str]
"""Kind, score, documents, way, key."""


def plain_ends(corpus: DocumentSample, seed: int) -> tuple[Matrix, Matrix]:
    """Return the percentile bootstrap's interval."""
    drawn = [corpus.values(times @ corpus.counts) for times in draw(corpus.units, 500, seed)]
    low, high = percentiles(np.concatenate(drawn), (0.025, 0.975))
    return low, high


def covered(kind: str, pool: Pool, corpora: int) -> dict[Cell, Tally]:
    """Return how intervals of corpora from a pool fare."""
    tallies: dict[Cell, Tally] = {}
    dice = np.random.default_rng(len(kind))
    for size in SIZES:
        for number in range(corpora):
            corpus = corpus_of(pool.sample, dice.integers(len(pool.sample.counts), size=size))
            value = corpus.values(corpus.counts.sum(axis=0, keepdims=True))[0]
            shown = (corpus.present() >= FEWEST) & ~np.isnan(value)
            for way, (low, high) in (
                (OURS, ends_of(corpus, corpus.counts, pool.specs, seed=number)),
                (PLAIN, plain_ends(corpus, number)),
            ):
                for at in np.flatnonzero(shown):
                    cell = (kind, pool.names[at], size, way, pool.sample.formulas[at].key)
                    tally = tallies.setdefault(cell, Tally())
                    tally.add(float(pool.truth[at]), float(low[at]), float(high[at]))
    return tallies


def abstaining(
    kind: str, every: Sequence[Pool], corpora: int
) -> dict[tuple[str, int], tuple[int, int]]:
    """Return how many of all scores have no interval, of how many that have a value."""
    counts: dict[tuple[str, int], tuple[int, int]] = {}
    dice = np.random.default_rng(len(kind))
    for size in SIZES:
        without = defined = 0
        for pool in every:
            for _ in range(corpora):
                corpus = corpus_of(pool.sample, dice.integers(len(pool.sample.counts), size=size))
                value = corpus.values(corpus.counts.sum(axis=0, keepdims=True))[0]
                without += int((~np.isnan(value) & (corpus.present() < FEWEST)).sum())
                defined += int((~np.isnan(value)).sum())
        counts[kind, size] = (without, defined)
    return counts


class PairTally:
    """What the paired test said of runs that are equally good, and of runs that are not."""

    def __init__(self) -> None:
        self.pairs = self.alarms = self.seen = 0
        self.interval = Tally()

    def add(
        self, same: PairedDifference | None, other: PairedDifference | None, truth: float
    ) -> None:
        """Count a pair of equal runs, and one of which the second is better."""
        self.pairs += 1
        self.alarms += same is not None and same.p <= ALPHA
        self.seen += other is not None and other.p <= ALPHA
        if other is not None and other.interval is not None:
            self.interval.add(truth, *other.interval)


PairedTallies = dict[tuple[str, str, int], PairTally]
"""By kind, score and documents."""


def among(names: Set[str], name: str, key: str, _: int) -> bool:
    """Return whether an overall readout is one of these."""
    return name in names and not key


def paired(kind: str, ledgers: Sequence[Ledger], pairs: int) -> PairedTallies:
    """Return how often the paired test finds a difference, by score and documents."""
    bound = bind(ledgers[0].header.plan)
    documents = len(ledgers[0].rows)
    tallies: PairedTallies = {}
    for metric in bound.metrics:
        context = Context(documents, bound.plan.schema, metric.options)
        names = {name.partition(".")[2] for name in PAIRED if name.startswith(f"{metric.name}.")}
        if not names:
            continue
        pool = PairedSample(
            metric, [ledger.rows for ledger in ledgers], context, wanted=partial(among, names)
        )
        dice = np.random.default_rng(len(kind) + 100)
        for size in SIZES:
            for number in range(pairs):
                corpus = pair_corpus(pool, dice.integers(documents, size=size), dice)
                pair_of = paired_differences(
                    [corpus], [EQUAL, UNEQUAL], seed=number, draws=PAIRED_DRAWS
                )
                for at, formula in enumerate(pool.sample.formulas):
                    key = (formula.name, formula.key)
                    place = (kind, f"{metric.name}.{formula.name}", size)
                    tallies.setdefault(place, PairTally()).add(
                        pair_of[EQUAL][0].get(key),
                        pair_of[UNEQUAL][0].get(key),
                        float(pool.values[2][at] - pool.values[0][at]),
                    )
    return tallies


def pair_corpus(
    pool: PairedSample, indexes: NDArray[np.int64], dice: np.random.Generator
) -> PairedSample:
    """Return some documents of four runs: two equally good ones, the first again, and a better one.

    The two that are equally good swap answers at random, so that neither is better in the pool.
    """
    first, second, better = (counts[indexes] for counts in pool.counts)
    swapped = dice.random(len(indexes))[:, None] < 0.5
    left, right = np.where(swapped, second, first), np.where(swapped, first, second)
    corpus = copy(pool)
    corpus.counts = (left, right, first, better)
    corpus.sample = copy(pool.sample)
    corpus.sample.counts, corpus.sample.other_counts = left, [right, first, better]
    corpus.sample.units = len(indexes)
    corpus.sums = np.array([counts.sum(axis=0) for counts in corpus.counts])
    corpus.values = corpus.sample.values(corpus.sums)
    corpus.present = corpus.sample.present()
    return corpus


class Measured(NamedTuple):
    """All that was measured of one kind of errors."""

    covered: dict[Cell, Tally]
    without: dict[tuple[str, int], tuple[int, int]]
    paired: PairedTallies


def measure_intervals(kind: str, docs: int, corpora: int) -> Measured:
    """Generate and score the documents of a kind, and draw corpora from them."""
    invoiced = invoices(kind, docs, 1.0, "first")
    tallies: dict[Cell, Tally] = {}
    for ledger in (invoiced, pages(kind, docs)):
        for pool in pools(ledger):
            tallies |= covered(kind, pool, corpora)
    without = abstaining(kind, [*pools(invoiced, every=True)], max(1, corpora // 20))
    return Measured(tallies, without, {})


def measure_pairs(kind: str, docs: int, pairs: int) -> Measured:
    """Generate and score three runs over the documents of a kind, and draw pairs from them."""
    ledgers = [invoices(kind, docs, errors, name) for name, errors in MODELS.items()]
    return Measured({}, {}, paired(kind, ledgers, pairs))


def joined(tallies: Iterable[Tally]) -> Tally:
    """Return several tallies as one."""
    whole = Tally()
    for tally in tallies:
        whole.number += tally.number
        whole.held += tally.held
        whole.width += tally.width
    return whole


def page_of(measured: Measured, *, corpora: int, pairs: int) -> Iterator[str]:
    """Yield the lines of the page."""
    yield f"Coverage and mean width of the 95 % interval over {corpora:,} corpora, in brackets"
    yield "those of the plain percentile bootstrap."
    yield ""
    yield f"| score | documents | {' | '.join(KINDS.values())} |"
    yield f"| --- | ---: | {' | '.join('---' for _ in KINDS)} |"
    for name, label in LABELS.items():
        for size in SIZES:
            cells = []
            for kind in KINDS:
                ours, plain = (_of(measured, kind, name, size, way) for way in (OURS, PLAIN))
                own = f"**{ours.coverage:.3f}**, {ours.mean_width:.2f}"
                cells.append(f"{own} ({plain.coverage:.3f}, {plain.mean_width:.2f})")
            yield f"| {label if size == SIZES[0] else ''} | {size} | {' | '.join(cells)} |"
    yield ""
    yield "Of single fields, the one that is covered least, and the share of all scores of"
    yield "`entity`, `kieval` and `fields` (overall, by field, group and category) that have no"
    yield "interval:"
    yield ""
    yield f"| documents | {' | '.join(f'{text}: least' for text in KINDS.values())} | no interval |"
    yield f"| ---: | {' | '.join('---:' for _ in KINDS)} | ---: |"
    for size in SIZES:
        least = [f"{min(_fields(measured, kind, size)):.3f}" for kind in KINDS]
        yield f"| {size} | {' | '.join(least)} | {_abstaining(measured, size):.0%} |"
    yield ""
    yield f"The paired test at 5 % over {pairs:,} pairs of runs: how often it tells two runs apart"
    yield "that are equally good, how often it sees that one makes three mistakes where the other"
    yield "makes four, and the coverage and mean width of the 95 % interval of that difference."
    yield ""
    yield "| score | errors | documents | false alarms | differences seen | interval |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for name in PAIRED:
        for kind, text in KINDS.items():
            for size in SIZES:
                tally = measured.paired[kind, name, size]
                head = (LABELS[name], text) if size == SIZES[0] else ("", "")
                shares = [f"{part / tally.pairs:.3f}" for part in (tally.alarms, tally.seen)]
                interval = f"{tally.interval.coverage:.3f}, {tally.interval.mean_width:.2f}"
                yield f"| {' | '.join((*head, str(size), *shares, interval))} |"


def _of(measured: Measured, kind: str, name: str, size: int, way: str) -> Tally:
    return joined(
        tally for cell, tally in measured.covered.items() if cell[:4] == (kind, name, size, way)
    )


def _fields(measured: Measured, kind: str, size: int) -> Iterator[float]:
    """Yield the coverage of each field that enough corpora have."""
    whole = _of(measured, kind, "kieval.aligned", size, OURS).number
    for cell, tally in measured.covered.items():
        if cell[:4] == (kind, BY_FIELD, size, OURS) and tally.number >= whole / 5:
            yield tally.coverage


def _abstaining(measured: Measured, size: int) -> float:
    without, every = (
        sum(counts[at] for (_, number), counts in measured.without.items() if number == size)
        for at in range(2)
    )
    return without / every


def broken(measured: Measured) -> Iterator[str]:
    """Yield the promises that do not hold."""
    for kind in KINDS:
        for name in LABELS:
            for size in SIZES:
                tally = _of(measured, kind, name, size, OURS)
                place = f"{name}, {size} documents, {KINDS[kind]}"
                if tally.coverage < LEAST_COVERED:
                    yield f"{place}: covers {tally.coverage:.3f}"
                if size >= 20 and tally.mean_width >= WIDEST:
                    yield f"{place}: mean width {tally.mean_width:.2f}"
    if _abstaining(measured, 20) >= 0.5:
        yield f"20 documents: {_abstaining(measured, 20):.0%} of scores have no interval"
    for (kind, name, size), pair in measured.paired.items():
        alarms = pair.alarms / pair.pairs
        if alarms > MOST_ALARMS or (size >= 50 and alarms < LEAST_ALARMS):
            yield f"{name}, {size} documents, {KINDS[kind]}: false alarms {alarms:.3f}"


def main() -> int:
    """Measure, print or write the tables, and say which promises do not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpora", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--pool", type=int, default=3_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path, help="the page that holds the tables")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.workers) as workers:
        waiting = [
            *(workers.submit(measure_intervals, kind, given.pool, given.corpora) for kind in KINDS),
            *(workers.submit(measure_pairs, kind, given.pool, given.pairs) for kind in KINDS),
        ]
        parts = [part.result() for part in waiting]
    measured = Measured(
        {cell: tally for part in parts for cell, tally in part.covered.items()},
        {place: counts for part in parts for place, counts in part.without.items()},
        {place: tally for part in parts for place, tally in part.paired.items()},
    )
    text = "\n".join(page_of(measured, corpora=given.corpora, pairs=given.pairs))
    if given.write is None:
        print(text)
    else:
        before, _, rest = given.write.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        given.write.write_text(f"{before}{START}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    failures = [*broken(measured)]
    for failure in failures:
        print(f"does not hold: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
