"""Draws field-accuracy.png and dashboard.png, the charts of a run on a generated corpus."""

from __future__ import annotations

import tempfile
from pathlib import Path

import docassay
from docassay.synth.corpus import write_corpus

CHARTS = ("field-accuracy.png", "dashboard.png")


def pictures() -> dict[str, bytes]:
    """Return the two charts of 100 generated documents by name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, pred, _, schema = write_corpus(folder, docs=100, seed=7, models=("hasty",))
        docassay.score(gold, pred, schema=schema, out=folder / "run", charts=True)
        return {chart: (folder / "run" / "charts" / chart).read_bytes() for chart in CHARTS}


if __name__ == "__main__":
    for chart, picture in pictures().items():
        Path(__file__).with_name(chart).write_bytes(picture)
