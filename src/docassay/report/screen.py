"""Drawing for a terminal with rich: text that is never markup, tables without frames."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from docassay.model.words import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

PLAIN_WIDTH = 100


class Screen(NamedTuple):
    """How wide to draw, and whether with colours."""

    width: int = PLAIN_WIDTH
    colour: bool = False


PLAIN = Screen()


def draw(parts: Iterable[RenderableType], screen: Screen = PLAIN) -> str:
    """Return renderables as the text that a terminal shows."""
    text = io.StringIO()
    console = None
    for part in parts:
        if not screen.colour and isinstance(part, Text) and _is_one_line(part.plain, screen.width):
            text.write(f"{part.plain}\n")
            continue
        console = console or _console(text, screen)
        console.print(part)
    return "\n".join(line.rstrip() for line in text.getvalue().split("\n"))


def _is_one_line(text: str, width: int) -> bool:
    """Whether a console would write a text as it is."""
    return "\n" not in text and "\t" not in text and cell_len(text) <= width


def _console(file: io.StringIO, screen: Screen) -> Console:
    from rich.console import Console

    return Console(
        file=file,
        width=screen.width,
        force_terminal=screen.colour,
        color_system="standard" if screen.colour else None,
        no_color=not screen.colour,
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
    )


def words(text: str, style: str = "") -> Text:
    """Return a text as it is, with what does not print escaped."""
    return Text(visible(text), style=style)


def grid(*heads: str) -> Table:
    """Return an empty table whose first column is text and whose others are numbers."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="dim",
    )
    first, *others = heads
    # a head of two words stands on two lines, which leaves room for names
    above = "\n" if any(" " in head for head in others) else ""
    table.add_column(f"{above}{first}", overflow="fold", min_width=8)
    for head in others:
        stacked = head.replace(" ", "\n", 1) if " " in head else f"{above}{head}"
        table.add_column(stacked, justify="right", no_wrap=True)
    return table
