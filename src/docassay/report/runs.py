"""Stored runs as text: what verifying one found, and lists and trends of many."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from docassay.analysis.runs import (
    GUESSED,
    NO_SCHEMA,
    RunList,
    RunScore,
    StoredRun,
    Trend,
    TrendSeries,
)
from docassay.analysis.verify import CLAIM, Verification
from docassay.errors import UnknownName
from docassay.model.words import UNDEFINED, code, count, number, visible
from docassay.report.screen import PLAIN, Screen, draw, grid, words
from docassay.report.sheets import Cells, table_of
from docassay.run.output import json_text, markdown_table
from docassay.version import VERSION

MOST_SHOWN = 20
"""How many differing numbers a terminal shows; JSON has all."""
GOLD_SHOWN = 8
"""Characters of a digest of gold."""
DETAILS = ("tags", "model", "schema", "gold")
NAME_WIDTH = 30
SPARKS = "▁▂▃▄▅▆▇█"
MOST_BARS = 50
"""How many of the last runs a line of bars shows."""
TREND_HEAD = ("run", "made", "documents", "value", "change")


def render_verification(
    verification: Verification, format: str = "table", *, screen: Screen = PLAIN
) -> str:
    """Return what verifying a run found, as a table or as JSON."""
    if format == "json":
        return _verification_json(verification)
    if format != "table":
        raise UnknownName("format of verify", format, ("json", "table"))
    return draw(_verification_lines(verification), screen).rstrip("\n") + "\n"


def _verification_json(verification: Verification) -> str:
    facts: dict[str, object] = {
        "docassay": verification.version,
        "run": verification.run,
        "signature": verification.signature,
        "equal": verification.equal,
        "documents": verification.documents,
        "scores": verification.scores,
        "inputs": verification.inputs,
        "stale": verification.stale,
        "notes": verification.notes,
    }
    lists = {
        "claims": ({"score": each.address, "quoted": each.text} for each in verification.claims),
        "differing": (each._asdict() for each in verification.differing),
        "changes": (each._asdict() for each in verification.changes),
    }
    return json_text(facts, lists)


def _verification_lines(verification: Verification) -> Iterator[RenderableType]:
    scored = f"{count(verification.scores, 'score')} of {count(verification.documents, 'document')}"
    sources = " and ".join(verification.inputs)
    if verification.equal:
        yield words("equal", "bold green")
        for claim in verification.claims:
            yield words(f"{claim.address} is {claim.text}, as quoted")
        yield words(f"{scored}, scored again from {sources}")
        return
    if verification.changes:
        yield words("changed: what the numbers depend on is not what it was", "bold red")
        for change in verification.changes:
            place = f" {change.where}" if change.where else ""
            yield words(f"  {change.what}:{place}")
            yield words(f"    {change.before} → {change.now}")
    if verification.differing:
        many = count(len(verification.differing), "number")
        verb = "differs" if len(verification.differing) == 1 else "differ"
        yield words(f"{many} {verb}: {scored} were compared", "bold red")
        yield Text()
        table = grid("score", "quoted", "recomputed", "written in")
        for mismatch in verification.differing[:MOST_SHOWN]:
            part = "" if mismatch.part == "value" else f" ({mismatch.part})"
            quoted, recomputed = mismatch.quoted, mismatch.recomputed
            table.add_row(
                words(f"{mismatch.address}{part}"),
                words(quoted if mismatch.where == CLAIM else _short(quoted, recomputed)),
                words("undefined" if recomputed is None else _short(repr(recomputed), quoted)),
                words(mismatch.where),
            )
        yield table
        rest = len(verification.differing) - MOST_SHOWN
        if rest > 0:
            yield words(f"and {rest:,} more; --format json lists all", "dim")
    elif verification.changes and verification.documents:
        yield words(f"{scored} came out as they were all the same")
    for name in verification.stale:
        yield words(f"{name} shows other numbers than those that come out", "red")


def _short(text: str, other: object) -> str:
    """Return a number with four decimals, or as it is where that would hide the difference."""
    try:
        value, beside = float(text), float(str(other))
    except ValueError:
        return text
    if "." not in text or number(value) == number(beside):
        return text
    return number(value)


def render_runs(listing: RunList, format: str = "table", *, screen: Screen = PLAIN) -> str:
    """Return a list of runs in one of FORMATS."""
    forms: Mapping[str, Callable[[], str]] = {
        "csv": lambda: table_of(map(_run_cells, listing.runs)),
        "json": lambda: json_text(
            {"docassay": VERSION, "folder": listing.folder, "notes": listing.notes},
            {"runs": map(_plain_run, listing.runs)},
        ),
        "markdown": lambda: _runs_markdown(listing),
        "table": lambda: draw(_runs_table(listing), screen),
    }
    return _chosen(forms, format)


def _chosen(forms: Mapping[str, Callable[[], str]], format: str) -> str:
    if format not in forms:
        raise UnknownName("format", format, forms)
    return forms[format]()


def _plain_run(run: StoredRun) -> dict[str, object]:
    score = None if run.score is None else run.score._asdict()
    return {**run._asdict(), "tags": dict(run.tags), "score": score}


def _run_cells(run: StoredRun) -> Cells:
    score = run.score
    return {
        "name": run.name,
        "made": run.made,
        "documents": run.documents,
        "score": "" if score is None else score.address,
        "value": None if score is None else score.value,
        "low": None if score is None else score.low,
        "high": None if score is None else score.high,
        "model": run.model,
        "schema": run.schema,
        "tags": "; ".join(_tags(run)),
        "gold": run.gold,
        "problem": run.problem,
    }


def _tags(run: StoredRun) -> list[str]:
    return [f"{name}={value}" for name, value in run.tags.items()]


def _label(listing: RunList) -> str:
    """Return the name of the score if all runs show the same."""
    labels = {run.score.label for run in listing.runs if run.score is not None}
    return labels.pop() if len(labels) == 1 else ""


def _shown_score(score: RunScore | None, label: str) -> str:
    if score is None:
        return UNDEFINED
    form = ".3f" if isinstance(score.value, float) else ",.0f"
    value = number(None) if score.value is None else f"{score.value:{form}}"
    ends = ""
    if score.low is not None and score.high is not None:
        ends = f" [{score.low:{form}}, {score.high:{form}}]"
    return f"{'' if label else score.label + ' '}{value}{ends}"


def _moment(made: str) -> str:
    """Return a time to the minute."""
    return made[:16].replace("T", " ")


def _details(run: StoredRun, shared: Collection[str]) -> dict[str, str]:
    """Return what else is known of a run, by what it is; what all runs share is left out."""
    if run.problem:
        return {"tags": "cannot be read"}
    parts = {
        "tags": ", ".join(_tags(run)),
        "model": run.model,
        "schema": _schema(run),
        "gold": _gold(run),
    }
    return {name: text for name, text in parts.items() if text and text not in shared}


def _documents(run: StoredRun) -> str:
    return count(run.documents, "document")


def _schema(run: StoredRun) -> str:
    return f"schema {run.schema}" if run.schema not in ("", GUESSED, NO_SCHEMA) else ""


def _gold(run: StoredRun) -> str:
    return f"gold {run.gold[:GOLD_SHOWN]}" if run.gold else ""


def _shared(runs: Sequence[StoredRun]) -> list[str]:
    """Return the number of documents, the gold and the schema that all runs have."""
    sound = [run for run in runs if not run.problem]
    parts = (_documents, _gold, _schema) if len(runs) > 1 else (_gold, _schema)
    texts = [{part(run) for run in sound} for part in parts]
    return [*filter(None, (text.pop() for text in texts if len(text) == 1))]


def _runs_table(listing: RunList) -> Iterator[RenderableType]:
    label, shared = _label(listing), _shared(listing.runs)
    details = [_details(run, shared) for run in listing.runs]
    heads = [name for name in DETAILS if any(name in each for each in details)]
    numbers = any(_documents(run) not in shared for run in listing.runs if not run.problem)
    table = grid("run", *(("documents",) if numbers else ()), label or "headline")
    longest = max((cell_len(visible(run.name)) for run in listing.runs), default=0)
    table.columns[0].min_width = table.columns[0].max_width = min(longest, NAME_WIDTH)
    table.add_column("made (UTC)", no_wrap=True)
    if heads:
        table.add_column(", ".join(heads), overflow="fold")
    for run, known in zip(listing.runs, details, strict=True):
        more = words(", ".join(known.values()), "red" if run.problem else "")
        table.add_row(
            words(run.name),
            *((words(f"{run.documents:,}"),) if numbers else ()),
            words(_shown_score(run.score, label)),
            words(_moment(run.made)),
            *((more,) if heads else ()),
        )
    yield table
    if shared and len(listing.runs) > 1:
        yield words(f"all runs: {', '.join(shared)}", "dim")
    elif shared:
        yield words(", ".join(shared), "dim")


def _runs_markdown(listing: RunList) -> str:
    label = _label(listing)
    head = (
        "run",
        "made (UTC)",
        "documents",
        label or "headline",
        "model",
        "schema",
        "tags",
        "gold",
    )
    rows = (
        (
            code(run.name),
            _moment(run.made),
            f"{run.documents:,}",
            _shown_score(run.score, label),
            *(code(text) if text else "" for text in (run.model, run.schema)),
            " ".join(map(code, _tags(run))),
            code(run.gold[:GOLD_SHOWN]) if run.gold else "",
        )
        for run in listing.runs
    )
    return "\n".join(markdown_table(head, rows, "llrrllll"))


def render_trend(trend: Trend, format: str = "table", *, screen: Screen = PLAIN) -> str:
    """Return the course of a score in one of FORMATS."""
    forms: Mapping[str, Callable[[], str]] = {
        "csv": lambda: table_of(_trend_cells(trend)),
        "json": lambda: json_text(
            {
                "docassay": VERSION,
                "score": trend.address,
                "folder": trend.folder,
                "by": trend.by,
                "notes": trend.notes,
            },
            {"points": _trend_cells(trend)},
        ),
        "markdown": lambda: _trend_markdown(trend),
        "table": lambda: draw(_trend_table(trend), screen),
    }
    return _chosen(forms, format)


def _trend_cells(trend: Trend) -> Iterator[Cells]:
    for label, points in trend.series:
        for point in points:
            yield {
                "series": label,
                "made": point.run.made,
                "run": point.run.name,
                "documents": point.run.documents,
                "value": point.score.value,
                "low": point.score.low,
                "high": point.score.high,
                "change": point.change,
                "gold": point.run.gold,
            }


def sparkline(values: Sequence[float | int | None], low: float, high: float) -> str:
    """Return values as a line of bars between two ends, a space where there is none."""
    span = high - low
    bars = (
        " "
        if value is None
        else SPARKS[round((value - low) / span * (len(SPARKS) - 1))]
        if span > 0
        else SPARKS[len(SPARKS) // 2]
        for value in values
    )
    return "".join(bars)


def _ends(trend: Trend) -> tuple[float, float]:
    """Return the lowest and the highest value of all series."""
    values = [float(value) for line in trend.series for value in _values(line) if value is not None]
    return min(values, default=0.0), max(values, default=0.0)


def _values(series: TrendSeries) -> list[float | int | None]:
    return [point.score.value for point in series.points]


def _course(trend: Trend, series: TrendSeries) -> str:
    """Return a series in a line: its name, its bars, its first and its last value."""
    shown = [number(value) for value in _values(series) if value is not None] or [UNDEFINED]
    name = _series_name(trend, series)
    bars = sparkline(_values(series)[-MOST_BARS:], *_ends(trend))
    return f"{name}{bars}  {shown[0]} → {shown[-1]}  {count(len(series.points), 'run')}"


def _series_name(trend: Trend, series: TrendSeries) -> str:
    if not trend.by:
        return ""
    return f"{trend.by}={series.label}  " if series.label else f"no {trend.by}  "


def _trend_rows(series: TrendSeries) -> Iterator[tuple[str, ...]]:
    for point in series.points:
        change = point.change
        sign = "+" if change is not None and change > 0 else ""
        yield (
            point.run.name,
            _moment(point.run.made),
            f"{point.run.documents:,}",
            _shown_score(point.score, point.score.label),
            UNDEFINED if change is None else f"{sign}{number(change)}".replace("-", "−"),
        )


def _trend_table(trend: Trend) -> Iterator[RenderableType]:
    yield words(trend.address, "bold")
    for series in trend.series:
        yield words(_course(trend, series))
    for series in trend.series:
        yield Text()
        if trend.by:
            yield words(_series_name(trend, series).strip(), "bold")
        table = grid(*TREND_HEAD)
        for row in _trend_rows(series):
            table.add_row(*map(words, row))
        yield table


def _trend_markdown(trend: Trend) -> str:
    lines = [f"## {code(trend.address)}", ""]
    for series in trend.series:
        lines += [f"- {code(_course(trend, series))}"]
    for series in trend.series:
        lines += ["", f"### {code(_series_name(trend, series).strip())}"] if trend.by else []
        rows = ((code(name), *others) for name, *others in _trend_rows(series))
        lines += ["", *markdown_table(TREND_HEAD, rows, "llrrr")]
    return "\n".join(lines)


def write_trend(path: Path, trend: Trend) -> None:
    """Draw the course of a score into an SVG or PNG file."""
    from docassay.report.charts.trend import CourseLine, CoursePoint, draw_course

    runs = sorted(
        (point.run.made, point.run.name) for line in trend.series for point in line.points
    )
    places = {run: place for place, run in enumerate(runs)}
    lines = [
        CourseLine(
            _series_name(trend, series).strip(),
            tuple(
                CoursePoint(
                    places[point.run.made, point.run.name],
                    float(point.score.value),
                    point.score.low,
                    point.score.high,
                    point.run.name,
                    _moment(point.run.made),
                )
                for point in series.points
                if point.score.value is not None
            ),
        )
        for series in trend.series
    ]
    draw_course(path, trend.address, lines)
