"""Studies that score again: shuffled reading order, and Nerval over all thresholds.

The blocks of every prediction are put in another order, again and again, and scored each time.
Statistics are whole numbers, so a readout that does not depend on order keeps its every digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import fmean, stdev
from typing import Unpack

from docassay.analysis.aggregate import build
from docassay.analysis.draw import Draw, shuffled, stream
from docassay.analysis.study.result import (
    STAYS,
    UNDEFINED,
    Movement,
    ShuffleStudy,
    SweepPoint,
    SweepStudy,
)
from docassay.errors import ConfigurationError, UnknownName
from docassay.load.pairing import Paired
from docassay.metrics.ner.metric import suffix_of
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, SEPARATOR, TaggedText
from docassay.model.report import Report
from docassay.run.engines.serial import RunOutcome, ledger_of, run
from docassay.run.ledger import Header, Ledger
from docassay.run.open import Data, Options, ReadingArgs, StudyArgs, open_run
from docassay.run.plan import Bound
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


METRICS = ("ner", "entity", "kieval")
REPETITIONS = 10

Readouts = Mapping[tuple[str, str], float | int | None]
"""Overall readouts by metric and name."""


def shuffle_study(
    gold: Data,
    pred: Data,
    *,
    repetitions: int = REPETITIONS,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[StudyArgs],
) -> ShuffleStudy:
    """Score predictions as they are and with their blocks shuffled.

    The order drawn for a document depends on the seed, the repetition and its id alone.
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
    after = _repeat(pairs, bound, repetitions=repetitions, seed=seed, progress=progress)
    shuffled_preds = [
        pair for pair in pairs if pair.pred is not None and count_blocks(pair.pred.tree) > 1
    ]
    return ShuffleStudy(
        signature=f"{ledger.header.signature}|shuffle:{repetitions}|seed:{seed}",
        documents=len(pairs),
        shuffled=len(shuffled_preds),
        repetitions=repetitions,
        seed=seed,
        settings=bound.settings,
        movements=_movements(_overall(plain, bound), after),
        problems=(*prepared.pairing.problems, *plain.problems),
        notes=prepared.notes,
    )


def _repeat(
    pairs: Sequence[Paired],
    bound: Bound,
    *,
    repetitions: int,
    seed: int,
    progress: Callable[[int], None] | None,
) -> list[Readouts]:
    """Return the readouts of each repetition; progress counts on from the documents before."""
    repeated = []
    for number in range(1, repetitions + 1):
        done = number * len(pairs)
        later = None if progress is None else _later(progress, done)
        again = run(_shuffled(pairs, bound, seed, number), bound, progress=later)
        repeated.append(_overall(again, bound))
    return repeated


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


def _overall(outcome: RunOutcome, bound: Bound) -> Readouts:
    report = build(Ledger(Header("", bound.plan, {}), outcome.rows))
    return {(score.metric, score.readout): score.value for score in report.scores if not score.key}


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
        problems=report.problems,
        notes=prepared.notes,
    )


def _point(report: Report, threshold: float, suffix: str, category: str) -> SweepPoint:
    key = f"@{category}" if category else ""
    values = [report[f"ner.{readout}{suffix}{key}"].value for readout in SweepPoint._fields[1:]]
    return SweepPoint(threshold, *values)
