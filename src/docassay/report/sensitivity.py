"""Sensitivity as text: the score of each run under each setting, and who wins there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.text import Text

from docassay.analysis.ranking import SettingLine
from docassay.analysis.sensitivity import AS_SCORED, Sensitivity
from docassay.errors import UnknownName
from docassay.model.words import UNDEFINED, code, count, number, p_value
from docassay.report.screen import PLAIN, Screen, draw, grid, words
from docassay.report.sheets import Cells, table_of
from docassay.run.output import json_text, markdown_table

TIE = "tie"
NAMES_SHOWN = 14
"""Characters of a run's name at the head of a column."""


def render(study: Sensitivity, format: str = "table", *, screen: Screen = PLAIN) -> str:
    """Return the study as a table, JSON, CSV or Markdown."""
    forms: Mapping[str, Callable[[], str]] = {
        "csv": lambda: table_of(_cells(study)),
        "json": lambda: _json(study),
        "markdown": lambda: _markdown(study),
        "table": lambda: draw(_table(study), screen),
    }
    if format not in forms:
        raise UnknownName("format of sensitivity", format, forms)
    return forms[format]()


def _json(study: Sensitivity) -> str:
    facts: dict[str, object] = {
        "docassay": study.version,
        "score": study.address,
        "lower_is_better": study.lower_is_better,
        "documents": study.documents,
        "rescorings": study.rescorings,
        "alpha": study.alpha,
        "winner": _name(study, study.usual.winner),
        "stable": not study.overturned,
        "notes": study.notes,
    }
    lists = {
        "runs": (
            {"name": name, "signature": signature}
            for name, signature in zip(study.runs, study.signatures, strict=True)
        ),
        "settings": (
            {
                **line._asdict(),
                "winner": _name(study, line.winner),
                "rival": _name(study, line.rival),
                "changes_winner": line.winner != study.usual.winner,
            }
            for line in study.lines
        ),
    }
    return json_text(facts, lists)


def _name(study: Sensitivity, run: int | None) -> str | None:
    return None if run is None else study.runs[run]


def _cells(study: Sensitivity) -> Iterator[Cells]:
    """Yield a record for each setting and run."""
    for line in study.lines:
        for run, (value, place) in enumerate(zip(line.values, line.ranks, strict=True)):
            yield {
                "kind": line.kind,
                "setting": line.label,
                "score": line.address,
                "run": study.runs[run],
                "value": value,
                "rank": place,
                "winner": _name(study, line.winner) or "",
                "changes_winner": "yes" if line.winner != study.usual.winner else "no",
                "p": line.p,
            }


def _verdict(study: Sensitivity) -> Iterator[str]:
    """Yield whether another choice changes the winner, in words."""
    settings = count(len(study.lines) - 1, "other setting")
    again = count(study.rescorings, "run was scored again", "runs were scored again")
    yield f"{study.address}, {count(study.documents, 'document')}; {settings}, {again}"
    if len(study.runs) == 1:
        values = [
            value
            for line in study.lines
            if line.address == study.address and (value := line.values[0]) is not None
        ]
        if values:
            yield f"from {number(min(values))} to {number(max(values))}"
        return
    usual = study.usual
    if usual.winner is None:
        yield "no run leads as scored"
    else:
        yield f"{study.runs[usual.winner]} leads as scored{_surely(study, usual)}"
    if not study.overturned:
        yield "no other setting changes that"
        return
    for line in study.overturned:
        what = f"{line.kind}: {line.label}"
        if line.winner is None:
            yield f"{what}: no run leads"
        else:
            yield f"{what}: {study.runs[line.winner]} leads{_surely(study, line)}"


def _surely(study: Sensitivity, line: SettingLine) -> str:
    if line.difference is None or line.rival is None:
        return ""
    by = f" by {number(line.difference)} over {study.runs[line.rival]}"
    if line.p is None:
        return by
    chance = "beyond chance" if study.is_sure(line) else "within chance"
    return f"{by}, {chance} (p {_p(line)})"


def _p(line: SettingLine) -> str:
    return UNDEFINED if line.p is None else p_value(line.p)


def _row(study: Sensitivity, line: SettingLine) -> tuple[str, ...]:
    """Return the cells of a setting: its name, a value a run, the winner, and p."""
    values = [
        f"{number(value)} ({place})" if len(study.runs) > 2 and place else number(value)
        for value, place in zip(line.values, line.ranks, strict=True)
    ]
    name = line.label or AS_SCORED
    if len(study.runs) == 1:
        return name, *values
    changed = " !" if line.winner != study.usual.winner else ""
    winner = TIE if line.winner is None else _short(study.runs[line.winner])
    return name, *values, f"{winner}{changed}", _p(line)


def _short(name: str) -> str:
    """Return the end of a long name, which is where names of runs differ."""
    return name if len(name) <= NAMES_SHOWN else f"…{name[1 - NAMES_SHOWN :]}"


def _head(study: Sensitivity) -> tuple[str, ...]:
    names = tuple(map(_short, study.runs))
    return ("setting", *names, *(("winner", "p") if len(names) > 1 else ()))


def _parts(study: Sensitivity) -> Iterator[tuple[str, Sequence[SettingLine]]]:
    """Yield the kinds of settings with those that have an effect."""
    for kind, lines in groupby(study.lines, key=lambda line: line.kind):
        shown = [line for line in lines if line.effect]
        if shown:
            yield kind, shown


def _without_effect(study: Sensitivity) -> str:
    idle: dict[str, list[str]] = {}
    for line in study.lines:
        if not line.effect:
            idle.setdefault(line.kind, []).append(line.label)
    parts = [f"{kind}: {', '.join(labels)}" for kind, labels in idle.items()]
    return f"without effect: {'; '.join(parts)}" if parts else ""


def _table(study: Sensitivity) -> Iterator[RenderableType]:
    for sentence in _verdict(study):
        yield words(sentence, "bold")
    yield Text()
    table = grid(*_head(study))
    for kind, lines in _parts(study):
        if kind != AS_SCORED:
            table.add_row(words(kind, "dim"))
        for line in lines:
            name, *cells = _row(study, line)
            indent = "" if kind == AS_SCORED else "  "
            table.add_row(words(f"{indent}{name}"), *map(words, cells))
    yield table
    if _without_effect(study):
        yield words(_without_effect(study), "dim")
    if len(study.runs) > 1:
        yield words("p is of the winner against its rival, for the one setting", "dim")


def _markdown(study: Sensitivity) -> str:
    lines = ["## docassay: sensitivity", ""]
    lines += [f"- {code(sentence)}" for sentence in _verdict(study)]
    lines.append("")
    head = ("", *_head(study))
    rows = [(kind, *map(code, _row(study, line))) for kind, some in _parts(study) for line in some]
    coded = (*head[:2], *map(code, head[2:]))
    lines += markdown_table(coded, rows, "ll" + "r" * (len(head) - 2))
    if _without_effect(study):
        lines += [code(_without_effect(study)), ""]
    return "\n".join(lines)
