"""What runs say about gold: the values of gold, and where the predictions differ from them.

Right values are only counted. What a model has instead of a value, beside gold's values or as a row
of its own is kept under the place in gold that it speaks about.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from docassay.analysis.audit.evidence import GoldValue, bare
from docassay.errors import DataError
from docassay.load.patching import resolve
from docassay.load.records import is_leaf
from docassay.matching.case import Case, make_case
from docassay.matching.verdicts import ADDITION, DELETION, RIGHT, SUBSTITUTION, VerdictBlock, blocks
from docassay.run.ledger import Ledger
from docassay.run.open import Prepared
from docassay.run.plan import Bound
from docassay.run.reopen import NamedRun, kept_verdicts, open_stored, stored_inputs
from docassay.schema.layout import BoundGroup, Layout
from docassay.schema.rules.check import HOLDS, BoundRules, RuleOutcome
from docassay.values.field import BoundField

DEEPEST = 32


class AuditedRun(NamedTuple):
    """A run by its name: its inputs opened again, or else only what it has kept."""

    name: str
    ledger: Ledger
    prepared: Prepared | None
    folder: Path | None = None


def check_gold(name: str, ledger: Ledger) -> None:
    """Refuse a run that has no gold to doubt."""
    if ledger.header.plan.without_gold:
        raise DataError(
            f"{name} measured predictions without gold",
            hint="audit runs that were scored with gold",
        )


def reopened(run: NamedRun, gold: str | Path | None) -> tuple[AuditedRun, list[str]]:
    """Return a stored run with its inputs opened again as far as they are there, and notes."""
    name, ledger, folder = run
    assert folder is not None
    check_gold(name, ledger)
    inputs = stored_inputs(folder, gold=gold)
    notes = [f"{name}: {note}" for note in inputs.notes]
    try:
        prepared = open_stored(inputs)
    except DataError as error:
        if inputs.gold is not None and inputs.pred is not None:
            raise
        prepared = None
        notes.append(f"{name}: {error.what}: only its stored wrong values are used")
    return AuditedRun(name, ledger, prepared, folder), notes


class Seen(NamedTuple):
    """A value that a model predicted."""

    text: str
    canonical: str


Place = tuple[str, str]
"""A document and a path in it."""
Slot = tuple[str, str, str]
"""A document, a row of gold ("" for the document) and a field that gold has no value for."""


class PredictedGroup(NamedTuple):
    """A row of a model that gold does not have."""

    type: str
    values: Mapping[str, Seen]
    """By field; of several values the first."""


class GoldDocument(NamedTuple):
    """Gold of one document, for questions about single values."""

    tree: object
    """None where only wrong values were kept."""
    layout: Layout
    type: str = ""
    rules: BoundRules | None = None
    outcomes: tuple[RuleOutcome, ...] = ()
    """What becomes of the rules in it."""


class TreePair(NamedTuple):
    """What a document was scored from."""

    gold: object
    pred: object


class ModelCounts:
    """How often a model is right, has another value or none, by field, and adds where gold is bare.

    Together with the documents that it has a prediction for; about others it says nothing.
    """

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.substituted: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.added: Counter[str] = Counter()
        self.bare_slots: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()
        self.rows_missed: Counter[str] = Counter()
        self.rows_added: Counter[str] = Counter()
        self.documents: set[str] = set()


class Observations:
    """Everything that the runs of an audit say."""

    def __init__(self) -> None:
        self.models: dict[str, ModelCounts] = {}
        self.documents: dict[str, GoldDocument] = {}
        self.values: dict[Place, GoldValue] = {}
        self.fields: dict[str, BoundField] = {}
        self.wrong: defaultdict[Place, dict[str, Seen | None]] = defaultdict(dict)
        """What models have instead of gold's values; who is not named here has the same."""
        self.extra: defaultdict[Slot, dict[str, Seen]] = defaultdict(dict)
        self.lost_rows: defaultdict[Place, set[str]] = defaultdict(set)
        self.extra_rows: defaultdict[str, dict[str, list[PredictedGroup]]] = defaultdict(dict)
        self.kept_rules: defaultdict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        """Document -> model -> the rules that its prediction keeps."""
        self.trees: dict[str, dict[str, TreePair]] = {}
        """Model -> document -> gold and pred."""
        self.predicted: defaultdict[str, dict[str, dict[str, set[str]]]] = defaultdict(dict)
        """Document -> model -> field -> its values without case and marks."""


def observe(runs: list[AuditedRun], bound: Bound) -> tuple[Observations, list[str]]:
    """Return what the runs say, by the first run's schema, and what should be said about it."""
    seen, notes = Observations(), []
    golds: dict[str, str] = {}
    for run in runs:
        counts = seen.models[run.name] = ModelCounts()
        digests = {row.id: row.digest.split("-")[0] for row in run.ledger.rows}
        if golds and golds.keys().isdisjoint(digests):
            raise DataError(
                f"run {run.name!r} has no document in common with {runs[0].name!r}",
                where=None if run.folder is None else str(run.folder),
                hint="an audit needs runs over the same gold",
            )
        other = {id for id, digest in digests.items() if golds.setdefault(id, digest) != digest}
        if len(other) == len(digests):
            raise DataError(
                f"run {run.name!r} was scored against other gold",
                where=None if run.folder is None else str(run.folder),
                hint="an audit needs runs over the same gold",
            )
        if other:
            notes.append(f"{run.name}: {len(other):,} documents have other gold, and are left out")
        if run.prepared is None:
            _from_verdicts(run, other, bound, seen, counts)
        else:
            _from_inputs(run.prepared, run.name, other, bound, seen, counts)
    return seen, notes


def _from_inputs(
    prepared: Prepared,
    name: str,
    other: set[str],
    bound: Bound,
    seen: Observations,
    counts: ModelCounts,
) -> None:
    for pair in prepared.pairing:
        if pair.id in other:
            continue
        gold, pred = pair.trees
        seen.trees.setdefault(name, {})[pair.id] = TreePair(gold, pred)
        if pred is not None:
            counts.documents.add(pair.id)
        case = make_case(pair.id, gold, pred, bound.layouts)
        earlier = seen.documents.get(pair.id)
        if earlier is None or earlier.tree is None:
            outcomes = () if case.rules is None else case.rules.check(case.gold.tree, case.type)
            seen.documents[pair.id] = GoldDocument(
                gold, case.layout, case.type, case.rules, outcomes
            )
            _keep_gold(case, seen)
        if pred is not None:
            _keep_differences(case, name, seen, counts)


def _keep_gold(case: Case, seen: Observations) -> None:
    for entity in case.gold.root.entities():
        reading = entity.reading
        seen.fields.setdefault(entity.field, case.layout.field(entity.field))
        seen.values[case.id, entity.path] = GoldValue(
            case.id,
            entity.path,
            entity.field,
            reading.text,
            reading.canonical,
            reading.problem,
            isinstance(reading.value, str),
        )


def _keep_differences(case: Case, name: str, seen: Observations, counts: ModelCounts) -> None:
    if case.rules is not None and any(each.broken for each in seen.documents[case.id].outcomes):
        outcomes = case.rules.check(case.pred.tree, case.type)
        kept = frozenset(each.rule for each in outcomes if each.state == HOLDS)
        seen.kept_rules[case.id][name] = kept
    predicted: defaultdict[str, set[str]] = defaultdict(set)
    for entity in case.pred.root.entities():
        predicted[entity.field].add(bare(entity.reading.text))
    seen.predicted[case.id][name] = predicted
    alone: list[str] = []
    for block in blocks(case):
        kind, whole = block.type, block.gold is None or block.pred is None
        if kind and block.gold is not None:
            counts.rows[kind] += 1
        if kind and whole and block.gold is None:
            counts.rows_added[kind] += 1
            _keep_row(case.id, name, block, alone, seen)
        elif kind and whole and block.gold is not None:
            counts.rows_missed[kind] += 1
            seen.lost_rows[case.id, block.gold].add(name)
            for verdict in block.verdicts:
                seen.wrong[case.id, str(verdict.gold_path)][name] = None
        else:
            _keep_values(case, name, block, seen, counts)


def _keep_values(
    case: Case, name: str, block: VerdictBlock, seen: Observations, counts: ModelCounts
) -> None:
    for verdict in block.verdicts:
        field = verdict.field
        if verdict.verdict == RIGHT:
            counts.right[field] += 1
        elif verdict.verdict == SUBSTITUTION:
            counts.substituted[field] += 1
            value = Seen(str(verdict.pred), str(verdict.pred_read))
            seen.wrong[case.id, str(verdict.gold_path)][name] = value
        elif verdict.verdict == ADDITION:
            counts.missed[field] += 1
            seen.wrong[case.id, str(verdict.gold_path)][name] = None
        else:
            counts.added[field] += 1
            seen.fields.setdefault(field, case.layout.field(field))
            value = Seen(str(verdict.pred), str(verdict.pred_read))
            seen.extra[case.id, block.gold or "", field].setdefault(name, value)
    gold = block.groups[0]
    held = () if gold is None else gold.values
    for path in case.expected:
        if path not in held and path.rpartition(".")[0] == block.type:
            counts.bare_slots[path] += 1


def _keep_row(
    document: str, name: str, block: VerdictBlock, alone: list[str], seen: Observations
) -> None:
    """Keep a row that gold lacks, unless it stands inside such a row or inside a row of gold."""
    place = str(block.pred)
    alone.append(f"{place}.")
    if any(place.startswith(outer) for outer in alone[:-1]) or place.count("[") > 1:
        return
    values: dict[str, Seen] = {}
    for verdict in block.verdicts:
        values.setdefault(verdict.field, Seen(str(verdict.pred), str(verdict.pred_read)))
    row = PredictedGroup(block.type, values)
    seen.extra_rows[document].setdefault(name, []).append(row)


def _from_verdicts(
    run: AuditedRun, other: set[str], bound: Bound, seen: Observations, counts: ModelCounts
) -> None:
    """Take what a run has kept: its wrong values; of the right ones nothing but their number."""
    if run.folder is None:
        raise DataError(f"the inputs of run {run.name!r} are gone", hint="score again")
    layout = bound.layouts.plain
    ids = {row.id for row in run.ledger.rows} - other
    counts.documents |= ids
    for verdict in kept_verdicts(run.folder):
        document, field = verdict.document, verdict.field
        if document not in ids or verdict.verdict == RIGHT:
            continue
        seen.fields.setdefault(field, layout.field(field))
        value = None
        if verdict.pred is not None:
            value = Seen(verdict.pred, str(verdict.pred_read))
        if verdict.verdict == DELETION:
            # which row of gold it belongs to is known in the document itself alone
            if value is not None and "[" not in str(verdict.pred_path):
                counts.added[field] += 1
                seen.extra[document, "", field].setdefault(run.name, value)
            continue
        tally = counts.substituted if verdict.verdict == SUBSTITUTION else counts.missed
        tally[field] += 1
        place = document, str(verdict.gold_path)
        seen.wrong[place][run.name] = value
        seen.values.setdefault(
            place,
            GoldValue(
                document, place[1], field, str(verdict.gold), str(verdict.gold_read), problem=None
            ),
        )
    for id in ids:
        seen.documents.setdefault(id, GoldDocument(None, layout))
    for field in seen.fields:
        wrong = counts.substituted[field] + counts.missed[field]
        # how often a field was right is not kept: once a document is a fair guess
        counts.right[field] = max(0, len(ids) - wrong)
        counts.bare_slots[field] = len(ids)


# --- places in trees -----------------------------------------------------------------------


def tree_path(document: GoldDocument, path: str, field: str) -> str:
    """Return where in gold's tree a value stands that reports name by a path.

    They differ where keys are aliases, where objects are sections, and for columns.
    """
    steps = resolve(document.tree, path)
    if steps is not None or document.tree is None:
        return path
    indices = tuple(map(int, re.findall(r"\[(\d+)\]", path)))
    first = None
    for name, rows, place in leaf_places(document.tree, document.layout.root):
        if name == field and rows == indices[: len(rows)] and len(indices) - len(rows) < 2:
            # of several values in a list, the one of this position
            if len(rows) == len(indices) or place.endswith(f"[{indices[-1]}]"):
                return place
            first = place if first is None else first
    return path if first is None else first


def leaf_places(
    node: object, shape: BoundGroup, rows: tuple[int, ...] = (), at: str = ""
) -> Iterator[tuple[str, tuple[int, ...], str]]:
    """Yield the field, the rows around it and the path of every value of a tree."""
    if not isinstance(node, Mapping) or len(rows) > DEEPEST or at.count(".") > DEEPEST:
        return
    for key, raw in node.items():
        member = shape.members[str(key)]
        place = f"{at}.{key}" if at else str(key)
        items = raw if isinstance(raw, list) else [raw]
        column = None if member.column is None else member.column[1].path
        for number, item in enumerate(items):
            inside = f"{place}[{number}]" if isinstance(raw, list) else place
            if isinstance(item, Mapping) and (member.is_group or not is_leaf(item)):
                section = member.group.spec.section or not isinstance(raw, list)
                below = rows if section else (*rows, number)
                yield from leaf_places(item, member.group, below, inside)
            elif column is not None:
                yield column, (*rows, number), inside
            else:
                yield member.path, rows, inside
