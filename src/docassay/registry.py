"""The one registry: a name, the function it stands for, and what it may be told.

Built-in names are listed with the module that defines them, so that nothing is imported before it
is asked for. Plugins (entry points) are looked up only for a name that is not built in, or when all
names are listed. A taken name is refused, and an unknown one is answered with what exists.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Generic, TypeVar

from docassay.errors import ConfigurationError, UnknownName

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Entry(Generic[F]):
    """A registered function with its one-sentence summary, its options and its facts."""

    name: str
    function: F
    summary: str
    place: str
    options: Mapping[str, object]
    """Option names with their defaults, read off the keyword-only parameters."""
    facts: Mapping[str, object]
    """What the decorator said beside the name (a batch form, a version, a sniffer...)."""

    def check(self, given: Mapping[str, object], *, where: str | None = None) -> dict[str, object]:
        """Return the options with defaults filled in; an unknown name or wrong kind is an error."""
        for name in given:
            if name not in self.options:
                raise UnknownName(f"option of {self.name}", name, self.options, where=where)
        return {
            name: convert(given[name], default, f"{self.name}.{name}", where=where)
            if name in given
            else default
            for name, default in self.options.items()
        }


class Registry(Generic[F]):
    """Names of one kind of extension."""

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._builtin = MappingProxyType(dict(builtin))
        self._entries: dict[str, Entry[F]] = {}

    def add(self, name: str, function: F, **facts: object) -> F:
        """Register a function under a free name and return it unchanged."""
        place = f"{function.__module__}.{getattr(function, '__qualname__', name)}"
        owner = self._builtin.get(name, function.__module__)
        if name in self._entries or owner != function.__module__:
            taken = self._entries[name].place if name in self._entries else owner
            raise ConfigurationError(
                f"{self.kind} {name!r} of {place} is already registered by {taken}",
                hint="choose another name",
            )
        summary = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ").strip()
        if not summary:
            raise ConfigurationError(f"{self.kind} {name!r} of {place} has no docstring")
        self._entries[name] = Entry(
            name, function, summary, place, _options_of(function, self.kind, name), facts
        )
        return function

    def get(self, name: str, *, where: str | None = None) -> Entry[F]:
        """Return the entry of a name, importing the module or plugin that defines it."""
        if name not in self._entries and name in self._builtin:
            importlib.import_module(self._builtin[name])
        if name not in self._entries:
            self._load_plugins(name)
        if name not in self._entries:
            raise UnknownName(self.kind, name, self.names(), where=where)
        return self._entries[name]

    def names(self) -> tuple[str, ...]:
        """Return every name that get() answers to, sorted."""
        return tuple(sorted({*self._entries, *self._builtin, *(p.name for p in self._plugins())}))

    def entries(self) -> tuple[Entry[F], ...]:
        """Return every entry, sorted by name; imports them all."""
        return tuple(self.get(name) for name in self.names())

    def _plugins(self) -> Iterable[importlib.metadata.EntryPoint]:
        return entry_points(group=self.group)

    def _load_plugins(self, name: str) -> None:
        for point in self._plugins():
            if point.name != name:
                continue
            try:
                point.load()
            except Exception as error:
                raise ConfigurationError(
                    f"the plugin for {self.kind} {name!r} ({point.value}) is broken: {error!r}",
                    hint="repair or uninstall the package that offers it",
                ) from error
            if name not in self._entries:
                raise ConfigurationError(
                    f"the plugin {point.value} does not register {self.kind} {name!r}"
                )


def _options_of(function: Callable[..., object], kind: str, name: str) -> Mapping[str, object]:
    options: dict[str, object] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is not parameter.KEYWORD_ONLY:
            continue
        if parameter.default is parameter.empty:
            raise ConfigurationError(f"{kind} {name!r}: option {parameter.name!r} has no default")
        options[parameter.name] = parameter.default
    return MappingProxyType(options)


_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


def convert(given: object, default: object, name: str, *, where: str | None = None) -> object:
    """Return an option as the kind of thing its default is; YAML and the CLI give texts."""
    try:
        return _as_kind_of(default, given)
    except (ValueError, InvalidOperation, TypeError):
        kind = next((words for one, words in _KINDS if isinstance(default, one)), "a text")
        raise ConfigurationError(f"option {name}: {given!r} is not {kind}", where=where) from None


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number"),
    (Decimal, "a number"),
    (tuple, "a list of texts"),
    (Mapping, "a mapping"),
)


def _as_kind_of(default: object, given: object) -> object:
    if isinstance(default, bool):
        return _truth(given)
    if isinstance(default, int | float | Decimal):
        return type(default)(str(given))
    if isinstance(default, tuple):
        return _texts(given)
    if isinstance(default, Mapping):
        if not isinstance(given, Mapping):
            raise TypeError(given)
        return given
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, bool | int | float):
        return str(given)
    raise TypeError(given)


def _truth(given: object) -> bool:
    word = str(given).strip().casefold()
    if word not in _TRUE and word not in _FALSE:
        raise ValueError(given)
    return word in _TRUE


def _texts(given: object) -> tuple[str, ...]:
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, Iterable) or isinstance(parts, Mapping):
        raise TypeError(given)
    return tuple(str(part).strip() for part in parts)
