"""The review loop: decisions about gold, appended to a patch, and what they do to the score.

Gold itself is never written. A decision is checked before it is kept: it must fit the gold there
is, and taking pred's value must make that value right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec

from docassay.errors import ConfigurationError, DataError, DocassayError, FileError
from docassay.load.files import numbered_lines
from docassay.load.patch import (
    BOTH_FINE,
    LEAVE,
    REMOVE,
    SET,
    TAKE_PRED,
    GoldDecision,
    GoldPatch,
    append_decision,
    decision_of,
    load_patch,
)
from docassay.load.patching import (
    as_written,
    patched,
)
from docassay.load.wire import decode
from docassay.model.report import DiffData
from docassay.run.diffs import WRONG
from docassay.run.score import Row
from docassay.viewer.index import DocumentEntry, StoredSuspect
from docassay.viewer.places import Desk, Placed
from docassay.viewer.runs import Memory, OpenedDocument, ViewedRun, lines_of

ACTIONS = (TAKE_PRED, BOTH_FINE, SET, LEAVE)
LONGEST_WHY = 2_000
REMEMBERED = 10_000
"""Documents with decisions whose rows are remembered."""
MOST_UNFIT = 100
NO_DECISIONS: tuple[GoldDecision, ...] = ()


class Unfit(ConfigurationError):  # noqa: N818 - reads as a statement about a decision
    """A decision that does not fit the gold there is."""


class AskedDecision(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser asks to be written down."""

    document: str
    action: str
    gold: str | None = None
    """The path of the value, or row, in gold; None where gold has none."""
    pred: str | None = None
    row: bool = False
    value: str | None = None
    why: str = ""


class Review:
    """Decisions of a patch file, for all runs that are looked at."""

    def __init__(self, file: Path, reviewer: str, *, now: Callable[[], str]) -> None:
        self.file = file
        self.reviewer = reviewer
        self._now = now
        self._lock = Lock()
        self._read: tuple[tuple[int, int], GoldPatch] | None = None
        self._rows: Memory[_Outcome | None] = Memory(REMEMBERED)

    def patch(self) -> GoldPatch:
        """Return the decisions that hold, read again where the file has changed."""
        try:
            facts = self.file.stat()
        except OSError:
            return GoldPatch(str(self.file), {})
        stamp = (facts.st_size, facts.st_mtime_ns)
        if self._read is None or self._read[0] != stamp:
            decisions = load_patch([*_decisions(self.file)]).decisions
            self._read = stamp, GoldPatch(str(self.file), decisions)
        return self._read[1]

    def decided(self) -> list[str]:
        """Return the ids of documents with decisions."""
        return [*self.patch().decisions]

    def diff(self, run: ViewedRun, entry: DocumentEntry) -> DiffData:
        """Return a document with the decisions about its values, and which may be made."""
        diff = run.diff(entry)
        document = run.opened(entry)
        held = self.patch().decisions.get(entry.id, NO_DECISIONS)
        decisions = {each.path: each for each in held}
        suspects = {each.path: each for each in run.index.suspects(entry.n)}
        rows = diff["rows"]
        assert isinstance(rows, list)
        desk = None
        if document is not None and not run.header.plan.without_gold:
            desk = Desk(document, rows, held)
        for row in rows:
            if desk is not None and row["state"] != "matched":
                _annotate(row, desk.row_place(row), decisions, suspects)
            for value in row["values"]:
                place = None if desk is None else desk.value_place(row, value)
                if value["verdict"] in WRONG or (place is not None and place.path in suspects):
                    _annotate(value, place, decisions, suspects)
        return {**diff, "reviewable": desk is not None}

    def decide(self, run: ViewedRun, entry: DocumentEntry, asked: AskedDecision) -> None:
        """Write a decision down; one that does not fit raises Unfit."""
        if asked.action not in ACTIONS:
            raise ConfigurationError(f"there is no action {asked.action!r}")
        if len(asked.why) > LONGEST_WHY:
            raise ConfigurationError(f"why has more than {LONGEST_WHY:,} characters")
        document = run.opened(entry)
        if document is None or run.header.plan.without_gold:
            raise Unfit("gold of the document is not there")
        rows = run.diff(entry)["rows"]
        assert isinstance(rows, list)
        with self._lock:
            held = self.patch().decisions.get(entry.id, NO_DECISIONS)
            place = _asked_place(Desk(document, rows, held), rows, asked)
            if asked.action not in place.actions:
                raise Unfit(f"{asked.action} cannot be said of it")
            decision = self._decision(document.row.id, place, asked)
            _check(run, entry, document, _joined(run.decided(entry.id), held), decision)
            try:
                append_decision(self.file, decision)
            except FileError as error:
                hint = "--patch FILE keeps decisions elsewhere"
                raise FileError(error.what, where=error.where, hint=hint) from None

    def _decision(self, id: str, place: Placed, asked: AskedDecision) -> GoldDecision:
        action, value = asked.action, None
        if action == TAKE_PRED:
            action = TAKE_PRED if place.pred is not None else REMOVE
            value = place.pred
        elif action == BOTH_FINE:
            value = place.pred
        elif action == SET:
            if not asked.value:
                raise Unfit("no value is given")
            value = as_written(asked.value, place.was)
        why = asked.why.strip()
        return GoldDecision(
            id, place.path, action, place.was, value, self.reviewer, self._now(), why
        )

    def data(self, run: ViewedRun, headline: Sequence[Mapping[str, object]]) -> DiffData:
        """Return the scores of a run as they are and with the decisions, and what did not fit."""
        patch = self.patch()
        changes: list[tuple[Row, Row]] = []
        unfit: list[DiffData] = []
        for id, decisions in patch.decisions.items():
            entry = run.index.entry(id)
            outcome = None if entry is None else self._outcome(run, entry, decisions)
            if entry is None or outcome is None:
                missing = "the run has no such document" if entry is None else "gold is not there"
                refusals = [(each, missing) for each in decisions if each.action != LEAVE]
            else:
                changes.append((run.row(entry), outcome.row))
                refusals = [(each, why) for each, why in outcome.refused if each in decisions]
            unfit += [{"document": id, "path": each.path, "why": why} for each, why in refusals]
        before, after = run.scores(()), run.scores(changes)
        return {
            "file": str(self.file),
            "reviewer": self.reviewer,
            "decisions": len(patch),
            "unfit": unfit[:MOST_UNFIT],
            "scores": [
                {name: line[name] for name in ("address", "label", "unit", "better")}
                | {
                    "as_is": before.get(str(line["address"])),
                    "with_decisions": after.get(str(line["address"])),
                }
                for line in headline
                if line["label"]
            ],
        }

    def _outcome(
        self, run: ViewedRun, entry: DocumentEntry, decisions: Sequence[GoldDecision]
    ) -> _Outcome | None:
        every = _joined(run.decided(entry.id), decisions)
        key = (run.key, entry.n, lines_of(every))
        return self._rows.recall(key, lambda: _rescored(run, entry, every))


class _Outcome(NamedTuple):
    row: Row
    refused: tuple[tuple[GoldDecision, str], ...]


def _rescored(
    run: ViewedRun, entry: DocumentEntry, decisions: tuple[GoldDecision, ...]
) -> _Outcome | None:
    """Return the row of a document with decisions, and those that do not fit."""
    trees = run.index.trees(entry.n)
    row = run.rescored(entry, decisions)
    if trees is None or row is None:
        return None
    refused = patched(trees.gold, decisions).refused
    return _Outcome(row, tuple((each.decision, each.why) for each in refused))


def _decisions(file: Path) -> Iterator[GoldDecision]:
    """Yield the decisions of a patch; lines that state none are left to `score` to name."""
    try:
        for number, line in numbered_lines(file):
            try:
                yield decision_of(decode(line, f"{file}:{number}").tree)
            except DataError:
                continue
    except DocassayError:
        return


def _joined(
    earlier: Iterable[GoldDecision], later: Iterable[GoldDecision]
) -> tuple[GoldDecision, ...]:
    latest = {each.path: each for each in earlier}
    for each in later:
        latest.pop(each.path, None)
        latest[each.path] = each
    return tuple(latest.values())


def _annotate(
    shown: DiffData,
    place: Placed | None,
    decisions: Mapping[str, GoldDecision],
    suspects: Mapping[str, StoredSuspect],
) -> None:
    """Add to a value or row what may be decided, what was decided, and whether it is suspect."""
    if place is None:
        return
    shown["actions"] = [*place.actions]
    decision = decisions.get(place.path)
    if decision is not None:
        facts = ("action", "value", "who", "when", "why")
        shown["decision"] = {name: getattr(decision, name) for name in facts}
    suspect = suspects.get(place.path)
    if suspect is not None:
        shown["suspect"] = {
            "score": suspect.score,
            "evidence": [*suspect.evidence],
            "proposal": suspect.proposed,
        }


def _asked_place(
    desk: Desk,
    rows: Sequence[DiffData],
    asked: AskedDecision,
) -> Placed:
    """Return where the value or row that was asked about stands."""
    for row in rows:
        if asked.row:
            if row["state"] != "matched" and (row["gold"], row["pred"]) == (asked.gold, asked.pred):
                place = desk.row_place(row)
                if place is None:
                    raise Unfit("the row cannot be decided about as a whole")
                return place
            continue
        values = row["values"]
        assert isinstance(values, list)
        for value in values:
            if (value.get("gold_path"), value.get("pred_path")) == (asked.gold, asked.pred):
                place = desk.value_place(row, value)
                if place is None:
                    raise Unfit("gold has no place for the value; decide about its row")
                return place
    raise Unfit("the document has no such value")


def _check(
    run: ViewedRun,
    entry: DocumentEntry,
    document: OpenedDocument,
    held: Sequence[GoldDecision],
    decision: GoldDecision,
) -> None:
    """Refuse a decision that does not fit, or that does not do what it says."""
    others = tuple(each for each in held if each.path != decision.path)
    together = patched(document.raw_gold, [*others, decision])
    unfit = [each.decision.path for each in patched(document.raw_gold, held).refused]
    for refused, why in together.refused:
        if refused is decision:
            raise Unfit(why)
        if refused.path not in unfit:
            raise Unfit(f"the decision about {refused.path} rests on the earlier one")
    if decision.action in (SET, LEAVE):
        return
    # by itself or beside the others: another one may have settled the document's type
    if not any(
        _is_fewer(run.wrong_with(entry, (*beside, decision)), run.wrong_with(entry, beside))
        for beside in (others, NO_DECISIONS)
    ):
        raise Unfit(
            "the decision would not make the value right", hint="correct gold in its own file"
        )


def _is_fewer(after: int | None, before: int | None) -> bool:
    return after is None or before is None or after < before
