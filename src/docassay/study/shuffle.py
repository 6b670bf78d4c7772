"""The shuffle study: which readouts depend on the order in which a prediction tells its values.

The blocks of every prediction are put in another order, again and again, and scored each time.
Statistics are whole numbers, so a readout that does not depend on order keeps its every digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev

from docassay.aggregate.build import build
from docassay.api import check_formats
from docassay.errors import ConfigurationError, DataError
from docassay.ledger import Header, Ledger
from docassay.load.pairs import Paired, pair
from docassay.model.study import STAYS, UNDEFINED, Movement, ShuffleStudy
from docassay.plan import Bound
from docassay.prepare import Data, open_source, prepare
from docassay.run.serial import Outcome, run
from docassay.study.blocks import count_blocks, shuffle
from docassay.synth.draw import stream

METRICS = ("ner", "entity", "kieval")
REPETITIONS = 10

Values = Mapping[tuple[str, str], float | int | None]
"""Overall readouts by metric and name."""


def shuffle_study(
    gold: Data,
    pred: Data,
    *,
    schema: object = None,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    gold_format: str | None = None,
    pred_format: str | None = None,
    id_key: str | None = None,
    repetitions: int = REPETITIONS,
    seed: int = 0,
    out: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> ShuffleStudy:
    """Score predictions as they are and with their blocks shuffled; `out` keeps tables and chart.

    The order drawn for a document depends on the seed, the repetition and its id alone.
    """
    if repetitions < 1:
        raise ConfigurationError(f"{repetitions} repetitions shuffle nothing", hint="at least 1")
    measured = METRICS if metrics is None else metrics
    bound = prepare(schema=schema, metrics=measured, settings=settings)
    sources = [
        open_source(data, format=name, plan=bound.plan, id_key=id_key)
        for data, name in ((gold, gold_format), (pred, pred_format))
    ]
    check_formats(bound, sources)
    pairing = pair(sources[0], sources[1])
    pairs = [*pairing]
    if not pairs:
        wrong = (f"{one.where}: {one.message}" for one in pairing.problems if one.side == "gold")
        place, hint = sources[0].name, next(wrong, None)
        raise DataError("there is no gold document to score", where=place, hint=hint)
    plain = run(pairs, bound, progress=progress)
    after = _repeat(pairs, bound, repetitions=repetitions, seed=seed, progress=progress)
    study = ShuffleStudy(
        signature=f"{bound.signature}|gold:{plain.gold_digest}|pred:{plain.pred_digest}"
        f"|shuffle:{repetitions}|seed:{seed}",
        documents=len(pairs),
        shuffled=sum(one.pred is not None and count_blocks(one.pred.tree) > 1 for one in pairs),
        repetitions=repetitions,
        seed=seed,
        settings=bound.settings,
        movements=_movements(_overall(plain, bound), after),
        problems=(*pairing.problems, *plain.problems),
        notes=tuple(pairing.notes),
    )
    if out is not None:
        from docassay.report.study import write_study

        notes = write_study(Path(out), study)
        study = replace(study, notes=(*study.notes, *notes))
    return study


def _repeat(
    pairs: Sequence[Paired],
    bound: Bound,
    *,
    repetitions: int,
    seed: int,
    progress: Callable[[int], None] | None,
) -> list[Values]:
    """Return the readouts of each repetition; progress counts on from the documents before."""
    found = []
    for number in range(1, repetitions + 1):
        done = number * len(pairs)
        tell = None if progress is None else _later(progress, done)
        again = run(_shuffled(pairs, bound, seed, number), bound, progress=tell)
        found.append(_overall(again, bound))
    return found


def _later(progress: Callable[[int], None], before: int) -> Callable[[int], None]:
    return lambda done: progress(before + done)


def _shuffled(pairs: Sequence[Paired], bound: Bound, seed: int, number: int) -> Iterator[Paired]:
    for one in pairs:
        if one.pred is None or one.gold is None:
            yield one
            continue
        layout, _ = bound.layouts.of(one.gold.tree)
        draw = stream(seed, number, ascii(one.id))
        yield one._replace(pred=one.pred._replace(tree=shuffle(one.pred.tree, draw, layout)))


def _overall(outcome: Outcome, bound: Bound) -> Values:
    report = build(Ledger(Header("", bound.plan, {}), outcome.rows))
    return {(one.metric, one.readout): one.value for one in report.scores if not one.key}


def _movements(before: Values, after: Sequence[Values]) -> tuple[Movement, ...]:
    found = [
        _movement(metric, readout, value, [values[metric, readout] for values in after])
        for (metric, readout), value in before.items()
    ]
    # stable: what does not move stays in the order of its metric
    return tuple(sorted(found, key=_rank))


def _movement(
    metric: str, readout: str, before: float | int | None, after: Sequence[float | int | None]
) -> Movement:
    defined = [value for value in after if value is not None]
    if len(defined) < len(after):
        return Movement(metric, readout, before, None, None, None, None)
    lowest, highest = min(defined), max(defined)
    # of equal values the mean is that value, to the last digit
    mean = fmean(defined) if lowest < highest else float(lowest)
    deviation = stdev(defined) if len(defined) > 1 else None
    return Movement(metric, readout, before, mean, lowest, highest, deviation)


def _rank(one: Movement) -> tuple[bool, bool, bool, float]:
    return (one.word == UNDEFINED, one.word == STAYS, one.is_count, -abs(one.change or 0.0))
