"""Draws score.svg, the picture of the README, from a run on a generated corpus."""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

import docassay
from docassay.cli.terminal import KEPT
from docassay.report.first_screen import Explain, render
from docassay.report.screen import Screen
from docassay.synth.corpus import write_corpus

COMMAND = "docassay score gold.jsonl hasty.jsonl --schema schema.yaml --out run"


def picture() -> str:
    """Return the first screen of 100 documents as SVG, in whatever font the reader has."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, pred, _, schema = write_corpus(folder, docs=100, seed=7, models=("hasty",))
        report = docassay.score(gold, pred, schema=schema)
    explain = Explain(("docassay", "explain", "run"))
    shown = render(report, screen=Screen(colour=True), explain=explain, footer=KEPT)
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(Text(f"$ {COMMAND}", style="bold"))
    console.print(Text.from_ansi(shown))
    svg = console.export_svg(title="docassay", unique_id="score")
    # no font is fetched from anywhere
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(picture(), encoding="utf-8")
