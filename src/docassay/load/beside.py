"""Beside the values: what a record says about its document, and which fields gold knows.

Processing time, tokens, cost and model are kept with a prediction and never scored. They stand in
`meta`, around the record, or under names of their own in a table or object; in the latter case a
name that gold or the schema has is a field like any other. `labelled` beside a gold record lists
the fields that somebody has labelled; what is not in it is unknown, not absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, islice
from math import isfinite
from typing import NamedTuple

from docassay.load.format import Record
from docassay.load.records import BESIDE_RECORD, Records, flaw
from docassay.model.document import SEPARATOR, Number
from docassay.model.problem import Problem, ProblemCode, Remark
from docassay.model.report import META_COLUMNS, MetaValue
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.schema.selection import PartialTree
from docassay.values.read.characters import shortened

LABELLED, META = "labelled", "meta"
TIME, PROMPT, COMPLETION, TOKENS = "processing_time", "prompt_tokens", "completion_tokens", "tokens"
COST, MODEL = "cost", "model"
STARTED, ENDED = "started", "ended"
LOOKED_AT = 200
"""How many gold documents are read ahead to learn the names of gold's fields."""

_TIMES = re.compile(
    r"(?P<name>processing_time|processing|latency|inference_time|response_time|extraction_time"
    r"|generation_time|elapsed_time|elapsed|runtime)(?:_in)?(?:_(?P<unit>ms|millis|milliseconds"
    r"|s|secs?|seconds|mins?|minutes))?"
)
_LOOSE_TIMES = re.compile(
    r"(?P<name>duration|time|total_time)(?:_(?P<unit>ms|milliseconds|s|secs?|seconds|minutes))?"
)
_COSTS = re.compile(r"(?:total_|api_)?costs?(?:_[a-z]{3})?")
_LOOSE_COSTS = re.compile(r"(?:total_)?price(?:_[a-z]{3})?")
_OF_TOKENS = {
    **dict.fromkeys(("prompt_tokens", "input_tokens", "tokens_in", "prompt_token_count"), PROMPT),
    **dict.fromkeys(("completion_tokens", "output_tokens", "tokens_out"), COMPLETION),
    **dict.fromkeys(("candidates_token_count", "completion_token_count"), COMPLETION),
    **dict.fromkeys(("tokens", "total_tokens", "token_count", "total_token_count"), TOKENS),
}
_INSIDE_TOKENS = {
    **_OF_TOKENS,
    **dict.fromkeys(("prompt", "input"), PROMPT),
    **dict.fromkeys(("completion", "output"), COMPLETION),
    "total": TOKENS,
}
_USAGES = frozenset({"tokens", "usage", "usage_metadata", "token_usage"})
_MODELS = frozenset({"model", "model_name", "model_id", "model_version"})
_MOMENTS = {
    **dict.fromkeys(("started", "started_at", "start_time"), STARTED),
    **dict.fromkeys(("ended", "ended_at", "finished", "finished_at", "end_time"), ENDED),
}
_UNITS = (
    (("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), 0.001),
    (("", "s", "sec", "secs", "second", "seconds"), 1.0),
    (("m", "min", "mins", "minute", "minutes"), 60.0),
    (("h", "hr", "hrs", "hour", "hours"), 3600.0),
)
SECONDS = {name: scale for names, scale in _UNITS for name in names}
_PART = re.compile(r"(?P<amount>\d[\d.,]*)\s*(?P<unit>[a-z]*)\s*", re.IGNORECASE)
_CLOCK = re.compile(r"(?:(?P<hours>\d+):)?(?P<minutes>\d{1,2}):(?P<seconds>\d{1,2}(?:\.\d+)?)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SIGN = r"(?:[^\d\s.,+-]{1,4})?"
_CURRENCY = re.compile(rf"{_SIGN}\s*(?P<amount>[\d.,]+(?:[eE]-?\d+)?)\s*{_SIGN}")


class Known(NamedTuple):
    """What a name of bookkeeping stands for, and the reader of what stands under it."""

    name: str
    read: Callable[[object], MetaValue | None]


@lru_cache(maxsize=10_000)
def known_name(key: str, *, loose: bool) -> Known | None:
    """Return what a key means beside a record; `loose` names may be fields elsewhere."""
    name = _snake(key)
    time = _TIMES.fullmatch(name) or (_LOOSE_TIMES.fullmatch(name) if loose else None)
    if time is not None and (time["unit"] or time["name"] != "processing"):
        scale = SECONDS[time["unit"] or ""]
        return Known(TIME, lambda raw: _seconds(raw, scale))
    if name in _OF_TOKENS:
        return Known(_OF_TOKENS[name], _count)
    if _COSTS.fullmatch(name) or (loose and _LOOSE_COSTS.fullmatch(name)):
        return Known(COST, _cost)
    if name in _MODELS:
        return Known(MODEL, _text)
    return Known(_MOMENTS[name], _moment) if loose and name in _MOMENTS else None


@lru_cache(maxsize=10_000)
def _snake(key: str) -> str:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())
    return re.sub(r"[\s-]+", "_", apart).lower()


class MetaReading(NamedTuple):
    """What is known about a prediction, and what stood there that could not be read."""

    values: dict[str, MetaValue]
    problems: list[str]


def read_meta(raw: Mapping[str, object]) -> MetaReading:
    """Return the bookkeeping among the members of an object; others are passed over."""
    reading = MetaReading({}, [])
    for key, value in raw.items():
        _add(reading, str(key), value)
    values = reading.values
    started, ended = values.pop(STARTED, None), values.pop(ENDED, None)
    if isinstance(started, float) and isinstance(ended, float) and TIME not in values:
        if ended >= started:
            values[TIME] = round(ended - started, 6)
        else:
            reading.problems.append("it ended before it started: no processing time is known")
    parts = [values[name] for name in (PROMPT, COMPLETION) if name in values]
    if parts and TOKENS not in values:
        values[TOKENS] = sum(part for part in parts if isinstance(part, float))
    return reading


def _add(reading: MetaReading, key: str, value: object) -> None:
    if isinstance(value, Mapping):
        if _snake(key) in _USAGES:
            for inner, number in value.items():
                name = _INSIDE_TOKENS.get(_snake(str(inner)))
                if name is not None:
                    _put(reading, Known(name, _count), f"{key}.{inner}", number)
        elif _snake(key) in (META, "metadata"):
            for inner, item in value.items():
                _add(reading, str(inner), item)
        return
    kept_name = known_name(key, loose=True)
    if kept_name is not None:
        _put(reading, kept_name, key, value)


def _put(reading: MetaReading, known: Known, key: str, raw: object) -> None:
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return
    value = known.read(raw)
    if value is None:
        noun = known.name.replace("_", " ")
        reading.problems.append(f"{key} {shortened(str(raw))} is no {noun}: left out")
    else:
        reading.values.setdefault(known.name, value)


def _number(raw: object) -> float | None:
    """Return a number that is not negative, else None."""
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    text = str(raw).strip()
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    elif text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        number = float(text)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) and number >= 0 else None


def _seconds(raw: object, scale: float) -> float | None:
    """Return a length of time in seconds: 1.5, "850 ms", "1m 20s", "0:01:20"."""
    number = _number(raw)
    if number is not None:
        return round(number * scale, 9)
    if not isinstance(raw, str):
        return None
    clock = _CLOCK.fullmatch(raw.strip())
    if clock is not None:
        hours, minutes = float(clock["hours"] or 0), float(clock["minutes"])
        return hours * 3600 + minutes * 60 + float(clock["seconds"])
    total, rest = 0.0, raw.strip()
    while rest:
        part = _PART.match(rest)
        amount = None if part is None else _number(part["amount"])
        unit = "" if part is None else part["unit"].lower()
        if part is None or amount is None or not unit or unit not in SECONDS:
            return None
        total += amount * SECONDS[unit]
        rest = rest[part.end() :]
    return round(total, 9) if raw.strip() else None


def _count(raw: object) -> float | None:
    number = _number(raw)
    return number if number is not None and number.is_integer() else None


def _cost(raw: object) -> float | None:
    number = _number(raw)
    if number is not None or not isinstance(raw, str):
        return number
    match = _CURRENCY.fullmatch(raw.strip())
    return None if match is None else _number(match["amount"])


def _text(raw: object) -> str | None:
    return raw.strip() if isinstance(raw, str) and not isinstance(raw, Number) else None


def _moment(raw: object) -> float | None:
    """Return a moment in seconds; a text is ISO 8601, one without zone is UTC."""
    if not isinstance(raw, str) or isinstance(raw, Number):
        return _number(raw)
    try:
        moment = datetime.fromisoformat(raw.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def meta_of(record: Record | None) -> Mapping[str, MetaValue]:
    """Return what is known about a prediction, in the order in which files show it."""
    given = {} if record is None else record.meta
    values = ((name, given.get(name)) for name in META_COLUMNS)
    return {name: value for name, value in values if isinstance(value, float | str)}


class Bookkeeping:
    """What is taken out of records between reading and pairing."""

    def __init__(self, schema: Schema | None, *, labelled_is_field: bool = False) -> None:
        self._schema = schema
        self._fields: frozenset[str] = frozenset() if schema is None else root_names(schema)
        self._labelled_is_field = labelled_is_field

    def golds(self, records: Records) -> Records:
        """Yield gold records, those with `labelled` as partial trees."""
        return self.more_golds(self.learn(records))

    def learn(self, records: Records) -> Records:
        """Return gold records, of which the first were looked at for the names of fields."""
        if self._schema is None or self._schema.extra == "count":
            # what gold has under such a name is a field in pred too
            records, names = look_ahead(records)
            self._fields |= names
        return records

    def more_golds(self, records: Records) -> Records:
        """Yield gold records by what was learnt, those with `labelled` as partial trees."""
        return map(self._gold, records)

    def preds(self, records: Records) -> Records:
        """Yield pred records with what is known about them as `meta`."""
        for item in records:
            if isinstance(item, Problem) or self._holds_fields_alone(item):
                yield item
            else:
                yield from self._pred(item)

    def _holds_fields_alone(self, item: Record) -> bool:
        """Whether a record certainly has nothing beside fields that are known, as most have."""
        tree, whole = item.tree, item.whole
        if type(tree) is not dict or item.meta:
            return False
        alone = whole is None or (type(whole) is dict and BESIDE_RECORD.issuperset(whole))
        return alone and self._fields.issuperset(tree)

    def _gold(self, item: Record | Problem) -> Record | Problem:
        if isinstance(item, Problem):
            return item
        tree, whole = item.tree, item.whole
        if type(tree) is not dict:  # nothing, or what a format of benchmarks has read
            return item
        if LABELLED in tree and self._is_list_of_fields(tree):
            names = _names(tree[LABELLED])
            rest = {key: value for key, value in tree.items() if key != LABELLED}
            return item._replace(tree=rest if names is None else PartialTree(rest, names))
        # most have no list of fields, and asking for any mapping takes long
        if whole is None or not isinstance(whole, dict | Mapping) or LABELLED not in whole:
            return item
        names = _names(whole[LABELLED])
        return item if names is None else item._replace(tree=PartialTree(tree, names))

    def _is_list_of_fields(self, tree: Mapping[str, object]) -> bool:
        """Whether `labelled` in a flat record lists fields, and is not a field itself."""
        raw = tree[LABELLED]
        if self._labelled_is_field:
            return False
        names = _names(raw)
        if names is None:
            return raw is None or raw == ""
        # a single text may be the value of a field
        named = (name.split(".")[0] in tree or name in self._fields for name in names)
        return isinstance(raw, list | tuple) or any(named)

    def _pred(self, item: Record) -> Records:
        outer = item.whole if isinstance(item.whole, Mapping) else {}
        meta: dict[str, object] = {**outer, **item.meta}
        tree = item.tree
        if type(tree) is dict:
            own = {key: raw for key, raw in tree.items() if self._is_meta(key, raw)}
            if own:
                meta |= own
                tree = {key: value for key, value in tree.items() if key not in own}
        if not meta:
            yield item
            return
        reading = read_meta(meta)
        for message in reading.problems:
            yield flaw(item.id, Remark(ProblemCode.META, message), item.where)
        yield item._replace(tree=tree, meta=reading.values)

    def _is_meta(self, key: object, raw: object) -> bool:
        """Whether a member of a flat record is bookkeeping: a known name that is no field."""
        if not isinstance(key, str) or key in self._fields:
            return False
        if isinstance(raw, Mapping):
            return key == META or _snake(key) in _USAGES
        if isinstance(raw, list | tuple):
            return False
        return known_name(key, loose=False) is not None


def field_trees(records: Records) -> Iterator[object]:
    """Yield the trees of gold records without what says which fields are labelled."""
    for item in Bookkeeping(None).golds(records):
        if isinstance(item, Record):
            yield item.tree


def _names(raw: object) -> tuple[str, ...] | None:
    """Return the names that `labelled` lists; None for a blank cell and for what are no names."""
    if isinstance(raw, str):
        parts = [part.strip() for bar in raw.split(SEPARATOR.strip()) for part in bar.split(",")]
        return tuple(part for part in parts if part) or None
    if isinstance(raw, list | tuple) and all(isinstance(name, str) for name in raw):
        return tuple(name.strip() for name in raw if name.strip())
    return None


class LookedAhead(NamedTuple):
    """Records, of which the first were read ahead, and the keys that those have."""

    records: Records
    names: frozenset[str]


def look_ahead(records: Records) -> LookedAhead:
    """Read some records ahead to learn the names of their fields."""
    first = [*islice(records, LOOKED_AT)]
    trees = [item.tree for item in first if isinstance(item, Record)]
    keys = (str(key) for tree in trees if isinstance(tree, Mapping) for key in tree)
    return LookedAhead(chain(first, records), frozenset(keys))


class ScoredPair(NamedTuple):
    """Gold and pred of one document without what is kept beside them."""

    gold: Record
    pred: Record


def taken_apart(gold: Record, pred: Record, schema: Schema | None) -> ScoredPair:
    """Return a document whose gold knows what is labelled and whose pred has its `meta` apart.

    A known name is bookkeeping unless this gold, or the schema, has such a field.
    """
    labels = schema is not None and LABELLED in root_names(schema)
    bookkeeping = Bookkeeping(schema, labelled_is_field=labels)
    golds = bookkeeping.golds(iter((gold,)))
    (gold_record,) = (item for item in golds if isinstance(item, Record))
    (pred_record,) = (item for item in bookkeeping.preds(iter((pred,))) if isinstance(item, Record))
    return ScoredPair(gold_record, pred_record)


def root_names(schema: Schema) -> frozenset[str]:
    """Return the names that may stand at the root of documents of a schema."""
    parts: tuple[Field | GroupSpec, ...] = (*schema.fields, *schema.groups)
    columns = (name for group in schema.groups for name in group.columns.values())
    own = (name for part in parts for name in (part.path, *part.aliases))
    return frozenset((*own, *columns, *([schema.type_field] if schema.types else [])))
