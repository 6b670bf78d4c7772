"""A small corpus with a right, a wrong and a missing document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SCHEMA = """\
name: bills
types:
  bill: {fields: [kind, total, items]}
type_field: kind
fields:
  total: {type: money}
groups:
  items:
    fields: {name: {type: text}, price: {type: money}}
"""
GOLD = {
    "a": {"kind": "bill", "total": "$3.00", "items": [{"name": "tea", "price": "$3.00"}]},
    "b": {
        "kind": "bill",
        "total": "$7.50",
        "items": [{"name": "cake", "price": "$4.50"}, {"name": "tea", "price": "$3.00"}],
    },
    "c": {"kind": "bill", "total": "$1.00", "items": []},
}
PRED = {
    "a": {"kind": "bill", "total": "3.00", "items": [{"name": "tea", "price": "3"}]},
    "b": {
        "kind": "bill",
        "total": "7.5O",
        "items": [
            {"name": "tea", "price": "$3.00"},
            {"name": "cake"},
            {"name": "[bold]bag[/bold]", "price": "$0.10"},
        ],
    },
}


class Corpus(NamedTuple):
    gold: str
    pred: str
    schema: str
    folder: Path


class Ended(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Ended]


def write_jsonl(path: Path, trees: dict[str, object]) -> str:
    lines = (json.dumps({"id": id, "fields": tree}) for id, tree in trees.items())
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def write_corpus(folder: Path) -> Corpus:
    schema = folder / "schema.yaml"
    schema.write_text(SCHEMA)
    gold = write_jsonl(folder / "gold.jsonl", dict(GOLD))
    pred = write_jsonl(folder / "pred.jsonl", dict(PRED))
    return Corpus(gold, pred, str(schema), folder)
