"""Studies of metrics as tables, files and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from docassay.analysis.study.result import (
    MOVES,
    STAYS,
    Correlation,
    CorrelationStudy,
    DataStudy,
    Movement,
    ShuffleStudies,
    ShuffleStudy,
    SweepPoint,
    SweepStudy,
)
from docassay.errors import UnknownName
from docassay.model.report import FORMATS
from docassay.model.words import UNDEFINED, count, number
from docassay.report.charts.canvas import (
    LEGIBLE,
    Curve,
    HeatCell,
    Move,
    correlation_heat_map,
    shuffle_chart,
    sweep_chart,
)
from docassay.report.json import plain_problem
from docassay.report.screen import PLAIN, Screen, draw
from docassay.report.sheets import Cells, StudyTable, drawn, markdown, table_of, write_sheets
from docassay.run.output import json_text

NAMES = {"shuffle": "readouts", "correlation": "pairs", "sweep": "points", "data": "fields"}
"""What the records of each study are called."""
SHOWN_PAIRS = {"documents": 10, "run": 3, "runs": 10}
"""By scope, the pairs shown at either end of a sorted list."""
SMALLEST_P = 0.0001

SHOWN_POINTS = 20
"""The steps of a sweep that a table shows."""

Study = ShuffleStudy | ShuffleStudies | CorrelationStudy | SweepStudy | DataStudy
KINDS = {
    ShuffleStudy: "shuffle",
    ShuffleStudies: "shuffle",
    CorrelationStudy: "correlation",
    SweepStudy: "sweep",
    DataStudy: "data",
}


def render(study: Study, format: str, *, screen: Screen = PLAIN) -> str:
    """Return a study as text in one of the formats of a report."""
    if format not in FORMATS:
        raise UnknownName("report format", format, FORMATS)
    if format == "table":
        return draw(drawn(_headline(study), _tables(study)), screen)
    function: Callable[[Study], str] = {"json": _json, "csv": _csv, "markdown": _markdown}[format]
    return function(study)


def write_study(folder: Path, study: Study) -> tuple[str, ...]:
    """Write a study as CSV, JSON, Markdown and charts; return what should be said about it."""
    name = _kind(study)
    texts = {
        f"{name}.csv": _csv(study),
        f"{name}.json": _json(study),
        f"{name}.md": _markdown(study),
    }
    return write_sheets(folder, texts, lambda: draw_charts(folder, study))


def _markdown(study: Study) -> str:
    return markdown(f"docassay: {_kind(study)} study", _headline(study), _tables(study))


def _csv(study: Study) -> str:
    return table_of(_records(study))


def _json(study: Study) -> str:
    facts: dict[str, object] = {"docassay": study.version, "study": _kind(study)}
    if isinstance(study, SweepStudy):
        facts |= {
            "signature": study.signature,
            "documents": study.documents,
            "category": study.category,
            "notes": study.notes,
            "problems": [plain_problem(problem) for problem in study.problems],
        }
    elif isinstance(study, DataStudy):
        facts |= {
            "name": study.name,
            "signature": study.signature,
            "documents": study.documents,
            "pages": study.pages,
            "values": study.values,
            "types": dict(study.types),
            "groups": [group._asdict() for group in study.groups],
            "notes": study.notes,
            "problems": [plain_problem(problem) for problem in study.problems],
        }
    elif isinstance(study, ShuffleStudies):
        facts["datasets"] = [_shuffle_facts(part) for part in study.studies]
    elif isinstance(study, ShuffleStudy):
        facts |= _shuffle_facts(study)
    else:
        facts |= {
            "runs": study.runs,
            "documents": study.documents,
            "readouts": study.readouts,
            "undefined": study.undefined,
            "tested": study.tested,
            "notes": study.notes,
        }
    name = NAMES[_kind(study)]
    return json_text(facts, {name: _records(study)})


def _shuffle_facts(study: ShuffleStudy) -> dict[str, object]:
    return {
        "name": study.name,
        "signature": study.signature,
        "documents": study.documents,
        "shuffled": study.shuffled,
        "repetitions": study.repetitions,
        "seed": study.seed,
        "settings": dict(study.settings),
        "order": [gap._asdict() for gap in study.gaps],
        "notes": study.notes,
        "problems": [plain_problem(problem) for problem in study.problems],
    }


def _records(study: Study) -> Iterator[Cells]:
    """Yield everything that was found, a record a readout, a pair or a threshold."""
    if isinstance(study, DataStudy):
        for field in study.fields:
            yield {**field._asdict(), "repeated": field.repeated}
        return
    if isinstance(study, CorrelationStudy | SweepStudy):
        entries = study.points if isinstance(study, SweepStudy) else study.pairs
        for record in entries:
            yield record._asdict()
        return
    if isinstance(study, ShuffleStudies):
        for part in study.studies:
            yield from ({"dataset": part.name, **record} for record in _records(part))
        return
    for movement in study.movements:
        yield {**movement._asdict(), "change": movement.change, "word": movement.word}


def _kind(study: Study) -> str:
    return KINDS[type(study)]


def _headline(study: Study) -> Iterator[str]:
    if isinstance(study, SweepStudy):
        whose = f"category {study.category}" if study.category else "all categories"
        yield (
            f"{count(study.documents, 'document')}, {whose}: entities found, by the character "
            "error rate up to which they match"
        )
        return
    if isinstance(study, DataStudy):
        pages = "" if study.pages is None else f" of {count(study.pages, 'page')}"
        groups = f" in {count(len(study.groups), 'group')} and" if study.groups else " in"
        yield (
            f"{count(study.documents, 'document')}{pages}, {count(study.values, 'value')}"
            f"{groups} {count(len(study.fields), 'field')}"
        )
        if study.types:
            yield ", ".join(f"{number(many)} {name}" for name, many in study.types.items())
        return
    if isinstance(study, ShuffleStudies):
        yield (
            f"{count(len(study.studies), 'data set')}, {count(study.documents, 'document')}: "
            "predictions as they are, and with their blocks shuffled"
        )
        return
    if isinstance(study, ShuffleStudy):
        moving = sum(movement.word == MOVES for movement in study.movements)
        still = sum(movement.word == STAYS for movement in study.movements)
        yield (
            f"{count(study.documents, 'document')}, {number(study.shuffled)} of them shuffled "
            f"{count(study.repetitions, 'time')} (seed {study.seed}): "
            f"{count(moving, 'score moves', 'scores move')}, {number(still)} "
            f"{'does' if still == 1 else 'do'} not"
        )
        return
    yield (
        f"{count(len(study.readouts), 'score')}, {count(study.documents, 'document')} of "
        f"{count(len(study.runs), 'run')}: {count(study.tested, 'correlation')} tested"
    )
    if study.undefined:
        yield f"Constant or undefined over all documents: {', '.join(study.undefined)}"


def _tables(study: Study) -> Iterator[StudyTable]:
    if isinstance(study, SweepStudy):
        yield _points_sheet(study.points)
        return
    if isinstance(study, DataStudy):
        yield from _data_sheets(study)
        return
    if isinstance(study, ShuffleStudies):
        yield _data_sets_sheet(study)
        yield from _gap_sheets(study.studies)
        return
    if isinstance(study, ShuffleStudy):
        yield from _movement_sheets(study.movements)
        yield from _gap_sheets([study])
        return
    for scope, run in study.scopes:
        yield _pairs_sheet(_title(scope, run, study), study.of(scope, run), SHOWN_PAIRS[scope])


def _data_sheets(study: DataStudy) -> Iterator[StudyTable]:
    """Yield the fields, a document's own first, and the groups of repeated fields."""
    head = ("field", "type", "values", "documents", "share", "most", "distinct")
    rows = [
        (
            *(field.field, field.type, number(field.values), number(field.documents)),
            *(f"{field.share:.1%}", number(field.most), number(field.distinct)),
        )
        for field in sorted(study.fields, key=lambda field: bool(field.group))
    ]
    yield StudyTable("", head, rows)
    if study.groups:
        yield StudyTable(
            "",
            ("group", "rows", "documents", "share", "most"),
            [
                (
                    *(group.group, number(group.rows), number(group.documents)),
                    *(f"{group.share:.1%}", number(group.most)),
                )
                for group in study.groups
            ],
        )


def _movement_sheets(movements: Sequence[Movement]) -> Iterator[StudyTable]:
    moving = [movement for movement in movements if movement.word == MOVES]
    still = [movement for movement in movements if movement.word == STAYS]
    others = [movement.address for movement in movements if movement.word not in (MOVES, STAYS)]
    if moving:
        head = (MOVES, "before", "mean after", "change", "lowest", "highest", "std dev")
        yield StudyTable("", head, [_movement_row(move) for move in moving])
    below = f"undefined before and after: {', '.join(others)}" if others else ""
    yield StudyTable(
        "", (STAYS, "value"), [(move.address, number(move.before)) for move in still], below
    )


def _movement_row(one: Movement) -> tuple[str, ...]:
    form = ",.1f" if one.is_count else ".4f"
    mean, change, deviation = (
        UNDEFINED if value is None else f"{value:{sign}{form}}"
        for value, sign in ((one.mean, ""), (one.change, "+"), (one.deviation, ""))
    )
    ends = (number(one.lowest), number(one.highest))
    return (one.address, number(one.before), mean, change, *ends, deviation)


def _data_sets_sheet(study: ShuffleStudies) -> StudyTable:
    """Return the shares and rates of every data set, as predicted and after shuffling."""
    columns = [{entry.address: entry for entry in part.movements} for part in study.studies]
    rows = []
    for address in study.addresses:
        entries = [column.get(address) for column in columns]
        if any(entry is not None and entry.is_count for entry in entries):
            continue
        if all(entry is None or entry.before is None for entry in entries):
            continue
        cells = [cell for entry in entries for cell in _both(entry)]
        rows.append((address, *cells))
    names = [part.name for part in study.studies]
    head = ("score", *(cell for name in names for cell in (name, "shuffled")))
    return StudyTable("", head, rows, "counts are left out (csv and json have them all)")


def _both(entry: Movement | None) -> tuple[str, str]:
    """Return a readout as predicted and, where it moves, its mean after shuffling."""
    if entry is None or entry.before is None:
        return (UNDEFINED, UNDEFINED)
    return (number(entry.before), number(entry.mean) if entry.word == MOVES else "same")


def _gap_sheets(studies: Sequence[ShuffleStudy]) -> Iterator[StudyTable]:
    """Yield what counting in any order changes, and whether that may be chance."""
    for study in studies:
        rows = [
            (
                gap.name,
                "shuffled" if gap.shuffled else "as they are",
                f"{gap.difference:+.4f}",
                UNDEFINED if gap.low is None else f"[{gap.low:+.3f}, {gap.high:+.3f}]",
                _p(gap.p),
            )
            for gap in study.gaps
        ]
        if rows:
            head = ("readouts", "predictions", "difference", "95 % interval", "p")
            whose = f"{study.name}: " if study.name else ""
            yield StudyTable(f"{whose}in any order, minus the same in reading order", head, rows)


def _points_sheet(points: Sequence[SweepPoint]) -> StudyTable:
    stride = max(1, (len(points) - 1) // SHOWN_POINTS)
    shown = [*points[:-1:stride], points[-1]]
    names = ("precision", "recall", "F1")
    head = ("threshold", *(f"{kind} {name}" for kind in ("Nerval", "OINerval") for name in names))
    rows = [(f"{point.threshold:.3g}", *map(number, point[1:])) for point in shown]
    lost = len(points) - len(shown)
    below = f"not shown: {count(lost, 'threshold')} (csv and json have them all)" if lost else ""
    return StudyTable("", head, rows, below)


def _title(scope: str, run: str, study: CorrelationStudy) -> str:
    if scope == "run":
        return f"Over the documents of {run}"
    if scope == "runs":
        return f"Over {count(len(study.runs), 'run')}"
    whose = "all runs" if len(study.runs) > 1 else study.runs[0]
    return f"Over the documents of {whose}"


def _pairs_sheet(title: str, pairs: Sequence[Correlation], most: int) -> StudyTable:
    ranked = sorted((pair for pair in pairs if pair.spearman is not None), key=_likeness)
    shown = ranked if len(ranked) <= 2 * most else ranked[:most] + ranked[-most:]
    head = ("pair, most alike first", "points", "Pearson", "p", "Spearman", "p")
    rows = [_pair_row(pair) for pair in shown]
    left = [f"{count(len(ranked) - len(shown), 'pair')} between these"] if ranked != shown else []
    lost = len(pairs) - len(ranked)
    left += [f"{count(lost, 'pair')} undefined"] if lost else []
    below = f"not shown: {' and '.join(left)} (csv and json have them all)" if left else ""
    if len(shown) < len(ranked):
        rows.insert(most, ("…", *("",) * (len(head) - 1)))
    return StudyTable(title, head, rows, below)


def _likeness(pair: Correlation) -> tuple[float, float, str, str]:
    # rounded, so that the last digit of a sum does not decide an order
    spearman, pearson = (round(abs(figure or 0.0), 9) for figure in (pair.spearman, pair.pearson))
    return (-spearman, -pearson, pair.first, pair.second)


def _pair_row(pair: Correlation) -> tuple[str, ...]:
    return (
        f"{pair.first} ~ {pair.second}",
        number(pair.points),
        _signed(pair.pearson),
        _p(pair.pearson_p),
        _signed(pair.spearman),
        _p(pair.spearman_p),
    )


def _signed(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:+.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return UNDEFINED
    return f"{value:.4f}" if value >= SMALLEST_P else f"< {SMALLEST_P}"


STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def draw_charts(folder: Path, study: Study) -> list[Path]:
    """Draw a study into a folder and return the files written."""
    if isinstance(study, ShuffleStudies):
        parts = enumerate(study.studies, start=1)
        return [path for at, part in parts for path in _shuffle(folder, part, f"shuffle-{at}")]
    if isinstance(study, DataStudy):
        return []  # its tables are all there is to see
    if isinstance(study, ShuffleStudy):
        return _shuffle(folder, study, "shuffle")
    if isinstance(study, SweepStudy):
        return _sweep(folder, study)
    return [*_correlation(folder, study)]


def _shuffle(folder: Path, study: ShuffleStudy, name: str) -> list[Path]:
    """Draw shares and rates; counts have another scale."""
    moves = [
        Move(movement.address, movement.before, movement.mean, movement.lowest, movement.highest)
        for movement in study.movements
        if not movement.is_count
        and movement.before is not None
        and movement.mean is not None
        and movement.lowest is not None
        and movement.highest is not None
    ]
    title = (
        f"{study.name}: "
        * bool(study.name)
        + f"Predictions with shuffled blocks, {count(study.documents, 'document')}, "
        f"{count(study.repetitions, 'repetition')}"
    )
    return shuffle_chart(moves, folder / name, title=title)


def _sweep(folder: Path, study: SweepStudy) -> list[Path]:
    curves = [
        Curve(
            f"{kind}, {name}",
            tuple(
                (point.threshold, value)
                for point in study.points
                if (value := getattr(point, f"{kind.lower()}_{name.lower()}")) is not None
            ),
            main=name == "F1",
        )
        for kind in ("Nerval", "OINerval")
        for name in ("precision", "recall", "F1")
    ]
    whose = study.category or "all categories"
    title = f"Entities found, {count(study.documents, 'document')}, {whose}"
    return sweep_chart(curves, folder / "sweep", title=title)


def _correlation(folder: Path, study: CorrelationStudy) -> Iterator[Path]:
    drawn = {"documents": f"over {count(study.documents, 'document')}"}
    if ("runs", "") in study.scopes:
        drawn["runs"] = f"over {count(len(study.runs), 'run')}"
    for scope, points in drawn.items():
        pairs = study.of(scope)
        readouts = {name for pair in pairs if pair.pearson is not None for name in pair[2:4]}
        names = [name for name in study.readouts if name in readouts]
        if not names:
            continue
        lost = len(study.readouts) - len(names)
        caption = ["* p < 0.05   ** p < 0.01   *** p < 0.001"] if len(names) <= LEGIBLE else []
        if lost:
            caption.append(f"left out, constant or undefined: {count(lost, 'score')}")
        for kind in ("pearson", "spearman"):
            yield from correlation_heat_map(
                names,
                {(pair.first, pair.second): _cell(pair, kind) for pair in pairs},
                folder / (kind if scope == "documents" else f"{kind}-{scope}"),
                title=f"{kind.capitalize()} correlation {points}",
                caption=caption,
            )


def _cell(pair: Correlation, kind: str) -> HeatCell | None:
    value, p = (
        (pair.pearson, pair.pearson_p) if kind == "pearson" else (pair.spearman, pair.spearman_p)
    )
    if value is None or p is None:
        return None
    return HeatCell(value, next((stars for most, stars in STARS if p < most), ""))
