"""A comparison of runs in every form, and in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

from docassay.errors import UnknownName
from docassay.model.comparison import Comparison
from docassay.model.report import PAGE
from docassay.report.compare_screen import first_screen, whole_tables
from docassay.report.comparison import command_of, others
from docassay.report.screen import PLAIN, Screen
from docassay.run.output import Cell, csv_text, refuse_link, write_texts, writing

FORMATS = ("table", "json", "markdown", "csv", "latex", PAGE)
COMPARISON = "comparison"
CHARTS = "charts"
CHART_NAMES = ("differences-by-*", "score-against-*", "difference-by-cause.*")


def render(
    comparison: Comparison, format: str, *, screen: Screen = PLAIN, all_fields: bool = False
) -> str:
    """Return a comparison in one of FORMATS; `all_fields` shows every score in a table."""
    if format not in FORMATS:
        raise UnknownName("format", format, FORMATS)
    if format == "table":
        return whole_tables(comparison, screen) if all_fields else first_screen(comparison, screen)
    if format == "json":
        from docassay.report.json import comparison_json

        return comparison_json(comparison)
    if format == "csv":
        return scores_csv(comparison)
    if format == PAGE:
        from docassay.report.html import render_comparison

        return render_comparison(comparison)
    function: Callable[[Comparison], str] = getattr(
        import_module("docassay.report.compare_pages"), format
    )
    return function(comparison)


def write_comparison(folder: Path, comparison: Comparison, *, charts: bool = False) -> list[Path]:
    """Write a comparison in all its forms, its documents and, if asked for, charts.

    Charts of an earlier comparison never stay beside other numbers.
    """
    pictures = folder / CHARTS
    drawn: list[Path] = []
    with writing(folder):
        refuse_link(pictures)
        for name in CHART_NAMES:
            for stale in pictures.glob(name):
                stale.unlink()
        if charts:
            from docassay.report.charts.comparison import draw_comparison

            pictures.mkdir(parents=True, exist_ok=True)
            drawn = draw_comparison(comparison, pictures)
    links = [
        f"\n![{path.stem.replace('-', ' ')}]({CHARTS}/{path.name})\n"
        for path in drawn
        if path.suffix == ".png"
    ]
    texts = {
        f"{COMPARISON}.json": render(comparison, "json"),
        f"{COMPARISON}.md": "".join((render(comparison, "markdown"), *links)),
        f"{COMPARISON}.csv": scores_csv(comparison),
        f"{COMPARISON}.html": render(comparison, PAGE),
        "documents.csv": documents_csv(comparison),
    }
    return [*write_texts(folder, texts), *drawn]


SCORE_COLUMNS = (
    *("score", "kind", "key", "slice", "run", "value", "against", "value_against"),
    *("difference", "low", "high", "p", "p_adjusted", "verdict", "winner"),
)


def scores_csv(comparison: Comparison) -> str:
    """Return one row a score and run that is compared with another."""
    return csv_text(SCORE_COLUMNS, _score_rows(comparison))


def _score_rows(comparison: Comparison) -> Iterator[Sequence[Cell]]:
    against = comparison.against
    for entry in comparison.scores:
        score = entry.score
        winner = "" if entry.winner is None else comparison.runs[entry.winner].name
        for difference in entry.differences:
            yield (
                *(score.address, score.kind, score.key, score.slice),
                *(comparison.runs[difference.run].name, entry.values[difference.run]),
                *(comparison.runs[against].name, entry.values[against]),
                *(difference.value, difference.low, difference.high),
                *(difference.p, difference.p_adjusted, difference.verdict or "", winner),
            )


def documents_csv(comparison: Comparison) -> str:
    """Return one row a document that changed, with its score and what it became in each run."""
    names = [run.name for run in comparison.runs]
    states = [f"state: {names[run]}" for run in others(comparison)]
    head = ("document", "type", *(f"{comparison.headline}: {name}" for name in names), "change")
    rows = (
        [
            *(document.id, document.type, *document.values, document.change),
            *(document.states[run] if document.states else "" for run in others(comparison)),
            command_of(comparison, document),
        ]
        for document in comparison.documents
    )
    return csv_text((*head, *states, "explain"), rows)
