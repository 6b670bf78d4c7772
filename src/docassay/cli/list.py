"""`docassay list`: what is registered, with one sentence and the options of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import click
from rich.table import Table
from rich.text import Text

from docassay.cli.terminal import emit, screen
from docassay.errors import UnknownName
from docassay.load.format import FORMATS
from docassay.metrics.metric import METRICS
from docassay.model.report import ReadoutSpec
from docassay.registry import Extension
from docassay.report.screen import PLAIN, Screen, draw, words
from docassay.values.comparator import COMPARATORS
from docassay.values.reader import READERS, field_type, type_names

KINDS = {
    "scores": "what can be asked for, with --require or in Python, by its short name or address",
    "metrics": "what can be measured, with --metrics",
    "formats": "what files are read as, with --gold-format and --pred-format",
    "types": "what a field of a schema can be",
    "readers": "how a text becomes a value, for types of your own",
    "comparators": "how two values are compared, for types of your own",
}


class Item(NamedTuple):
    """A name with what it stands for."""

    name: str
    summary: str
    options: Mapping[str, object]


def catalogue(kind: str) -> list[Item]:
    """Return everything of one of KINDS, by name."""
    if kind == "scores":
        return [*_scores()]
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


def _scores() -> Iterator[Item]:
    """Yield the scores that have a place in a report, those with a short name first."""
    specs = [(entry.name, spec) for entry in METRICS.entries() for spec in entry.specs.values()]
    short = sorted(
        (spec.short, f"{metric}.{spec.name}", spec) for metric, spec in specs if spec.short
    )
    for name, address, spec in short:
        meaning = f": {spec.meaning}" if spec.meaning else ""
        yield Item(name, f"{address}{meaning}", {})
    for metric, spec in specs:
        if not spec.short:
            yield Item(f"{metric}.{spec.name}", _about(spec), {})


def _about(spec: ReadoutSpec) -> str:
    """Return what a score is, in words."""
    better = f", {spec.better} is better" if spec.better else ""
    return f"{spec.meaning or spec.unit}{better}"


def overview() -> list[Item]:
    """Return what can be listed, with how much there is of each."""
    return [Item(kind, f"{len(catalogue(kind))}: {about}", {}) for kind, about in KINDS.items()]


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
@click.argument("kind", metavar=f"[{'|'.join(KINDS)}]", required=False)
def command(kind: str | None) -> None:
    """List what there is, with plugins: names, what they do, and options with their defaults."""
    if kind is None:
        emit(render(overview(), screen=screen()))
        emit("\ndocassay list NAME lists one of them")
    else:
        emit(render(catalogue(kind), screen=screen()))
