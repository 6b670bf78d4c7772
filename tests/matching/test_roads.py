"""Plain documents and all others take two roads, which come to the same over every corpus we have.

`test_plain.py` compares them on generated documents, which are small and odd. Here they are those
that docassay is measured and shown with, and outputs of a real model: as text, by guessed types and
by their schema.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from docassay.matching import case as roads
from docassay.matching.case import Layouts
from docassay.run.open import open_run
from docassay.run.options import Options
from docassay.run.plan import Bound
from docassay.run.score import Row, score_trees
from docassay.synth.corpus import write_corpus

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
METRICS = ("entity", "kieval", "fields", "causes", "effort", "hybrid", "vrdu", "confidence")
SETTINGS = {"causes.rescore": False}


class Corpus(NamedTuple):
    """Files of gold and pred, with a schema if there is one."""

    gold: Path
    pred: Path
    schema: Path | None
    plain: float
    """The least share of documents that are plain."""


def written(folder: Path, model: str, *, rows: int | None = None, sure: bool = False) -> Corpus:
    models = ("careful", "hasty")
    write_corpus(folder, docs=40, rows=rows, seed=11, models=models, confidences=sure)
    schema = folder / "schema.yaml"
    return Corpus(folder / "gold.jsonl", folder / f"{model}.jsonl", schema, 0.0 if sure else 0.5)


def invoices(folder: Path, *, typed: bool) -> Corpus:
    importlib.import_module("corpora").write_own(folder, docs=40, rows=8, seed=3, typed=typed)
    return Corpus(folder / "gold.jsonl", folder / "pred.jsonl", folder / "schema.json", 0.9)


MADE: dict[str, Callable[[Path], Corpus]] = {
    "careful": lambda folder: written(folder, "careful"),
    "hasty": lambda folder: written(folder, "hasty"),
    "hasty, long": lambda folder: written(folder, "hasty", rows=30),
    "careful, with confidences": lambda folder: written(folder, "careful", sure=True),
    "hasty, with confidences": lambda folder: written(folder, "hasty", sure=True),
    "plain invoices": lambda folder: invoices(folder, typed=False),
    "plain invoices, numbers as numbers": lambda folder: invoices(folder, typed=True),
}


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each document that is scored takes the road of plain ones."""
    taken: list[bool] = []
    made, unusual = roads._plain_case, roads._any_case

    def noted_plain(*given: object) -> object:
        taken.append(True)
        return made(*given)  # type: ignore[arg-type]

    def noted_unusual(*given: object) -> object:
        taken.append(False)
        return unusual(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(roads, "_plain_case", noted_plain)
    monkeypatch.setattr(roads, "_any_case", noted_unusual)
    return taken


def in_general(layouts: Layouts) -> None:
    """Have no document taken for a plain one."""
    for layout in (layouts.plain, *layouts._by_type.values()):
        layout.simple = False
    for own in layouts._own.values():
        in_general(own)


def rows_of(corpus: Corpus, options: Options, *, general: bool) -> Iterator[Row]:
    prepared = open_run(corpus.gold, corpus.pred, options)
    bound: Bound = prepared.bound
    if general:
        in_general(bound.layouts)
    for pair in prepared.pairing:
        yield score_trees(pair.id, *pair.trees, bound)


def same_over(corpus: Corpus, plain: list[bool]) -> None:
    options = Options(metrics=METRICS, settings=SETTINGS)
    asked = [options, replace(options, types="text")]
    if corpus.schema is not None:
        asked.append(replace(options, schema=corpus.schema))
    for each in asked:
        plain.clear()
        rows = [*rows_of(corpus, each, general=False)]
        assert sum(plain) >= corpus.plain * len(rows)
        plain.clear()
        assert [*rows_of(corpus, each, general=True)] == rows
        assert not any(plain)


@pytest.mark.parametrize("name", [*MADE])
def test_both_roads_come_to_the_same(name: str, tmp_path: Path, plain: list[bool]) -> None:
    same_over(MADE[name](tmp_path), plain)


@pytest.mark.parametrize("pred", ["pred_csv", "pred_json"])
def test_both_roads_come_to_the_same_over_a_real_model(
    pred: str, shared: Path, plain: list[bool]
) -> None:
    data = shared / "data" / "cord-qwen2vl"
    same_over(Corpus(data / "gold_csv", data / pred, None, 0.0), plain)
