"""The plan of a run: plain data that says what to measure and how, and binding it to functions.

A plan goes to workers and into ledgers as JSON. `bind` looks up every name once and checks every
option, so a mistake in the configuration stops a run before a document is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from docassay.case import Layouts
from docassay.errors import ConfigurationError, UnknownName
from docassay.load import FORMATS, Loader
from docassay.metrics import METRICS, Flaws, MetricFunction, Readouts
from docassay.model.schema import Schema
from docassay.registry import Entry
from docassay.version import VERSION

DEFAULT_METRICS = ("entity", "kieval", "fields")


@dataclass(frozen=True, slots=True)
class Call:
    """A metric or a format by name, with the options that were given for it."""

    name: str
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: the schema, the metrics with their options, and options of formats."""

    metrics: tuple[Call, ...]
    schema: Schema | None = None
    formats: tuple[Call, ...] = ()

    def to_json(self) -> bytes:
        """Return the plan as JSON, the same bytes for equal plans."""
        return msgspec.json.encode(self, enc_hook=_plain, order="deterministic")

    @classmethod
    def from_json(cls, data: bytes) -> Plan:
        """Return the plan that to_json() wrote."""
        return msgspec.json.decode(data, type=cls)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value))


def make_plan(
    *,
    schema: Schema | None = None,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
) -> Plan:
    """Return a plan from metric names ("all" for every one) and settings `metric.option`."""
    names = usual_metrics(schema) if metrics is None else tuple(dict.fromkeys(metrics))
    if "all" in names:
        names = METRICS.names()
    if not names:
        raise ConfigurationError("no metric was asked for", hint=f"there is: {_known()}")
    metrics_told: dict[str, dict[str, object]] = {name: {} for name in names}
    formats_told: dict[str, dict[str, object]] = {}
    for address, value in (settings or {}).items():
        name, _, option = address.partition(".")
        if name in METRICS.names() and option in METRICS.get(name).options:
            if name not in metrics_told:
                raise ConfigurationError(
                    f"setting {address} is for metric {name!r}, which is not measured",
                    hint=f"add it to the metrics: {','.join((*names, name))}",
                )
            metrics_told[name][option] = value
        elif name in FORMATS.names() and option in FORMATS.get(name).options:
            formats_told.setdefault(name, {})[option] = value
        else:
            raise UnknownName("setting", address, _settings(names))
    followed = {
        name: {**_followed(name, metrics_told), **told} for name, told in metrics_told.items()
    }
    return Plan(_calls(followed), schema, _calls(formats_told))


def _followed(name: str, told: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Return the options that a metric takes over from those whose numbers it explains."""
    entry = METRICS.get(name)
    return {
        option: value
        for other in entry.facts["follows"]  # type: ignore[attr-defined]
        for option, value in told.get(other, {}).items()
        if option in entry.options
    }


def usual_metrics(schema: Schema | None) -> tuple[str, ...]:
    """Return the metrics that are measured when none are asked for."""
    has_rules = schema is not None and bool(schema.rules)
    return (*DEFAULT_METRICS, "rules") if has_rules else DEFAULT_METRICS


def _calls(told: Mapping[str, Mapping[str, object]]) -> tuple[Call, ...]:
    return tuple(Call(name, MappingProxyType(dict(options))) for name, options in told.items())


def _known() -> str:
    return ", ".join(METRICS.names())


def _settings(names: Sequence[str]) -> list[str]:
    entries = [METRICS.get(name) for name in names]
    found = [f"{entry.name}.{option}" for entry in entries for option in entry.options]
    return found + [f"{one.name}.{option}" for one in FORMATS.entries() for option in one.options]


class BoundMetric(NamedTuple):
    """A metric looked up, with all its options."""

    name: str
    function: MetricFunction
    options: Mapping[str, object]
    version: int
    readouts: Readouts
    tables: Mapping[str, tuple[str, ...]]
    flaws: Flaws | None
    means: Mapping[str, tuple[str, str, str]]


class Bound(NamedTuple):
    """A plan ready to run."""

    plan: Plan
    layouts: Layouts
    metrics: tuple[BoundMetric, ...]

    @property
    def settings(self) -> dict[str, object]:
        """Every option that shapes a number, with the value in force."""
        of_metrics = {
            f"{metric.name}.{option}": _plain_option(value)
            for metric in self.metrics
            for option, value in sorted(metric.options.items())
        }
        of_formats = {
            f"{call.name}.{option}": _plain_option(value)
            for call in self.plan.formats
            for option, value in sorted(FORMATS.get(call.name).check(call.options).items())
        }
        return {**of_metrics, **of_formats}

    @property
    def signature(self) -> str:
        """What the numbers depend on besides the data, in one line."""
        metrics = "+".join(f"{metric.name}.{metric.version}" for metric in self.metrics)
        parts = [f"docassay:{VERSION}", f"metrics:{metrics}", f"schema:{self._schema_digest}"]
        entries: list[Entry[MetricFunction] | Entry[Loader]] = [
            *(METRICS.get(metric.name) for metric in self.metrics),
            *(FORMATS.get(call.name) for call in self.plan.formats),
        ]
        defaults = {
            f"{entry.name}.{option}": _plain_option(default)
            for entry in entries
            for option, default in entry.options.items()
        }
        parts += [
            f"{address}={_shown(value)}"
            for address, value in self.settings.items()
            if value != defaults[address]
        ]
        return "|".join(parts)

    @property
    def _schema_digest(self) -> str:
        if self.plan.schema is None:
            return "none"
        data = msgspec.json.encode(self.plan.schema, enc_hook=_plain, order="deterministic")
        return hashlib.blake2b(data, digest_size=4).hexdigest()


def _plain_option(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def bind(plan: Plan) -> Bound:
    """Look up and check everything that a plan names."""
    for call in plan.formats:
        FORMATS.get(call.name).check(call.options)
    metrics = []
    for call in plan.metrics:
        entry = METRICS.get(call.name)
        options = entry.check(call.options)
        facts = entry.facts
        if callable(facts["check"]):
            facts["check"](**options)
        metrics.append(
            BoundMetric(
                call.name,
                entry.function,
                options,
                facts["version"],  # type: ignore[arg-type]
                facts["readouts"],  # type: ignore[arg-type]
                facts["tables"],  # type: ignore[arg-type]
                facts["flaws"],  # type: ignore[arg-type]
                facts["means"],  # type: ignore[arg-type]
            )
        )
    return Bound(plan, Layouts(plan.schema or Schema()), tuple(metrics))
