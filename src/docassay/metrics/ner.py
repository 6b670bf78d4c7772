"""`ner`: transcription and tagging of entities on noisy text, with and without reading order.

Error rates, Nerval and bags of words and entities (Villanova-Aparisi, Tarride et al., 2024), all of
them overall and by category. The statistics live in `ner_counts`, the readouts in `ner_readouts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError, UnknownName
from docassay.metrics import Context, Flaw, Readout, Totals, metric
from docassay.metrics.ner_counts import NER_PARTS, Settings, statistics
from docassay.metrics.ner_readouts import TABLES, readouts
from docassay.metrics.ner_sequence import sequence_of
from docassay.metrics.sides import Side
from docassay.model.stats import PARTS, Stats

if TYPE_CHECKING:
    from docassay.case import Case


@cache
def settings_of(
    *,
    threshold: float = 0.3,
    thresholds: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    max_chars: int = 200_000,
    max_pairs: int = 50_000_000,
) -> Settings:
    """Return checked settings; an unknown part, or a threshold that is no ratio, is an error."""
    for name in only:
        if name not in NER_PARTS:
            raise UnknownName("part of ner", name, NER_PARTS, where="ner.only")
    ratios = (_ratio(str(threshold)), *map(_ratio, _further(thresholds)))
    parts = tuple(name for name in NER_PARTS if not only or name in only)
    return Settings(tuple(int(one * PARTS) for one in ratios), parts, max_chars, max_pairs)


def _further(thresholds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in thresholds if one))


def _ratio(given: str) -> Decimal:
    try:
        ratio = Decimal(given)
    except InvalidOperation:
        ratio = Decimal(-1)
    if not 0 <= ratio <= 1:
        raise ConfigurationError(
            f"{given} is no threshold", where="ner", hint="a ratio from 0 to 1: 0.3 is 30 %"
        )
    return ratio


def suffix_of(given: str) -> str:
    """Return how readouts of a further threshold end: `_at_10`, `_at_12_5`."""
    return "_at_" + f"{(_ratio(given) * 100).normalize():f}".replace(".", "_")


def _readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    options = context.options
    only, thresholds = options["only"], options["thresholds"]
    assert isinstance(only, tuple)
    assert isinstance(thresholds, tuple)
    parts = settings_of(only=only).parts
    suffixes = ("", *map(suffix_of, _further(thresholds)))
    return readouts(totals, context, parts, suffixes)


def _flaws(stats: Stats) -> Iterator[Flaw]:
    if stats["documents"][""][1]:
        counted = ", ".join(name for name in NER_PARTS if name in stats) or "nothing"
        yield Flaw(f"too long for ner.max_chars or ner.max_pairs; it counts only in {counted}")


def _check(*, macro: bool, **options: object) -> None:
    settings_of(**options)


@metric("ner", version=1, tables=TABLES, readouts=_readouts, flaws=_flaws, check=_check)
def ner(
    case: Case,
    *,
    threshold: float = 0.3,
    thresholds: tuple[str, ...] = (),
    macro: bool = False,
    only: tuple[str, ...] = (),
    max_chars: int = 200_000,
    max_pairs: int = 50_000_000,
) -> Stats:
    """Entities on noisy text: error rates, Nerval and bags, with and without reading order."""
    settings = settings_of(
        threshold=threshold,
        thresholds=thresholds,
        only=only,
        max_chars=max_chars,
        max_pairs=max_pairs,
    )
    gold = sequence_of(case.gold.tree, case.layout, side=Side(gold=True))
    pred = sequence_of(case.pred.tree, case.layout, side=Side(False, case.unlisted))
    return statistics(gold, pred, settings)
