"""`vrdu`: items matched by type and by how often they may occur (VRDU, KDD 2023, 4.4 and 4.5).

A name is unrepeated (one item a document, whichever of gold's instances it equals), repeated (items
pair one to one) or hierarchical (a row is one item, right when all of it is right). `grouping_loss`
is the share of what is lost on rows that grouping the same values better would win back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from docassay.metrics.metric import Context, Readout, Totals, metric
from docassay.model.report import LOWER, ReadoutSpec, SupportColumn, hidden
from docassay.model.stats import Counts, Stats, f1, mean, ratio, text_table, total

if TYPE_CHECKING:
    from docassay.matching.case import Case
    from docassay.matching.groups import Matcher
    from docassay.model.document import Group, Reading

ITEMS = ("tp", "fp", "fn")
ROWS = (*ITEMS, "regrouped_tp", "regrouped_fp")
RATES = ("precision", "recall", "f1")
KINDS = ("unrepeated", "repeated", "hierarchical")


NAME = "name"
"""Of a field, or of a group whose rows are items."""
SPECS = (
    ReadoutSpec("f1", NAME, label="vrdu F1", column=10),
    ReadoutSpec("precision", NAME, label="precision", column=20),
    ReadoutSpec("recall", NAME, label="recall", column=30, support=SupportColumn(40, "gold")),
    ReadoutSpec("grouping_loss", NAME, better=LOWER, label="grouping loss", column=50),
    ReadoutSpec("micro_f1", NAME, label="vrdu F1", column=11),
    *hidden(
        *("micro_precision", "micro_recall", "macro_precision", "macro_recall", "macro_f1"),
        *(f"{kind}_{name}" for kind in ("unrepeated", "hierarchical") for name in RATES),
        kind=NAME,
        unit="share",
    ),
    *hidden("names_undefined", kind=NAME),
)


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield micro, macro, unrepeated and hierarchical readouts, then those of each name."""
    tables = {kind: text_table(totals, kind) for kind in KINDS}
    every = [counts[:3] for table in tables.values() for counts in table.values()]
    names = sorted({name for table in tables.values() for name in table})
    of_name = {
        name: total((table[name][:3] for table in tables.values() if name in table), len(ITEMS))
        for name in names
    }
    yield from _scores("micro_", "", total(every, len(ITEMS)))
    yield Readout(
        "macro_precision", "", mean(_precision(*row) for row in of_name.values()), len(names)
    )
    yield Readout("macro_recall", "", mean(_recall(*row) for row in of_name.values()), len(names))
    yield Readout("macro_f1", "", mean(f1(*row) for row in of_name.values()), len(names))
    left_out = _known_names(context) - {*names}
    yield Readout("names_undefined", "", len(left_out), len(left_out) + len(names))
    yield from _scores("unrepeated_", "", total(tables["unrepeated"].values(), len(ITEMS)))
    rows = total(tables["hierarchical"].values(), len(ROWS))
    yield from _scores("hierarchical_", "", rows[:3])
    yield _grouping_loss("", rows)
    for name in names:
        yield from _scores("", name, of_name[name])
        if name in tables["hierarchical"]:
            yield _grouping_loss(name, tables["hierarchical"][name])


def _known_names(context: Context) -> set[str]:
    """Return the names that the schema counts on: its fields, and its groups as items."""
    schema = context.schema
    if schema is None:
        return set()
    groups = {group.path for group in schema.groups if not group.section}
    return groups | {field.path for field in schema.fields}


def _precision(tp: int, fp: int, _: int) -> float | None:
    return ratio(tp, tp + fp)


def _recall(tp: int, _: int, fn: int) -> float | None:
    return ratio(tp, tp + fn)


def _scores(prefix: str, key: str, counts: Counts) -> Iterator[Readout]:
    tp, fp, fn = counts
    yield Readout(f"{prefix}precision", key, _precision(*counts), tp + fp)
    yield Readout(f"{prefix}recall", key, _recall(*counts), tp + fn)
    yield Readout(f"{prefix}f1", key, f1(*counts), tp + fn)


def _grouping_loss(key: str, counts: Counts) -> Readout:
    """Return the share of the loss on rows that the best regrouping would win back."""
    tp, fp, fn, best_tp, best_fp = counts
    now, best = f1(tp, fp, fn), f1(best_tp, best_fp, tp + fn - best_tp)
    loss = None if now is None or best is None or now == 1 else (best - now) / (1 - now)
    return Readout("grouping_loss", key, loss, tp + fn)


@metric(
    "vrdu",
    version=1,
    tables={"unrepeated": ITEMS, "repeated": ITEMS, "hierarchical": ROWS},
    readouts=readouts,
    specs=SPECS,
    kind=NAME,
)
def vrdu(case: Case) -> Stats:
    """VRDU: items right by type, unrepeated, repeated and whole rows; loss due to grouping."""
    gold, pred = case.gold.root, case.pred.root
    matcher = case.matching().matcher
    tables: dict[str, dict[str, Counts]] = {kind: {} for kind in KINDS}
    for path in {**gold.values, **pred.values}:
        golds, preds = gold.values.get(path, ()), pred.values.get(path, ())
        repeated = case.layout.field(path).spec.repeated
        if repeated or (repeated is None and (len(golds) > 1 or len(preds) > 1)):
            tp = len(matcher.links(path, gold, pred))
            tables["repeated"][path] = (tp, len(preds) - tp, len(golds) - tp)
        else:
            tables["unrepeated"][path] = _unrepeated(case, path, golds, preds)
    for path in {**gold.groups, **pred.groups}:
        rows = _rows(matcher, gold.groups.get(path, ()), pred.groups.get(path, ()))
        tables["hierarchical"][path] = rows
    return tables


def _unrepeated(
    case: Case, path: str, golds: Sequence[Reading], preds: Sequence[Reading]
) -> Counts:
    """Count the most confident prediction, the first when none is, against any gold instance."""
    if not preds:
        return (0, 0, 1)
    best = max(preds, key=lambda pred: -1.0 if pred.confidence is None else pred.confidence)
    field = case.layout.field(path)
    right = int(any(field.equal(gold, best) for gold in golds))
    return (right, 1 - right, int(bool(golds)) - right)


def _rows(matcher: Matcher, golds: Sequence[Group], preds: Sequence[Group]) -> Counts:
    from docassay.metrics.vrdu_rows import best_regrouping, right_rows

    tp = right_rows(matcher, golds, preds)
    counts = (tp, len(preds) - tp, len(golds) - tp)
    if not any(counts[1:]):
        return (*counts, *counts[:2])
    right, rows = best_regrouping(matcher, golds, preds)
    # more rows in all may cost more than the right ones among them win: then nothing is regrouped
    if rows - len(preds) > 2 * (right - tp):
        return (*counts, *counts[:2])
    return (*counts, right, rows - right)
