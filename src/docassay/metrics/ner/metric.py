"""`ner`: transcription and tagging of entities on noisy text, with and without reading order.

Error rates, Nerval and bags of words and entities (Villanova-Aparisi, Tarride et al., 2024), all of
them overall and by category. The statistics live in `counts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.metrics.metric import Context, Flaw, Readout, Totals, metric
from docassay.metrics.ner.counts import NER_PARTS, NerSettings, statistics
from docassay.metrics.sides import Side
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, SEPARATOR, Block, TaggedText
from docassay.model.report import LOWER, RATE, ReadoutSpec, SupportColumn, hidden
from docassay.model.stats import PARTS, Counts, Stats, f1, mean, ratio, text_table
from docassay.schema.layout import BoundGroup, Layout, Member
from docassay.schema.reading import ALTERNATIVES_KEYS
from docassay.values.field import BoundField

if TYPE_CHECKING:
    from docassay.matching.case import Case


Blocks = tuple[Block, ...]


def sequence_of(tree: object, layout: Layout, *, side: Side) -> Blocks:
    """Return the blocks of a document; one that is no object has none."""
    if isinstance(tree, TaggedText):
        return tree.blocks
    if not isinstance(tree, Mapping):
        return ()
    return tuple(_members(tree, layout.root, side, 0))


def _members(
    node: Mapping[str, object], shape: BoundGroup, side: Side, depth: int
) -> Iterator[Block]:
    for key, raw in node.items():
        member = shape.members[str(key)]
        if side.passes_over(member, raw):
            continue
        splits = member.splits
        if member.column is not None and not isinstance(raw, Mapping):
            group, field = member.column
            member, splits = group.members[field.path], True
        if isinstance(raw, str) and splits and SEPARATOR in raw:
            raw = raw.split(SEPARATOR)
        yield from _values(raw, member, side, depth)


def _values(raw: object, member: Member, side: Side, depth: int) -> Iterator[Block]:
    if not isinstance(raw, Mapping | list | tuple):
        text = _text(raw, member.field)
        if text is not None:
            yield Block(member.path, text)
    elif depth >= MAX_DEPTH:
        return
    elif not isinstance(raw, Mapping):
        for item in raw:
            yield from _values(item, member, side, depth + 1)
    elif member.owner.layout.calls_group(member.path):
        yield from _members(raw, member.group, side, depth + 1)
    elif "value" in raw and LEAF_KEYS.issuperset(raw):
        value = raw["value"]
        if isinstance(value, str) and member.splits and SEPARATOR in value:
            value = value.split(SEPARATOR)
        yield from _values(value, member, side, depth + 1)
    elif "any_of" in raw and ALTERNATIVES_KEYS.issuperset(raw):
        yield from _alternatives(raw["any_of"], member, side)
    else:
        yield from _members(raw, member.group, side, depth + 1)


def _alternatives(given: object, member: Member, side: Side) -> Iterator[Block]:
    items = given if isinstance(given, list | tuple) else [given]
    plain = (item for item in items if not isinstance(item, Mapping | list | tuple))
    texts = [text for item in plain if (text := _text(item, member.field)) is not None]
    if texts:
        yield Block(member.path, texts[0], tuple(texts[1:]) if side.gold else ())


def _text(raw: object, field: BoundField) -> str | None:
    """Return a leaf's text with white space collapsed, None when it means "no value"."""
    if raw is None:
        return None
    text = ("true" if raw else "false") if isinstance(raw, bool) else str(raw)
    return None if field.readings[text] is None else " ".join(text.split())


_GOLD = SupportColumn(1, "gold")
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


CATEGORY = "category"
_ERRORS = (("cer", "CER", 10), ("ecer", "ECER", 20), ("oiecer", "OIECER", 30))
_RIGHT = (("nerval", "Nerval F1", 40), ("oinerval", "OINerval F1", 50), ("be", "entities F1", 60))
_SCORES = ("precision", "recall", "f1")
SPECS = (
    *(
        ReadoutSpec(
            *(name, CATEGORY, RATE, LOWER, label, place, _GOLD if name == "oiecer" else None),
            ordered="ecer" if name == "oiecer" else "",
        )
        for name, label, place in _ERRORS
    ),
    *(
        ReadoutSpec(
            *(f"{name}_f1", CATEGORY),
            label=label,
            column=place,
            ordered="nerval_f1" if name == "oinerval" else "",
        )
        for name, label, place in _RIGHT
    ),
    *(
        ReadoutSpec(
            f"oinerval_{name}", CATEGORY, label=f"oinerval {name}", ordered=f"nerval_{name}"
        )
        for name in ("precision", "recall")
    ),
    ReadoutSpec("be_recall", CATEGORY, column=None, support=SupportColumn(2, "gold")),
    *(
        ReadoutSpec(
            *(name, CATEGORY, RATE, LOWER),
            column=None,
            ordered="ewer" if name == "oiewer" else "",
        )
        for name in ("wer", "ewer", "oiewer", "btwer", "beer", "bwer")
    ),
    ReadoutSpec("iehhr", CATEGORY, column=None),
    *(
        ReadoutSpec(f"macro_{name}", CATEGORY, RATE, LOWER, column=None)
        for name in ("cer", "wer", "ecer", "ewer", "oiecer", "oiewer", "btwer", "beer", "bwer")
    ),
    *hidden("documents_too_long", kind=CATEGORY),
)


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
    keys = sorted({key for part in parts for key in text_table(totals, part) if key})

    def values(key: str) -> Iterator[Value]:
        for part in parts:
            size = width if part in MATCHES else len(TABLES[part])
            counts = text_table(totals, part).get(key, (0,) * size)
            yield from _READ[part](part, counts, suffixes)

    for name, value, support in values(""):
        yield Readout(name, "", value, support)
    by_key = {key: list(values(key)) for key in keys}
    if context.options["macro"]:
        yield from _macro(list(values("")), list(by_key.values()))
    documents = text_table(totals, "documents").get("", (0, 0))
    yield Readout("documents_too_long", "", documents[1], documents[0])
    for key, rows in by_key.items():
        for name, value, support in rows:
            yield Readout(name, key, value, support)


def _macro(overall: list[Value], by_key: list[list[Value]]) -> Iterator[Readout]:
    for place, total in enumerate(overall):
        column = [values[place].value for values in by_key]
        support = sum(value is not None for value in column)
        yield Readout(f"macro_{total.name}", "", mean(column), support)


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


@cache
def settings_of(
    *,
    threshold: float = 0.3,
    thresholds: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    max_chars: int = 200_000,
    max_pairs: int = 50_000_000,
) -> NerSettings:
    """Return checked settings; an unknown part, or a threshold that is no ratio, is an error."""
    for name in only:
        if name not in NER_PARTS:
            raise UnknownName("part of ner", name, NER_PARTS, where="ner.only")
    ratios = (_ratio(str(threshold)), *map(_ratio, _further(thresholds)))
    parts = tuple(name for name in NER_PARTS if not only or name in only)
    return NerSettings(tuple(int(limit * PARTS) for limit in ratios), parts, max_chars, max_pairs)


def _further(thresholds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(threshold for threshold in thresholds if threshold))


def _ratio(given: str) -> Decimal:
    try:
        ratio = Decimal(given)
    except InvalidOperation:
        ratio = Decimal(-1)
    if ratio.is_nan() or not 0 <= ratio <= 1:
        raise ConfigurationError(
            f"{given} is no threshold", where="ner", hint="a ratio from 0 to 1: 0.3 is 30 %"
        )
    return ratio


def suffix_of(given: str) -> str:
    """Return how readouts of a further threshold end: `_at_10`, `_at_12_5`."""
    return "_at_" + f"{(_ratio(given) * 100).normalize():f}".replace(".", "_")


def _readouts(totals: Totals, context: Context, *, macro: bool = False) -> Iterator[Readout]:
    options = context.options
    only, thresholds = options["only"], options["thresholds"]
    assert isinstance(only, tuple)
    assert isinstance(thresholds, tuple)
    parts = settings_of(only=only).parts
    suffixes = ("", *map(suffix_of, _further(thresholds)))
    return readouts(totals, context, parts, suffixes)


def _flaws(stats: Stats) -> Iterator[Flaw]:
    if text_table(stats, "documents")[""][1]:
        counted = ", ".join(name for name in NER_PARTS if name in stats) or "nothing"
        yield Flaw(f"too long for ner.max_chars or ner.max_pairs; it counts only in {counted}")


def _check(*, macro: bool, **options: object) -> None:
    settings_of(**options)


@metric(
    "ner",
    version=1,
    tables=TABLES,
    readouts=_readouts,
    specs=SPECS,
    kind=CATEGORY,
    flaws=_flaws,
    check=_check,
    alternatives={"threshold": (0.0, 0.2, 0.5)},
)
def ner(
    case: Case,
    *,
    threshold: float = 0.3,
    thresholds: tuple[str, ...] = (),
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
