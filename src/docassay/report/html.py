"""A run, or a comparison of runs, as a page in one file: it opens from disk and loads nothing.

The data stand in the page packed (gzip, base64) and are opened when they are looked at: first all
but the documents, then a hundred documents at a time. The scripts are those of the viewer, joined;
the page allows them and its style, by their digests, and nothing else.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import NamedTuple

from docassay.model.comparison import Comparison
from docassay.model.report import DocumentLine, KeptDiff, Report
from docassay.model.words import visible
from docassay.report.comparison import verdict_sentence
from docassay.report.page_data import PageData, comparison_data, run_data
from docassay.run.diffs import encoded

VENDORED = "preact-htm.js"
MODULES = (
    *("preact.js", "base.js", "charts.js", "parts.js", "pages.js", "review.js", "document.js"),
    *("overview.js", "list.js", "compare.js", "report.js"),
)
"""The modules of a page, each after those that it imports from."""
STYLE = "page.css"
PART = 100
"""Documents that are packed together."""
LEVEL = 2
"""Of gzip: the next one takes an eighth longer for data that are a sixteenth smaller."""
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def render(report: Report, *, name: str = "", lines: Iterable[DocumentLine] | None = None) -> str:
    """Return the page of a run: its report, and the documents that it has kept.

    `lines` are those of all documents, where they need not be worked out again.
    """
    title = name or "docassay report"
    data = run_data(report, name=title, lines=lines)
    diffs = [*report.diffs.read()]
    words = "; ".join(
        f"{line.label} {report[line.readout].value}" for line in report.first_lines if line.label
    )
    return _page(title, words, data, [diffs])


def render_comparison(comparison: Comparison) -> str:
    """Return the page of a comparison, with the documents that its runs have kept."""
    sentence = verdict_sentence(comparison)
    title = " and ".join(run.name for run in comparison.runs)
    data = comparison_data(comparison) | {"name": title}
    return _page(title, sentence, data, [[*diffs.read()] for diffs in comparison.diffs])


def _page(title: str, words: str, data: PageData, runs: Sequence[Sequence[KeptDiff]]) -> str:
    """Return a page: what it says without scripts, its data, then its scripts."""
    shell = _shell()
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{shell.policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(visible(title))} · docassay</title>\n"
        f"<style>{shell.style}</style>\n</head>\n"
    )
    body = (
        '<body>\n<div id="app"></div>\n<noscript>'
        f"<p>{escape(visible(words))}</p><p>This report is shown by a script.</p></noscript>\n"
    )
    ids = [[diff.id for diff in diffs] for diffs in runs]
    packed = [_packed("data", encoded(data | {"part": PART, "ids": ids}))]
    for run, diffs in enumerate(runs):
        for at in range(0, len(diffs), PART):
            joined = b",".join(diff.json for diff in diffs[at : at + PART])
            packed.append(_packed(f"documents-{run}-{at // PART}", b"[" + joined + b"]"))
    scripts = f'<script>{shell.vendored}</script>\n<script type="module">{shell.script}</script>\n'
    return "".join((head, body, *packed, scripts, "</body>\n</html>\n"))


def _packed(id: str, content: bytes) -> str:
    """Return data as a block that is no script; base64 holds nothing that ends it."""
    text = b64encode(gzip.compress(content, LEVEL, mtime=0)).decode("ascii")
    return f'<script type="application/gzip" id="{id}">{text}</script>\n'


class _Shell(NamedTuple):
    """What every page has: scripts and style, and the policy that allows no others."""

    vendored: str
    script: str
    style: str
    policy: str


@cache
def _shell() -> _Shell:
    vendored, style = asset(VENDORED), asset(STYLE)
    script = "\n".join(_joined())
    rules = (
        "default-src 'none'",
        f"script-src {_digest(vendored)} {_digest(script)}",
        f"style-src {_digest(style)}",
        *("img-src data:", "base-uri 'none'", "form-action 'none'"),
    )
    return _Shell(vendored, script, style, "; ".join(rules))


def _joined() -> Iterator[str]:
    """Yield the modules as parts of one script: their names are unique, so imports fall away."""
    for name in MODULES:
        yield _EXPORT.sub("", _IMPORT.sub("", asset(name)))


def asset(name: str) -> str:
    """Return a file of the front end."""
    return files("docassay.report").joinpath("assets", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
