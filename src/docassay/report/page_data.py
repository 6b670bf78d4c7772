"""Reports and comparisons as plain data for pages: what report.html and the viewer show.

A page formats these numbers and never works one out. Which columns a table has, what is weak and
what a number means is what the report says; no metric is known here by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docassay.model.chart import Stacks, Waterfalls
from docassay.model.comparison import ComparedScore, Comparison
from docassay.model.report import (
    FIELD,
    HIGHER,
    SHARE,
    CurvePoint,
    DocumentLine,
    HeadlineLine,
    KeptDiff,
    Report,
    Section,
    Sentence,
)
from docassay.model.words import count
from docassay.report.comparison import (
    by_key,
    explaining,
    headline_label,
    label,
    leading,
    shown_kinds,
    verdict_sentence,
)
from docassay.report.comparison import slices as compared_slices
from docassay.report.first_screen import headline_lines, problem_words
from docassay.report.json import plain_problem
from docassay.report.tables import (
    Column,
    KeyLine,
    document_ranking,
    documents,
    plural,
    slices,
    tables,
    unit_of,
)

PageData = dict[str, object]
MOST_PROBLEMS = 100
MOST_LISTED = 5_000
"""Documents in a page whose diffs nobody has kept."""
MOST_COMPARED = 5_000
"""Documents of a comparison in a page."""
CORRECTIONS = ("corrections", "substitutions", "additions", "deletions", "hours", "cost")
"""Short names of the scores that say what putting a run right takes."""


def run_data(
    report: Report,
    *,
    name: str = "",
    documents: bool = True,
    lines: Iterable[DocumentLine] | None = None,
) -> PageData:
    """Return all that the page of a run shows but for the diffs of documents.

    Without `documents` their list is left out: a viewer asks for it page by page. `lines` are those
    of the documents, where they are at hand.
    """
    data: PageData = {
        "docassay": report.version,
        "kind": "run",
        "name": name,
        "signature": report.signature,
        "documents": report.documents,
        "about": report.about,
        "notes": [*report.notes],
        "problems": _problems(report),
        "headline": [_headline(report, line) for line in headline_lines(report)],
        "corrections": _corrections(report),
        "tables": [*_tables(report)],
        "slices": _slices(report),
        "waterfalls": [*_waterfalls(report)],
        "causes": [
            {"cause": cause.name, "values": cause.values, "gain": cause.gain}
            for cause in report.causes
        ],
        "loss_by_field": [*_losses_by_field(report)],
        "sections": [_section(section) for section in report.details.sections],
        "thresholds": curve_data([point for point in report.curves if not point.field]),
        "ranking": _ranking(report),
        "fields": sorted({score.key for score in report.scores if score.kind == FIELD}),
        "cause_names": [cause.name for cause in report.causes if cause.values],
    }
    return data | (_documents(report, lines) if documents else {})


def _problems(report: Report) -> PageData:
    codes = Counter(problem.code.value for problem in report.problems)
    return {
        "total": len(report.problems),
        "words": problem_words(report),
        "codes": [{"code": code, "count": times} for code, times in sorted(codes.items())],
        "first": [plain_problem(problem) for problem in report.problems[:MOST_PROBLEMS]],
    }


def _headline(report: Report, line: HeadlineLine) -> PageData:
    score = report[line.readout]
    spec = report.specs.get(score.name)
    has_interval = bool(line.label) and unit_of(report, score) in (SHARE, "rate")
    return {
        "label": line.label,
        "address": score.address,
        "unit": unit_of(report, score),
        "better": None if spec is None else spec.better,
        "value": score.value,
        "low": score.low if has_interval else None,
        "high": score.high if has_interval else None,
        "reason": score.interval.reason if has_interval else "",
        "meaning": line.meaning,
    }


def _corrections(report: Report) -> PageData | None:
    """Return what putting the run right takes, as counts, hours and money."""
    if CORRECTIONS[0] not in report:
        return None
    values = {name: report[name].value if name in report else None for name in CORRECTIONS}
    by_field: dict[str, dict[str, object]] = {}
    for name in ("corrections", "hours", "cost"):
        whole = report.whole(name)
        for score in report.scores:
            if score.name == whole and score.kind == FIELD and not score.slice:
                by_field.setdefault(score.key, {"field": score.key})[name] = score.value
    costly = sorted(by_field.values(), key=_costliness)
    hours = report.whole("hours").partition(".")[0]
    currency = report.settings.get(f"{hours}.currency", "")
    return {**values, "currency": currency, "fields": costly}


def _costliness(entry: Mapping[str, object]) -> tuple[float, float, str]:
    hours, corrections = (
        float(value) if isinstance(value := entry.get(name), int | float) else 0.0
        for name in ("hours", "corrections")
    )
    return -hours, -corrections, str(entry["field"])


def _tables(report: Report) -> Iterator[PageData]:
    for kind, lines, columns in tables(report, most=None):
        yield _table(kind, lines, columns)


def _slices(report: Report) -> PageData | None:
    lines, columns = slices(report)
    return _table("slice", lines, columns) if lines else None


def _table(kind: str, lines: Sequence[KeyLine], columns: Sequence[Column]) -> PageData:
    ends = [[_interval(column, line) for column in columns] for line in lines]
    bar = next((at for at, column in enumerate(columns) if _is_bar(column)), None)
    return {
        "kind": kind,
        "plural": plural(kind),
        "columns": [
            {
                "label": column.label,
                "unit": column.spec.unit if column.attribute == "value" else "count",
                "better": column.spec.better if column.attribute == "value" else None,
                "meaning": column.spec.meaning if column.attribute == "value" else "",
                "bar": at == bar,
            }
            for at, column in enumerate(columns)
        ],
        "lines": [
            {
                "name": line.name,
                "values": [column.value(line) for column in columns],
                "lows": [low for low, _ in own],
                "highs": [high for _, high in own],
            }
            for line, own in zip(lines, ends, strict=True)
        ],
    }


def _is_bar(column: Column) -> bool:
    spec = column.spec
    return column.attribute == "value" and spec.unit == SHARE and spec.better == HIGHER


def _interval(column: Column, line: KeyLine) -> tuple[float | None, float | None]:
    """Return the interval of the share that a table ranks by; of other columns it is not shown."""
    score = column.score(line) if _is_bar(column) else None
    return (None, None) if score is None else (score.low, score.high)


def _waterfalls(report: Report) -> Iterator[PageData]:
    for drawing in report.details.drawings(Waterfalls):
        for panel in drawing.panels:
            losses = [{"cause": cause, "loss": loss} for cause, loss in panel.losses]
            yield {"title": panel.title, "score": panel.score, "losses": losses}


def _losses_by_field(report: Report) -> Iterator[PageData]:
    for drawing in report.details.drawings(Stacks):
        for field, parts in drawing.stacks:
            amounts = [{"cause": cause, "corrections": amount} for cause, amount in parts]
            yield {"field": field, "parts": amounts}


def _section(section: Section) -> PageData:
    """Return what a metric has to say beyond single numbers; cells are texts."""
    return {
        "title": section.title,
        "above": [_plain(sentence) for sentence in section.above],
        "tables": [
            {
                "head": [*table.head],
                "rows": [
                    [cell if isinstance(cell, str) else ", ".join(cell) for cell in row]
                    for row in table.rows
                ],
                "sides": table.sides,
            }
            for table in section.tables
        ],
        "below": [_plain(sentence) for sentence in section.below],
        "summary_only": section.summary_only,
    }


def _plain(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else "".join(sentence)


def curve_data(points: Sequence[CurvePoint]) -> PageData | None:
    """Return a curve for a slider, None where there is nothing to move it over."""
    if not points:
        return None
    shown = [{k: v for k, v in point._asdict().items() if k != "field"} for point in points]
    return {"points": shown}


def _ranking(report: Report) -> PageData | None:
    """Return the score that documents are sorted by."""
    names = document_ranking(report)
    if not names:
        return None
    spec = report.specs[names[0]]
    label = spec.label or spec.name
    return {"address": names[0], "label": label, "unit": spec.unit, "better": spec.better}


def _documents(report: Report, every_line: Iterable[DocumentLine] | None) -> PageData:
    """Return the list of documents whose diffs the page holds, and what to say about it."""
    wrong: dict[str, PageData] = {diff.id: _wrong(diff) for diff in report.diffs.read()}
    ranked = document_ranking(report)[:1]
    if wrong:
        every_line = report.lines if every_line is None else every_line
        lines = {line.id: line for line in every_line if line.id in wrong}
        kept = [lines[id] for id in wrong if id in lines]
    else:
        kept = documents(report, MOST_LISTED)
    every = report.documents
    note = None
    if len(kept) < every:
        note = f"the {len(kept):,} worst of {count(every, 'document')} are kept in this page"
    return {
        "shown": {
            "documents": len(kept),
            "of": every,
            "note": note,
            "whole": report.diffs.whole,
            "diffs": bool(wrong),
        },
        "types": sorted({line.type for line in kept if line.type}),
        "list": [
            document_line(line, ranked[0] if ranked else None) | wrong.get(line.id, {})
            for line in kept
        ],
    }


def document_line(line: DocumentLine, ranking: str | None) -> PageData:
    """Return a line of the list of documents."""
    return {
        "id": line.id,
        "type": line.type,
        "score": line.score if ranking is None else line.scores.get(ranking),
        "exact": line.exact,
        "problems": line.problems,
        "outcome": None if line.outcome is None else line.outcome.kind,
    }


def _wrong(diff: KeptDiff) -> PageData:
    """Return how many values of a document are wrong, in which fields and why."""
    return {
        "wrong": diff.wrong,
        "fields": [*diff.fields],
        "causes": [*diff.causes],
        "verdicts": [*diff.verdicts],
    }


def comparison_data(comparison: Comparison, *, keys: Sequence[str] | None = None) -> PageData:
    """Return a comparison of runs; `keys` name the runs in addresses of a viewer."""
    runs = comparison.runs
    headline = next(
        (each for each in comparison.scores if each.score.address == comparison.headline), None
    )
    verdicts = {} if headline is None else {each.run: each for each in headline.differences}
    return {
        "docassay": comparison.version,
        "kind": "comparison",
        "documents_compared": comparison.documents_compared,
        "headline": comparison.headline,
        "label": headline_label(comparison),
        "sentence": verdict_sentence(comparison),
        "main": [entry.score.address for entry in leading(comparison)],
        "slices": [entry.score.address for entry in compared_slices(comparison)],
        "kinds": [
            {"kind": kind, "addresses": [entry.score.address for entry in by_key(comparison, kind)]}
            for kind in shown_kinds(comparison)
        ],
        "alpha": comparison.alpha,
        "margin": comparison.margin,
        "against": comparison.against,
        "notes": [*comparison.notes],
        "runs": [
            {
                "name": run.name,
                "key": run.name if keys is None else keys[at],
                "signature": run.signature,
                "documents": run.documents,
                "spreads": {name: dict(spread) for name, spread in run.spreads.items()},
            }
            for at, run in enumerate(runs)
        ],
        "standings": [
            {
                "place": standing.place,
                "run": standing.run,
                "value": standing.score.value,
                "low": standing.score.low,
                "high": standing.score.high,
                "tied": [*standing.tied],
                "verdict": verdicts[standing.run].verdict if standing.run in verdicts else None,
                "words": verdicts[standing.run].words if standing.run in verdicts else "",
            }
            for standing in comparison.standings
        ],
        "scores": [_compared(score, comparison) for score in comparison.scores],
        "documents": [
            {
                "id": document.id,
                "type": document.type,
                "values": [*document.values],
                "change": document.change,
                "states": [*document.states],
            }
            for document in comparison.documents[:MOST_COMPARED]
        ],
        "documents_left_out": max(0, len(comparison.documents) - MOST_COMPARED),
        "causes": [
            {
                "cause": cause.name,
                "values": [*cause.values],
                "gains": [*cause.gains],
                "differences": [*cause.differences],
            }
            for cause in explaining(comparison)
        ],
    }


def _compared(compared: ComparedScore, comparison: Comparison) -> PageData:
    score = compared.score
    spec = comparison.specs.get(score.name)
    headline = score.address == comparison.headline
    leading = not score.key and not score.slice and score.name in comparison.leading
    # intervals of the others would have to be drawn, and nobody looks at all of them
    shown = compared.scores if headline or leading else ()
    return {
        "address": score.address,
        "metric": score.metric,
        "label": label(comparison, score.name),
        "kind": score.kind,
        "key": score.key,
        "slice": score.slice,
        "unit": "" if spec is None else spec.unit,
        "better": None if spec is None else spec.better,
        "values": [*compared.values],
        "lows": [None if each is None else each.low for each in shown],
        "highs": [None if each is None else each.high for each in shown],
        "differences": [each._asdict() | {"words": each.words} for each in compared.differences],
        "winner": compared.winner,
        "leading": leading,
        "headline": headline,
    }
