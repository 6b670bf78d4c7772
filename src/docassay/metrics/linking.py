"""`linking`: F1 of links between values, such as those from questions to answers.

A link is an ordered pair of values, and right when gold has a link between the same values. Values
are the same when they have one field and equal texts; where several have, and boxes say where they
stand, those that overlap most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from docassay.load.links import End, Link, LinkList, links_beside
from docassay.matching.overlap import BoxPlace, overlaps
from docassay.metrics.metric import (
    GOLD,
    LINKS,
    Context,
    Flaw,
    Readout,
    Totals,
    View,
    metric,
)
from docassay.model.problem import ProblemCode
from docassay.model.report import COUNT, HeadlineLine, ReadoutSpec, Section, SupportColumn, hidden
from docassay.model.stats import Stats, f1, ratio, text_table, total
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.matching.case import Case

COLUMNS = ("tp", "fp", "fn")
RELATION = "relation"
SPECS = (
    ReadoutSpec("f1", RELATION, label="link F1", column=10, support=SupportColumn(20, "links")),
    ReadoutSpec("precision", RELATION, label="precision", column=11),
    ReadoutSpec("recall", RELATION, label="recall", column=12),
    ReadoutSpec("tp", RELATION, unit=COUNT, label="right", column=21),
    *hidden("fp", "fn", kind=RELATION),
)


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield F1 of links."""
    scores = view.overall()
    if scores["f1"].value is not None:
        right, links = number(scores["tp"].value), count(scores["recall"].support, "gold link")
        yield HeadlineLine("link F1", "f1", f"{right} of {links} found", 60)


def sections(view: View) -> Iterator[Section]:
    """Yield a word on documents that state no links."""
    if view.overall()["f1"].value is None:
        yield Section("Links", ("Neither gold nor pred states links between values.",))


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield precision, recall and F1, overall and by kind of relation."""
    kinds = text_table(totals, "kinds")
    yield from _of("", *total(kinds.values(), len(COLUMNS)))
    for kind, counts in kinds.items():
        yield from _of(kind, *counts)


def _of(key: str, tp: int, fp: int, fn: int) -> Iterator[Readout]:
    yield Readout("precision", key, ratio(tp, tp + fp), tp + fp)
    yield Readout("recall", key, ratio(tp, tp + fn), tp + fn)
    yield Readout("f1", key, f1(tp, fp, fn), tp + fn)
    for name, amount in zip(COLUMNS, (tp, fp, fn), strict=True):
        yield Readout(name, key, amount, tp + fn)


def flaws(stats: Stats) -> Iterator[Flaw]:
    """Yield how many links name values that are not there."""
    for side, (broken,) in text_table(stats, "broken").items():
        message = f"{count(broken, 'link')} between values that are not there: left out"
        yield Flaw(message, side, ProblemCode.METRIC_INPUT)


@metric(
    "linking",
    version=1,
    tables={"kinds": COLUMNS, "broken": ("links",)},
    readouts=readouts,
    specs=SPECS,
    kind=RELATION,
    flaws=flaws,
    headline=headline,
    sections=sections,
    needs=(GOLD, LINKS),
)
def linking(case: Case) -> Stats:
    """Precision, recall and F1 of links between values, overall and by kind of relation."""
    origin = case.origin
    records = (None, None) if origin is None else (origin.gold, origin.pred)
    gold, pred = map(links_beside, records)
    names = _names(case, gold, pred)
    golds, preds = (
        Counter(_named(link, names[side]) for link in links.links)
        for side, links in enumerate((gold, pred))
    )
    right = golds & preds
    kinds = {
        kind: tuple(
            sum(times for (_, _, own), times in links.items() if own == kind)
            for links in (right, preds - golds, golds - preds)
        )
        for kind in sorted({link.kind for links in (gold, pred) for link in links.links})
    }
    sides = (("gold", gold.broken), ("pred", pred.broken))
    return {"kinds": kinds, "broken": {side: (broken,) for side, broken in sides if broken}}


Name = tuple[object, ...]
Names = dict[End, Name]


def _named(link: Link, names: Names) -> tuple[Name, Name, str]:
    return names[link.head], names[link.tail], link.kind


def _names(case: Case, gold: LinkList, pred: LinkList) -> tuple[Names, Names]:
    """Return a name for each end of a link, the same for the same value of gold and pred."""
    sides: tuple[Names, Names] = ({}, {})
    alike: dict[Name, tuple[list[End], list[End]]] = {}
    for side, links in enumerate((gold, pred)):
        ends = dict.fromkeys(end for link in links.links for end in (link.head, link.tail))
        for end in ends:
            alike.setdefault(_content(case, end), ([], []))[side].append(end)
    for name, (golds, preds) in alike.items():
        lone = len(golds) <= 1 and len(preds) <= 1
        if lone or any(end.box is None for end in (*golds, *preds)):
            sides[0].update(dict.fromkeys(golds, name))
            sides[1].update(dict.fromkeys(preds, name))
            continue
        pairs = _nearest(golds, preds)
        for number_, end in enumerate(golds):
            sides[0][end] = (*name, number_)
        for number_, end in enumerate(preds):
            sides[1][end] = (*name, pairs.get(number_, f"pred {number_}"))
    return sides


def _content(case: Case, end: End) -> Name:
    reading = case.layout.field(end.field).readings[end.text]
    key = None if reading is None else reading.key
    return end.field, " ".join(end.text.split()) if key is None else key


def _nearest(golds: Sequence[End], preds: Sequence[End]) -> dict[int, int]:
    """Return which gold value each predicted one stands for: those that overlap most go first."""
    places = [[BoxPlace(end.box or (), None) for end in ends] for ends in (golds, preds)]
    shares = sorted(
        (-share, golds[i].box, preds[j].box, i, j)
        for i, row in enumerate(overlaps(*places))
        for j, share in row.items()
    )
    pairs: dict[int, int] = {}
    for *_, i, j in shares:
        if j not in pairs and i not in pairs.values():
            pairs[j] = i
    return pairs
