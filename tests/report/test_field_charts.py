"""The charts of `fields` show every number once, in labels that never meet."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from html import unescape
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import TypeVar

import pytest
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import docassay
from docassay import ConfigurationError, Report
from docassay.cli import run
from docassay.model.chart import Bar, Bars, Confusion, HeatMap, Histogram
from docassay.report.charts.canvas import new_figure, save
from docassay.report.charts.drawings import (
    BINS,
    draw_bars,
    draw_confusion,
    draw_heat_map,
    draw_histogram,
    put_bars,
    short,
)
from docassay.report.charts.pictures import draw
from docassay.report.folder import read_folder

D = TypeVar("D")
NAMES = (
    *("field-accuracy", "dashboard", "document-scores", "field-by-document", "type-confusion"),
    *("loss-waterfall", "loss-by-field"),
)
FILES = [f"{name}.{suffix}" for name in NAMES for suffix in ("png", "svg")]

ODD = "$x^2$ <b>&amp; \x1b[31m 日本"


def drawing(report: Report, kind: type[D]) -> D:
    """Return the drawing of a kind that a report brings."""
    (found,) = [one.drawing for one in report.details.pictures if isinstance(one.drawing, kind)]
    return found


def made(number_of_fields: int, number_of_documents: int) -> Report:
    """Return a report of fields with long names, each a little better than the one before."""
    names = [
        f"section_{at % 7}{'_of_a_long_form' * (at % 4)}_{at}" for at in range(number_of_fields)
    ]
    names[0] = ODD
    gold = {
        f"folder/document_{at:04d}.png": {name: f"{name} {at}" for name in names}
        for at in range(number_of_documents)
    }
    pred = {
        id: {name: text for at, (name, text) in enumerate(tree.items()) if (at + number) % 3}
        for number, (id, tree) in enumerate(gold.items())
    }
    return docassay.score(gold, pred, metrics=["fields"])


@pytest.fixture(scope="module")
def large() -> Report:
    return made(40, 70)


def texts_of(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8")
    return [unescape(one) for one in re.findall(r"<text[^>]*>([^<]*)</text>", text)]


def boxes(labels: Iterable[Text]) -> list[Bbox]:
    return [label.get_window_extent() for label in labels if label.get_text()]


def apart(found: list[Bbox], *, upright: bool) -> bool:
    """Whether neighbours along one direction leave each other alone."""
    ends = sorted((box.y0, box.y1) if upright else (box.x0, box.x1) for box in found)
    return all(one[1] <= other[0] + 0.5 for one, other in pairwise(ends))


@pytest.mark.parametrize("number", [1, 5, 14, 40])
def test_names_of_bars_never_meet(number: int) -> None:
    with new_figure() as figure:
        draw_bars(figure, drawing(made(number, 3), Bars))
        figure.draw_without_rendering()
        labels = boxes(figure.axes[0].get_yticklabels())
        assert len(labels) == number
        assert apart(labels, upright=True)


def test_the_names_of_thresholds_and_the_numbers_beside_bars_never_meet(large: Report) -> None:
    with new_figure() as figure:
        draw_bars(figure, drawing(large, Bars))
        figure.draw_without_rendering()
        axes = figure.axes[0]
        marks = [one for one in axes.texts if one.get_text()[0].isalpha()]
        numbers = [one for one in axes.texts if one not in marks]
        assert [one.get_text().split("\n")[0] for one in marks] == ["excellent", "good", "poor"]
        assert apart(boxes(marks), upright=False)
        assert len(numbers) == 40
        assert apart(boxes(numbers), upright=True)


def test_names_in_a_large_heat_map_never_meet(large: Report) -> None:
    with new_figure() as figure:
        draw_heat_map(figure, drawing(large, HeatMap))
        figure.draw_without_rendering()
        axes = figure.axes[0]
        assert apart(boxes(axes.get_yticklabels()), upright=True)
        assert apart(boxes(axes.get_xticklabels()), upright=False)


def test_of_many_documents_the_heat_map_shows_the_worst_and_says_so(large: Report) -> None:
    data = drawing(large, HeatMap)
    assert len(data.columns) == 60
    assert data.title.endswith("the worst 60 of 70 documents")
    assert len(data.values) == len(data.rows) == 40


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("total", "total"),
        ("x" * 36, "x" * 36),
        ("a" * 30 + "b" * 30, "a" * 18 + "…" + "b" * 17),
        ("\x1b[31m", "\\x1b[31m"),
    ],
    ids=["a short name", "one that just fits", "a long name loses its middle", "an escape"],
)
def test_a_name_is_shown_so_that_it_fits(text: str, shown: str) -> None:
    assert short(text) == shown


def test_bars_have_the_colour_and_the_hatching_of_their_level() -> None:
    levels = ["excellent", "good", "fair", "poor"]
    with new_figure() as figure:
        axes = figure.subplots()
        put_bars(axes, [Bar(level, 0.5, None, None, 1, level) for level in levels], ())
        styles = {(one.get_facecolor(), one.get_hatch()) for one in axes.patches}
        assert len({colour for colour, _ in styles}) == len({hatch for _, hatch in styles}) == 4


def test_every_document_is_in_one_step_of_the_histogram() -> None:
    values = (0.0, 0.05, 0.15, 0.3, 0.999, 1.0)
    with new_figure() as figure:
        draw_histogram(figure, Histogram("t", values, 0.5, ()))
        heights = [int(one.get_height()) for one in figure.axes[0].patches]
    assert len(heights) == BINS
    assert [at for at, height in enumerate(heights) if height] == [0, 1, 3, 6, 19]
    assert sum(heights) == len(values)


SCHEMA = {
    "types": {"invoice": {"fields": ["KIND", "x"]}, "letter": {"fields": ["KIND", "x"]}},
    "type_field": "KIND",
    "fields": {"KIND": "choice", "x": {"type": "text", "category": "words"}},
}
GOLD = {"a": {"KIND": "invoice", "x": "1"}, "b": {"KIND": "letter", "x": "2"}}
PRED = {"a": {"KIND": "letter", "x": "1"}, "b": {"KIND": "letter", "x": "3"}}


def test_the_confusion_counts_documents_by_both_types() -> None:
    report = docassay.score(GOLD, PRED, schema=SCHEMA, metrics=["fields"])
    data = drawing(report, Confusion)
    assert (data.golds, data.preds) == (("invoice", "letter"), ("invoice", "letter"))
    assert data.counts == ((0, 1), (0, 1))
    with new_figure() as figure:
        draw_confusion(figure, data)
        assert [one.get_text() for one in figure.axes[0].texts] == ["0", "1", "0", "1"]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    docassay.score(GOLD, PRED, schema=SCHEMA, out=folder, charts=True)
    return folder


def test_a_run_has_every_chart_as_png_and_svg(drawn: Path) -> None:
    assert sorted(path.name for path in (drawn / "charts").iterdir()) == sorted(FILES)
    text = (drawn / "summary.md").read_text(encoding="utf-8")
    assert text.count("](charts/") == len(NAMES)


def test_names_are_shown_as_they_are_and_never_read_as_formulas(tmp_path: Path) -> None:
    with new_figure() as figure:
        draw_bars(figure, drawing(made(1, 1), Bars))
        _, svg = save(figure, tmp_path / "bars")
    assert texts_of(svg).count(short(ODD)) == 1


def test_the_same_report_is_drawn_as_the_same_bytes(drawn: Path, tmp_path: Path) -> None:
    for file in draw(read_folder(drawn), tmp_path):
        assert file.read_bytes() == (drawn / "charts" / file.name).read_bytes(), file.name


@pytest.mark.parametrize("gold", [{"a": {}}, {"a": {"x": "1"}}], ids=["nothing", "one value"])
def test_a_tiny_report_can_be_drawn(gold: dict[str, object], tmp_path: Path) -> None:
    files = draw(docassay.score(gold, {"a": {}}, metrics=["fields"]), tmp_path)
    assert len(files) == 8


def test_what_all_documents_come_to_is_on_the_histogram() -> None:
    data = drawing(docassay.score(GOLD, PRED, schema=SCHEMA, metrics=["fields"]), Histogram)
    assert (data.whole, data.word) == (0.5, "accuracy of all")
    assert data.thresholds[0].name == "deployment ready"


def test_charts_of_an_earlier_run_do_not_stay(drawn: Path, tmp_path: Path) -> None:
    copytree(drawn, tmp_path, dirs_exist_ok=True)
    (tmp_path / "charts" / "mine.png").write_bytes(b"")
    docassay.score(GOLD, PRED, schema=SCHEMA, out=tmp_path)
    assert [path.name for path in (tmp_path / "charts").iterdir()] == ["mine.png"]


def test_without_matplotlib_charts_are_refused_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigurationError, match=r"docassay\[charts\]"):
        docassay.score(GOLD, PRED, out=tmp_path / "run", charts=True)
    assert not (tmp_path / "run").exists()


def test_charts_need_a_folder() -> None:
    with pytest.raises(ConfigurationError, match="need a folder"):
        docassay.score(GOLD, PRED, charts=True)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    names = []
    for name, content in (("gold", GOLD), ("pred", PRED)):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        names.append(str(file))
    return names


@pytest.mark.parametrize("verb", ["score", "report"])
def test_without_matplotlib_a_command_that_asks_for_charts_is_refused(
    verb: str,
    files: list[str],
    drawn: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    inputs = files if verb == "score" else [str(drawn)]
    assert run([verb, *inputs, "--out", str(tmp_path / "run"), "--charts"]) == 2
    assert "pip install 'docassay[charts]'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("verb", ["score", "report"])
def test_charts_are_drawn_for_those_who_ask_for_them(
    verb: str,
    files: list[str],
    drawn: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    inputs = files if verb == "score" else [str(drawn)]
    out = tmp_path / "run"
    assert run([verb, *inputs, "--out", str(out)]) == 0
    assert "matplotlib" not in capsys.readouterr().err
    assert not (out / "charts").exists()
    assert run([verb, *inputs, "--out", str(out), "--charts"]) == 0
    assert (out / "charts" / "dashboard.png").exists()
    for option in ("--charts", "--checklist"):
        assert run([verb, *inputs, option]) == 2
        assert "folder" in capsys.readouterr().err


def test_a_stored_run_is_written_anew_with_a_checklist(drawn: Path, tmp_path: Path) -> None:
    assert run(["report", str(drawn), "--out", str(tmp_path / "new"), "--checklist"]) == 0
    assert (tmp_path / "new" / "checklist.md").is_file()
