"""Charts of a comparison: what they show, in labels that never meet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from docassay.model.comparison import Comparison
from docassay.report.charts import comparison as charts
from docassay.report.charts.canvas import new_figure
from docassay.report.charts.comparison import (
    draw_comparison,
    draw_contributions,
    draw_differences,
    draw_trade_off,
)
from docassay.report.compare import write_comparison
from docassay.report.comparison import by_key
from tests.report.comparisons import ODD, SPREADS, comparison
from tests.report.test_field_charts import apart, boxes


def priced(*costs: float | None) -> Comparison:
    data = comparison(*(f"run {at}" for at in range(len(costs))))
    runs = tuple(
        run if cost is None else run._replace(spreads={"cost": {**SPREADS["cost"], "mean": cost}})
        for run, cost in zip(data.runs, costs, strict=True)
    )
    return replace(data, runs=runs)


def test_every_chart_is_drawn_that_there_are_numbers_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "save", lambda _, path: [path])
    files = draw_comparison(comparison("a", "b", spreads=SPREADS, fields=1), tmp_path)
    assert [path.name for path in files] == [
        *("differences-by-field", "score-against-timing", "score-against-cost"),
        "difference-by-cause",
    ]


def test_without_fields_costs_and_causes_nothing_is_drawn(tmp_path: Path) -> None:
    assert draw_comparison(replace(comparison(fields=0), causes=()), tmp_path) == []


def test_the_summary_shows_the_charts(tmp_path: Path) -> None:
    write_comparison(tmp_path, comparison(ODD, "b", fields=0), charts=True)
    text = (tmp_path / "comparison.md").read_text(encoding="utf-8")
    assert "![difference by cause](charts/difference-by-cause.png)" in text
    drawn = (tmp_path / "charts" / "difference-by-cause.svg").read_text(encoding="utf-8")
    assert "<b>" not in drawn
    assert "&lt;b&gt;" in drawn


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "c")], ids=["two", "three"])
def test_labels_of_differences_never_meet(names: tuple[str, ...]) -> None:
    data = comparison(*names, fields=60)
    with new_figure() as figure:
        draw_differences(figure, data, by_key(data), "field")
        figure.draw_without_rendering()
        (axes,) = figure.axes
        assert apart(boxes(axes.get_yticklabels()), upright=True)
        assert len(axes.get_yticklabels()) == 40
        if len(names) == 2:
            assert axes.texts[0].get_text() == "-0.590"


def test_the_line_of_the_trade_off_joins_runs_that_none_beats_in_both() -> None:
    # runs become worse one after the other
    data = priced(4.0, 2.0, 3.0, 1.0, None)
    with new_figure() as figure:
        draw_trade_off(figure, data, "cost")
        line = figure.axes[0].lines[0]
        assert [*line.get_xdata()] == [1.0, 2.0, 4.0]
        assert [text.get_text() for text in figure.axes[0].texts] == [
            *("run 0", "run 1", "run 2", "run 3"),
        ]


def test_one_price_is_no_trade_off(tmp_path: Path) -> None:
    data = replace(priced(1.0, None), causes=(), scores=priced(1.0, None).scores[:1])
    assert draw_comparison(data, tmp_path) == []


def test_the_way_from_one_score_to_the_other_ends_there() -> None:
    data = comparison()
    with new_figure() as figure:
        draw_contributions(figure, data)
        (axes,) = figure.axes
        labels = [label.get_text() for label in axes.get_yticklabels()]
        assert labels == ["careful", "missing row", "other", "hasty"]
        first, second = axes.patches
        assert first.get_x() == pytest.approx(0.972)
        assert first.get_width() == pytest.approx(-0.05)
        assert second.get_x() + second.get_width() == pytest.approx(0.889)


def test_small_causes_are_drawn_together() -> None:
    data = comparison()
    causes = tuple(
        data.causes[0]._replace(name=f"cause {at}", differences=(-0.01 * at,)) for at in range(12)
    )
    with new_figure() as figure:
        draw_contributions(figure, replace(data, causes=causes))
        labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        assert labels[1:] == [*(f"cause {11 - at}" for at in range(8)), "other causes", "hasty"]
        assert figure.axes[0].patches[-1].get_width() == pytest.approx(-0.06)
