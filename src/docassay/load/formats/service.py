"""What the results of extraction services have in common: values with a place, in JSON files.

A service prints for each value what stands on the page, how sure it is, and where. Here this
becomes a leaf: confidences and boxes in fractions, pages counted from 1, origin top left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from docassay.load.records import Records, from_anywhere, id_keys, with_ids
from docassay.model.document import Number
from docassay.model.problem import ProblemCode, Remark

ENVELOPES = frozenset(
    {"analyzeResult", "body", "data", "document", "output", "prediction", "response", "result"}
)
"""Keys that hold a result rather than name its document."""
_DIGITS = 6

Found = dict[str, object]
"""A JSON object."""
Remarks = list[Remark]
"""What had to be left out of a document."""


def remark(message: str) -> Remark:
    """Return a remark on a part of a result that was left out."""
    return Remark(ProblemCode.LEFT_OUT, message)


class PageSize(NamedTuple):
    """The width and height of a page, in the unit of its boxes."""

    width: float
    height: float


FRACTIONS = PageSize(1.0, 1.0)
"""The size of a page whose boxes are in fractions already."""


def results(path: Path, is_result: Callable[[object], bool], id_key: str | None) -> Records:
    """Yield the results of a folder, of JSON lines or of one file, under their ids.

    A file holds one result, a list of results, or `{id: result}`.
    """
    named = from_anywhere(path, lambda key, value: key not in ENVELOPES and is_result(value))
    return with_ids(named, ids=id_keys(id_key))


def opened(tree: object, is_result: Callable[[object], bool]) -> Found | None:
    """Return the result in an object: itself, or the one member that is a result."""
    if not isinstance(tree, dict):
        return None
    if is_result(tree):
        return tree
    inner = [value for value in tree.values() if isinstance(value, dict) and is_result(value)]
    return inner[0] if len(inner) == 1 else None


def member(holder: object, *names: str) -> object:
    """Return the first of the members that is there and not null."""
    if not isinstance(holder, dict):
        return None
    return next((holder[name] for name in names if holder.get(name) is not None), None)


def objects(raw: object) -> list[Found]:
    """Return the objects of a list; anything else holds none."""
    return [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []


def text_of(raw: object) -> str | None:
    """Return a text that is not blank, white space around it taken off."""
    return raw.strip() or None if isinstance(raw, str) else None


def number(raw: object) -> float | None:
    """Return a finite number that JSON gave as a number or, as protocol buffers do, as a text."""
    if isinstance(raw, bool) or not isinstance(raw, int | float | Number | str):
        return None
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        return None
    return value if isfinite(value) else None


def around(points: Iterable[tuple[object, object]], size: PageSize) -> list[float] | None:
    """Return the upright box around corners, in fractions of the page."""
    corners = [(number(x), number(y)) for x, y in points]
    across = [x / size.width for x, _ in corners if x is not None]
    down = [y / size.height for _, y in corners if y is not None]
    if not corners or not len(across) == len(down) == len(corners):
        return None
    sides = (min(across), min(down), max(across), max(down))
    return [round(min(max(side, 0.0), 1.0), _DIGITS) for side in sides]


def leaf(
    value: object,
    *,
    confidence: float | None = None,
    page: int | None = None,
    box: list[float] | None = None,
) -> object:
    """Return a leaf with what is known about its value; a value alone stays as it is."""
    details = {"confidence": confidence, "page": page, "box": box}
    extras = {name: part for name, part in details.items() if part is not None}
    return {"value": value, **extras} if extras else value


def add(fields: dict[str, list[object]], name: str, value: object) -> None:
    """Add a value to a field, unless the field has one of the same text.

    Services report a value again for each place where it is printed; the surest one is kept.
    """
    values = fields.setdefault(name, [])
    for at, other in enumerate(values):
        if isinstance(_plain(value), str | bool) and _plain(other) == _plain(value):
            values[at] = max(other, value, key=_sureness)
            return
    values.append(value)


def settled(fields: dict[str, list[object]]) -> Found:
    """Return fields with one value as that value, the others as lists."""
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}


def _plain(value: object) -> object:
    return value.get("value") if isinstance(value, dict) else value


def _sureness(value: object) -> float:
    confidence = value.get("confidence") if isinstance(value, dict) else None
    return confidence if isinstance(confidence, float) else -1.0
