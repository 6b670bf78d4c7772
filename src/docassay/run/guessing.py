"""Types guessed from gold: which documents are looked at, and what the other choice would give.

A run without a schema is scored by types that the values of gold prove. The guess is made once,
before scoring, from at most `MOST_GUESSED` documents: those with the lowest digests of their ids,
so that neither the order of documents nor their number of copies decides, or the first ones of a
stream. It is part of the plan, and so of the ledger and the signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from copy import deepcopy
from dataclasses import replace
from heapq import heappush, heappushpop, nsmallest
from itertools import islice
from typing import NamedTuple

from docassay.errors import ConfigurationError, DataError
from docassay.kernel.counting import leaves
from docassay.load.format import Record
from docassay.load.pairing import Paired
from docassay.matching.case import GivenTrees, make_cases
from docassay.metrics.metric import Context
from docassay.model.document import hash_of
from docassay.model.problem import Problem
from docassay.model.report import EMPTY_META, MetaValue
from docassay.model.schema import Schema
from docassay.model.stats import Stats, fold
from docassay.model.words import count
from docassay.run.plan import Bound, BoundMetric, Plan, bind
from docassay.run.rows import by_id
from docassay.run.score import Row, collector_paused, digest_of_pair, score_trees
from docassay.run.store import RowStore

MOST_GUESSED = 2_000
"""Documents that types are guessed from."""
MOST_COMPARED = 100
"""Documents on which types and texts are compared."""
MOST_LEAVES = 10_000
"""Values in them, on both sides; what is larger is not scored twice."""
NOTABLE = 0.01
"""The difference between types and texts from which it is said."""
HEADLINE, READOUT = "kieval", "aligned"
TYPES = ("auto", "text")


class TypedPlan(NamedTuple):
    """A plan with guessed types, and notes on the guess."""

    bound: Bound
    notes: tuple[str, ...]


def with_guessed_types(bound: Bound, trees: Iterable[object]) -> TypedPlan:
    """Return a plan with the types that gold's trees prove; the same one when there is no value."""
    from docassay.schema.infer import guess_schema

    guessed = guess_schema(trees)
    if guessed.schema is None:
        return TypedPlan(bound, guessed.notes)
    plan = replace(bound.plan, schema=guessed.schema, guessed=True)
    return TypedPlan(bind(plan), guessed.notes)


def chosen_records(records: Iterable[Record | Problem], most: int = MOST_GUESSED) -> list[Record]:
    """Return at most so many documents that could be read, chosen by their ids."""
    readable = (
        (number, item)
        for number, item in enumerate(records)
        if isinstance(item, Record) and item.tree is not None
    )
    few = isinstance(records, Sized) and len(records) <= most
    chosen = sorted(readable, key=_rank) if few else nsmallest(most, readable, key=_rank)
    return [item for _, item in chosen]


def _rank(entry: tuple[int, Record]) -> int:
    number, item = entry
    return hash_of(str(number) if item.id is None else item.id)


def first_items(
    records: Iterator[Record | Problem], most: int
) -> tuple[list[Record | Problem], Iterator[Record | Problem]]:
    """Return the first documents of a stream, and the whole stream as it was."""
    held = list(islice(records, most))
    return held, _again(held, records)


def _again(
    held: Iterable[Record | Problem], records: Iterator[Record | Problem]
) -> Iterator[Record | Problem]:
    yield from held
    yield from records


class _Lot(NamedTuple):
    """A pair that is kept by chance, with what this run counted of it."""

    rank: int
    number: int
    pair: Paired
    stats: Stats


class LateNotes:
    """Notes that are worked out when they are first read, which in many runs nobody does."""

    __slots__ = ("_make", "_notes")

    def __init__(self, make: Callable[[], Iterable[str]]) -> None:
        self._make: Callable[[], Iterable[str]] | None = make
        self._notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        if self._make is not None:
            make, self._make = self._make, None
            self._notes = tuple(make())
        return iter(self._notes)


class OtherChoice:
    """Watches the pairs of a run that has no schema, to say what the other choice would give."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        metrics = [metric for metric in bound.metrics if metric.name == HEADLINE]
        asked = bound.plan.guessed or bound.plan.schema is None
        self._metric = metrics[0] if metrics and asked else None
        self._lots: list[_Lot] = []
        self._watched = 0

    def watch(self, pair: Paired, row: Row) -> None:
        """Keep a few of the pairs that are scored."""
        if self._metric is None:
            return
        # the highest of the lots kept stands first, to be replaced by a lower one
        number, self._watched = self._watched, self._watched + 1
        rank = -hash_of(pair.id)
        if number < MOST_COMPARED:
            heappush(self._lots, _Lot(rank, number, pair, row.stats[HEADLINE]))
        elif rank >= self._lots[0].rank:
            heappushpop(self._lots, _Lot(rank, number, pair, row.stats[HEADLINE]))

    def notes(self) -> LateNotes:
        """Return a sentence when the other choice would differ notably on the pairs kept."""
        lots = sorted(self._lots, reverse=True)
        self._lots.clear()
        pairs = _within_bounds(lot.pair for lot in lots)
        counted = [lot.stats for lot in lots[: len(pairs)]]
        return LateNotes(lambda: self._notes(pairs, counted))

    def notes_of(self, chosen: Iterable[Paired]) -> Iterator[str]:
        """Yield a sentence when the other choice would differ notably on pairs, in their order."""
        if self._metric is None:
            return iter(())
        pairs = _within_bounds(chosen)
        own = self._headline_plan()
        return self._notes(pairs, _counted(pairs, own))

    def _notes(self, pairs: Sequence[Paired], counted: list[Stats]) -> Iterator[str]:
        metric = self._metric
        if metric is None or not pairs:
            return
        other = self._other_plan([_tree(pair.gold) for pair in pairs])
        if other is None:
            return
        before = _aligned(metric, counted, None)
        after = _aligned(metric, _counted(pairs, other), other.plan.schema)
        if before is None or after is None or abs(after - before) <= NOTABLE:
            return
        change = f"{READOUT} would be {after:.3f} instead of {before:.3f}"
        estimated = f"estimated on {count(len(pairs), 'document')}"
        if self._bound.plan.guessed:
            yield f"compared as text, {change} ({estimated}; --types text)"
        else:
            yield (
                f"by types guessed from gold, {change} ({estimated}; `docassay schema infer` "
                "writes them as a schema)"
            )

    def _headline_plan(self) -> Bound:
        """Return the plan of this run for the headline alone."""
        plan = self._bound.plan
        calls = tuple(call for call in plan.metrics if call.name == HEADLINE)
        display = tuple(call for call in plan.display if call.name == HEADLINE)
        return bind(replace(plan, metrics=calls, display=display))

    def _other_plan(self, golds: Iterable[object]) -> Bound | None:
        """Return the plan of the headline alone, by text where this run guessed, or by types."""
        plan = self._bound.plan
        calls = tuple(call for call in plan.metrics if call.name == HEADLINE)
        display = tuple(call for call in plan.display if call.name == HEADLINE)
        text = bind(Plan(calls, None, display=display, ignore=plan.ignore))
        if plan.guessed:
            return text
        typed = with_guessed_types(text, golds).bound
        return typed if typed.plan.guessed else None


def _within_bounds(pairs: Iterable[Paired]) -> list[Paired]:
    """Return the first pairs that have so many values together."""
    room = MOST_LEAVES
    kept = []
    for pair in pairs:
        room -= leaves(_tree(pair.gold), room) + leaves(_tree(pair.pred), room)
        if room < 0:
            break
        kept.append(pair)
    return kept


def _tree(record: Record | None) -> object:
    return None if record is None else record.tree


@collector_paused()
def _counted(pairs: Sequence[Paired], headline: Bound) -> list[Stats]:
    """Return what the one metric of a plan counts of each pair."""
    (metric,) = headline.metrics
    given = [GivenTrees(pair.id, *pair.trees) for pair in pairs]
    cases = make_cases(given, headline.layouts)
    return [metric.metric.function(case, **metric.counting) for case in cases]


def _aligned(metric: BoundMetric, stats: list[Stats], schema: Schema | None) -> float | None:
    context = Context(len(stats), schema, metric.options)
    for readout in metric.metric.readouts(fold(stats), context, **metric.display):
        if readout.name == READOUT and not readout.key:
            return None if readout.value is None else float(readout.value)
    return None


class KeptDocument(NamedTuple):
    """A document that waits for the types it will be scored by."""

    gold: object
    pred: object
    tags: Mapping[str, str]
    meta: Mapping[str, MetaValue]
    digest: str


class _AddedRows:
    """Rows in the order in which they were added, which need not fit in memory."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all rows."""
        self._store = RowStore()
        self._numbers: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def put(self, row: Row) -> None:
        """Add a row; the same id again must have the same content."""
        number = self._numbers.setdefault(hash_of(row.id), len(self._numbers))
        if number == len(self._store):
            self._store.add(row)
        elif self._store.row(number) != row:
            raise _added_before(row.id)

    def rows(self) -> Sequence[Row]:
        """Return all rows."""
        return self._store.rows()


class LateRows:
    """Rows of documents added one by one: scored at once by a plan, or late by guessed types.

    Without a schema documents are kept until their rows are asked for, and the guess is over all
    that were added. From `MOST_GUESSED` documents on the guess stands, and each is scored at once.
    """

    def __init__(self, bound: Bound, *, guess: bool) -> None:
        self._asked = bound
        self._bound = bound
        self._guess = guess
        self._open = guess
        self._kept: dict[str, KeptDocument] = {}
        self._rows = _AddedRows()
        self._declared: Schema | None = None

    @property
    def wants_types(self) -> bool:
        """Whether types that somebody declares would be used."""
        return self._open and self._declared is None

    def declare(self, schema: Schema) -> None:
        """Take types that the class of the documents declares; only its texts are guessed."""
        self._declared = schema
        self._rows.clear()

    def __len__(self) -> int:
        return len(self._kept) if self._open else len(self._rows)

    def add(
        self,
        id: str,
        gold: object,
        pred: object,
        tags: Mapping[str, str],
        meta: Mapping[str, MetaValue] = EMPTY_META,
    ) -> None:
        """Take a document; the same id again must have the same content."""
        if not self._open:
            row = score_trees(id, gold, pred, self._bound, tags=tags)
            self._rows.put(row._replace(meta=meta))
            return
        digest = digest_of_pair(gold, pred)
        earlier = self._kept.get(id)
        if earlier is not None:
            if earlier.digest != digest or earlier.tags != tags:
                raise _added_before(id)
            return
        self._rows.clear()
        # a caller may go on changing its objects, as it may when each is scored at once
        self._kept[id] = KeptDocument(_copied(gold), _copied(pred), dict(tags), meta, digest)
        if len(self._kept) >= MOST_GUESSED:
            self._settle(self._guessed())

    def scored(self) -> tuple[Bound, Sequence[Row]]:
        """Return the plan in force and the rows, sorted by id; more than are held, as they came."""
        if self._open and not len(self._rows):
            self._bound = self._guessed()
            self._score(self._bound)
        rows = self._rows.rows()
        return self._bound, by_id(rows) if isinstance(rows, tuple) else rows

    def merge(self, other: LateRows) -> None:
        """Take over the documents of another one of the same plan."""
        if other._asked.plan.to_json() != self._asked.plan.to_json() or other._guess != self._guess:
            raise _different(self._asked, other._asked)
        if other._open:
            if self.wants_types and other._declared is not None:
                self.declare(other._declared)
            for id, kept in other._kept.items():
                self.add(id, kept.gold, kept.pred, kept.tags, kept.meta)
            return
        if self._open:
            self._settle(other._bound)
        elif self._bound.plan.to_json() != other._bound.plan.to_json():
            raise _different(self._bound, other._bound)
        for row in other._rows.rows():
            self._rows.put(row)

    def clear(self) -> None:
        """Forget all documents, and the guess."""
        self._kept.clear()
        self._rows.clear()
        self._bound, self._open, self._declared = self._asked, self._guess, None

    def _guessed(self) -> Bound:
        kept = chosen_records(Record(id, kept.gold, "") for id, kept in self._kept.items())
        trees = [record.tree for record in kept]
        if self._declared is None:
            return with_guessed_types(self._asked, trees).bound
        from docassay.schema.source import refine

        return bind(replace(self._asked.plan, schema=refine(self._declared, trees)))

    def _score(self, bound: Bound) -> None:
        for id, kept in self._kept.items():
            row = score_trees(id, kept.gold, kept.pred, bound, tags=kept.tags)
            self._rows.put(row._replace(meta=kept.meta))

    def _settle(self, bound: Bound) -> None:
        self._bound, self._open = bound, False
        self._rows.clear()
        self._score(bound)
        self._kept.clear()


def _copied(tree: object) -> object:
    """Return a copy of a tree; one deeper than can be copied is beyond reading too."""
    try:
        return deepcopy(tree)
    except (RecursionError, TypeError):
        return tree


def _added_before(id: str) -> DataError:
    return DataError(f"document {id!r} was added before with another content")


def _different(first: Bound, second: Bound) -> ConfigurationError:
    return ConfigurationError(
        "scorers of different plans cannot be merged",
        hint=f"give both one schema; they are {first.signature} and {second.signature}",
    )
