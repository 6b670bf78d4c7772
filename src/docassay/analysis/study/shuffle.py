"""Studies that score again: shuffled reading order, and Nerval over all thresholds.

The blocks of every prediction are put in another order, again and again, and scored each time.
Statistics are whole numbers, so a readout that does not depend on order keeps its every digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import fmean, stdev
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from docassay.analysis.aggregate import build
from docassay.analysis.draw import Draw, shuffled, stream
from docassay.analysis.intervals import DocumentSample
from docassay.analysis.intervals import draw as draw_documents
from docassay.analysis.study.result import (
    STAYS,
    UNDEFINED,
    Movement,
    OrderGap,
    ShuffleStudy,
    SweepPoint,
    SweepStudy,
)
from docassay.analysis.tape import on_one_thread
from docassay.errors import ConfigurationError, UnknownName
from docassay.load.pairing import Paired
from docassay.metrics.metric import Context
from docassay.metrics.ner.metric import suffix_of
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, SEPARATOR, TaggedText
from docassay.model.report import DRAWS, FEWEST, Report
from docassay.run.engines.serial import ledger_of, run
from docassay.run.ledger import Header, Ledger
from docassay.run.open import Prepared, open_run
from docassay.run.options import Data, Options, ReadingArgs, StudyArgs
from docassay.run.parts import RunOutcome
from docassay.run.plan import Bound
from docassay.run.score import Row
from docassay.schema.layout import Layout
from docassay.schema.reading import ALTERNATIVES_KEYS


def shuffle(tree: object, draw: Draw, layout: Layout) -> object:
    """Return a document with its blocks in another order."""
    if isinstance(tree, TaggedText):
        return TaggedText(shuffled(draw, tree.blocks))
    if not isinstance(tree, Mapping):
        return tree
    columns = _columns(tree, draw, layout)
    return {
        key: columns[key] if key in columns else _node(value, draw, 1)
        for key, value in shuffled(draw, [*tree.items()])
    }


def count_blocks(tree: object) -> int:
    """Return the number of blocks that hold no other."""
    if isinstance(tree, TaggedText):
        return len(tree.blocks)
    return _leaves(tree, 0) if isinstance(tree, Mapping) else 0


def _node(node: object, draw: Draw, depth: int) -> object:
    if _is_block(node) or depth > MAX_DEPTH:
        return node
    if isinstance(node, Mapping):
        items = shuffled(draw, [*node.items()])
        return {key: _node(value, draw, depth + 1) for key, value in items}
    if isinstance(node, list | tuple):
        return [_node(item, draw, depth + 1) for item in shuffled(draw, node)]
    return node


def _leaves(node: object, depth: int) -> int:
    if node is None:
        return 0
    if _is_block(node) or depth > MAX_DEPTH:
        return 1
    inside: Iterable[object] = ()
    if isinstance(node, Mapping):
        inside = node.values()
    elif isinstance(node, list | tuple):
        inside = node
    return sum(_leaves(item, depth + 1) for item in inside)


def _is_block(node: object) -> bool:
    """Whether a node of a tree is a value, alone or with what is known about it."""
    if not isinstance(node, Mapping):
        return not isinstance(node, list | tuple)
    forms = ("value" in node, LEAF_KEYS), ("any_of" in node, ALTERNATIVES_KEYS)
    return any(there and keys.issuperset(node) for there, keys in forms)


def _columns(tree: Mapping[str, object], draw: Draw, layout: Layout) -> dict[str, Sequence[object]]:
    """Return the columns of tables with rows in another order, the cells of a row side by side."""
    tables: dict[str, dict[str, Sequence[object]]] = {}
    for key, value in tree.items():
        column = layout.root.members[str(key)].column
        if column is not None and not isinstance(value, Mapping):
            tables.setdefault(column[0].path, {})[key] = _cells(value)
    turned: dict[str, Sequence[object]] = {}
    for columns in tables.values():
        order = shuffled(draw, range(max(map(len, columns.values()))))
        for key, cells in columns.items():
            turned[key] = [cells[i] if i < len(cells) else None for i in order]
    return turned


def _cells(column: object) -> Sequence[object]:
    if isinstance(column, list | tuple):
        return column
    return column.split(SEPARATOR) if isinstance(column, str) else [column]


METRICS = ("ner", "entity", "kieval", "fields")
REPETITIONS = 10

Floats = NDArray[np.float64]

Readouts = Mapping[tuple[str, str], float | int | None]
"""Overall readouts by metric and name."""


def shuffle_study(
    gold: Data,
    pred: Data,
    *,
    name: str = "",
    repetitions: int = REPETITIONS,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[StudyArgs],
) -> ShuffleStudy:
    """Score predictions as they are and with their blocks shuffled.

    The order drawn for a document depends on the seed, the repetition and its id alone. `name` is
    what the data set is called.
    """
    if repetitions < 1:
        raise ConfigurationError(f"{repetitions} repetitions shuffle nothing", hint="at least 1")
    if options.get("metrics") is None:
        options["metrics"] = METRICS
    prepared = open_run(gold, pred, Options(**options))
    bound, seed = prepared.bound, prepared.options.seed
    pairs = [*prepared.pairing]
    plain = run(pairs, bound, progress=progress)
    ledger = ledger_of(prepared, plain)
    repeated = _repeat(pairs, bound, repetitions=repetitions, seed=seed, progress=progress)
    first = next(repeated)
    after = [_overall(first, bound), *(_overall(outcome, bound) for outcome in repeated)]
    shuffled_preds = [
        pair for pair in pairs if pair.pred is not None and count_blocks(pair.pred.tree) > 1
    ]
    return ShuffleStudy(
        name=name,
        signature=f"{ledger.header.signature}|shuffle:{repetitions}|seed:{seed}",
        documents=len(pairs),
        shuffled=len(shuffled_preds),
        repetitions=repetitions,
        seed=seed,
        settings=bound.settings,
        movements=_movements(_overall(plain, bound), after),
        gaps=(*_gaps(plain.rows, bound, seed), *_gaps(first.rows, bound, seed, shuffled=True)),
        problems=(*prepared.pairing.problems, *plain.problems),
        notes=prepared.notes,
    )


def shuffled_reports(
    prepared: Prepared, *, repetitions: int = REPETITIONS, seed: int = 0
) -> list[Report]:
    """Return the report of each repetition in which the blocks of predictions are shuffled."""
    bound = prepared.bound
    pairs = [*prepared.pairing]
    return [
        _report(run(_shuffled(pairs, bound, seed, number), bound), bound)
        for number in range(1, repetitions + 1)
    ]


def _repeat(
    pairs: Sequence[Paired],
    bound: Bound,
    *,
    repetitions: int,
    seed: int,
    progress: Callable[[int], None] | None,
) -> Iterator[RunOutcome]:
    """Yield what each repetition gives; progress counts on from the documents before."""
    for number in range(1, repetitions + 1):
        done = number * len(pairs)
        later = None if progress is None else _later(progress, done)
        yield run(_shuffled(pairs, bound, seed, number), bound, progress=later)


def _later(progress: Callable[[int], None], before: int) -> Callable[[int], None]:
    return lambda done: progress(before + done)


def _shuffled(pairs: Sequence[Paired], bound: Bound, seed: int, number: int) -> Iterator[Paired]:
    for pair in pairs:
        if pair.pred is None or pair.gold is None:
            yield pair
            continue
        layout, _ = bound.layouts.own(pair.id, pair.gold.tree).of(pair.gold.tree)
        draw = stream(seed, number, ascii(pair.id))
        yield pair._replace(pred=pair.pred._replace(tree=shuffle(pair.pred.tree, draw, layout)))


def _report(outcome: RunOutcome, bound: Bound) -> Report:
    return build(Ledger(Header("", bound.plan, {}), outcome.rows))


def _overall(outcome: RunOutcome, bound: Bound) -> Readouts:
    scores = _report(outcome, bound).scores
    return {(score.metric, score.readout): score.value for score in scores if not score.key}


def _gaps(
    rows: Sequence[Row], bound: Bound, seed: int, *, shuffled: bool = False
) -> Iterator[OrderGap]:
    """Yield each readout in any order against the same in order, over the same documents."""
    for metric in bound.metrics:
        free = {spec.name: spec.ordered for spec in metric.metric.specs.values() if spec.ordered}
        if not free:
            continue
        context = Context(len(rows), bound.plan.schema, metric.options)
        sample = DocumentSample(metric, rows, context)
        places = {entry.name: at for at, entry in enumerate(sample.formulas) if not entry.key}
        drawn = _drawn(sample, seed)
        for name, ordered in free.items():
            if name not in places or ordered not in places:
                continue
            at, beside = places[name], places[ordered]
            value, other = sample.formulas[at].value, sample.formulas[beside].value
            spread = None if drawn is None else drawn[:, at] - drawn[:, beside]
            chance = _chance(spread)
            yield OrderGap(
                *(metric.name, name, ordered, shuffled, value, other, value - other, *chance)
            )


@on_one_thread()
def _drawn(sample: DocumentSample, seed: int) -> Floats | None:
    """Return the readouts of drawn documents, a row a draw; None with too few documents."""
    if sample.units < FEWEST:
        return None
    draws = draw_documents(len(sample.counts), DRAWS, seed)
    return np.concatenate([sample.values(times @ sample.counts) for times in draws])


def _chance(
    differences: Floats | None,
) -> tuple[float, float, float] | tuple[None, None, None]:
    """Return the middle 95 % of differences, and the share of draws on the other side of 0."""
    if differences is None or not np.isfinite(differences).any():
        return None, None, None
    defined = differences[np.isfinite(differences)]
    low, high = np.percentile(defined, (2.5, 97.5))
    beyond = min(int(np.sum(defined <= 0)), int(np.sum(defined >= 0)))
    return float(low), float(high), min(1.0, 2 * (beyond + 1) / (len(defined) + 1))


def _movements(before: Readouts, after: Sequence[Readouts]) -> tuple[Movement, ...]:
    movements = [
        _movement(metric, readout, value, [values[metric, readout] for values in after])
        for (metric, readout), value in before.items()
    ]
    # stable: what does not move stays in the order of its metric
    return tuple(sorted(movements, key=_rank))


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


STEPS = 100
MOST_STEPS = 1000


def sweep_study(
    gold: Data,
    pred: Data,
    *,
    settings: Mapping[str, object] | None = None,
    steps: int = STEPS,
    category: str = "",
    progress: Callable[[int], None] | None = None,
    **options: Unpack[ReadingArgs],
) -> SweepStudy:
    """Score Nerval at `steps` + 1 thresholds from 0 to 1."""
    if not 1 <= steps <= MOST_STEPS:
        raise ConfigurationError(f"{steps} steps are no sweep", hint=f"1 to {MOST_STEPS}")
    first, *others = [str(Decimal(step) / steps) for step in range(steps + 1)]
    swept = {
        **(settings or {}),
        "ner.only": "nerval,oinerval",
        "ner.threshold": first,
        "ner.thresholds": ",".join(others),
    }
    prepared = open_run(gold, pred, Options(**options, metrics=("ner",), settings=swept))
    outcome = run(prepared.pairing, prepared.bound, progress=progress)
    ledger = ledger_of(prepared, outcome)
    report = build(ledger, problems=(*prepared.pairing.problems, *outcome.problems))
    categories = sorted({score.key for score in report.scores if score.key})
    if category and category not in categories:
        raise UnknownName("category", category, categories)
    suffixes = ["", *map(suffix_of, others)]
    return SweepStudy(
        signature=report.signature,
        documents=report.documents,
        category=category,
        points=tuple(
            _point(report, float(Decimal(step) / steps), suffix, category)
            for step, suffix in enumerate(suffixes)
        ),
        problems=tuple(report.problems),
        notes=prepared.notes,
    )


def _point(report: Report, threshold: float, suffix: str, category: str) -> SweepPoint:
    key = f"@{category}" if category else ""
    values = [report[f"ner.{readout}{suffix}{key}"].value for readout in SweepPoint._fields[1:]]
    return SweepPoint(threshold, *values)
