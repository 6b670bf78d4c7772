"""Format funsd: the form annotations of FUNSD, where every entity is a value of its label."""

from __future__ import annotations

from pathlib import Path

from docassay.errors import DataError
from docassay.load.format import format
from docassay.load.records import Records, from_folder, reshaped
from docassay.load.wire import Decoded, member_names
from docassay.model.problem import ProblemCode, Remark


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether the first object has a form of labelled entities."""
    return "form" in member_names(head) and b'"label"' in head


@format("funsd", sniff=looks_like, protocol=True)
def load(path: Path, *, labels: tuple[str, ...] = ("header", "question", "answer")) -> Records:
    """Read a folder of FUNSD annotations; an entity is a value of the field its label names."""
    return reshaped(from_folder(path, (".json",)), lambda tree: _shape(tree, labels), keep=True)


def _shape(tree: object, labels: tuple[str, ...]) -> Decoded:
    form = tree.get("form") if isinstance(tree, dict) else None
    if not isinstance(form, list):
        raise DataError("has no list 'form'")
    fields: dict[str, list[object]] = {}
    problems: list[Remark] = []
    for number, entity in enumerate(form):
        if not isinstance(entity, dict) or not isinstance(entity.get("label"), str):
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"form[{number}] has no label; left out")
            )
            continue
        text = entity.get("text")
        if not isinstance(text, str):
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"form[{number}] has no text; left out")
            )
            continue
        if entity["label"] not in labels or not text.strip():
            continue
        leaf = {"value": text, "box": entity["box"]} if "box" in entity else text
        fields.setdefault(entity["label"], []).append(leaf)
    return Decoded(fields, problems)
