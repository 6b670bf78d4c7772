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
from docassay.metrics import METRICS, MetricFunction, Readouts
from docassay.model.schema import Schema
from docassay.version import VERSION

DEFAULT_METRICS = ("entity", "kieval")


@dataclass(frozen=True, slots=True)
class MetricCall:
    """A metric by name, with the options that were given for it."""

    name: str
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: the schema, and the metrics with their options."""

    metrics: tuple[MetricCall, ...]
    schema: Schema | None = None

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
    names = DEFAULT_METRICS if metrics is None else tuple(dict.fromkeys(metrics))
    if "all" in names:
        names = METRICS.names()
    if not names:
        raise ConfigurationError("no metric was asked for", hint=f"there is: {_known()}")
    given: dict[str, dict[str, object]] = {name: {} for name in names}
    for address, value in (settings or {}).items():
        metric, dot, option = address.partition(".")
        if not dot or metric not in METRICS.names():
            raise UnknownName("setting", address, _settings(names))
        if metric not in given:
            raise ConfigurationError(
                f"setting {address} is for metric {metric!r}, which is not measured",
                hint=f"add it to the metrics: {','.join((*names, metric))}",
            )
        given[metric][option] = value
    return Plan(tuple(MetricCall(name, MappingProxyType(given[name])) for name in names), schema)


def _known() -> str:
    return ", ".join(METRICS.names())


def _settings(names: Sequence[str]) -> list[str]:
    return [f"{name}.{option}" for name in names for option in METRICS.get(name).options]


class BoundMetric(NamedTuple):
    """A metric looked up, with all its options."""

    name: str
    function: MetricFunction
    options: Mapping[str, object]
    version: int
    readouts: Readouts
    tables: Mapping[str, tuple[str, ...]]


class Bound(NamedTuple):
    """A plan ready to run."""

    plan: Plan
    layouts: Layouts
    metrics: tuple[BoundMetric, ...]

    @property
    def settings(self) -> dict[str, object]:
        """Every option that shapes a number, with the value in force."""
        return {
            f"{metric.name}.{option}": list(value) if isinstance(value, tuple) else value
            for metric in self.metrics
            for option, value in sorted(metric.options.items())
        }

    @property
    def signature(self) -> str:
        """What the numbers depend on besides the data, in one line."""
        metrics = "+".join(f"{metric.name}.{metric.version}" for metric in self.metrics)
        parts = [f"docassay:{VERSION}", f"metrics:{metrics}", f"schema:{self._schema_digest}"]
        defaults = {
            f"{name}.{option}": default
            for name in (metric.name for metric in self.metrics)
            for option, default in METRICS.get(name).options.items()
        }
        parts += [
            f"{address}={_shown(value)}"
            for address, value in self.settings.items()
            if value != _comparable(defaults[address])
        ]
        return "|".join(parts)

    @property
    def _schema_digest(self) -> str:
        if self.plan.schema is None:
            return "none"
        data = msgspec.json.encode(self.plan.schema, enc_hook=_plain, order="deterministic")
        return hashlib.blake2b(data, digest_size=4).hexdigest()


def _comparable(default: object) -> object:
    return list(default) if isinstance(default, tuple) else default


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def bind(plan: Plan) -> Bound:
    """Look up and check everything that a plan names."""
    metrics = []
    for call in plan.metrics:
        entry = METRICS.get(call.name)
        options = entry.check(call.options)
        facts = entry.facts
        metrics.append(
            BoundMetric(
                call.name,
                entry.function,
                options,
                facts["version"],  # type: ignore[arg-type]
                facts["readouts"],  # type: ignore[arg-type]
                facts["tables"],  # type: ignore[arg-type]
            )
        )
    return Bound(plan, Layouts(plan.schema or Schema()), tuple(metrics))
