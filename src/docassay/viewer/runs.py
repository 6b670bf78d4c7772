"""A run as the viewer shows it: its index, its documents recomputed, what has changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from docassay.errors import DataError, DocassayError
from docassay.load.format import Record
from docassay.load.pairing import Paired
from docassay.load.patch import GoldDecision, load_patch
from docassay.load.patching import patched
from docassay.matching.case import Case, make_case
from docassay.metrics.metric import LINKS, ORIGINALS, Context
from docassay.model.problem import Problem
from docassay.model.report import DiffData
from docassay.model.stats import Stats, Table, fold
from docassay.report.diff_data import diff_data, stored_diff_data
from docassay.run.find import find_in
from docassay.run.ledger import LEDGER, Ledger, decode_row, read_header
from docassay.run.plan import bind
from docassay.run.reopen import locate_inputs, open_stored
from docassay.run.score import Row, digest_of_pair, score_case, without_beside
from docassay.viewer.build import Inputs, open_index
from docassay.viewer.index import DocumentEntry, StoredTrees, decode_totals, storable

KEPT_DOCUMENTS = 32
CHANGED = "gold or pred of this document has changed since the run: the score is that of the run"
REPLACED = "the run has been replaced since the viewer was started"
GONE = "the inputs of the run are gone: only its stored wrong values are shown"
UNLIKE = "the document counts otherwise than in the run: another version has scored it"


K = TypeVar("K")


class Memory(Generic[K]):
    """Remembers the last few things that were worked out."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[object, K] = {}

    def recall(self, key: object, make: Callable[[], K]) -> K:
        """Return what was made for a key, or make it."""
        if key in self._held:
            return self._held[key]
        value = make()
        self._held[key] = value
        for oldest in [*self._held][: -self._most]:
            self._held.pop(oldest, None)
        return value


def lines_of(decisions: Iterable[GoldDecision]) -> tuple[bytes, ...]:
    """Return decisions as what tells them apart."""
    return tuple(decision.as_line() for decision in decisions)


class OpenedDocument(NamedTuple):
    """A document that was read and matched again, as the run has scored it."""

    case: Case
    raw_gold: object
    """Gold without the decisions of any patch."""
    row: Row
    notes: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


class ViewedRun:
    """A stored run that is looked at."""

    def __init__(
        self,
        key: str,
        name: str,
        folder: Path,
        *,
        inputs: Inputs,
        say: Callable[[str], None],
    ) -> None:
        self.key = key
        self.name = name
        self.folder = folder
        self.inputs = inputs
        self.header = read_header(folder)
        self.bound = bind(self.header.plan)
        self.index = open_index(folder, name, inputs, say=say)
        # which needs what rows have in common, and none of them
        self._stored = locate_inputs(
            Ledger(self.header, ()), folder, gold=inputs.gold, pred=inputs.pred
        )
        self.notes = [*self._stored.notes, *([] if self._stored.whole else [GONE])]
        self._stamps = [*self._input_stamps()]
        self._totals = decode_totals(self.index.meta("totals") or b"{}")
        # which are kept with the run: the file that they come from may have grown since
        self._patch = load_patch(self.header.reading.get("gold_patch") or ())
        self._documents: Memory[OpenedDocument | None] = Memory(KEPT_DOCUMENTS)

    def _input_stamps(self) -> Iterator[tuple[Path, int, int]]:
        """Yield the inputs that are files, each with its size and when it was last written."""
        for path in (self._stored.gold, self._stored.pred):
            with suppress(OSError):
                if path is not None and path.is_file():
                    facts = path.stat()
                    yield path, facts.st_size, facts.st_mtime_ns

    def notes_now(self) -> list[str]:
        """Return what has changed since the run, up to this moment."""
        now = [*self._input_stamps()]
        changed = [str(path) for path, *_ in self._stamps if path not in {each[0] for each in now}]
        changed += [str(stamp[0]) for stamp in now if stamp not in self._stamps]
        late = [f"{path} has changed since the viewer was started" for path in changed]
        return [*self.notes, *late]

    @property
    def data(self) -> bytes:
        """What its page shows, as JSON."""
        return self.index.meta("run") or b"{}"

    def row(self, entry: DocumentEntry) -> Row:
        """Return the row of a document in the ledger."""
        try:
            with (self.folder / LEDGER).open("rb") as file:
                file.seek(entry.ledger_at)
                row = decode_row(file.readline())
        except (OSError, DataError):
            raise DataError(REPLACED, hint="start the viewer again") from None
        if storable(row.id) != entry.id:
            raise DataError(REPLACED, hint="start the viewer again")
        return row

    def opened(self, entry: DocumentEntry) -> OpenedDocument | None:
        """Return a document as the run has scored it, None where its gold and pred are gone."""
        return self._documents.recall(entry.n, lambda: self._opened(entry))

    def decided(self, id: str) -> tuple[GoldDecision, ...]:
        """Return the decisions about gold of a document that the run was scored with."""
        return tuple(self._patch.decisions.get(id, ()))

    def _opened(self, entry: DocumentEntry) -> OpenedDocument | None:
        row = self.row(entry)
        trees = self.index.trees(entry.n)
        if trees is not None and not (self.bound.needs(ORIGINALS) or self.bound.needs(LINKS)):
            case = self._case(row, trees, self.decided(row.id))
            if without_beside(row.digest) != digest_of_pair(*case.given):
                return OpenedDocument(case, trees.gold, row, (CHANGED,))
            if score_case(case, self.bound).stats == row.stats:
                return OpenedDocument(case, trees.gold, row, ())
        return self._found(row)

    def _found(self, row: Row) -> OpenedDocument | None:
        """Return a document by reading all inputs again, as the run read them."""
        if not self._stored.whole:
            return None
        try:
            match = find_in(open_stored(self._stored), row.id)
        except DocassayError:
            return None
        note = ""
        if without_beside(row.digest) != digest_of_pair(*match.case.given):
            note = CHANGED
        elif score_case(match.case, self.bound).stats != row.stats:
            note = UNLIKE
        origin = match.case.origin
        gold = None if origin is None or origin.gold is None else origin.gold.tree
        return OpenedDocument(match.case, gold, row, (note,) if note else (), match.problems)

    def _case(self, row: Row, trees: StoredTrees, decisions: Iterable[GoldDecision]) -> Case:
        gold = patched_gold(trees.gold, decisions)
        alone = self.header.plan.without_gold
        pair = Paired(
            row.id,
            None if alone else Record(row.id, gold, trees.gold_where or ""),
            None
            if trees.pred is None
            else Record(row.id, trees.pred, trees.pred_where or "", outcome=row.outcome),
        )
        case = make_case(row.id, *pair.trees, self.bound.layouts, origin=pair)
        case.tally()  # which may find that a document is too large to be matched as a whole
        return case

    def diff(self, entry: DocumentEntry) -> DiffData:
        """Return a document for its page: all values, or the wrong ones that the run has kept."""
        document = self.opened(entry)
        if document is None:
            values = self.index.wrong_values([entry.n])[entry.n]
            diff = stored_diff_data(entry.id, values, type=entry.type)
        else:
            diff = diff_data(document.case, problems=document.problems, notes=document.notes)
        return {**diff, "id": entry.id, "score": entry.score, "run_notes": self.notes_now()}

    def rescored(self, entry: DocumentEntry, decisions: tuple[GoldDecision, ...]) -> Row | None:
        """Return the row of a document with other decisions about gold, None where it is gone."""
        trees = self.index.trees(entry.n)
        if trees is None:
            return None
        return score_case(self._case(self.row(entry), trees, decisions), self.bound)

    def wrong_with(self, entry: DocumentEntry, decisions: tuple[GoldDecision, ...]) -> int | None:
        """Return how many values are wrong with other decisions about gold."""
        trees = self.index.trees(entry.n)
        if trees is None:
            return None
        counts = self._case(self.row(entry), trees, decisions).tally().fields.values()
        return sum(sum(tally[1:]) for tally in counts)

    def scores(self, changes: Iterable[tuple[Row, Row]]) -> dict[str, float | int | None]:
        """Return the overall scores of the run with some rows in place of others."""
        pairs = [*changes]
        values: dict[str, float | int | None] = {}
        for metric in self.bound.metrics:
            name = metric.name
            parts: list[Stats] = [self._totals[name]]
            parts += [after.stats[name] for _, after in pairs]
            parts += [_negated(before.stats[name]) for before, _ in pairs]
            totals = fold(parts) if pairs else self._totals[name]
            context = Context(self.documents, self.bound.plan.schema, metric.options)
            for readout in metric.metric.readouts(totals, context, **metric.display):
                if not readout.key:
                    values[f"{name}.{readout.name}"] = readout.value
        return values

    @property
    def documents(self) -> int:
        """How many documents it has."""
        return int(msgspec.json.decode(self.data, type=_Counted).documents)


class _Counted(msgspec.Struct):
    documents: int


def _negated(stats: Stats) -> Stats:
    return {name: _negated_table(table) for name, table in stats.items()}


def _negated_table(table: Table) -> Table:
    return {key: tuple(-count for count in counts) for key, counts in table.items()}  # type: ignore[return-value]


def patched_gold(gold: object, decisions: Iterable[GoldDecision]) -> object:
    """Return gold with some decisions; those that do not fit change nothing."""
    chosen = [*decisions]
    return patched(gold, chosen).tree if chosen and isinstance(gold, Mapping) else gold
