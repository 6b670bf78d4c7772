"""Values of documents that are kept while a run goes on: those by which documents are ranked.

They could be worked out of the rows again, for each ranking anew. They are known when a document is
scored, though, so every part of a run brings them along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from tempfile import TemporaryFile
from typing import BinaryIO, cast
from weakref import finalize

import msgspec

from docassay.metrics.metric import OwnScore
from docassay.model.report import FIELD, DocumentValue
from docassay.run.documents import MadeLine
from docassay.run.plan import Bound
from docassay.run.rows import read_at

MOST_RANKED = 3
"""Readouts of which values are kept: most rankings are by the first that a document has."""
HELD_BYTES = 8 << 20
"""Beyond so many, values lie in a file."""

_Values = list[float | int | None]
_Scores = list[tuple[float | None, bool | None]]


class _PartValues(msgspec.Struct, array_like=True):
    """The values of the documents of a part, by readout and by metric."""

    ids: list[str] = []
    types: list[str] = []
    values: dict[str, _Values] = {}
    scores: dict[str, _Scores] = {}


class _RawValues(msgspec.Struct, array_like=True):
    """The same, of which one list is decoded."""

    ids: list[str]
    types: list[str]
    values: dict[str, msgspec.Raw]
    scores: dict[str, msgspec.Raw]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_RawValues)
_values_decoder = msgspec.msgpack.Decoder(_Values)
_scores_decoder = msgspec.msgpack.Decoder(_Scores)


def ranked_readouts(bound: Bound) -> list[str]:
    """Return the addresses of the overall readouts by which documents are ranked, the first ones.

    Values of others are worked out of the rows.
    """
    quick = {metric.name for metric in bound.metrics if metric.metric.overall is not None}
    return [name for metric, name in _ranking(bound) if metric in quick][:MOST_RANKED]


def ranking_readouts(bound: Bound) -> frozenset[str]:
    """Return the addresses of all readouts by which documents may be ranked."""
    return frozenset(name for _, name in _ranking(bound))


def _ranking(bound: Bound) -> list[tuple[str, str]]:
    """Return the metrics and the addresses of such readouts, the one that goes first in front."""
    ranks = [
        (spec.kind != FIELD, spec.column, f"{metric.name}.{spec.name}", metric.name)
        for metric in bound.metrics
        for spec in metric.metric.specs.values()
        if spec.column is not None and spec.better is not None
    ]
    return [(metric, address) for *_, address, metric in sorted(ranks)]


def scoring_metrics(bound: Bound) -> list[str]:
    """Return the metrics that say what the scores of a document's fields come to."""
    return [metric.name for metric in bound.metrics if metric.metric.documents is not None]


class ValueColumns:
    """Notes the values of documents as they come."""

    def __init__(self, bound: Bound) -> None:
        self._readouts, self._metrics = ranked_readouts(bound), scoring_metrics(bound)
        self._begin()

    def _begin(self) -> None:
        values: dict[str, _Values] = {name: [] for name in self._readouts}
        scores: dict[str, _Scores] = {name: [] for name in self._metrics}
        self._made = _PartValues([], [], values, scores)

    def add(self, documents: Sequence[MadeLine]) -> None:
        """Add documents."""
        made = self._made
        made.ids += [own.row.id for own in documents]
        made.types += [own.row.type for own in documents]
        addresses: tuple[str, ...] | None = None
        places: list[int | None] = []
        for own in documents:
            if own.addresses is not addresses:  # which are those of most documents
                addresses = own.addresses
                places = [
                    addresses.index(name) if name in addresses else None for name in made.values
                ]
            for place, values in zip(places, made.values.values(), strict=True):
                values.append(None if place is None else own.scores[place])
        for place, scores in enumerate(made.scores.values()):
            every = [own.facts[place] for own in documents]
            scores += [(facts.score, facts.exact) for facts in every]

    def take(self) -> bytes:
        """Return the values so far, and begin anew."""
        made = self._made
        self._begin()
        return _encoder.encode(made)


class KeptValues:
    """The values of all documents of a run, in gold order."""

    def __init__(self, readouts: Iterable[str]) -> None:
        """Take the readouts whose values are kept."""
        self.readouts = frozenset(readouts)
        self._parts: list[bytes] = []
        self._places: list[tuple[int, int]] = []
        self._size = 0
        self._file: BinaryIO | None = None

    def add(self, part: bytes) -> None:
        """Take the values of further documents."""
        self._size += len(part)
        if self._file is None and self._size <= HELD_BYTES:
            self._parts.append(part)
            return
        if self._file is None:
            # it is there as long as the values are
            self._file = cast("BinaryIO", TemporaryFile(prefix="docassay-"))  # noqa: SIM115
            finalize(self, self._file.close)
        self._places.append((self._file.tell(), len(part)))
        self._file.write(part)

    def _every(self) -> Iterator[_RawValues]:
        yield from map(_decoder.decode, self._parts)
        if self._file is not None:
            self._file.flush()
            for place in self._places:
                yield _decoder.decode(read_at(self._file, *place))

    def ids(self) -> Iterator[str]:
        """Yield the ids of the documents."""
        for part in self._every():
            yield from part.ids

    def values(self, readout: str) -> Iterator[DocumentValue]:
        """Yield the value of each document for one of the readouts."""
        for part in self._every():
            yield from zip(part.ids, _values_decoder.decode(part.values[readout]), strict=True)

    def scores(self, metric: str) -> Iterator[OwnScore]:
        """Yield what a metric that has `documents` says of each document."""
        for part in self._every():
            own = _scores_decoder.decode(part.scores[metric])
            for id, type, (score, exact) in zip(part.ids, part.types, own, strict=True):
                yield OwnScore(id, type, score, exact)
