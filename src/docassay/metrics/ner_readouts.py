"""The readouts of `ner`: rates and scores from summed statistics, overall and by category."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from docassay.metrics import Context, Readout, Totals
from docassay.model.stats import PARTS, Counts, f1, mean, ratio

MATCHES = ("nerval", "oinerval")
BAGS = {"bt": "btwer", "be": "beer", "bow": "bwer"}
TABLES = {
    "cer": ("char_errors", "chars", "word_errors", "words"),
    "ecer": ("gold", "ecer", "ewer"),
    "oiecer": ("gold", "oiecer", "oiewer"),
    "nerval": ("gold", "pred", "matched"),
    "oinerval": ("gold", "pred", "matched"),
    "bt": ("gold", "pred", "equal", "errors"),
    "be": ("gold", "pred", "equal", "errors"),
    "bow": ("gold", "pred", "equal", "errors"),
    "iehhr": ("gold", "iehhr"),
    "documents": ("documents", "too_long"),
}
"""Columns of each table; `matched` is repeated for every further threshold. Costs are parts."""


class Value(NamedTuple):
    """A readout without its key."""

    name: str
    value: float | None
    support: int


def readouts(
    totals: Totals, context: Context, parts: tuple[str, ...], suffixes: tuple[str, ...]
) -> Iterator[Readout]:
    """Yield every readout of the chosen parts, overall and by category."""
    width = 2 + len(suffixes)
    keys = sorted({key for part in parts for key in totals.get(part, {}) if key})

    def values(key: str) -> Iterator[Value]:
        for part in parts:
            size = width if part in MATCHES else len(TABLES[part])
            counts = totals.get(part, {}).get(key, (0,) * size)
            yield from _READ[part](part, counts, suffixes)

    for name, value, support in values(""):
        yield Readout(name, "", value, support)
    by_key = {key: list(values(key)) for key in keys}
    if context.options["macro"]:
        yield from _macro(list(values("")), list(by_key.values()))
    documents = totals.get("documents", {}).get("", (0, 0))
    yield Readout("documents_too_long", "", documents[1], documents[0])
    for key, found in by_key.items():
        for name, value, support in found:
            yield Readout(name, key, value, support)


def _macro(overall: list[Value], by_key: list[list[Value]]) -> Iterator[Readout]:
    for place, one in enumerate(overall):
        column = [values[place].value for values in by_key]
        support = sum(value is not None for value in column)
        yield Readout(f"macro_{one.name}", "", mean(column), support)


def _texts(_: str, counts: Counts, __: tuple[str, ...]) -> Iterator[Value]:
    char_errors, chars, word_errors, words = counts
    yield Value("cer", ratio(char_errors, chars), chars)
    yield Value("wer", ratio(word_errors, words), words)


def _costs(part: str, counts: Counts, _: tuple[str, ...]) -> Iterator[Value]:
    gold, *costs = counts
    for name, cost in zip(TABLES[part][1:], costs, strict=True):
        yield Value(name, ratio(cost, gold * PARTS), gold)


def _matches(part: str, counts: Counts, suffixes: tuple[str, ...]) -> Iterator[Value]:
    gold, pred, *matched = counts
    for suffix, equal in zip(suffixes, matched, strict=True):
        yield from _scores(part, suffix, gold, pred, equal)


def _scores(part: str, suffix: str, gold: int, pred: int, equal: int) -> Iterator[Value]:
    yield Value(f"{part}_precision{suffix}", ratio(equal, pred), pred)
    yield Value(f"{part}_recall{suffix}", ratio(equal, gold), gold)
    yield Value(f"{part}_f1{suffix}", f1(equal, pred - equal, gold - equal), gold)


def _bag(part: str, counts: Counts, _: tuple[str, ...]) -> Iterator[Value]:
    gold, pred, equal, errors = counts
    yield Value(BAGS[part], ratio(errors, gold), gold)
    yield from _scores(part, "", gold, pred, equal)


_READ: dict[str, Callable[[str, Counts, tuple[str, ...]], Iterator[Value]]] = {
    "cer": _texts,
    "ecer": _costs,
    "oiecer": _costs,
    "nerval": _matches,
    "oinerval": _matches,
    "bt": _bag,
    "be": _bag,
    "bow": _bag,
    "iehhr": _costs,
}
