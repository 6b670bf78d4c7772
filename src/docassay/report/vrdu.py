"""The few-shot tables of VRDU as tables, files and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.analysis.vrdu.result import READOUTS, BenchmarkGap, BenchmarkStudy, Cell, Spread
from docassay.errors import UnknownName
from docassay.model.report import FORMATS
from docassay.model.words import UNDEFINED, code, count, number, visible
from docassay.report.charts.canvas import (
    BLUE,
    GREEN,
    GREY,
    LIGHT,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    new_figure,
    save,
)
from docassay.report.json import plain_problem
from docassay.report.problems import kinds
from docassay.report.screen import PLAIN, Screen, draw
from docassay.report.sheets import Cells, StudyTable, drawn, markdown, table_of, write_sheets
from docassay.run.output import json_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ABREAST = 3
"""Families of tasks that stand beside each other."""
SHOWN_KINDS = 6
"""Kinds of problem that are told."""
_CAPTION = "F1 in percent, mean ± standard deviation over seeds"
GAPS = ("micro_f1", "macro_f1")
_GAPS = "Unseen templates and more training documents, F1 in points [95 % over seeds]"
_APART = "Hierarchical against unrepeated entities, F1 in percent (Figure 7 of the paper)"


def render(study: BenchmarkStudy, format: str, *, screen: Screen = PLAIN) -> str:
    """Return a benchmark's table as text in one of the formats of a report."""
    if format not in FORMATS:
        raise UnknownName("report format", format, FORMATS)
    if format == "table":
        return draw(drawn(_headline(study), _tables(study)), screen)
    if format == "json":
        return _json(study)
    return table_csv(study) if format == "csv" else _markdown(study)


def write_benchmark(folder: Path, study: BenchmarkStudy) -> tuple[str, ...]:
    """Write tables, raw scores and charts; return what should be said about it."""
    texts = {
        "table.csv": table_csv(study),
        "table.md": _markdown(study),
        "table.json": _json(study),
        "gaps.csv": table_of(gap._asdict() for gap in study.gaps),
        "raw.csv": table_of(file._asdict() for file in study.files),
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
        "gaps": [gap._asdict() for gap in study.gaps],
        "files": [file._asdict() for file in study.files],
        "problems": map(plain_problem, study.problems),
    }
    facts = {
        "docassay": study.version,
        "signatures": dict(study.signatures),
        "notes": list(study.notes),
    }
    return json_text(facts, lists)


def _markdown(study: BenchmarkStudy) -> str:
    return markdown("docassay: VRDU benchmark", _headline(study), _tables(study))


def _headline(study: BenchmarkStudy) -> Iterator[str]:
    files = {(file.model, file.dataset, file.file) for file in study.files}
    data_sets = sorted({file.dataset for file in study.files})
    documents = sum(file.documents for file in study.files if file.metric == study.files[0].metric)
    yield (
        f"{count(len(files), 'prediction file')} for {' and '.join(data_sets)}, "
        f"{count(documents, 'document')} scored"
    )


def _tables(study: BenchmarkStudy) -> Iterator[StudyTable]:
    whole = sorted(study.families, key=lambda familie: (familie.metric, familie.dataset))
    for (metric, dataset), cells in groupby(whole, lambda entry: (entry.metric, entry.dataset)):
        group = [*cells]
        families = [*dict.fromkeys(entry.family for entry in group)]
        for start in range(0, len(families), ABREAST):
            abreast = families[start : start + ABREAST]
            title = f"{dataset}, {metric}: {_CAPTION}"
            yield _table(title, [entry for entry in group if entry.family in abreast], abreast)
    apart = [entry for entry in whole if entry.scores["hierarchical_f1"].mean is not None]
    if apart:
        yield _hierarchical(apart)
    if study.gaps:
        yield _gaps(study.gaps)
    if study.problems:
        problem_kinds = kinds(study.problems)
        rows = [(entry.message, number(entry.number)) for entry in problem_kinds[:SHOWN_KINDS]]
        left = len(problem_kinds) - SHOWN_KINDS
        below = f"not shown: {count(left, 'kind')} (json has them all)" if left > 0 else ""
        yield StudyTable(count(len(study.problems), "problem"), ("problem", "times"), rows, below)


def _table(title: str, cells: Sequence[Cell], families: Sequence[str]) -> StudyTable:
    by_place = {(cell.train_size, cell.model, cell.family): cell for cell in cells}
    places = sorted({(cell.train_size, cell.model) for cell in cells})
    named = any(model for _, model in places)
    heads = [f"{family} {kind}" for family in families for kind in ("micro", "macro")]
    rows = []
    for size, model in places:
        entries = [by_place.get((size, model, family)) for family in families]
        shown = [
            UNDEFINED if entry is None else _percent(entry.scores[readout])
            for entry in entries
            for readout in ("micro_f1", "macro_f1")
        ]
        rows.append((f"{size} {model}" if named else str(size), *shown))
    below = "\n".join(_coverage(family, cells) for family in families)
    return StudyTable(title, ("train", *heads), rows, below)


def _coverage(family: str, cells: Sequence[Cell]) -> str:
    """Say which tasks a column stands for, and how many of the planned files there are."""
    family_cells = [cell for cell in cells if cell.family == family]
    tasks = sorted({task for entry in family_cells for task in entry.tasks})
    coverages: dict[str, list[str]] = {}
    for entry in family_cells:
        place = f"{entry.train_size} {code(entry.model)}" if entry.model else str(entry.train_size)
        coverages.setdefault(entry.coverage, []).append(place)
    parts = [
        words if len(coverages) == 1 else f"{words} (train {', '.join(dict.fromkeys(places))})"
        for words, places in coverages.items()
    ]
    return f"{family}: {', '.join(tasks)}; {'; '.join(parts)}"


def _hierarchical(cells: Sequence[Cell]) -> StudyTable:
    rows = []
    for cell in cells:
        items, single = cell.scores["hierarchical_f1"], cell.scores["unrepeated_f1"]
        gap = (
            UNDEFINED
            if items.mean is None or single.mean is None
            else f"{100 * (single.mean - items.mean):.2f}"
        )
        name = f"{cell.dataset} {cell.family} {cell.train_size} {cell.model} ({cell.metric})"
        rows.append((name.replace("  ", " "), _percent(items), _percent(single), gap))
    return StudyTable(_APART, ("task, train", "hierarchical", "unrepeated", "gap"), rows)


def _gaps(gaps: Sequence[BenchmarkGap]) -> StudyTable:
    """Return the gaps of micro and macro F1, a row for two cells of the table."""
    rows: dict[str, list[str]] = {}
    for gap in gaps:
        if gap.readout in GAPS:
            name = f"{gap.dataset} {gap.model} {gap.what}, {gap.where} ({gap.metric})"
            cell = f"{100 * gap.difference:+.2f}"
            if gap.low is not None and gap.high is not None:
                cell += f" [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"
            rows.setdefault(name.replace("  ", " "), []).append(cell)
    head = ("difference", *(readout.partition("_")[0] for readout in GAPS))
    return StudyTable(_GAPS, head, [(name, *cells) for name, cells in rows.items()])


def _percent(spread: Spread) -> str:
    if spread.mean is None:
        return UNDEFINED
    deviation = "" if spread.deviation is None else f"±{100 * spread.deviation:.1f}"
    return f"{100 * spread.mean:.2f}{deviation}"


COLOURS = {"STL": BLUE, "MTL": VERMILION, "UTL": GREEN, "KTL": PURPLE}
OTHER_COLOURS = (ORANGE, SKY, GREY)
MOST_PANELS = 12


class _Curve(NamedTuple):
    label: str
    points: tuple[tuple[int, Spread], ...]
    dashed: bool
    colour: str


Panel = tuple[str, str, str]
"""Metric, data set and model."""


def draw_benchmark(folder: Path, study: BenchmarkStudy) -> list[Path]:
    """Draw `f1` and, where there are hierarchical entities, `hierarchical`, as PNG and SVG."""
    written = _chart(study.families, folder / "f1", _by_family)
    apart = [
        familie for familie in study.families if familie.scores["hierarchical_f1"].mean is not None
    ]
    return written + (_chart(apart, folder / "hierarchical", _by_kind) if apart else [])


def _chart(
    cells: Sequence[Cell], path: Path, lines: Callable[[Sequence[Cell]], list[_Curve]]
) -> list[Path]:
    panels: dict[Panel, list[Cell]] = {}
    for cell in cells:
        panels.setdefault((cell.metric, cell.dataset, cell.model), []).append(cell)
    shown = [*panels.items()][:MOST_PANELS]
    with new_figure() as figure:
        wide = min(3, len(shown))
        high = -(-len(shown) // wide)
        figure.set_size_inches(4.2 * wide, 3.4 * high)
        grid = figure.subplots(high, wide, squeeze=False)
        for number, ((metric, dataset, model), group) in enumerate(shown):
            axes = grid[number // wide][number % wide]
            title = ", ".join(filter(None, (dataset, model, metric)))
            _panel(axes, lines(group), title)
        for number in range(len(shown), wide * high):
            grid[number // wide][number % wide].set_axis_off()
        return save(figure, path)


def _by_family(cells: Sequence[Cell]) -> list[_Curve]:
    return _lines(cells, (("micro", "micro_f1"), ("macro", "macro_f1")))


def _by_kind(cells: Sequence[Cell]) -> list[_Curve]:
    return _lines(cells, (("hierarchical", "hierarchical_f1"), ("unrepeated", "unrepeated_f1")))


def _lines(cells: Sequence[Cell], readouts: Sequence[tuple[str, str]]) -> list[_Curve]:
    """Return a line for each family and readout, the second readout dashed."""
    families = [*dict.fromkeys(cell.family for cell in cells)]
    own = [familie for familie in families if familie not in COLOURS]
    colours = {name: OTHER_COLOURS[at % len(OTHER_COLOURS)] for at, name in enumerate(own)}
    return [
        _Curve(
            f"{family} {label}",
            tuple((cell.train_size, cell.scores[name]) for cell in cells if cell.family == family),
            dashed=name != readouts[0][1],
            colour={**COLOURS, **colours}[family],
        )
        for family in families
        for label, name in readouts
    ]


def _panel(axes: Axes, lines: Sequence[_Curve], title: str) -> None:
    sizes = sorted({size for line in lines for size, _ in line.points})
    places = {size: place for place, size in enumerate(sizes)}
    for line in lines:
        dots = [(places[size], stat) for size, stat in line.points if stat.mean is not None]
        axes.errorbar(
            [x for x, _ in dots],
            [100 * (stat.mean or 0.0) for _, stat in dots],
            yerr=[
                float("nan") if stat.deviation is None else 100 * stat.deviation for _, stat in dots
            ],
            color=line.colour,
            lw=1.4,
            ls=(0, (4, 2)) if line.dashed else "-",
            marker="s" if line.dashed else "o",
            mfc="white" if line.dashed else line.colour,
            ms=4,
            capsize=3,
            label=visible(line.label),
        )
    axes.set_xticks(range(len(sizes)), [str(size) for size in sizes])
    axes.set_xlim(-0.3, len(sizes) - 0.7)
    axes.set_ylim(0, 102)
    axes.set_xlabel("training documents")
    axes.set_ylabel("F1 (%)")
    axes.grid(axis="y", color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
    axes.set_title(visible(title))
    axes.legend(frameon=False, fontsize=7, handlelength=3, loc="lower right")
