"""A comparison as a person sees it: the sentence, one screen, tables, CSV and a folder."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from docassay.errors import FileError, UnknownName
from docassay.model.comparison import (
    BETTER,
    EQUIVALENT,
    FIXED,
    TIED,
    WORSE,
    ComparedScore,
    Comparison,
)
from docassay.model.report import COUNT, ReadoutSpec
from docassay.report.compare import (
    FORMATS,
    SCORE_COLUMNS,
    documents_csv,
    render,
    scores_csv,
    write_comparison,
)
from docassay.report.comparison import by_key, command_of, label, leading, verdict_sentence
from docassay.report.first_screen import middle_cut
from docassay.report.screen import Screen
from tests.report.comparisons import (
    ALIGNED,
    CORRECTIONS,
    ODD,
    SPECS,
    SPREADS,
    compared,
    comparison,
    score,
)


def lines(data: Comparison, **options: bool) -> list[str]:
    return render(data, "table", **options).split("\n")[:-1]


@pytest.mark.parametrize(
    ("verdict", "p", "values", "sentence"),
    [
        (
            WORSE,
            0.0004,
            (0.9, 0.8),
            "careful is better than hasty by 0.100 [0.070, 0.120], p < 0.001",
        ),
        (
            BETTER,
            0.04,
            (0.8, 0.9),
            "hasty is better than careful by 0.100 [0.080, 0.130], p = 0.040",
        ),
        (
            TIED,
            0.41,
            (0.8, 0.804),
            "tied: the difference of 0.004 [-0.016, 0.034] could be chance (p = 0.410); "
            "docassay power tells how many documents would settle it",
        ),
        (
            EQUIVALENT,
            0.6,
            (0.8, 0.799),
            "equivalent: careful and hasty differ by 0.001 [-0.029, 0.021], within the margin of "
            "0.01",
        ),
        (None, 0.6, (0.8, 0.799), "not tested: careful and hasty differ by 0.001 [-0.029, 0.021]"),
        (None, 0.6, (0.8, None), "not compared: aligned is undefined in a run"),
    ],
    ids=["worse", "better", "tied", "equivalent", "not tested", "undefined"],
)
def test_the_sentence_says_which_run_is_better_and_how_sure_that_is(
    verdict: str | None, p: float, values: tuple[float, ...], sentence: str
) -> None:
    entry = compared(ALIGNED, values, [verdict], p=p)
    assert verdict_sentence(replace(comparison(), scores=(entry,))) == sentence


def test_a_score_of_which_less_is_better_is_told_by_its_verdict() -> None:
    entry = compared(CORRECTIONS, (70, 281), [WORSE])
    data = replace(comparison(), scores=(entry,), headline=CORRECTIONS)
    assert verdict_sentence(data).startswith("careful is better than hasty by 211 [")


def test_a_comparison_without_its_headline_says_so() -> None:
    data = replace(comparison(), scores=())
    assert verdict_sentence(data) == "not compared: no run has kieval.aligned"
    for format in ("table", "markdown", "csv", "latex", "html"):
        assert render(data, format)


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        ((1, 2, 3), "a is best by aligned (0.972), better than all 2 others"),
        ((1, 1, 3), "a leads by aligned (0.972); no test tells b apart from it"),
        (
            (1, 1, 1),
            "tied: no test tells a, b and c apart by aligned; docassay power tells how many "
            "documents would settle it",
        ),
        ((), "aligned: 3 runs, of which none has a value"),
    ],
    ids=["one leads", "two lead", "all tied", "no value"],
)
def test_of_many_runs_the_sentence_names_those_that_lead(
    places: tuple[int, ...], sentence: str
) -> None:
    data = comparison("a", "b", "c")
    standings = zip(data.standings, places, strict=False)
    changed = tuple(entry._replace(place=place) for entry, place in standings)
    assert verdict_sentence(replace(data, standings=changed)) == sentence


@pytest.mark.parametrize("fields", [0, 1, 8, 60])
@pytest.mark.parametrize("documents", [0, 1, 30])
@pytest.mark.parametrize("spreads", [{}, SPREADS], ids=["free", "priced"])
def test_two_runs_fill_one_screen_at_most(
    fields: int, documents: int, spreads: dict[str, dict[str, float]]
) -> None:
    shown = lines(comparison(fields=fields, documents=documents, spreads=spreads))
    assert len(shown) <= 24
    assert max(map(cell_len, shown)) <= 80


def test_the_first_screen_has_everything_that_decides() -> None:
    shown = lines(comparison(spreads=SPREADS))
    cells = [line.split() for line in shown]
    for words in (
        "aligned 0.972 0.889 -0.083 worse [-0.103, -0.053]",
        "seconds a document 1.25 1.25 +0.00",
        "cost a document 0.0021 0.0021 +0",
        "fields (3 of 8 differ) careful hasty change 95 % interval",
        "field_7 0.900 0.830 -0.070 worse [-0.090, -0.040]",
        "missing row 4 40 -0.050",
        "5 newly broken, 0 fixed careful hasty change",
        "doc-0 1.000 0.500 -0.500 broken",
        "docassay explain hasty doc-0",
    ):
        assert words.split() in cells, words
    assert ["corrections", "70", "281", "+211", "worse"] in [line[:5] for line in cells]
    assert shown[1].endswith("a change is hasty minus careful")


def test_what_differs_by_verdict_comes_before_what_differs_more() -> None:
    sure = compared(ALIGNED, (0.9, 0.89), [WORSE], key="sure")
    large = compared(ALIGNED, (0.9, 0.1), [TIED], key="large")
    small = compared(ALIGNED, (0.9, 0.8), [TIED], key="small")
    undefined = compared(ALIGNED, (0.9, None), [None], key="undefined")
    data = replace(comparison(), scores=(undefined, small, large, sure))
    assert [entry.score.key for entry in by_key(data)] == ["sure", "large", "small", "undefined"]


def test_where_the_headline_has_no_keys_the_first_column_stands_in() -> None:
    second, first = (
        compared(f"other.{name}", (0.9, 0.8), [WORSE], key="k") for name in ("second", "first")
    )
    specs = {
        "other.first": SPECS[ALIGNED]._replace(column=1),
        "other.second": SPECS[ALIGNED]._replace(column=2),
    }
    data = replace(comparison(), scores=(second, first), specs=specs)
    assert by_key(data) == [first]


def test_slices_that_were_asked_for_are_shown_however_many() -> None:
    parts = tuple(
        compared(ALIGNED, (0.9, 0.8), [WORSE], part=f"type=kind {number}") for number in range(20)
    )
    data = comparison(fields=60)
    asked = replace(data, scores=(*data.scores, *parts), facts={"by": "type"})
    assert sum("type=kind" in line for line in lines(asked)) == 20
    assert len(lines(replace(asked, facts={}))) <= 24
    table = "\n".join(lines(asked, all_fields=True))
    assert "aligned[type=kind 19]" in table


def test_many_runs_have_a_leaderboard_and_marks() -> None:
    data = comparison("a", "b", "c", verdict=WORSE)
    tied = data.standings[1]._replace(tied=(2,))
    shown = lines(replace(data, standings=(data.standings[0], tied, data.standings[2])))
    text = "\n".join(shown)
    assert "   1 a    0.972 [0.952, 0.982]  baseline" in text
    assert "   2 b    0.889 [0.869, 0.899]  tied with c" in text
    assert ["aligned", "0.972", "0.889-", "0.806-"] in [line.split() for line in shown]
    assert "+ better, - worse, = equivalent to a" in text
    assert max(map(cell_len, shown)) <= 80


def test_runs_with_long_names_are_called_by_letters_and_the_weakest_have_no_column() -> None:
    names = [f"a run with quite a long name, number {number}" for number in range(12)]
    shown = lines(comparison(*names))
    heads = next(line for line in shown if "overall" in line).split()
    assert heads == ["overall", *"ABCDEF"]
    assert any("(6 runs have no column)" in line for line in shown)
    assert any("1 A  a run with" in line for line in shown)
    assert max(map(cell_len, shown)) <= 80


def test_two_long_names_lose_their_middle() -> None:
    names = ["x" * 50 + "1", "x" * 50 + "2"]
    shown = lines(comparison(*names))
    assert max(map(cell_len, shown)) <= 80
    assert any("xx1" in line and "xx2" in line and "…" in line for line in shown)


@pytest.mark.parametrize("against", [0, 1])
def test_the_command_explains_the_run_that_changed_and_not_the_baseline(against: int) -> None:
    data = comparison(against=against)
    explained = ("hasty", "careful")[against]
    assert command_of(data, data.documents[0]) == f"docassay explain {explained} doc-0"
    assert f"  docassay explain {explained} doc-0" in lines(data)


def test_of_many_runs_the_command_explains_the_one_that_broke_the_document() -> None:
    data = comparison("a", "b", "c")
    document = data.documents[0]._replace(values=(1.0, 0.2, 0.9), states=("", "", "broken"))
    assert command_of(data, document) == "docassay explain c doc-0"
    assert command_of(data, document._replace(commands=())) == ""
    assert command_of(data, document._replace(states=())) == "docassay explain b doc-0"


def test_leading_scores_begin_with_the_headline_and_have_short_names() -> None:
    plain = compared("plugged.x", (0.5, 0.6), [BETTER])
    known = compared("kieval.area", (0.5, 0.6), [BETTER])
    data = comparison()
    data = replace(
        data,
        scores=(known, plain, *reversed(data.scores)),
        specs={**SPECS, "kieval.area": SPECS[ALIGNED]._replace(short="", column=None)},
    )
    assert [entry.score.name for entry in leading(data)] == [ALIGNED, CORRECTIONS, "plugged.x"]


def test_all_scores_are_in_the_whole_table_with_p_and_interval() -> None:
    text = render(comparison(), "table", all_fields=True, screen=Screen(120))
    assert all(f"field_{number}" in text for number in range(8))
    assert "[-0.103, -0.053]" in text
    assert "< 0.001" in text
    assert "doc-4" in text
    assert "missing row" in text


def test_colours_are_for_screens_that_have_them() -> None:
    assert "\x1b[" not in render(comparison(), "table")
    assert "\x1b[31mworse" in render(comparison(), "table", screen=Screen(80, colour=True)).replace(
        "  worse", "worse"
    ).replace("\x1b[31m  ", "\x1b[31m")


def test_csv_has_a_row_a_score_and_run_with_both_values() -> None:
    rows = [*csv.DictReader(io.StringIO(scores_csv(comparison("a", "b", "c", against=1))))]
    assert tuple(rows[0]) == SCORE_COLUMNS
    first = [row for row in rows if row["score"] == ALIGNED]
    assert [(row["run"], row["against"]) for row in first] == [("a", "b"), ("c", "b")]
    assert first[0]["value"] == "0.972"
    assert first[0]["value_against"] == "0.889"
    assert float(first[0]["difference"]) == pytest.approx(0.083)
    assert (first[0]["verdict"], first[0]["winner"]) == ("worse", "")


def test_documents_have_a_row_with_their_state_and_command() -> None:
    (first, *_) = csv.DictReader(io.StringIO(documents_csv(comparison())))
    assert first == {
        "document": "doc-0",
        "type": "invoice",
        "kieval.aligned: careful": "1.0",
        "kieval.aligned: hasty": "0.5",
        "change": "-0.5",
        "state: hasty": "broken",
        "explain": "docassay explain hasty doc-0",
    }


@pytest.mark.parametrize("names", [("careful", ODD), (ODD, "b", "c")], ids=["two", "three"])
@pytest.mark.parametrize("format", [format for format in FORMATS if format != "json"])
def test_odd_names_do_no_harm_in_any_format(names: tuple[str, ...], format: str) -> None:
    data = comparison(*names, id=ODD)
    odd = compared(ALIGNED, [0.9] * len(names), [WORSE] * (len(names) - 1), key=ODD)
    data = replace(data, scores=(odd, *data.scores), notes=(ODD,))
    for all_fields in (False, True):
        text = render(data, format, all_fields=all_fields)
        assert "\x1b" not in text
        if format == "html":
            assert "<b>" not in text
        if format == "csv":
            for row in csv.reader(io.StringIO(text)):
                assert not any(cell.startswith("=") for cell in row)


def test_an_unknown_format_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="markdown"):
        render(comparison(), "pdf")


def test_a_folder_has_every_form_and_no_charts_unless_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    files = write_comparison(folder, comparison())
    assert [path.name for path in files] == [
        *("comparison.json", "comparison.md", "comparison.csv", "comparison.html"),
        "documents.csv",
    ]
    assert json.loads((folder / "comparison.json").read_text())["documents_compared"] == 100
    (folder / "charts").mkdir()
    for name in ("difference-by-cause.png", "mine.png"):
        (folder / "charts" / name).write_bytes(b"")
    write_comparison(folder, comparison())
    assert [path.name for path in (folder / "charts").iterdir()] == ["mine.png"]


def test_charts_are_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "charts").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileError, match="link"):
        write_comparison(tmp_path / "out", comparison(), charts=True)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=9, unique=True),
    st.text(min_size=1, max_size=90),
    st.integers(0, 12),
)
def test_whatever_names_say_the_screen_stays_within_its_bounds(
    names: list[str], id: str, fields: int
) -> None:
    shown = lines(comparison(*names, id=id, fields=fields))
    assert max(map(cell_len, shown[:-3])) <= 80
    assert len(shown) <= 28


def test_undefined_values_are_dashes() -> None:
    entries: tuple[ComparedScore, ...] = (
        compared(ALIGNED, (None, 0.5), [None]),
        compared(ALIGNED, (0.5, None), [None], key="gone"),
    )
    data = replace(comparison(), scores=entries)
    assert any(line.split() == ["aligned", "–", "0.500", "–"] for line in lines(data))
    assert "–" in render(data, "markdown")


def test_a_document_that_was_fixed_is_counted_as_such() -> None:
    data = comparison(documents=2)
    fixed = data.documents[1]._replace(states=("", FIXED))
    shown = lines(replace(data, documents=(data.documents[0], fixed)))
    assert any(line.startswith("  1 newly broken, 1 fixed") for line in shown)


def test_where_no_document_is_known_to_be_correct_none_is_counted_as_broken() -> None:
    data = comparison(documents=1)
    documents = (data.documents[0]._replace(states=("", "")),)
    shown = lines(replace(data, documents=documents))
    assert any(line.startswith("  documents ") for line in shown)
    assert not any("newly broken" in line for line in shown)
    assert "<summary>Documents</summary>" in render(replace(data, documents=documents), "markdown")


def test_there_is_no_minus_before_nothing() -> None:
    entry = compared(ALIGNED, (0.9, 0.8999), [TIED])
    text = "\n".join(lines(replace(comparison(), scores=(entry,))))
    assert "-0.000" not in text
    assert "+0.000" in text


def test_places_without_an_interval_have_none() -> None:
    data = comparison("a", "b", "c")
    bare = data.standings[0]._replace(score=score(ALIGNED, 1)._replace(value=0.972))
    shown = lines(replace(data, standings=(bare, *data.standings[1:])))
    assert "   1 a    0.972  baseline" in shown


def test_short_names_that_say_too_little_are_shown_in_full() -> None:
    full = comparison()
    specs = {
        "kieval.documents_exact": ReadoutSpec("documents_exact", unit=COUNT, short="documents"),
        "kieval.aligned": ReadoutSpec("aligned", short="aligned"),
    }
    full = replace(full, specs=specs)
    assert label(full, "kieval.documents_exact") == "documents fully correct"
    assert label(full, "kieval.aligned") == "aligned"
    assert label(full, "entity.f1") == "entity.f1"


def test_two_long_names_that_look_alike_when_cut_go_by_letters() -> None:
    names = [f"gpt-4o-mini-2025-07-18-prompt-version-{number}-temperature-0" for number in (12, 13)]
    lines = render(comparison(*names), "table", screen=Screen(80)).splitlines()
    assert "a change is B minus A" in "".join(lines)
    assert f"  A  {names[0]}" in lines
    assert f"  B  {names[1]}" in lines
    assert max(map(cell_len, lines)) <= 80
    assert len(lines) <= 24
    cut = render(comparison("a" * 40, "b" * 40), "table", screen=Screen(80))
    assert f"a change is {middle_cut('b' * 40, 14)} minus a" in cut


def test_a_command_that_is_too_long_for_a_line_is_continued() -> None:
    id = "document-" * 7
    lines = render(comparison(id=id), "table", screen=Screen(80)).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("  docassay explain"))
    assert lines[at].endswith(" \\")
    assert lines[at + 1].strip().startswith(id)
