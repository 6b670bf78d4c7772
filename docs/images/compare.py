"""Draws compare.svg, the two models of a generated corpus side by side."""

from __future__ import annotations

import io
import re
import tempfile
from contextlib import chdir
from pathlib import Path

from rich.console import Console
from rich.text import Text

import docassay
from docassay.report.compare import render
from docassay.report.screen import Screen
from docassay.synth.corpus import write_corpus

COMMAND = "docassay compare careful hasty"
MODELS = ("careful", "hasty")


def picture() -> str:
    """Return the first screen of 100 documents as SVG, in whatever font the reader has."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        gold, *preds, _, schema = write_corpus(Path("corpus"), docs=100, seed=7, models=MODELS)
        for model, pred in zip(MODELS, preds, strict=True):
            docassay.score(gold, pred, schema=schema, out=model)
        comparison = docassay.compare(*MODELS)
    shown = render(comparison, "table", screen=Screen(colour=True))
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(Text(f"$ {COMMAND}", style="bold"))
    console.print(Text.from_ansi(shown))
    svg = console.export_svg(title="docassay", unique_id="compare")
    # no font is fetched from anywhere
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(picture(), encoding="utf-8")
