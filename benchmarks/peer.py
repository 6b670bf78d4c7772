"""One released package at work on plain invoices, in an environment of its own.

    python peer.py NAME GOLD.jsonl PRED.jsonl SCHEMA.json SECONDS

Prints as JSON how many documents it got through, in how many CPU seconds, and a score of its own as
a sign that it worked. Reading is measured, imports and what is set up once are not. It stops when
the seconds are used up. It knows nothing of docassay.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

Tree = dict[str, Any]
Pairs = Iterator[tuple[Tree, Tree]]


class Files(NamedTuple):
    """Where the documents are, and how long they may take."""

    gold: Path
    pred: Path
    schema: Path
    seconds: float

    def pairs(self) -> Pairs:
        with self.gold.open(encoding="utf-8") as golds, self.pred.open(encoding="utf-8") as preds:
            for gold, pred in zip(golds, preds, strict=True):
                yield json.loads(gold), json.loads(pred)


class Answer(NamedTuple):
    """What a package did."""

    documents: int
    seconds: float
    score: float


def each(files: Files, score: Callable[[Tree, Tree], float]) -> Answer:
    """Score document by document until the time is up; the score is the mean."""
    first = next(files.pairs())
    score(*first)  # what is compiled or looked up at the first call
    documents, total = 0, 0.0
    start = time.process_time()
    for gold, pred in files.pairs():
        total += score(gold, pred)
        documents += 1
        if time.process_time() - start > files.seconds:
            break
    return Answer(documents, time.process_time() - start, total / documents)


def portion(files: Files, run: Callable[[list[tuple[Tree, Tree]]], tuple[float, float]]) -> Answer:
    """Score as many documents at once as are done in about the time, judged by a few of them."""
    few = [*islice(files.pairs(), 20)]
    run(few)
    rate = len(few) / max(run(few)[0], 1e-3)
    documents = [*islice(files.pairs(), max(20, round(rate * files.seconds)))]
    seconds, score = run(documents)
    return Answer(len(documents), seconds, score)


def omni_extract_bench(files: Files) -> Answer:
    from omni_extract_bench import score

    schema = json.loads(files.schema.read_text())
    return each(files, lambda gold, pred: score(pred, gold, schema)["accuracy"])


def stickler(files: Files) -> Answer:
    from pydantic import BaseModel, create_model
    from stickler import eval_for

    kinds = {"string": str | None, "number": float | None}

    def model(name: str, schema: Tree) -> type[BaseModel]:
        fields: dict[str, Any] = {
            key: (kind(key, own), None) for key, own in schema["properties"].items()
        }
        return create_model(name, **fields)

    def kind(key: str, schema: Tree) -> object:
        if schema["type"] == "array":
            return types.GenericAlias(list, model(key, schema["items"]))
        return kinds[schema["type"][0]]

    spec = eval_for(model("Invoice", json.loads(files.schema.read_text())))
    return each(files, lambda gold, pred: spec.evaluate(gold, pred).f1)


def anls_star(files: Files) -> Answer:
    from anls_star import anls_score

    return each(files, anls_score)


def zss(files: Files) -> Answer:
    from tree_released import nted

    return each(files, lambda gold, pred: nted(gold, pred) or 0.0)


def doceval(files: Files) -> Answer:
    from doceval import run_eval

    def run(documents: list[tuple[Tree, Tree]]) -> tuple[float, float]:
        with tempfile.TemporaryDirectory() as made:
            for side in range(2):
                folder = Path(made) / ("labels", "docs")[side]
                folder.mkdir()
                for number, pair in enumerate(documents):
                    (folder / f"{number:06}.json").write_text(json.dumps(pair[side]))
            start = time.process_time()
            result = run_eval(f"{made}/docs", f"{made}/labels", lambda text, _: json.loads(text))
            return time.process_time() - start, result.overall_accuracy

    return portion(files, run)


def llmvalidate(files: Files) -> Answer:
    import pandas
    from llmvalidate import validate

    properties = json.loads(files.schema.read_text())["properties"]
    plain = [name for name, schema in properties.items() if schema["type"] != "array"]
    columns = properties["line_items"]["items"]["properties"]

    def cells(tree: Tree) -> Tree:
        return {name: tree.get(name) for name in plain} | {
            f"item {name}": [row[name] for row in tree["line_items"] if row[name] is not None]
            for name in columns
        }

    def run(documents: list[tuple[Tree, Tree]]) -> tuple[float, float]:
        texts = [[json.dumps(tree) for tree in pair] for pair in documents]
        start = time.process_time()
        rows = []
        for gold, pred in texts:
            theirs = {f"Res: {name}": cell for name, cell in cells(json.loads(pred)).items()}
            rows.append(cells(json.loads(gold)) | theirs)
        table = pandas.DataFrame(rows)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            _, metrics = validate(table, None, None)
        score = float(pandas.to_numeric(metrics.filter(like="F1 ").iloc[:, 0]).mean())
        return time.process_time() - start, score

    return portion(files, run)


PACKAGES: dict[str, Callable[[Files], Answer]] = {
    "omni-extract-bench": omni_extract_bench,
    "stickler-eval": stickler,
    "anls-star": anls_star,
    "zss": zss,
    "doceval": doceval,
    "llmvalidate": llmvalidate,
}


def main() -> None:
    name, gold, pred, schema, seconds = sys.argv[1:]
    files = Files(Path(gold), Path(pred), Path(schema), float(seconds))
    print(json.dumps(PACKAGES[name](files)._asdict()))


if __name__ == "__main__":
    main()
