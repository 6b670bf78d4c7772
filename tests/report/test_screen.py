"""Drawing for a terminal: what is written without asking a console is what a console writes."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from docassay.report import screen as module
from docassay.report.screen import Screen, draw

LETTERS = "ab é中\N{COMBINING ACUTE ACCENT}\u200d\U0001f600\t\n\r\x07[/]:"
TEXTS = st.text(st.sampled_from(LETTERS), max_size=14) | st.text(max_size=14)


def drawn_by_a_console(text: Text, screen: Screen) -> str:
    file = io.StringIO()
    module._console(file, screen).print(text)
    return "\n".join(line.rstrip() for line in file.getvalue().split("\n"))


@given(text=TEXTS, width=st.integers(1, 16))
def test_a_line_that_fits_is_what_a_console_would_write(text: str, width: int) -> None:
    screen = Screen(width)
    line = Text(text, style="bold")
    assert draw([line], screen) == drawn_by_a_console(line, screen)


def test_lines_that_fit_need_no_console(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Screen] = []
    plain = module._console

    def counted(file: io.StringIO, screen: Screen) -> object:
        asked.append(screen)
        return plain(file, screen)

    monkeypatch.setattr(module, "_console", counted)
    lines = [Text("first"), Text(), Text("second")]
    assert draw(lines, Screen(8)) == "first\n\nsecond\n"
    assert not asked
    assert draw([*lines, Text("one two three")], Screen(8)).endswith("second\none two\nthree\n")
    assert len(asked) == 1
    assert "\x1b[1m" in draw([Text("first", style="bold")], Screen(8, colour=True))
