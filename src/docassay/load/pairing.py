"""Pairing: which prediction belongs to which gold document.

An equal id decides; then the stem, the file name without folder and suffix; never a part of a name.
Gold is streamed and pred is held by id. The rest of gold is read ahead only from the first document
that needs its stem, because whether a stem is shared can be told only when all ids are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import msgspec

from docassay.errors import DataError
from docassay.load.format import Record
from docassay.load.source import Source
from docassay.model.problem import Problem, ProblemCode

SUFFIX = re.compile(
    r"\.(pdf|png|jpe?g|tiff?|gif|bmp|webp|heic|jp2|svg|json|jsonl|ndjson|txt|csv|tsv|xml|html?"
    r"|md|yaml|yml|docx?|xlsx?|pptx?|eml|msg|parquet|bio)$",
    re.IGNORECASE,
)
_encoder = msgspec.json.Encoder(enc_hook=repr)


class Paired(NamedTuple):
    """A gold document and its prediction, None when there is none."""

    id: str
    gold: Record | None
    pred: Record | None


def stem(record_id: str) -> str:
    """Return the last part of a path without its suffix; only suffixes of files are cut off."""
    return SUFFIX.sub("", re.split(r"[/\\]", record_id)[-1])


def no_prediction(document: str, where: str) -> Problem:
    """Return the problem of a gold document that nothing was predicted for."""
    message = "has no prediction; all its values count as missed"
    return Problem(ProblemCode.NO_PREDICTION, document, "pred", "", message, where)


def pair(gold: Source, pred: Source) -> Pairing:
    """Return the pairs of two sources."""
    return Pairing(gold, pred)


class Pairing:
    """The pairs in gold order, to be iterated once; problems and notes are whole afterwards."""

    def __init__(self, gold: Source, pred: Source) -> None:
        self.problems: list[Problem] = []
        self.notes = [
            f"{side}: {source.name} is read as {source.format}"
            for side, source in (("gold", gold), ("pred", pred))
            if source.guessed
        ]
        self._gold = self._records(gold, "gold")
        self._pred = self._records(pred, "pred")
        self._pairs = self._run()

    def __iter__(self) -> Iterator[Paired]:
        """Yield a pair for every gold document that could be read."""
        return self._pairs

    def _run(self) -> Iterator[Paired]:
        preds = list(self._pred)
        first = next(self._gold, None)
        golds = self._gold if first is None else chain([first], self._gold)
        unnamed = bool(preds) and all(record.id is None for record in preds)
        pairs = (
            self._by_position([*golds], preds)
            if unnamed or (first is not None and first.id is None)
            else self._by_id(golds, self._index(preds))
        )
        for paired in pairs:
            if paired.gold is not None and paired.gold.tree is None:
                message = "left out of the scores: its gold could not be read"
                code = ProblemCode.UNREADABLE_GOLD
                self._report(code, "gold", paired.id, message, paired.gold.where)
                continue
            if paired.pred is None and paired.gold is not None:
                self.problems.append(no_prediction(paired.id, paired.gold.where))
            yield paired

    def _by_position(self, golds: list[Record], preds: list[Record]) -> Iterator[Paired]:
        if len(golds) != len(preds):
            raise DataError(
                f"documents without ids pair by position, but there are {len(golds)} of gold "
                f"and {len(preds)} of pred",
                hint="give every document an id, or say which key holds it with id_key",
            )
        self.notes.append(f"no ids: paired by position, {len(golds)} documents")
        names = (
            _distinct_ids(golds) or _distinct_ids(preds) or [*map(str, range(1, len(golds) + 1))]
        )
        for name, gold, pred in zip(names, golds, preds, strict=True):
            yield Paired(name, gold, pred)

    def _by_id(self, golds: Iterator[Record], preds: dict[str, Record]) -> Iterator[Paired]:
        by_stem: dict[str, list[str]] = {}
        for name in preds:
            by_stem.setdefault(stem(name), []).append(name)
        seen: dict[str, object] = {}
        taken: set[str] = set()
        for gold in self._distinct("gold", golds, seen, _digest):
            name = str(gold.id)
            if name not in preds and stem(name) in by_stem:
                rest = [gold, *self._distinct("gold", golds, seen, _digest)]
                chosen = self._settle(rest, [*seen], by_stem, preds)
                for each in rest:
                    match = chosen.get(str(each.id))
                    yield Paired(str(each.id), each, None if match is None else preds[match])
                taken.update(chosen.values())
                break
            taken.add(name)
            yield Paired(name, gold, preds.get(name))
        if preds and taken.isdisjoint(preds):
            self.notes.append("no prediction has the id of a gold document: are the ids alike?")
        for name, record in preds.items():
            if name not in taken:
                message = "has no gold document and is not scored"
                self._report(ProblemCode.NO_GOLD, "pred", name, message, record.where)

    def _settle(
        self,
        rest: list[Record],
        gold_ids: list[str],
        by_stem: dict[str, list[str]],
        preds: dict[str, Record],
    ) -> dict[str, str]:
        """Return the pred id of each remaining gold id: its own, else the one of its stem."""
        exact = preds.keys() & gold_ids
        shared = Counter(stem(name) for name in gold_ids)
        chosen = {}
        by_name = 0
        for name in (str(record.id) for record in rest):
            if name in exact:
                chosen[name] = name
                continue
            rivals = by_stem.get(stem(name), [])
            if all(rival in exact for rival in rivals):
                continue
            if shared[stem(name)] > 1 or len(rivals) > 1:
                golds = [each for each in gold_ids if stem(each) == stem(name)]
                raise DataError(
                    f"{stem(name)!r} could be any of gold {', '.join(golds)} "
                    f"and pred {', '.join(rivals)}",
                    hint="give gold and pred the same ids",
                )
            chosen[name] = rivals[0]
            by_name += 1
        if by_name:
            self.notes.append(f"paired by file name without folder and suffix: {by_name}")
        return chosen

    def _index(self, preds: list[Record]) -> dict[str, Record]:
        distinct = self._distinct("pred", preds, {}, lambda tree: tree)
        return {str(record.id): record for record in distinct}

    def _distinct(
        self,
        side: str,
        records: Iterable[Record],
        seen: dict[str, object],
        gist: Callable[[object], object],
    ) -> Iterator[Record]:
        """Yield the first record of each id; the others, and those without id, are problems."""
        for record in records:
            if record.id is None:
                message = "has no id and cannot be paired; left out"
                self._report(ProblemCode.NO_ID, side, "", message, record.where)
                continue
            content = gist(record.tree)
            if record.id in seen:
                kind = "the same" if seen[record.id] == content else "different"
                message = f"the id occurs twice, here with {kind} content; the first is kept"
                self._report(ProblemCode.DUPLICATE_ID, side, record.id, message, record.where)
                continue
            seen[record.id] = content
            yield record

    def _records(self, source: Source, side: str) -> Iterator[Record]:
        """Yield a side's records and keep its problems."""
        for item in source.records:
            if isinstance(item, Problem):
                self.problems.append(item._replace(side=side))
            else:
                yield item

    def _report(
        self, code: ProblemCode, side: str, document: str, message: str, where: str
    ) -> None:
        self.problems.append(Problem(code, document, side, "", message, where))


def _distinct_ids(records: list[Record]) -> list[str]:
    """Return the ids when every record has one of its own, else nothing."""
    ids = [record.id for record in records if record.id is not None]
    return ids if len(set(ids)) == len(records) else []


def _digest(tree: object) -> object:
    """Return a number that is equal for equal trees; the tree itself when it cannot be written."""
    try:
        return hash(_encoder.encode(tree))
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        return tree
