"""Format label-studio: tasks exported from Label Studio, with annotations or predictions.

The results of an annotation that share an id describe one region: its box, its label and its text.
A region's text is a value of the field that its label names; a control without region (a text area,
choices, a number) is a field of its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qs, urlsplit

from docassay.errors import ConfigurationError, DataError
from docassay.load.format import Record, format
from docassay.load.records import ID_KEYS, Records, find_id, flaw, from_anywhere, reshaped
from docassay.load.wire import Decoded, member_names
from docassay.model.problem import ProblemCode, Remark

SOURCES = ("annotations", "predictions", "completions")
FILE_KEYS = ("image", "ocr", "pdf", "document", "file", "url")
PLAIN_TYPES = ("textarea", "choices", "number", "rating", "datetime")
SHAPES = ("rectangle", "polygon", "ellipse", "brush", "keypoint", "vector", "relation")
_UPLOAD = re.compile(r"[0-9a-f]{8}-(?=.)")


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether the first object is a task: data with annotations or predictions."""
    names = member_names(head)
    return "data" in names and not names.isdisjoint(SOURCES)


@format("label-studio", sniff=looks_like)
def load(path: Path, *, id_key: str | None = None, source: str = "auto") -> Records:
    """Read Label Studio tasks; `source` is annotations, predictions or auto (the first found)."""
    if source not in ("auto", *SOURCES):
        raise ConfigurationError(
            f"there is no source {source!r}", hint=f"there is: auto, {', '.join(SOURCES)}"
        )
    tasks = _identified(from_anywhere(path, lambda key, value: False), id_key)
    return reshaped(tasks, lambda task: _shape(task, source))


def _identified(tasks: Records, id_key: str | None) -> Records:
    for item in tasks:
        if not isinstance(item, Record) or not isinstance(item.tree, dict):
            yield item
            continue
        name = _id_of(item.tree, id_key)
        if name is None:
            yield flaw(
                item.id, Remark(ProblemCode.NO_ID, "the task has no id; left out"), item.where
            )
        else:
            yield item._replace(id=name)


def _id_of(task: dict[str, object], id_key: str | None) -> str | None:
    """Return the id in a task's data, else the name of its file, else the task's number."""
    content = task.get("data")
    fields = content if isinstance(content, dict) else {}
    key = find_id(fields, ID_KEYS if id_key is None else (id_key,))
    if key is not None:
        return str(fields[key])
    names = (_file_name(fields[name]) for name in FILE_KEYS if isinstance(fields.get(name), str))
    number = task.get("id")
    return next((name for name in names if name), None if number is None else str(number))


def _file_name(address: str) -> str:
    """Return the name of a file as it was before it was uploaded or served."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    served = parse_qs(parts.query).get("d", [""])[0]
    return _UPLOAD.sub("", PurePosixPath(served or parts.path).name, count=1)


def _shape(task: object, source: str) -> Decoded:
    problems: list[Remark] = []
    regions: dict[object, list[dict[str, object]]] = {}
    for number, result in enumerate(_results(task, source, problems)):
        if not isinstance(result, dict):
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"result {number} is not an object; left out")
            )
            continue
        kind = result.get("type")
        if kind not in (*PLAIN_TYPES, *SHAPES) and not str(kind).endswith("labels"):
            problems.append(
                Remark(
                    ProblemCode.BROKEN_ENTRY,
                    f"result {number} is of type {kind!r}, which is not read; left out",
                )
            )
        elif kind != "relation":
            key = str(result["id"]) if "id" in result else number
            regions.setdefault(key, []).append(result)
    fields: dict[str, list[object]] = {}
    for region in regions.values():
        for name, leaf in _leaves(region, problems):
            fields.setdefault(name, []).append(leaf)
    single = {name: leaves[0] if len(leaves) == 1 else leaves for name, leaves in fields.items()}
    return Decoded(single, problems)


def _results(task: object, source: str, problems: list[Remark]) -> list[object]:
    """Return the results of the first annotation that was not cancelled, gold ones first."""
    assert isinstance(task, dict)
    for name in SOURCES if source == "auto" else (source,):
        versions = task.get(name)
        if not isinstance(versions, list):
            continue
        kept = [v for v in versions if isinstance(v, dict) and v.get("was_cancelled") is not True]
        kept.sort(key=lambda version: version.get("ground_truth") is not True)
        if len(kept) > 1:
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"has {len(kept)} {name}; the first is used")
            )
        results = kept[0].get("result") if kept else None
        if isinstance(results, list):
            return results
    raise DataError(f"has no results in {source if source != 'auto' else ' or '.join(SOURCES)}")


def _leaves(
    region: list[dict[str, object]], problems: list[Remark]
) -> Iterator[tuple[str, object]]:
    """Yield the fields of one region with their leaves."""
    labels = [label for result in region for label in _texts(result, labels=True)]
    controls = [result for result in region if result.get("type") in PLAIN_TYPES]
    spoken = [result for result in controls if result.get("type") == "textarea"]
    texts = spoken or [result for result in region if isinstance(_value(result).get("text"), str)]
    for result in controls:
        if not labels or result not in spoken:
            for text in _texts(result):
                yield str(result.get("from_name")), _leaf(text, result, region)
    for label in labels:
        values = [_leaf(text, result, region) for result in texts for text in _texts(result)]
        yield from ((label, value) for value in values)
        if not values:
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"a region of {label!r} has no text; left out")
            )


def _texts(result: dict[str, object], *, labels: bool = False) -> list[str]:
    """Return what a result says: its labels, or the texts, choices or number that it holds."""
    kind, value = str(result.get("type")), _value(result)
    if labels:
        content = value.get(kind) if kind.endswith("labels") else None
    else:
        content = value.get(kind if kind in PLAIN_TYPES[1:] else "text")
    listed = content if isinstance(content, list) else [content]
    return [str(text) for text in listed if text is not None]


def _leaf(text: str, result: dict[str, object], region: list[dict[str, object]]) -> object:
    """Return a leaf with the score and the place that any result of its region states."""
    scores = (each.get("score") for each in (result, *region))
    confidence = next((score for score in scores if score is not None), None)
    box = next((box for each in region if (box := _box(_value(each))) is not None), None)
    index = result.get("item_index")
    details = {
        "confidence": confidence,
        "page": index + 1 if isinstance(index, int) else None,
        "box": box,
    }
    extras = {name: value for name, value in details.items() if value is not None}
    return {"value": text, **extras} if extras else text


def _value(result: dict[str, object]) -> dict[str, object]:
    value = result.get("value")
    return value if isinstance(value, dict) else {}


def _box(value: dict[str, object]) -> list[float] | None:
    """Return [x0, y0, x1, y1] in percent of the page, as Label Studio measures."""
    try:
        x, y, width, height = (float(str(value[key])) for key in ("x", "y", "width", "height"))
    except (KeyError, ValueError):
        return None
    return [round(number, 6) for number in (x, y, x + width, y + height)]
