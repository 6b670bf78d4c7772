"""Draws score.svg, the picture of the README, from a run on a generated corpus."""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

import docassay
from docassay.report.screen import Screen
from docassay.report.table import render
from docassay.synth.corpus import write_corpus

COMMAND = (
    "docassay score corpus/gold.jsonl corpus/hasty.jsonl --schema corpus/schema.yaml "
    "--metrics entity,kieval"
)


def picture() -> str:
    """Return the table of 100 generated documents as SVG, in whatever font the reader has."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, pred, _, schema = write_corpus(folder, docs=100, seed=7, models=("hasty",))
        report = docassay.score(gold, pred, schema=schema, metrics=["entity", "kieval"])
    shown = render(report, screen=Screen(width=80, colour=True)).partition("16 problems")[0]
    shown = re.sub(r"(\x1b\[[\d;]*m)+\Z", "", shown).rstrip()
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(Text(f"$ {COMMAND}", style="bold"))
    console.print(Text.from_ansi(shown))
    svg = console.export_svg(title="docassay", unique_id="score")
    # no font is fetched from anywhere
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(picture(), encoding="utf-8")
