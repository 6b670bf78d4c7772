"""Values of Python as plain JSON: instances by their fields, dates and decimals by their digits."""

from __future__ import annotations

import datetime
import enum
import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from decimal import Decimal
from pathlib import PurePath
from types import SimpleNamespace
from uuid import UUID

from docassay.errors import DataError
from docassay.load.format import AnnotatedTree, Record
from docassay.model.document import Number, TaggedText
from docassay.model.problem import Problem

OWN = (AnnotatedTree, TaggedText)
_PRINTED = (UUID, PurePath)
_PRINTED_MODULES = ("ipaddress", "pydantic", "pydantic_core", "pydantic_extra_types")
_MISSING = ("NAType", "NaTType")
MOST_BITS = 14_000
"""Some 4,200 digits."""
KINDS = "a dict, or a Pydantic, dataclass, msgspec or attrs instance"


class NoValueError(Exception):
    """A value that no document can hold, with the keys that lead to it."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value
        self.keys: list[str] = []


def is_instance(value: object) -> bool:
    """Say whether something is an instance of a class with fields."""
    if not can_be_asked(value) or isinstance(value, type | Record | Problem):
        return False
    if isinstance(value, SimpleNamespace):
        return True
    named_tuple = isinstance(value, tuple) and hasattr(value, "_fields")
    marks = ("model_dump", "__struct_fields__", "__attrs_attrs__")
    return named_tuple or is_dataclass(value) or any(hasattr(type(value), mark) for mark in marks)


def is_record(value: object) -> bool:
    """Say whether something is one tree: a mapping or an instance with fields."""
    return is_instance(value) or (can_be_asked(value) and isinstance(value, Mapping))


def can_be_asked(value: object) -> bool:
    """Say whether an object can be asked for its class, which may run code of the user."""
    try:
        return value.__class__ is not None
    except Exception:
        return False


def is_circular(tree: object) -> bool:
    """Say whether a tree holds itself, at any depth."""
    above: dict[int, Iterator[object]] = {id(tree): _children(tree)}
    seen: set[int] = set()
    kept = [tree]  # so that the number of an object stays its own
    while above:
        number, rest = next(reversed(above.items()))
        child = next(rest, None)
        if child is None:
            del above[number]
        elif id(child) in above:
            return True
        elif id(child) not in seen:
            seen.add(id(child))
            kept.append(child)
            above[id(child)] = _children(child)
    return False


def _children(value: object) -> Iterator[object]:
    """Return the parts of a value that may have parts themselves, and none that is None."""
    parts: Iterable[object] = ()
    if isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, list | tuple):
        parts = value
    elif is_instance(value) and not hasattr(value, "model_dump"):
        parts = _fields_of(value, by_alias=False).values()
    return (part for part in parts if not isinstance(part, str | int | float | None))


def name_of(value: object) -> str:
    """Return the type of an object, with its module unless it is built in."""
    kind = type(value)
    own = kind.__qualname__.rpartition("<locals>.")[2]
    return own if kind.__module__ == "builtins" else f"{kind.__module__}.{own}"


def hint_for(value: object) -> str:
    """Say what to do about a value that cannot be read."""
    if not can_be_asked(value):
        return f"a tree is {KINDS}"
    if isinstance(value, str):
        return "da.parse_response(text) reads the raw answer of a model"
    if isinstance(value, bytes | bytearray):
        return "decode bytes to text, or leave them out"
    return f"a tree is {KINDS}, of texts, numbers, dates, True, False, None, lists and trees"


def plain(value: object, by_alias: bool) -> object:
    """Return a value as plain JSON."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        return _printable(value)  # type: ignore[arg-type]
    if kind is dict:
        return members(value, by_alias)  # type: ignore[arg-type]
    if kind is list:
        return _items(value, by_alias)  # type: ignore[arg-type]
    if kind is float:
        return None if math.isnan(value) else value  # type: ignore[arg-type]
    try:
        return _converted(value, by_alias)
    except (NoValueError, DataError, RecursionError):
        raise
    except Exception as error:  # attributes may be code of the user
        raise NoValueError(value) from error


def _printable(number: int) -> int:
    """Return a number, unless it has more digits than Python prints."""
    if number.bit_length() > MOST_BITS:
        raise NoValueError(number)
    return number


def id_of_key(key: object) -> str | None:
    """Return a key as text, the value of an enum's member."""
    if key is None:
        return None
    try:
        return str(key.value if isinstance(key, enum.Enum) else key)
    except Exception as error:  # code of the user
        raise NoValueError(key) from error


def members(
    tree: Mapping[object, object] | Mapping[str, object], by_alias: bool
) -> dict[str, object]:
    """Return the members of a mapping as plain JSON, by names that are texts."""
    entries: dict[str, object] = {}
    for key, item in tree.items():
        if isinstance(key, bytes):
            raise NoValueError(key)
        name = key if type(key) is str else id_of_key(key) or ""
        try:
            entries[name] = plain(item, by_alias)
        except NoValueError as error:
            error.keys.append(name)
            raise
    return entries


def _items(values: Iterable[object], by_alias: bool) -> list[object]:
    items: list[object] = []
    for number, item in enumerate(values):
        try:
            items.append(plain(item, by_alias))
        except NoValueError as error:
            error.keys.append(str(number))
            raise
    return items


def _converted(value: object, by_alias: bool) -> object:
    """Return an object that JSON does not have as what it stands for."""
    if isinstance(value, (str, *OWN)) and not isinstance(value, enum.Enum):
        return value  # a Number is a text of its own kind
    if isinstance(value, enum.Enum):
        return plain(value.value, by_alias)
    if type(value).__name__ in _MISSING:
        return None
    if isinstance(value, Mapping):
        return members(value, by_alias)
    if is_instance(value):
        return members(_fields_of(value, by_alias), by_alias)
    if isinstance(value, list | tuple):
        return _items(value, by_alias)
    if isinstance(value, Set):
        return sorted(_items(value, by_alias), key=repr)
    return _scalar(value, by_alias)


def _fields_of(value: object, by_alias: bool) -> Mapping[object, object]:
    """Return the fields of an instance by name."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        tree = _dumped(value, by_alias)
    elif hasattr(value, "__struct_encode_fields__"):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)  # type: ignore[attr-defined]
        tree = {alias: getattr(value, name) for alias, name in names}
    elif hasattr(value, "_asdict"):
        tree = value._asdict()
    elif isinstance(value, SimpleNamespace):
        tree = vars(value)
    elif hasattr(value, "__attrs_attrs__"):
        tree = {field.name: getattr(value, field.name) for field in value.__attrs_attrs__}
    else:
        assert is_dataclass(value)
        tree = {field.name: getattr(value, field.name) for field in fields(value)}
    if not isinstance(tree, Mapping):
        raise NoValueError(value)
    return tree


def _dumped(value: object, by_alias: bool) -> object:
    """Return what a Pydantic instance says it holds, by its own serialisers."""
    try:
        return value.model_dump(by_alias=by_alias, warnings=False)  # type: ignore[attr-defined]
    except Exception as error:  # serialisers are code of the user
        what = f"an instance of {name_of(value)} cannot be dumped: {error}"
        raise DataError(what, hint="see what its model_dump() raises") from error


def _scalar(value: object, by_alias: bool) -> object:
    if isinstance(value, Decimal):
        return None if value.is_nan() else Number(value)
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return (value.date() if midnight else value).isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, int | float):
        return plain(float(value) if isinstance(value, float) else int(value), by_alias)
    if isinstance(value, datetime.timedelta):  # which pandas would print in another way
        return str(datetime.timedelta(seconds=value.total_seconds()))
    if isinstance(value, _PRINTED) or type(value).__module__.split(".")[0] in _PRINTED_MODULES:
        return str(value)
    if hasattr(value, "dtype") and hasattr(value, "tolist"):  # numpy
        if value.dtype.kind == "M":
            value = value.astype("datetime64[us]")  # type: ignore[attr-defined]
        return plain(value.tolist(), by_alias)
    raise NoValueError(value)
