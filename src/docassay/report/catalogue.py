"""What is registered, kind by kind: names, one sentence each, and options with their defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from docassay.compare import COMPARATORS
from docassay.errors import UnknownName
from docassay.load import FORMATS
from docassay.metrics import METRICS
from docassay.read import READERS
from docassay.registry import F, Registry
from docassay.report.screen import PLAIN, Screen, draw, words
from docassay.types import TYPES, field_type

KINDS = ("metrics", "formats", "comparators", "readers", "types")


class Item(NamedTuple):
    """A name with what it stands for."""

    name: str
    summary: str
    options: Mapping[str, object]


def catalogue(kind: str) -> list[Item]:
    """Return everything of one of KINDS, by name."""
    if kind == "types":
        return [_type(name) for name in sorted({*TYPES, *READERS.names()})]
    if kind == "metrics":
        return _items(METRICS)
    if kind == "formats":
        return _items(FORMATS)
    if kind == "comparators":
        return _items(COMPARATORS)
    if kind == "readers":
        return _items(READERS)
    raise UnknownName("kind of thing to list", kind, KINDS)


def _items(registry: Registry[F]) -> list[Item]:
    return [Item(entry.name, entry.summary, entry.options) for entry in registry.entries()]


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
        said = words(item.summary)
        if item.options:
            said.append(f"\n{', '.join(_options(item.options))}", style="dim")
        table.add_row(Text(item.name, style="bold"), said)
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
