"""The one registry: a name, the function it stands for, and the options it takes.

Built-in names are listed with the module that defines them, so that nothing is imported before it
is needed. Plugins (entry points) are looked up only for a name that is not built in, or when all
names are listed. A taken name is refused, and an error about an unknown one lists those that exist.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property, lru_cache
from importlib.machinery import PathFinder
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeVar

from docassay.errors import ConfigurationError, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True)
class Extension:
    """A function under a name. Each kind of extension adds its own attributes in a subclass."""

    name: str
    function: Callable[..., object]

    @cached_property
    def summary(self) -> str:
        """The first paragraph of the docstring."""
        return (inspect.getdoc(self.function) or "").split("\n\n")[0].replace("\n", " ").strip()

    @property
    def place(self) -> str:
        """The module and name of the function."""
        return f"{self.function.__module__}.{getattr(self.function, '__qualname__', self.name)}"

    @cached_property
    def options(self) -> Mapping[str, object]:
        """Option names with their defaults, read off the keyword-only parameters."""
        return options_of(self.function, self.name)

    def check(self, given: Mapping[str, object], *, where: str | None = None) -> dict[str, object]:
        """Return the options with defaults filled in; an unknown name or wrong kind is an error."""
        return checked(self.name, self.options, given, where=where)


def options_of(function: Callable[..., object], name: str) -> Mapping[str, object]:
    """Return the keyword-only parameters of a function with their defaults."""
    options: dict[str, object] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is not parameter.KEYWORD_ONLY:
            continue
        if parameter.default is parameter.empty:
            raise ConfigurationError(f"{name!r}: option {parameter.name!r} has no default")
        options[parameter.name] = parameter.default
    return MappingProxyType(options)


def checked(
    name: str,
    options: Mapping[str, object],
    given: Mapping[str, object],
    *,
    where: str | None = None,
) -> dict[str, object]:
    """Return `options` (names with defaults) with what was given in their place."""
    for option in given:
        if option not in options:
            raise UnknownName(f"option of {name}", option, options, where=where)
    return {
        option: convert(given[option], default, f"{name}.{option}", where=where)
        if option in given
        else default
        for option, default in options.items()
    }


E = TypeVar("E", bound=Extension)


class Registry(Generic[E]):
    """Names of one kind of extension."""

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._builtin = MappingProxyType(dict(builtin))
        self._entries: dict[str, E] = {}

    def add(self, extension: E) -> None:
        """Register an extension under its name, which must be free."""
        name, home = extension.name, extension.function.__module__
        owner = self._builtin.get(name, home)
        if name in self._entries or owner != home:
            taken = self._entries[name].place if name in self._entries else owner
            raise ConfigurationError(
                f"{self.kind} {name!r} of {extension.place} is already registered by {taken}",
                hint="choose another name",
            )
        if not extension.summary:
            raise ConfigurationError(f"{self.kind} {name!r} of {extension.place} has no docstring")
        extension.check({})
        self._entries[name] = extension

    def get(self, name: str, *, where: str | None = None) -> E:
        """Return the extension of a name, importing the module or plugin that defines it."""
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

    def entries(self) -> tuple[E, ...]:
        """Return every extension, sorted by name; imports them all."""
        return tuple(self.get(name) for name in self.names())

    def of_this_process(self) -> tuple[str, ...]:
        """Return the names that only this process knows: a script has registered them."""
        elsewhere = {*self._builtin, *(point.name for point in self._plugins())}
        return tuple(sorted(name for name in self._entries if name not in elsewhere))

    def _plugins(self) -> Iterable[EntryPoint]:
        return _entry_points(self.group, tuple(sys.path))

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


@lru_cache
def _entry_points(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Return what the packages on a path offer for a group."""
    others = any(hasattr(finder, "find_distributions") for finder in _other_finders())
    if not others and not any(_may_offer(folder, f"[{group}]".encode()) for folder in path):
        return ()
    from importlib.metadata import entry_points  # it loads the parser of e-mails

    return tuple(entry_points(group=group))


def _other_finders() -> list[object]:
    return [finder for finder in sys.meta_path if finder is not PathFinder]


def _may_offer(folder: str, heading: bytes) -> bool:
    """Whether a package in a folder has a heading in its list of entry points.

    What is no folder may be an archive, which is left to who can read it.
    """
    try:
        with os.scandir(folder or ".") as entries:
            packages = [entry.path for entry in entries if _describes_package(entry.name.lower())]
    except NotADirectoryError:
        return True
    except OSError:
        return False
    return any(heading in _content(os.path.join(each, "entry_points.txt")) for each in packages)


def _describes_package(name: str) -> bool:
    return name.endswith((".dist-info", ".egg-info")) or name == "egg-info"


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return b""


LIMIT = "max_"
"""How the names of options begin that limit how much is computed."""
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


def convert(given: object, default: object, name: str, *, where: str | None = None) -> object:
    """Return an option as the kind of value its default is; YAML and the CLI give texts.

    Numbers are finite, and a limit is not negative.
    """
    try:
        value = _as_kind_of(default, given)
    except (ValueError, InvalidOperation, TypeError):
        kind = next((words for type_, words in _KINDS if isinstance(default, type_)), "a text")
        shown = f"{given!r:.80}"
        raise ConfigurationError(f"option {name}: {shown} is not {kind}", where=where) from None
    if isinstance(value, float | Decimal) and not _is_finite(value):
        raise ConfigurationError(
            f"option {name}: {given!r:.80} is not a finite number", where=where
        )
    if isinstance(value, int) and value < 0 and name.rpartition(".")[2].startswith(LIMIT):
        raise ConfigurationError(
            f"option {name}: {value} is below zero", where=where, hint="a limit is 0 or more"
        )
    return value


def _is_finite(value: float | Decimal) -> bool:
    # a signalling NaN cannot even be made a float
    return value.is_finite() if isinstance(value, Decimal) else isfinite(value)


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
