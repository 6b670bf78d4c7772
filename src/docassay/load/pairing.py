"""Pairing: which prediction belongs to which gold document.

An equal id decides; then the stem, the file name without folder and suffix; then, when no document
pairs that way, the ids without an affix that all of one side share; never any other part of a name.
Gold is streamed and pred is held by id. The rest of gold is read ahead only from the first document
that needs more than its id, because whether a stem is shared shows only when all ids have
been read.

Nothing is compared with nothing: when no document pairs, or the pairs share no field, that is an
error with the option that would help.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from docassay.errors import DataError
from docassay.kernel.counting import content_hash
from docassay.load.files import stem
from docassay.load.format import FORMATS, Record
from docassay.load.naming import (
    SURE_IDS,
    Shape,
    SharedNames,
    alike,
    fold,
    is_within,
    merged,
    renamed_record,
    renamed_shape,
    renamings,
    schema_shape,
    shape_of,
    without_keys,
)
from docassay.load.source import PYTHON, Ahead, Source
from docassay.load.wire import MAX_LEVELS
from docassay.model.problem import Problem, ProblemCode
from docassay.model.schema import Schema

if TYPE_CHECKING:
    from docassay.load.patching import PatchUse
    from docassay.model.original import OriginalText

PROTOCOLS = frozenset(
    {"kieval-csv", "cord", "sroie", "funsd", "docile", "bio", "tags", "vrdu", "kleister"}
)
"""Formats of benchmarks, whose names are compared as they are."""
SIDES = ("gold", "pred")
ID_HINT = "name the key of the ids with --gold-id and --pred-id, or give both sides the same ids"
BROKEN = frozenset(
    {
        ProblemCode.UNREADABLE_RECORD,
        ProblemCode.BROKEN_LINE,
        ProblemCode.UNPARSEABLE_RESPONSE,
    }
)
"""Problems that gold may not have."""
AHEAD = 500
"""How many documents of a side are looked at before the first is paired."""
LISTED = 5
"""How many names a note lists."""
_encoder = msgspec.json.Encoder(enc_hook=repr)


class Paired(NamedTuple):
    """A gold document and its prediction, None when there is none."""

    id: str
    gold: Record | None
    pred: Record | None
    original: Callable[[], OriginalText] | None = None
    """Reads the text of the document itself, None where nobody has said where it is."""

    @property
    def trees(self) -> tuple[object, object]:
        """The trees of both sides, None for what is not there."""
        return (
            None if self.gold is None else self.gold.tree,
            None if self.pred is None else self.pred.tree,
        )


def no_prediction(document: str, where: str) -> Problem:
    """Return the problem of a gold document that nothing was predicted for."""
    message = "has no prediction; all its values count as missed"
    return Problem(ProblemCode.NO_PREDICTION, document, "pred", "", message, where)


def no_gold_document(document: str, where: str) -> Problem:
    """Return the problem of a prediction for which there is no gold."""
    message = "has no gold document and is not scored"
    return Problem(ProblemCode.NO_GOLD, document, "pred", "", message, where)


def repeated_id(document: str, side: str, where: str, *, same: bool) -> Problem:
    """Return the problem of a record whose id came before."""
    kind = "the same" if same else "different"
    message = f"the id occurs twice, here with {kind} content; the first is kept"
    return Problem(ProblemCode.DUPLICATE_ID, document, side, "", message, where)


def unpaired_order(problem: Problem) -> tuple[bool, str, str]:
    """Return by what problems of no pair are sorted; predictions without gold come last."""
    return problem.code == ProblemCode.NO_GOLD, problem.side, problem.code


def names_in(schema: Schema | None) -> frozenset[str]:
    """Return the keys of a document that a schema gives a meaning."""
    return frozenset(schema_shape(schema))


def pair(
    gold: Source,
    pred: Source,
    *,
    schema: Schema | None = None,
    id_pattern: str | None = None,
) -> Pairing:
    """Return the pairs of two sources; the first group of a pattern stands for the ids."""
    return Pairing(gold, pred, schema, id_pattern)


class Pairing:
    """The pairs in gold order, to be iterated once; problems and notes are whole afterwards."""

    def __init__(
        self, gold: Source, pred: Source, schema: Schema | None, id_pattern: str | None
    ) -> None:
        self.problems: list[Problem] = []
        self.notes = [
            f"{side}: {source.name} is read as {source.format}"
            for side, source in (("gold", gold), ("pred", pred))
            if source.guessed
        ]
        self.remarks: list[str] = []
        """Those of the notes that belong into the report: what its numbers rest on."""
        self._noticed: dict[str, list[Problem]] = {}
        """Where a record stands -> what was noticed while it was read, until it is asked for."""
        self._others: list[Problem] = []
        """Problems of records that are in no pair."""
        self._sources = (gold, pred)
        self._samples: dict[str, list[object]] = {"gold": [], "pred": []}
        self.schema = schema
        self._pattern = None if id_pattern is None else _compiled(id_pattern)
        self._gold = Ahead(self._records(gold, "gold"))
        self._pred = self._records(pred, "pred")
        self._new_ids: dict[str, str] = {}
        """Pred id -> the id of its gold document, where they differ."""
        self.beside: Callable[[Iterable[Paired]], Iterator[Paired]] | None = None
        """Adds what is known of documents besides their gold and pred."""
        for note in (*gold.notes, *pred.notes):
            self.remark(note)
        self.patch: PatchUse | None = None
        """What is applied to gold before anything is compared with it."""
        self._pairs = self._run()

    def __iter__(self) -> Iterator[Paired]:
        """Yield a pair for every gold document."""
        return self._pairs if self.beside is None else self.beside(self._pairs)

    def noticed(self, paired: Paired) -> list[Problem]:
        """Return, once, what was noticed while the records of a pair were read."""
        if not self._noticed:
            return []
        own: list[Problem] = []
        for record in (paired.gold, paired.pred):
            noticed = [] if record is None else self._noticed.pop(record.where, [])
            # several records may stand in one place
            ids = ("", paired.id, None if record is None else record.id)
            own += (each._replace(document=paired.id) for each in noticed if each.document in ids)
            others = [each for each in noticed if each.document not in ids]
            if others and record is not None:
                self._noticed[record.where] = others
        return own

    @property
    def unpaired(self) -> list[Problem]:
        """The problems that belong to no pair, in an order that does not depend on reading."""
        noticed = (problem for problems in self._noticed.values() for problem in problems)
        return sorted((*noticed, *self._others), key=unpaired_order)

    def settle(self) -> Callable[[Paired], Paired]:
        """Return what gives pairs the names of the schema and of gold, decided by all records."""
        return self._renamer([*self._pred])

    def take_problems(self) -> list[Problem]:
        """Return the problems so far and forget them."""
        problems = [*self.problems]
        self.problems.clear()
        self._noticed.clear()
        return problems

    def next_record(self, side: str, where: str) -> Record:
        """Return the next record of a side, which stands at a place."""
        record = next(self._gold if side == "gold" else self._pred, None)
        if record is None:
            raise DataError(
                "has an id that cannot be read by itself", where=where, hint=_id_hint(side)
            )
        return record

    def _run(self) -> Iterator[Paired]:
        preds = [*self._pred]
        if all(record.tree is None for record in preds) and not self._is_without_predictions():
            raise self._unreadable()
        if not self._gold.peek(1):
            return
        preds = self._with_ids(preds)
        rename = self._renamer(preds)
        shared = SharedNames(self.schema)
        pairs = self._paired(preds)
        if rename is not _as_it_is:
            pairs = map(rename, pairs)
        for paired in pairs if self.patch is None else map(self._patched, pairs):
            gold, pred = paired.gold, paired.pred
            if gold is not None and pred is None:
                self._notice(no_prediction(paired.id, gold.where))
            elif gold is not None and pred is not None:
                if shared.wants_more:
                    shared.add(gold.tree, pred.tree)
                if pred.id is not None and pred.id != paired.id:
                    self._new_ids[pred.id] = paired.id
            yield paired
        self._finish_patch()
        if shared.differ:
            from docassay.load.likeness import no_field

            raise no_field(shared)
        self.offer_maps(shared)
        self.problems[:] = [
            problem._replace(document=self._new_ids[problem.document])
            if problem.side == "pred" and problem.document in self._new_ids
            else problem
            for problem in self.problems
        ]

    def _finish_patch(self) -> None:
        """Say what was done to gold."""
        if self.patch is not None:
            for problem in self.patch.finish():
                self._add(problem)
            decisions = "decision" if self.patch.applied == 1 else "decisions"
            applied = f"{self.patch.applied:,} {decisions}"
            self.remark(f"gold: {applied} of {self.patch.patch.name} applied")

    def _patched(self, paired: Paired) -> Paired:
        if self.patch is None or paired.gold is None:
            return paired
        tree = self.patch(paired.id, paired.gold.tree)
        return paired._replace(gold=paired.gold._replace(tree=tree))

    def _paired(self, preds: list[Record]) -> Iterator[Paired]:
        """Yield the pairs by what both sides have: ids, else equally many documents."""
        gold_named = _is_named(self._gold.peek(1))
        pred_named = _is_named(preds)
        gold, pred = self._sources
        if _is_lone(preds, pred) and _is_lone(self._gold.peek(2), gold) and not self._pattern:
            return self._by_position([*self._gold], preds)
        if gold_named and pred_named and self._pattern is not None:
            return self._by_pattern(preds, self._pattern)
        if gold_named and pred_named:
            return self._by_id(self._index(preds))
        if gold_named or pred_named:
            raise self._one_sided(preds, "pred" if gold_named else "gold")
        if self._pattern is not None:
            raise DataError("--id-pattern needs ids, and no document has one", hint=ID_HINT)
        return self._by_position([*self._gold], preds)

    def offer_maps(self, shared: SharedNames) -> None:
        """Note the options for fields that have equal values under names of their own."""
        if all(shared.one_sided()):
            from docassay.load.likeness import option, value_maps

            maps = [option("--map", f"{pred}={gold}") for pred, gold in value_maps(shared)]
            if maps:
                self.remark(f"equal values under other names: {' '.join(maps)} compares them")

    # --- where ids are -------------------------------------------------------------------

    def _with_ids(self, preds: list[Record]) -> list[Record]:
        """Return the predictions, and change gold, under ids that stand among their fields."""
        if _is_named(self._gold.peek(1)) and _is_named(preds):
            return preds
        if not _is_named(self._gold.peek(1)):
            self._gold = Ahead([*self._gold])  # pairing by position needs all of it as well
        from docassay.load.likeness import id_keys_of, under_key

        golds = self._gold.peek(AHEAD)
        fields = frozenset(map(fold, names_in(self.schema)))
        gold_key, pred_key = id_keys_of(golds, preds, fields)
        for side, key in (("gold", gold_key), ("pred", pred_key)):
            if key is not None:
                self.remark(f"{side}: ids are read from {key!r}")
        if gold_key is not None:
            self._gold = Ahead([under_key(record, gold_key) for record in self._gold])
        return preds if pred_key is None else [under_key(record, pred_key) for record in preds]

    def _one_sided(self, preds: list[Record], side: str) -> DataError:
        """Return the error of ids that only one side has."""
        from docassay.load.likeness import objects_of, side_by_side

        records = {"gold": self._gold.peek(AHEAD), "pred": preds}
        source = self._sources[side == "pred"]
        other = "gold" if side == "pred" else "pred"
        ids = [str(record.id) for record in records[other]]
        objects = objects_of(records[side][:LISTED])
        columns = {
            f"ids of {other}": ids,
            f"keys of {side}": [*dict.fromkeys(str(key) for tree in objects for key in tree)],
        }
        return DataError(
            f"{other} has ids and {side} has none: documents cannot be paired",
            where=source.name,
            hint=self._place_of_ids(side, ids) or _id_option(source.format, side),
            details=side_by_side(columns),
        )

    def _place_of_ids(self, side: str, ids: Sequence[str]) -> str:
        """Return the option for a side whose objects hold ids of the other one, "" for none."""
        from docassay.load.likeness import id_candidate, list_candidate, option

        wanted = {*ids, *map(stem, ids)}
        objects = self._samples[side]

        def is_id(text: str) -> bool:
            return text in wanted or stem(text) in wanted

        path = id_candidate(objects, is_id, len(ids))
        if path:
            return f"add {option(f'--{side}-id', path)}"
        root = list_candidate(objects[0], is_id) if len(objects) == 1 else ""
        return f"add {option(f'--{side}-root', root)}" if root else ""

    # --- ways to pair --------------------------------------------------------------------

    def _by_position(self, golds: list[Record], preds: list[Record]) -> Iterator[Paired]:
        if len(golds) != len(preds):
            raise DataError(
                f"documents without ids pair by position, but there are {len(golds)} of gold "
                f"and {len(preds)} of pred",
                hint=ID_HINT,
            )
        self.say_position(len(golds))
        names = (
            _distinct_ids(golds) or _distinct_ids(preds) or [*map(str, range(1, len(golds) + 1))]
        )
        # a pair that was taken is let go, so that the next ones have its memory
        golds.reverse()
        preds.reverse()
        for name in names:
            yield Paired(name, golds.pop(), preds.pop())

    def say_position(self, documents: int) -> None:
        """Remark that documents are paired by their position."""
        many = f"{documents:,} documents" if documents > 1 else "one document on each side"
        self.remark(f"no ids: paired by position, {many}")

    def _by_id(self, preds: dict[str, Record]) -> Iterator[Paired]:
        by_stem: dict[str, list[str]] = {}
        for name in preds:
            by_stem.setdefault(stem(name), []).append(name)
        seen: dict[str, object] = {}
        gist = _itself if self._sources[0].held else _digest
        golds = self._distinct("gold", self._gold, seen, gist)
        held = [*_until(golds, lambda id: id in preds or stem(id) in by_stem)]
        if held and str(held[-1].id) not in preds and stem(str(held[-1].id)) not in by_stem:
            chosen = self._by_affix([*seen], [*preds])
            yield from self._chosen(held, chosen, preds)
            self._finish(seen, preds, {*chosen.values()})
            return
        taken: set[str] = set()
        for gold in (golds := chain(held, golds)):
            name = str(gold.id)
            if name not in preds and stem(name) in by_stem:
                rest = [gold, *golds]
                chosen = self._settle(rest, [*seen], by_stem, preds)
                yield from self._chosen(rest, chosen, preds)
                taken.update(chosen.values())
                break
            taken.add(name)
            yield Paired(name, gold, preds.get(name))
        self._finish(seen, preds, taken)

    def _by_pattern(self, preds: list[Record], pattern: re.Pattern[str]) -> Iterator[Paired]:
        """Yield the pairs of those ids in which a pattern finds the same."""
        by_key = dict(self._keyed("pred", preds, pattern))
        golds: dict[str, None] = {}
        taken: set[str] = set()
        for key, gold in self._keyed("gold", self._gold, pattern):
            golds[str(gold.id)] = None
            match = by_key.get(key)
            taken |= set() if match is None else {str(match.id)}
            yield Paired(str(gold.id), gold, match)
        for side, source, keys in zip(SIDES, self._sources, (golds, by_key), strict=True):
            if not keys:
                what = f"no id of {side} matches --id-pattern {pattern.pattern!r}"
                raise DataError(what, where=source.name)
        self._finish(golds, {str(record.id): record for record in preds}, taken)

    def _keyed(
        self, side: str, records: Iterable[Record], pattern: re.Pattern[str]
    ) -> Iterator[tuple[str, Record]]:
        """Yield the records with what a pattern finds in their ids; two may not be the same."""
        from docassay.load.likeness import part_of

        owners: dict[str, str] = {}
        for record in self._distinct(side, records, {}, _digest):
            name = str(record.id)
            key = part_of(pattern, name)
            if not key:
                message = f"the id does not match --id-pattern {pattern.pattern!r}; left out"
                self._report(ProblemCode.NO_ID, side, name, message, record.where)
                continue
            if key in owners:
                raise DataError(
                    f"--id-pattern {pattern.pattern!r} finds {key!r} in two ids of {side}, "
                    f"{owners[key]} and {name}",
                    where=record.where,
                    hint="write a pattern whose first group tells documents apart",
                )
            owners[key] = name
            yield key, record

    def _by_affix(self, golds: Sequence[str], preds: Sequence[str]) -> dict[str, str]:
        """Return gold id -> pred id where ids differ in case or an affix; none is an error."""
        from docassay.load.likeness import paired_ids

        choice = paired_ids({stem(id): id for id in golds}, {stem(id): id for id in preds})
        distinct = len({*map(stem, golds)}) == len(golds) and len({*map(stem, preds)}) == len(preds)
        if choice is None or not distinct:
            raise self._no_pair(golds, preds)
        self.remark(f"{choice.how}: {len(choice.ids)}")
        return choice.ids

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

    def _chosen(
        self, golds: Iterable[Record], chosen: Mapping[str, str], preds: Mapping[str, Record]
    ) -> Iterator[Paired]:
        for gold in golds:
            match = chosen.get(str(gold.id))
            yield Paired(str(gold.id), gold, None if match is None else preds[match])

    def _finish(
        self, golds: Collection[str], preds: Mapping[str, Record], taken: Collection[str]
    ) -> None:
        """Report predictions without gold, and that too few documents of gold have one."""
        left = [name for name in preds if name not in taken]
        paired = len(preds) - len(left)
        if golds and not paired:
            raise self._no_pair([*golds], [*preds])
        for name in left:
            self._add(no_gold_document(name, preds[name].where))
        self.say_coverage(paired, len(golds), len(preds), lambda: ([*golds], [*preds]))

    def say_coverage(
        self, paired: int, golds: int, preds: int, ids: Callable[[], tuple[list[str], list[str]]]
    ) -> None:
        """Remark that too few documents of gold have a prediction, and what would help."""
        if paired * 2 < golds:
            hint = f": {self._remedy(*ids())}" if preds > paired else ""
            count = f"only {paired:,} of {golds:,} gold documents"
            self.remark(f"{count} have a prediction{hint}", first=True)

    def pair_ids(self, golds: Iterable[Record], preds: list[Record]) -> Iterator[Paired]:
        """Yield the pairs of records that stand for documents and need not hold their trees."""
        self._gold = Ahead(golds)
        return self._paired(preds)

    def _no_pair(self, golds: Sequence[str], preds: Sequence[str]) -> DataError:
        from docassay.load.likeness import most_alike, side_by_side

        table = side_by_side({"ids of gold": golds, "ids of pred": preds})
        return DataError(
            "no prediction has the id of a gold document",
            hint=self._remedy(golds, preds),
            details=[*table, *most_alike(golds, preds)],
        )

    def _remedy(self, golds: Sequence[str], preds: Sequence[str]) -> str:
        """Return the option under which more documents would pair."""
        from docassay.load.likeness import option, suggested_pattern

        place = self._place_of_ids("pred", golds) or self._place_of_ids("gold", preds)
        pattern = None if place or self._pattern else suggested_pattern(golds, preds)
        return place or (ID_HINT if pattern is None else f"add {option('--id-pattern', pattern)}")

    # --- names of fields -----------------------------------------------------------------

    def _renamer(self, preds: list[Record]) -> Callable[[Paired], Paired]:
        """Return what gives a pair the names of the schema and of gold.

        Only names that differ in case and punctuation alone are changed.
        """
        if self._sources[0].format in PROTOCOLS:
            return _as_it_is
        vocabulary, given = schema_shape(self.schema), shape_of(preds[:AHEAD])
        first = shape_of(self._gold.peek(1))
        if is_within(first, vocabulary or first) and is_within(given, merged(vocabulary, first)):
            return _as_it_is
        gold_shape = shape_of(self._gold.peek(AHEAD))
        gold_names = alike(vocabulary, gold_shape)
        target = merged(vocabulary, renamed_shape(gold_shape, gold_names))
        pred_names = alike(target, given)
        left_out = self._other_ids(preds, given, target)
        owner = "gold's" if self.schema is None else "the schema's or gold's"
        for side, names, whose in (("gold", gold_names, owner), ("pred", pred_names, owner)):
            changes = [*renamings(names)]
            if changes:
                listed = ", ".join(changes[:LISTED]) + (", …" if changes[LISTED:] else "")
                self.remark(f"{side}: fields compared under {whose} names: {listed}")
        if not gold_names and not pred_names and not left_out:
            return _as_it_is
        return lambda paired: paired._replace(
            gold=paired.gold and renamed_record(paired.gold, gold_names),
            pred=paired.pred and renamed_record(without_keys(paired.pred, left_out), pred_names),
        )

    def _other_ids(self, preds: list[Record], given: Shape, target: Shape) -> frozenset[str]:
        """Return keys of pred that hold ids of another kind, which gold does not ask for."""
        if not _is_named(preds):
            return frozenset()
        fields = frozenset(map(fold, target))
        keys = [key for key in given if fold(key) in SURE_IDS - fields]
        if keys:
            self.remark(f"pred: left out, as ids that gold does not have: {', '.join(keys)}")
        return frozenset(keys)

    # --- records and messages ------------------------------------------------------------

    def _index(self, preds: list[Record]) -> dict[str, Record]:
        distinct = self._distinct("pred", preds, {}, _itself)
        return {str(record.id): record for record in distinct}

    def _distinct(
        self,
        side: str,
        records: Iterable[Record],
        seen: dict[str, object],
        gist: Callable[[object], object],
    ) -> Iterator[Record]:
        """Yield the first record of each id; the others, and those without id, are problems.

        `gist` is what is kept of each tree to see whether that of a later record is the same.
        """
        for record in records:
            if record.id is None:
                message = "has no id and cannot be paired; left out"
                self._report(ProblemCode.NO_ID, side, "", message, record.where)
                continue
            content = gist(record.tree)
            if record.id in seen:
                same = same_content(side, seen[record.id], content)
                self._add(repeated_id(record.id, side, record.where, same=same))
                continue
            seen[record.id] = content
            yield record

    def _records(self, source: Source, side: str) -> Iterator[Record]:
        """Yield a side's records and keep its problems; gold that cannot be read is an error."""
        samples = self._samples[side]
        for item in source.records:
            if isinstance(item, Problem):
                self._notice(item._replace(side=side))
                if side == "gold" and item.code in BROKEN:
                    raise _broken_gold(item)
                continue
            if side == "gold" and item.tree is None:
                code, message = ProblemCode.UNREADABLE_RECORD, "could not be read"
                raise _broken_gold(Problem(code, item.id or "", side, "", message, item.where))
            if len(samples) < AHEAD:
                samples.append(item.tree if item.whole is None else item.whole)
            yield item

    def _is_without_predictions(self) -> bool:
        """Say whether nothing was predicted, which is no fault of reading."""
        codes = {problem.code for problem in self.problems if problem.side == "pred"}
        return codes == {ProblemCode.NO_PREDICTION}

    def _unreadable(self) -> DataError:
        """Return the error of predictions none of which can be read."""
        flaws = (problem for problem in self.problems if problem.side == "pred")
        reason = next((f"{flaw.where}: {flaw.message}" for flaw in flaws), None)
        what = "none of its documents can be read"
        return DataError(what, where=self._sources[1].name, hint=reason)

    def _notice(self, problem: Problem) -> None:
        """Add a problem of a record, by which it can be found again."""
        self.problems.append(problem)
        self._noticed.setdefault(problem.where or "", []).append(problem)

    def _report(
        self, code: ProblemCode, side: str, document: str, message: str, where: str
    ) -> None:
        self._add(Problem(code, document, side, "", message, where))

    def _add(self, problem: Problem) -> None:
        self.problems.append(problem)
        self._others.append(problem)

    def remark(self, text: str, *, first: bool = False) -> None:
        """Add a note that belongs into the report."""
        for notes in (self.notes, self.remarks):
            notes.insert(0 if first else len(notes), text)


def _id_hint(side: str) -> str:
    return f"name the key of the ids with --{side}-id"


def _is_named(records: Sequence[Record]) -> bool:
    return any(record.id is not None for record in records)


def _id_option(format: str, side: str) -> str:
    """Return what gives documents of a format ids."""
    options = FORMATS.get(format).options if format != PYTHON else {"id_key": None}
    if "id_key" in options:
        return _id_hint(side)
    settings = ", ".join(f"--set {format}.{name}" for name in options)
    return f"the options of its format may name them: {settings}" if settings else ID_HINT


def _as_it_is(paired: Paired) -> Paired:
    return paired


def _is_lone(records: Sequence[Record], source: Source) -> bool:
    """Return whether a source is a JSON file that holds one document and nothing else."""
    return source.format == "json" and len(records) == 1 and records[0].where == source.name


def _until(records: Iterator[Record], matches: Callable[[str], bool]) -> Iterator[Record]:
    """Yield records up to the first that matches, itself included."""
    for record in records:
        yield record
        if matches(str(record.id)):
            return


def _broken_gold(problem: Problem) -> DataError:
    document = f"gold document {problem.document}" if problem.document else "gold"
    response = problem.code == ProblemCode.UNPARSEABLE_RESPONSE
    return DataError(
        f"{document}{': ' if response else ' '}{problem.message}",
        where=problem.where,
        hint="gold must be whole: correct it, or take it out"
        + ("; gold is named before pred" if response else ""),
    )


def _compiled(text: str) -> re.Pattern[str]:
    from docassay.load.likeness import compiled

    return compiled(text, "--id-pattern")


def _distinct_ids(records: list[Record]) -> list[str]:
    """Return the ids when every record has one of its own, else nothing."""
    ids = [record.id for record in records if record.id is not None]
    return ids if len(set(ids)) == len(records) else []


def same_content(side: str, first: object, second: object) -> bool:
    """Return whether two trees of one id, or digests of them, have the same content."""
    if side == "gold":
        first, second = _digest(first), _digest(second)
    return first == second


def _itself(tree: object) -> object:
    return tree


def _digest(tree: object) -> object:
    """Return a number that is equal for equal trees; the tree itself when it cannot be written."""
    try:
        return content_hash(tree, MAX_LEVELS, _encoder.encode)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        return tree
