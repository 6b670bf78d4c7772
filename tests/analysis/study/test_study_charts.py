"""Charts are real files with their labels, whatever the names hold."""

from __future__ import annotations

import re
import struct
import sys
from html import unescape
from pathlib import Path

import pytest

from docassay.errors import ConfigurationError
from docassay.report.charts.canvas import HeatCell, Move, correlation_heat_map, shuffle_chart

ODD = "sum_{$x^2$} <b>&amp; \x1b[31m 日本"
MOVES = [Move("ner.ecer", 0.1, 0.8, 0.7, 0.9), Move(ODD, 0.5, 0.5, 0.5, 0.5)]


def size_of(file: Path) -> tuple[int, ...]:
    """Return width and height of a PNG file."""
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def texts_of(file: Path) -> list[str]:
    """Return the texts of an SVG file."""
    text = file.read_text(encoding="utf-8")
    assert text.rstrip().endswith("</svg>")
    return [unescape(one) for one in re.findall(r"<text[^>]*>([^<]*)</text>", text)]


def test_the_shuffle_chart_names_every_readout_as_it_is(tmp_path: Path) -> None:
    png, svg = shuffle_chart(MOVES, tmp_path / "shuffle", title="Costs $5, then $6")
    assert min(size_of(png)) > 150
    texts = texts_of(svg)
    assert {"ner.ecer", ODD.replace("\x1b", "\\x1b"), "Costs $5, then $6"} <= set(texts)
    assert {"as predicted", "shuffled: mean, lowest to highest"} <= set(texts)


def test_rates_above_one_are_on_the_chart(tmp_path: Path) -> None:
    _, svg = shuffle_chart([Move("ner.wer", 0.5, 2.5, 2.0, 3.0)], tmp_path / "x", title="t")
    assert {"0.0", "3.0"} <= set(texts_of(svg))


def test_a_chart_without_rows_is_still_one(tmp_path: Path) -> None:
    png, _ = shuffle_chart([], tmp_path / "x", title="nothing to show")
    assert png.exists()


def test_the_heat_map_writes_values_with_their_marks(tmp_path: Path) -> None:
    cells = {("a", "b"): HeatCell(-0.876, "**"), ("a", "c"): None, ("b", "c"): HeatCell(0.25)}
    png, svg = correlation_heat_map(
        ["a", "b", "c"], cells, tmp_path / "map", title="Pearson", caption=["* p < 0.05"]
    )
    assert min(size_of(png)) > 150
    texts = texts_of(svg)
    assert [texts.count(one) for one in ("−.88", "**", ".25", "–")] == [2, 2, 2, 2]
    assert {"Pearson", "* p < 0.05"} <= set(texts)


def test_many_names_make_a_larger_map_without_numbers(tmp_path: Path) -> None:
    names = [f"metric.readout_{i}" for i in range(40)]
    cells = {(one, other): HeatCell(0.5) for one in names for other in names}
    png, svg = correlation_heat_map(names, cells, tmp_path / "map", title="many")
    assert min(size_of(png)) > 1200
    assert set(names) <= set(texts_of(svg))
    assert ".50" not in texts_of(svg)


def test_the_same_chart_is_the_same_bytes(tmp_path: Path) -> None:
    one, other = (shuffle_chart(MOVES, tmp_path / name, title="t") for name in "ab")
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in other]


def test_settings_of_the_user_are_neither_used_nor_changed(tmp_path: Path) -> None:
    import matplotlib

    plain = shuffle_chart(MOVES, tmp_path / "plain", title="t")[1].read_bytes()
    with matplotlib.rc_context({"font.size": 30, "text.parse_math": True}):
        assert shuffle_chart(MOVES, tmp_path / "own", title="t")[1].read_bytes() == plain
        assert matplotlib.rcParams["font.size"] == 30


def test_without_matplotlib_it_is_said_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigurationError, match=r"docassay\[charts\]"):
        shuffle_chart(MOVES, tmp_path / "x", title="t")
