"""Draws trade-off.svg, the automation trade-off of the demo's careful model."""

from __future__ import annotations

import tempfile
from pathlib import Path

import docassay
from docassay.cli.demo import DOCUMENTS, MODELS, SEED
from docassay.synth.corpus import write_corpus


def picture() -> str:
    """Return the chart that `docassay thresholds docassay-demo/run-careful --out DIR` draws."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, pred, *_, schema = write_corpus(folder, docs=DOCUMENTS, seed=SEED, models=MODELS)
        docassay.score(gold, pred, schema=schema, out=folder / "run")
        docassay.thresholds(folder / "run", out=folder / "kept")
        return (folder / "kept" / "trade-off.svg").read_text(encoding="utf-8")


if __name__ == "__main__":
    Path(__file__).with_name("trade-off.svg").write_text(picture(), encoding="utf-8")
