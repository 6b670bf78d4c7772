"""The table of a benchmark in the form of the VRDU paper's Table 4: training sizes by tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from docassay.errors import UnknownName
from docassay.model.benchmark import READOUTS, BenchmarkStudy, Cell, Spread
from docassay.report import FORMATS
from docassay.report.files import json_text
from docassay.report.json import plain_problem
from docassay.report.problems import kinds
from docassay.report.safe import UNDEFINED, code
from docassay.report.screen import PLAIN, Screen, draw
from docassay.report.sheets import Cells, Sheet, drawn, markdown, table_of, write_sheets
from docassay.report.vrdu_charts import draw_benchmark
from docassay.report.words import count, number

ABREAST = 3
"""Families of tasks that stand beside each other."""
SHOWN_KINDS = 6
"""Kinds of problem that are told."""
_CAPTION = "F1 in percent, mean ± standard deviation over seeds"
_APART = "Hierarchical against unrepeated entities, F1 in percent (Figure 7 of the paper)"


def render(study: BenchmarkStudy, format: str, *, screen: Screen = PLAIN) -> str:
    """Return a benchmark's table as text in one of the formats of a report."""
    if format not in FORMATS:
        raise UnknownName("report format", format, FORMATS)
    if format == "table":
        return draw(drawn(_headline(study), _sheets(study)), screen)
    if format == "json":
        return _json(study)
    return table_csv(study) if format == "csv" else _markdown(study)


def write_benchmark(folder: Path, study: BenchmarkStudy) -> tuple[str, ...]:
    """Write tables, raw scores and charts; return what should be said about it."""
    texts = {
        "table.csv": table_csv(study),
        "table.md": _markdown(study),
        "table.json": _json(study),
        "raw.csv": table_of(one._asdict() for one in study.files),
    }
    return write_sheets(folder, texts, lambda: draw_benchmark(folder, study))


def table_csv(study: BenchmarkStudy) -> str:
    """Return a row for each family and each task by training size, F1 from 0 to 1."""
    return table_of(_records(study))


def _records(study: BenchmarkStudy) -> Iterator[Cells]:
    for level, cells in (("family", study.families), ("task", study.tasks)):
        for cell in cells:
            scores = {
                f"{readout}{end}": value
                for readout in READOUTS
                for end, value in zip(("", "_sd"), cell.scores[readout], strict=True)
            }
            yield {
                "level": level,
                "metric": cell.metric,
                "model": cell.model,
                "dataset": cell.dataset,
                "family": cell.family,
                "tasks": " ".join(cell.tasks),
                "train_size": cell.train_size,
                "seeds": " ".join(map(str, cell.seeds)),
                "files": cell.files,
                "planned_files": cell.planned_files,
                **scores,
            }


def _json(study: BenchmarkStudy) -> str:
    lists: dict[str, Iterable[object]] = {
        "table": _records(study),
        "files": [one._asdict() for one in study.files],
        "problems": map(plain_problem, study.problems),
    }
    facts = {
        "docassay": study.version,
        "signatures": dict(study.signatures),
        "notes": list(study.notes),
    }
    return json_text(facts, lists)


def _markdown(study: BenchmarkStudy) -> str:
    return markdown("docassay: VRDU benchmark", _headline(study), _sheets(study))


def _headline(study: BenchmarkStudy) -> Iterator[str]:
    files = {(one.model, one.dataset, one.file) for one in study.files}
    data_sets = sorted({one.dataset for one in study.files})
    documents = sum(one.documents for one in study.files if one.metric == study.files[0].metric)
    yield (
        f"{count(len(files), 'prediction file')} for {' and '.join(data_sets)}, "
        f"{count(documents, 'document')} scored"
    )


def _sheets(study: BenchmarkStudy) -> Iterator[Sheet]:
    whole = sorted(study.families, key=lambda one: (one.metric, one.dataset))
    for (metric, dataset), cells in groupby(whole, lambda one: (one.metric, one.dataset)):
        mine = [*cells]
        families = [*dict.fromkeys(one.family for one in mine)]
        for start in range(0, len(families), ABREAST):
            abreast = families[start : start + ABREAST]
            title = f"{dataset}, {metric}: {_CAPTION}"
            yield _table(title, [one for one in mine if one.family in abreast], abreast)
    apart = [one for one in whole if one.scores["hierarchical_f1"].mean is not None]
    if apart:
        yield _hierarchical(apart)
    if study.problems:
        found = kinds(study.problems)
        rows = [(one.message, number(len(one.problems))) for one in found[:SHOWN_KINDS]]
        left = len(found) - SHOWN_KINDS
        below = f"not shown: {count(left, 'kind')} (json has them all)" if left > 0 else ""
        yield Sheet(count(len(study.problems), "problem"), ("problem", "times"), rows, below)


def _table(title: str, cells: Sequence[Cell], families: Sequence[str]) -> Sheet:
    by_place = {(one.train_size, one.model, one.family): one for one in cells}
    places = sorted({(one.train_size, one.model) for one in cells})
    named = any(model for _, model in places)
    heads = [f"{family} {kind}" for family in families for kind in ("micro", "macro")]
    rows = []
    for size, model in places:
        found = [by_place.get((size, model, family)) for family in families]
        shown = [
            UNDEFINED if one is None else _percent(one.scores[readout])
            for one in found
            for readout in ("micro_f1", "macro_f1")
        ]
        rows.append((f"{size} {model}" if named else str(size), *shown))
    below = "\n".join(_coverage(family, cells) for family in families)
    return Sheet(title, ("train", *heads), rows, below)


def _coverage(family: str, cells: Sequence[Cell]) -> str:
    """Say which tasks a column stands for, and how many of the planned files there are."""
    mine = [one for one in cells if one.family == family]
    tasks = sorted({task for one in mine for task in one.tasks})
    told: dict[str, list[str]] = {}
    for one in mine:
        place = f"{one.train_size} {code(one.model)}" if one.model else str(one.train_size)
        told.setdefault(one.coverage, []).append(place)
    parts = [
        words if len(told) == 1 else f"{words} (train {', '.join(dict.fromkeys(places))})"
        for words, places in told.items()
    ]
    return f"{family}: {', '.join(tasks)}; {'; '.join(parts)}"


def _hierarchical(cells: Sequence[Cell]) -> Sheet:
    rows = []
    for one in cells:
        items, single = one.scores["hierarchical_f1"], one.scores["unrepeated_f1"]
        gap = (
            UNDEFINED
            if items.mean is None or single.mean is None
            else f"{100 * (single.mean - items.mean):.2f}"
        )
        name = f"{one.dataset} {one.family} {one.train_size} {one.model} ({one.metric})"
        rows.append((name.replace("  ", " "), _percent(items), _percent(single), gap))
    return Sheet(_APART, ("task, train", "hierarchical", "unrepeated", "gap"), rows)


def _percent(spread: Spread) -> str:
    if spread.mean is None:
        return UNDEFINED
    deviation = "" if spread.deviation is None else f"±{100 * spread.deviation:.1f}"
    return f"{100 * spread.mean:.2f}{deviation}"
