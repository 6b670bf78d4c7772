"""The metric `vrdu_official`: the numbers of the toolkit released with the VRDU benchmark.

It counts by exact name: gold's items in order each take the first extraction that matches, which
is not used up by that. Three whole numbers a name carry all that the toolkit keeps. Where it
departs from the paper, this metric departs with it; docs/reference/vrdu.md names each such place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from docassay.compat.vrdu.items import (
    Extracted,
    Flaws,
    Labelled,
    Meta,
    Name,
    extract_tree,
    label_tree,
    meta_of_trees,
    read_annotations,
    read_meta,
    read_results,
    shown,
)
from docassay.load.formats.vrdu import VrduDocument
from docassay.metrics.metric import Context, Flaw, Readout, Totals, metric
from docassay.model.problem import ProblemCode
from docassay.model.report import ReadoutSpec, SupportColumn, hidden
from docassay.model.stats import Counts, Stats, text_table

if TYPE_CHECKING:
    from docassay.matching.case import Case

TABLES = {
    "counts": ("correct", "gold", "extracted"),
    "names": ("unrepeated", "repeated", "hierarchical", "place"),
    "flaws": ("items",),
}
"""Counts by name; the documents in which a name has a role, and its place in the meta.json."""
ZEROS = (0, 0, 0)
Item = TypeVar("Item", Labelled, Extracted)


class Counted(NamedTuple):
    """What a document adds: correct, gold and extracted items by name, and what was flawed."""

    names: Mapping[str, Counts]
    flaws: Flaws


def count(annotations: object, results: object, meta: Mapping[str, object]) -> Counted:
    """Count a document from the JSON lists of the benchmark's files and its meta.json."""
    flaws: Flaws = Counter()
    description = read_meta(meta)
    gold = read_annotations(annotations, flaws)
    return count_items(gold, read_results(results, flaws), description, flaws)


def count_items(
    gold: Sequence[Labelled], pred: Sequence[Extracted], meta: Meta, flaws: Flaws
) -> Counted:
    """Count the items of a document by the name they belong to."""
    extractions = first_of_unrepeated(pred, meta.unrepeated)
    for names in meta.hierarchical.values():
        extractions = grouped(extractions, names)
    refs, preds = _by_name(gold), _by_name(extractions)
    counts: dict[str, Counts] = {}
    for name in refs | preds:
        owner = meta.owner(name)
        if owner is None:
            flaws[f"gold has components of no one name, {shown(name)}: left out"] += len(refs[name])
            continue
        name_counts = _match(name, refs.get(name, []), preds.get(name, []), meta, flaws)
        counts[owner] = _sum((counts.get(owner, ZEROS), name_counts))
    return Counted(counts, flaws)


def first_of_unrepeated(items: Iterable[Extracted], names: Iterable[str]) -> list[Extracted]:
    """Return the extractions without those that come again for an unrepeated name."""
    single = frozenset(names)
    kept: list[Extracted] = []
    seen: set[Name] = set()
    for item in items:
        if item.name not in single or item.name not in seen:
            kept.append(item)
        seen.add(item.name)
    return kept


def grouped(items: Sequence[Extracted], names: Sequence[str]) -> list[Extracted]:
    """Put components together in list order, anew where a name comes again, behind all the rest."""
    groups: list[list[Extracted]] = []
    seen: set[Name] = set()
    for item in items:
        if item.name not in names:
            continue
        if not groups or item.name in seen:
            groups.append([])
            seen = set()
        groups[-1].append(item)
        seen.add(item.name)
    return [item for item in items if item.name not in names] + [
        Extracted(
            tuple(str(component.name) for component in group),
            tuple(text for component in group for text in component.texts),
            tuple(component.whole for component in group),
        )
        for group in groups
    ]


def _by_name(items: Iterable[Item]) -> dict[Name, list[Item]]:
    items_by_name: dict[Name, list[Item]] = {}
    for item in items:
        items_by_name.setdefault(item.name, []).append(item)
    return items_by_name


def _match(
    name: Name, gold: Sequence[Labelled], pred: Sequence[Extracted], meta: Meta, flaws: Flaws
) -> Counts:
    """Count the items of one exact name."""
    matched: set[object] = set()
    broken: set[int] = set()
    correct = 0
    for item in gold:
        for at, extraction in enumerate(pred):
            fits = _fits(name, item.texts, extraction.texts, meta)
            if fits is None:
                broken.add(at)
            elif fits:
                correct += 1
                matched.add(extraction.whole)
                break
    if broken:
        flaws[f"pred has a value of {shown(name)} that is no text: left out"] += len(broken)
    left = [unit for at, unit in enumerate(pred) if at not in broken and unit.whole not in matched]
    return correct, len(gold), correct + len(left)


def _fits(
    name: Name, gold: tuple[str, ...], pred: tuple[str | None, ...], meta: Meta
) -> bool | None:
    """Whether an extraction matches an item; None when a text that it lacks would decide."""
    if isinstance(name, str):
        function, (text,) = meta.function(name), pred
        if text is None:
            return None if gold else False
        return any(function.accepts(candidate, text) for candidate in gold)
    # where gold has not as many texts as names, the toolkit compares what there is
    for part, gold_text, pred_text in zip(name, gold, pred, strict=False):
        if pred_text is None:
            return None
        if not meta.function(part).accepts(gold_text, pred_text):
            return False
    return True


def _sum(rows: Iterable[Counts]) -> Counts:
    return tuple(map(sum, zip(ZEROS, *rows, strict=True)))


RATES = ("precision", "recall", "f1")


class Rates(NamedTuple):
    """Precision, recall and F1, with the toolkit's order of checks: none of them is undefined."""

    precision: float
    recall: float
    f1: float


def rates(correct: int, gold: int, extracted: int) -> Rates:
    """Return the rates of counts."""
    if extracted == 0:
        return Rates(0.0, 0.0, 0.0)
    if gold == 0:
        return Rates(0.0, 1.0, 0.0)
    if correct == 0:
        return Rates(0.0, 0.0, 0.0)
    precision, recall = correct / extracted, correct / gold
    # from precision and recall, not from counts: equal to the toolkit's to the last digit
    return Rates(precision, recall, 2 * precision * recall / (precision + recall))


NAME = "name"
SPECS = (
    ReadoutSpec("f1", NAME, label="official F1", column=60),
    ReadoutSpec("recall", NAME, column=None, support=SupportColumn(41, "gold")),
    ReadoutSpec("micro_f1", NAME, label="official F1", column=61),
    *hidden("precision", kind=NAME, unit="share"),
    *hidden("tp", "fp", "fn", kind=NAME),
    *hidden(
        *("micro_precision", "micro_recall"),
        *(f"{part}_{name}" for part in ("macro", "unrepeated", "hierarchical") for name in RATES),
        kind=NAME,
        unit="share",
    ),
)


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield the micro, macro, unrepeated and hierarchical readouts, then those of each name."""
    counts = text_table(totals, "counts")
    unrepeated, repeated, hierarchical = _roles(text_table(totals, "names"))
    names = [*unrepeated, *repeated, *hierarchical]
    yield from _read("micro_", "", _sum(counts.values()))
    yield from _macro([rates(*counts.get(name, ZEROS)) for name in names])
    yield from _read("unrepeated_", "", _of(counts, unrepeated))
    if hierarchical:
        yield from _read("hierarchical_", "", _of(counts, hierarchical))
    else:
        yield from (Readout(f"hierarchical_{name}", "", None, 0) for name in Rates._fields)
    yield from _amounts("", _sum(counts.values()))
    for name in dict.fromkeys(names):
        yield from _read("", name, counts.get(name, ZEROS))
        yield from _amounts(name, counts.get(name, ZEROS))


def _roles(rows: Mapping[str, Counts]) -> tuple[list[str], list[str], list[str]]:
    """Return the names by role, in the order of the meta.json, in which the toolkit adds up."""
    unrepeated, repeated, hierarchical = [], [], []
    for name, (single, several, whole, _) in sorted(rows.items(), key=_place):
        # where no schema says so, a name is repeated if any document has it several times
        if several:
            repeated.append(name)
        elif single:
            unrepeated.append(name)
        if whole:
            hierarchical.append(name)
    return unrepeated, repeated, hierarchical


def _place(row: tuple[str, Counts]) -> tuple[int, str]:
    name, (*_, place) = row
    return place, name


def _of(counts: Mapping[str, Counts], names: Iterable[str]) -> Counts:
    return _sum(counts.get(name, ZEROS) for name in names)


def _macro(found: Sequence[Rates]) -> Iterator[Readout]:
    for at, name in enumerate(Rates._fields):
        # without any name the toolkit stops on a division by zero
        value = sum(row[at] for row in found) / len(found) if found else None
        yield Readout(f"macro_{name}", "", value, len(found))


def _read(prefix: str, key: str, counts: Counts) -> Iterator[Readout]:
    _, gold, extracted = counts
    for name, value in rates(*counts)._asdict().items():
        yield Readout(f"{prefix}{name}", key, value, extracted if name == "precision" else gold)


def _amounts(key: str, counts: Counts) -> Iterator[Readout]:
    correct, gold, extracted = counts
    for name, amount in (("tp", correct), ("fp", extracted - correct), ("fn", gold - correct)):
        yield Readout(name, key, amount, gold)


def _flaws(stats: Stats) -> Iterator[Flaw]:
    for message, (items,) in text_table(stats, "flaws").items():
        side = message.partition(" ")[0]  # every message begins with it
        shown = message if items == 1 else f"{message} ({items} times)"
        yield Flaw(shown, side, ProblemCode.METRIC_INPUT)


def tables(counted: Counted, meta: Meta) -> Stats:
    """Return the statistics of a document, with every name that the macro averages go over."""
    names: dict[str, tuple[int, ...]] = {}
    roles = (meta.unrepeated, meta.repeated, tuple(meta.hierarchical))
    for role, members in enumerate(roles):
        for name in members:
            flags = [*names.get(name, ZEROS)[:3]]
            flags[role] = 1
            names[name] = (*flags, len(names))
    return {
        "counts": counted.names,
        "names": names,
        "flaws": {message: (items,) for message, items in sorted(counted.flaws.items())},
    }


@metric(
    "vrdu_official",
    version=1,
    tables=TABLES,
    readouts=readouts,
    specs=SPECS,
    kind=NAME,
    flaws=_flaws,
)
def vrdu_official(case: Case) -> Stats:
    """Count as the toolkit released with the VRDU benchmark does, quirks and all."""
    gold, pred = case.gold.tree, case.pred.tree
    flaws: Flaws = Counter()
    if isinstance(gold, VrduDocument) and gold.meta is not None:
        meta = read_meta(gold.meta)
    else:
        listed = isinstance(gold, VrduDocument) or isinstance(pred, VrduDocument)
        meta = meta_of_trees(case.layout, case.gold.root, case.pred.root, bare=listed)
    labelled = (
        read_annotations(gold.items_as_found, flaws)
        if isinstance(gold, VrduDocument)
        else label_tree(case.gold.root, meta)
    )
    extracted = (
        read_results(pred.items_as_found, flaws)
        if isinstance(pred, VrduDocument)
        else extract_tree(case.pred.root, meta)
    )
    return tables(count_items(labelled, extracted, meta, flaws), meta)
