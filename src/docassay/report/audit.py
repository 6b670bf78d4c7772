"""Suspect gold for a terminal, as JSON and CSV, and as files for annotators."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from docassay.analysis.audit.result import Audit, Suspect
from docassay.errors import UnknownName
from docassay.load.wire import encode
from docassay.model.words import count, number, visible
from docassay.report.screen import PLAIN, Screen, draw, grid, words
from docassay.run.output import csv_text, json_text, write_texts
from docassay.run.patched import ALREADY, APPLIED, LEFT, PatchedGold

FORMATS = ("table", "json", "csv")
SHOWN = 15
SHOWN_DUPLICATES = 5
SUSPECTS, PROPOSED = "gold-suspects.csv", "gold-patch.proposed.jsonl"
HEAD = ("document", "path", "gold", "proposed", "score", "models", "evidence")
INDENT = 7
LONGEST = 60
"""Characters of a value that the table shows."""


def render(audit: Audit, format: str, *, screen: Screen = PLAIN) -> str:
    """Return an audit as text in one of FORMATS."""
    if format not in FORMATS:
        raise UnknownName("format of an audit", format, FORMATS)
    if format == "table":
        return draw(_parts(audit, screen.width), screen)
    return _csv(audit) if format == "csv" else _json(audit)


def write_audit(folder: Path, audit: Audit) -> None:
    """Write the suspects for annotators, and a patch that takes all proposals."""
    decisions = (each.decision for each in audit.suspects if each.decision is not None)
    lines = "".join(decision.as_line().decode() for decision in decisions)
    write_texts(folder, {SUSPECTS: _csv(audit), PROPOSED: lines, "audit.json": _json(audit)})


def patched_line(patched: PatchedGold) -> str:
    """Return what became of the decisions of a patch, in one line."""
    counts = [
        f"{patched.count(outcome):,} {outcome}"
        for outcome in (APPLIED, ALREADY, LEFT)
        if patched.count(outcome) or outcome == APPLIED
    ]
    total = count(len(patched.decisions), "decision")
    changed = count(patched.documents, "document")
    return f"{total}: {', '.join(counts)}; {changed} changed"


def _parts(audit: Audit, width: int) -> Iterator[RenderableType]:
    places = len({suspect.document for suspect in audit.suspects})
    documents = count(audit.documents, "document")
    headline = f"no suspect value of gold in {documents}"
    if audit.suspects:
        suspects = count(len(audit.suspects), "suspect value")
        headline = f"{suspects} of gold in {places:,} of {documents}"
    yield words(headline, "bold")
    runs = count(len(audit.runs), "run")
    yield words(f"{count(audit.values, 'value')} of gold looked at, {runs}", "dim")
    yield Text()
    if audit.suspects:
        yield words("score  document  path", "dim")
    for suspect in audit.suspects[:SHOWN]:
        yield from _suspect(suspect, width)
    more = len(audit.suspects) - SHOWN
    if more > 0:
        yield words(f"and {more:,} more; --out DIR keeps all of them", "dim")
    if audit.duplicates:
        yield Text()
        yield from _duplicates(audit)
    if audit.scores and audit.suspects:
        yield Text()
        yield words("Scores with suspect values left out on both sides", "bold")
        table = grid("run", "score", "scored", "without")
        table.columns[1].justify = "left"
        for score in audit.scores:
            cells = (score.run, score.score, number(score.value), number(score.without))
            table.add_row(*map(words, cells))
        yield table


def _suspect(suspect: Suspect, width: int) -> Iterator[RenderableType]:
    """Yield where it stands, what gold has and what is proposed, and every piece of evidence."""
    head = Text(f"{suspect.score:.3f}  ")
    head.append_text(words(f"{suspect.document}  {suspect.path}", "bold"))
    yield head
    change = f"gold {_shown(suspect.gold)}, proposed {_shown(suspect.proposed)}"
    if suspect.decision is None:
        change = f"gold {_shown(suspect.gold)}, no proposal"
    texts = [change, *(piece.words for piece in suspect.evidence)]
    for place, text in enumerate(texts):
        # words of documents may hold line breaks and signs that no terminal should get
        room = max(20, width - INDENT - 2)
        lines = textwrap.wrap(visible(text), room, break_on_hyphens=False) or [""]
        for at, line in enumerate(lines):
            mark = "  " if place == 0 or at else "- "
            yield words(f"{' ' * INDENT}{mark if place else ''}{line}", "" if place == 0 else "dim")


def _shown(text: str | None) -> str:
    if text is None:
        return "nothing"
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def _duplicates(audit: Audit) -> Iterator[RenderableType]:
    yield words("Documents that are the same, or nearly so", "bold")
    for pair in audit.duplicates[:SHOWN_DUPLICATES]:
        differ = f", {count(pair.differing, 'value differs', 'values differ')}"
        shared = f"{count(pair.values, 'value')} shared{differ if pair.differing else ''}"
        yield words(f"  {pair.first} and {pair.second}: {shared}")
    more = len(audit.duplicates) - SHOWN_DUPLICATES
    if more > 0:
        yield words(f"  and {more:,} more pairs", "dim")


def _csv(audit: Audit) -> str:
    rows = (
        [
            suspect.document,
            suspect.path,
            suspect.gold,
            suspect.proposed,
            suspect.score,
            ", ".join(suspect.models),
            "; ".join(piece.words for piece in suspect.evidence),
        ]
        for suspect in audit.suspects
    )
    return csv_text(HEAD, rows)


def _json(audit: Audit) -> str:
    facts: dict[str, object] = {
        "docassay": audit.version,
        "runs": [
            {"name": name, "signature": signature}
            for name, signature in zip(audit.runs, audit.signatures, strict=True)
        ],
        "documents": audit.documents,
        "values": audit.values,
        "min_score": audit.min_score,
        "notes": audit.notes,
    }
    lists = {
        "suspects": map(_plain, audit.suspects),
        "duplicates": (pair._asdict() for pair in audit.duplicates),
        "scores": (score._asdict() for score in audit.scores),
    }
    return json_text(facts, lists)


def _plain(suspect: Suspect) -> dict[str, object]:
    decision = suspect.decision
    return {
        **{name: getattr(suspect, name) for name in HEAD[:2]},
        "field": suspect.field,
        "gold": suspect.gold,
        "proposed": suspect.proposed,
        "score": suspect.score,
        "models": suspect.models,
        "evidence": [piece._asdict() for piece in suspect.evidence],
        "action": None if decision is None else decision.action,
        "value": None if decision is None else _value(decision.value),
    }


def _value(value: object) -> object:
    return value if value is None or isinstance(value, str | dict) else encode(value)
