"""Pairs of nested documents of few words: equal rows, ties and empty values are common."""

from __future__ import annotations

import json
import random
from pathlib import Path

WORDS = ("Latte", "Juice", "Americano", "x", "1", "2", "", "a b c", "TOTAL", "30.000", "Ünïcode")
CELLS = ("nm", "cnt", "unit", "price")
SLIPS = "xyz09 "


def write_pairs(folder: Path, *, pairs: int, rows: int, seed: int) -> None:
    """Write gold.jsonl and pred.jsonl, paired by id."""
    dice = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / "gold.jsonl").open("w", encoding="utf-8") as gold,
        (folder / "pred.jsonl").open("w", encoding="utf-8") as pred,
    ):
        for number in range(pairs):
            right = document(dice, rows)
            wrong = document(dice, rows) if dice.random() < 0.2 else misread(dice, right)
            for file, tree in ((gold, right), (pred, wrong)):
                file.write(json.dumps({"id": f"{number:05}", "fields": tree}) + "\n")


def document(dice: random.Random, rows: int) -> dict[str, object]:
    members: dict[str, object] = {
        "menu": [row(dice) for _ in range(dice.randint(0, rows))],
        "total": {key: dice.choice(WORDS) for key in ("price", "cash") if dice.random() < 0.7},
        "tags": [dice.choice(WORDS) for _ in range(dice.randint(0, 3))],
        "note": dice.choice(WORDS),
        "shop": row(dice),
    }
    return {key: value for key, value in members.items() if dice.random() < 0.7}


def row(dice: random.Random, *, inner: bool = True) -> dict[str, object]:
    cells: dict[str, object] = {key: dice.choice(WORDS) for key in CELLS if dice.random() < 0.6}
    if inner and dice.random() < 0.25:
        cells["sub"] = [row(dice, inner=False) for _ in range(dice.randint(1, 2))]
    return cells


def misread(dice: random.Random, tree: object) -> object:
    """Return a tree with values misread, left out, invented and in another order."""
    if isinstance(tree, dict):
        kept = {key: misread(dice, value) for key, value in tree.items() if dice.random() > 0.1}
        return {**kept, "extra": dice.choice(WORDS)} if dice.random() < 0.15 else kept
    if isinstance(tree, list):
        items = [misread(dice, item) for item in tree if dice.random() > 0.15]
        if dice.random() < 0.2:
            dice.shuffle(items)
        return items
    if not isinstance(tree, str) or not tree or dice.random() > 0.3:
        return tree
    place = dice.randrange(len(tree))
    return tree[:place] + dice.choice(("", dice.choice(SLIPS))) + tree[place + 1 :]
