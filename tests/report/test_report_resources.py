"""What predictions took stands beside how good they are: first screen, summary, dashboard."""

from __future__ import annotations

import docassay as da
from docassay.model.chart import Dashboard
from docassay.report.charts.canvas import new_figure
from docassay.report.charts.drawings import draw_dashboard
from docassay.report.charts.pictures import pictures
from docassay.report.first_screen import render, what_it_took
from docassay.report.markdown import render as markdown

GOLD = {f"d{at}": {"total": "1.50"} for at in range(4)}


def report(**meta: float) -> da.Report:
    pred = {
        id: {"total": "1.50", "meta": {name: value * (at + 1) for name, value in meta.items()}}
        for at, id in enumerate(GOLD)
    }
    return da.score(GOLD, pred, types="text")


def dashboard(scored: da.Report) -> Dashboard:
    (drawing,) = (each.drawing for each in pictures(scored) if isinstance(each.drawing, Dashboard))
    return drawing


def test_the_first_screen_says_what_a_document_took() -> None:
    scored = report(processing_time=1.0, tokens=100, cost=0.002)
    assert what_it_took(scored) == "2.5 s, 250 tokens, cost 0.005 a document"
    assert "2.5 s, 250 tokens, cost 0.005 a document" in render(scored)


def test_predictions_that_say_nothing_leave_no_line() -> None:
    scored = report()
    assert what_it_took(scored) is None
    assert "a document" not in render(scored)


def test_the_summary_says_how_many_documents_a_minute_that_is() -> None:
    text = markdown(report(processing_time=1.0))
    assert "- processing time: mean 2.5 s, median 2.5 s, 95 % within 3.85 s, total 10 s" in text
    assert "(4 documents, 24 a minute one after the other)" in text


def test_a_time_of_nothing_is_no_pace() -> None:
    assert "a minute" not in markdown(report(processing_time=0.0))


def test_the_dashboard_shows_times_where_they_are_known() -> None:
    timed, plain = dashboard(report(processing_time=1.0)), dashboard(report(cost=1.0))
    assert (timed.seconds, plain.seconds) == ((1.0, 2.0, 3.0, 4.0), ())
    for drawing, panels in ((timed, 5), (plain, 4)):
        with new_figure() as figure:
            draw_dashboard(figure, drawing)
            assert len(figure.axes) == panels
