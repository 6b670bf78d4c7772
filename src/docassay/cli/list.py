"""`docassay list`: what is registered, with one sentence and the options of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import click
from rich.table import Table
from rich.text import Text

from docassay.cli.terminal import emit, screen
from docassay.errors import UnknownName
from docassay.load.format import FORMATS
from docassay.metrics.metric import METRICS
from docassay.registry import Extension
from docassay.report.screen import PLAIN, Screen, draw, words
from docassay.values.comparator import COMPARATORS
from docassay.values.reader import READERS
from docassay.values.types import field_type, type_names

KINDS = ("metrics", "formats", "comparators", "readers", "types")


class Item(NamedTuple):
    """A name with what it stands for."""

    name: str
    summary: str
    options: Mapping[str, object]


def catalogue(kind: str) -> list[Item]:
    """Return everything of one of KINDS, by name."""
    if kind == "types":
        return [_type(name) for name in type_names()]
    if kind == "metrics":
        return _items(METRICS.entries())
    if kind == "formats":
        return _items(FORMATS.entries())
    if kind == "comparators":
        return _items(COMPARATORS.entries())
    if kind == "readers":
        return _items(READERS.entries())
    raise UnknownName("kind of thing to list", kind, KINDS)


def _items(extensions: Iterable[Extension]) -> list[Item]:
    return [Item(extension.name, extension.summary, extension.options) for extension in extensions]


def _type(name: str) -> Item:
    kind = field_type(name)
    reader, comparator = READERS.get(kind.reader), COMPARATORS.get(kind.comparator)
    summary = f"{reader.summary} Compared as {kind.comparator!r}: {comparator.summary}"
    return Item(name, summary, {**reader.options, **comparator.options})


def render(items: Sequence[Item], *, screen: Screen = PLAIN) -> str:
    """Return a list of names with what they do and their options."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for item in items:
        summary = words(item.summary)
        if item.options:
            summary.append(f"\n{', '.join(_options(item.options))}", style="dim")
        table.add_row(Text(item.name, style="bold"), summary)
    return draw([table], screen)


def _options(options: Mapping[str, object]) -> Iterable[str]:
    for name, default in options.items():
        if isinstance(default, bool):
            yield f"{name}={str(default).lower()}"
        elif default is None or default == "" or default == () or default == {}:
            yield f"{name}="
        elif isinstance(default, (tuple, list)):
            yield f"{name}={','.join(map(str, default))}"
        else:
            yield f"{name}={default}"


@click.command("list")
@click.argument("kind", metavar="metrics|formats|comparators|readers|types")
def command(kind: str) -> None:
    """List what there is, with plugins: names, what they do, and options with their defaults."""
    emit(render(catalogue(kind), screen=screen()))
