"""A tiny benchmark in VRDU's layout, written by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

META = {
    "dataset_name": "toy",
    "entity_name_to_match_func": {"name": "NameMatch", "num": "NumericalStringMatch"},
}
BOX = [0, 0.1, 0.1, 0.2, 0.2]
GOLD = {f"d{n}": {"name": f"Person {n}", "num": str(100 + n)} for n in range(8)}


def split_name(
    task: str = "lv2-mixed_template", size: int = 10, seed: int = 0, test: int = 4
) -> str:
    return f"Toy-{task}-train_{size}-test_{test}-valid_0-SD_{seed}"


def write_data(
    folder: Path,
    *,
    splits: Mapping[str, Sequence[str]],
    meta: object = META,
    annotations: Mapping[str, object] | None = None,
) -> Path:
    """Write a data set whose splits have these test documents."""
    main = folder / "main"
    main.mkdir(parents=True)
    given = annotations or {
        id: [[name, [[text, BOX, [[0, 1]]]]] for name, text in tree.items()]
        for id, tree in GOLD.items()
    }
    lines = [
        {"filename": id, "file_path": id, "ocr": {}, "annotations": items}
        for id, items in given.items()
    ]
    (main / "dataset.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    (main / "meta.json").write_text(json.dumps(meta))
    (folder / "few_shot-splits").mkdir()
    for name, test in splits.items():
        text = json.dumps({"train": [], "valid": [], "test": [*test]})
        (folder / "few_shot-splits" / f"{name}.json").write_text(text)
    return folder


def write_pred(folder: Path, name: str, results: Mapping[str, Mapping[str, str]]) -> Path:
    """Write a prediction file."""
    folder.mkdir(parents=True, exist_ok=True)
    items = {
        id: [[field, [text, BOX, [[0, 1]]]] for field, text in tree.items()]
        for id, tree in results.items()
    }
    file = folder / f"{name}-test_predictions.json"
    file.write_text(json.dumps({"meta": {}, "results": items}))
    return file


def right(*ids: str) -> dict[str, dict[str, str]]:
    """Return the gold values of documents."""
    return {id: GOLD[id] for id in ids}
