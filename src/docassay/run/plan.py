"""The plan of a run: plain data that says what to measure and how, and binding it to functions.

A plan goes to workers and into ledgers as JSON. `bind` looks up every name once and checks every
option, so a mistake in the configuration stops a run before a document is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from docassay.errors import ConfigurationError, UnknownName
from docassay.load.format import FORMATS, Format
from docassay.matching.case import Layouts
from docassay.metrics.metric import GOLD, METRICS, Implied, Metric, short_names
from docassay.model.schema import Schema
from docassay.schema.listing import without_descriptions
from docassay.version import VERSION

NO_SCHEMAS: Mapping[str, Schema] = MappingProxyType({})
DEFAULT_METRICS = ("entity", "kieval", "fields", "causes", "effort")
DEFAULT_SETTINGS: Mapping[str, Mapping[str, object]] = {"causes": {"rescore": False}}
"""How metrics are measured that nobody has asked for: in a way that costs little."""


@dataclass(frozen=True, slots=True)
class Call:
    """A metric or a format by name, with the options that were given for it."""

    name: str
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: the schema, the metrics with their options, and options of formats."""

    metrics: tuple[Call, ...]
    """With their options of counting."""
    schema: Schema | None = None
    formats: tuple[Call, ...] = ()
    display: tuple[Call, ...] = ()
    """Options of metrics that shape no count; runs that differ in them alone can be joined."""
    ignore: tuple[str, ...] = ()
    """Names and patterns of fields and groups that are left out on both sides."""
    guessed: bool = False
    """Whether the schema was guessed from the values of gold."""
    schemas: Mapping[str, Schema] = field(default_factory=lambda: NO_SCHEMAS)
    """Schemas of documents that have one of their own, by name; `schema` is all of them joined."""
    without_gold: bool = False
    """Whether predictions are measured alone."""

    def to_json(self) -> bytes:
        """Return what is counted as JSON, the same bytes for plans that count the same."""
        counted = replace(self, display=())
        return msgspec.json.encode(counted, enc_hook=_plain, order="deterministic")

    def display_json(self) -> bytes:
        """Return the options of display as JSON."""
        return msgspec.json.encode(self.display, enc_hook=_plain, order="deterministic")

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
    schemas: Mapping[str, Schema] = NO_SCHEMAS,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    ignore: Sequence[str] | None = None,
    without_gold: bool = False,
    originals: bool = False,
) -> Plan:
    """Return a plan from metric names ("all" for every one) and settings `metric.option`.

    `without_gold` measures predictions alone; `originals` says that the text of documents is there.
    """
    if isinstance(metrics, str):
        metrics = [name.strip() for name in metrics.split(",")]
    usual_names = usual_metrics(schema, without_gold=without_gold, originals=originals)
    names = usual_names if metrics is None else tuple(dict.fromkeys(metrics))
    if "all" in names:
        names = goldless_metrics() if without_gold else METRICS.names()
    if not names:
        raise ConfigurationError("no metric was asked for", hint=f"there is: {_known()}")
    usual = DEFAULT_SETTINGS if metrics is None else {}
    metrics_told: dict[str, dict[str, object]] = {name: dict(usual.get(name, {})) for name in names}
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
        name: {**_followed(name, metrics_told), **options} for name, options in metrics_told.items()
    }
    counted = {name: _part(name, options, display=False) for name, options in followed.items()}
    shown = {name: _part(name, options, display=True) for name, options in followed.items()}
    display = {name: options for name, options in shown.items() if options}
    return Plan(
        _calls(counted),
        None if schema is None else without_descriptions(schema),
        _calls(formats_told),
        _calls(display),
        tuple(dict.fromkeys(ignore or ())),
        schemas={name: without_descriptions(each) for name, each in schemas.items()},
        without_gold=without_gold,
    )


def _part(name: str, told: Mapping[str, object], *, display: bool) -> dict[str, object]:
    """Return the options of display, or the others."""
    names = METRICS.get(name).display_options
    return {option: value for option, value in told.items() if (option in names) == display}


def displayed(plan: Plan, settings: Mapping[str, object]) -> Plan:
    """Return a plan with other options of display; one that would need rescoring is refused."""
    measured = {call.name: METRICS.get(call.name) for call in plan.metrics}
    names = [f"{name}.{option}" for name in measured for option in measured[name].display_options]
    given = {call.name: dict(call.options) for call in plan.display}
    for address, value in settings.items():
        name, _, option = address.partition(".")
        if name in measured and option in measured[name].counting_options:
            raise ConfigurationError(
                f"setting {address} decides what is counted, so the documents must be scored again",
                hint=f"docassay score --set {address}=...; a stored run can be shown with other "
                f"values of: {', '.join(names) or 'nothing'}",
            )
        if address not in names:
            raise UnknownName("display setting", address, names)
        given.setdefault(name, {})[option] = value
    return replace(plan, display=_calls({name: given[name] for name in measured if name in given}))


def _followed(name: str, told: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Return the options that a metric takes over from those whose numbers it explains."""
    entry = METRICS.get(name)
    return {
        option: value
        for other in entry.follows
        for option, value in told.get(other, {}).items()
        if option in entry.options
    }


def usual_metrics(
    schema: Schema | None, *, without_gold: bool = False, originals: bool = False
) -> tuple[str, ...]:
    """Return the metrics that are measured when none are asked for."""
    has_rules = schema is not None and bool(schema.rules)
    names = ("valid",) if without_gold else DEFAULT_METRICS
    return (*names, *(["grounded"] if originals else []), *(["rules"] if has_rules else []))


def goldless_metrics() -> tuple[str, ...]:
    """Return the metrics that can be measured of predictions alone."""
    return tuple(entry.name for entry in METRICS.entries() if GOLD not in entry.needs)


def _calls(told: Mapping[str, Mapping[str, object]]) -> tuple[Call, ...]:
    return tuple(Call(name, MappingProxyType(dict(options))) for name, options in told.items())


def _known() -> str:
    return ", ".join(METRICS.names())


def _settings(names: Sequence[str]) -> list[str]:
    entries = [METRICS.get(name) for name in names]
    options = [f"{entry.name}.{option}" for entry in entries for option in entry.options]
    return options + [f"{fmt.name}.{option}" for fmt in FORMATS.entries() for option in fmt.options]


class BoundMetric(NamedTuple):
    """A metric with all its options."""

    metric: Metric
    counting: Mapping[str, object]
    display: Mapping[str, object]

    @property
    def options(self) -> dict[str, object]:
        """Every option, of counting and of display."""
        return {**self.counting, **self.display}

    @property
    def name(self) -> str:
        """The metric's name."""
        return self.metric.name


class Bound(NamedTuple):
    """A plan ready to run."""

    plan: Plan
    layouts: Layouts
    metrics: tuple[BoundMetric, ...]
    needed: frozenset[str]
    """What some metric of the run cannot count without."""

    def needs(self, what: str) -> bool:
        """Whether a metric of the run cannot count without something."""
        return what in self.needed

    @property
    def unseen(self) -> tuple[str, ...]:
        """The metrics of which the first screen of the run shows no number."""
        names = [metric.name for metric in self.metrics]
        return tuple(
            metric.name
            for metric in self.metrics
            if metric.metric.unseen is not None
            if metric.metric.unseen.numbers(self.plan.schema, names)
        )

    @property
    def behind(self) -> dict[str, str]:
        """The metrics whose place on the first screen another one takes, and that one."""
        names = {metric.name for metric in self.metrics}
        return {
            metric.name: metric.metric.unseen.behind
            for metric in self.metrics
            if metric.metric.unseen is not None
            if metric.metric.unseen.behind in names
        }

    @property
    def implied(self) -> dict[str, Implied]:
        """The metrics whose sums follow from those of another metric of the run, and how."""
        plain = {
            metric.name
            for metric in self.metrics
            if metric.counting == metric.metric.counting_options
        }
        return {
            metric.name: metric.metric.implied
            for metric in self.metrics
            if metric.metric.implied is not None
            if metric.metric.implied.by in plain
        }

    def without(self, names: Collection[str]) -> Bound:
        """Return the same with fewer metrics."""
        calls, display = (
            tuple(call for call in calls if call.name not in names)
            for calls in (self.plan.metrics, self.plan.display)
        )
        metrics = tuple(metric for metric in self.metrics if metric.name not in names)
        plan = replace(self.plan, metrics=calls, display=display)
        return Bound(plan, self.layouts, metrics, _needed_by(metrics))

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
        metrics = "+".join(f"{metric.name}.{metric.metric.version}" for metric in self.metrics)
        parts = [f"docassay:{VERSION}", f"metrics:{metrics}", f"schema:{self._schema_digest}"]
        entries: list[Metric | Format] = [
            *(metric.metric for metric in self.metrics),
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
        if self.plan.ignore:
            parts.append(f"ignore={','.join(self.plan.ignore)}")
        return "|".join(parts)

    @property
    def _schema_digest(self) -> str:
        if self.plan.schema is None:
            return "none"
        schemas = (self.plan.schema, self.plan.schemas) if self.plan.schemas else self.plan.schema
        data = msgspec.json.encode(schemas, enc_hook=_plain, order="deterministic")
        # a schema that requires nothing has the digest that it had before fields could be required;
        # what a description says shapes no score
        data = data.replace(b'"required":false,', b"").replace(b',"required":false', b"")
        data = data.replace(b'"description":"",', b"")
        digest = hashlib.blake2b(data, digest_size=4).hexdigest()
        return f"guessed.{digest}" if self.plan.guessed else digest


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
    display = {call.name: call.options for call in plan.display}
    metrics = []
    for call in plan.metrics:
        entry = METRICS.get(call.name)
        if plan.without_gold and GOLD in entry.needs:
            names = ", ".join(goldless_metrics())
            what = f"metric {call.name!r} compares with gold, and there is none"
            raise ConfigurationError(what, hint=f"without gold there is: {names}")
        options = entry.check({**call.options, **display.get(call.name, {})})
        if entry.refuse is not None:
            entry.refuse(**options)
        counting = {name: options[name] for name in entry.counting_options}
        shown = {name: options[name] for name in entry.display_options}
        metrics.append(BoundMetric(entry, counting, shown))
    short_names(metric.metric for metric in metrics)
    schema = plan.schema or Schema()
    layouts = Layouts(schema, plan.schemas, plan.ignore, without_gold=plan.without_gold)
    return Bound(plan, layouts, tuple(metrics), _needed_by(metrics))


def _needed_by(metrics: Iterable[BoundMetric]) -> frozenset[str]:
    return frozenset(what for metric in metrics for what in metric.metric.needs)


def signed_parts(signature: str) -> dict[str, str]:
    """Return what a signature says, by name: `schema`, `gold`, `kieval.tau`."""
    parts: dict[str, str] = {}
    for part in signature.split("|"):
        name, sign, value = part.partition("=")
        if not sign:
            name, _, value = part.partition(":")
        parts[name] = value
    return parts


def signed_versions(signature: str) -> dict[str, str]:
    """Return the versions of metrics that a signature states."""
    metrics = (
        metric.rpartition(".") for metric in signed_parts(signature).get("metrics", "").split("+")
    )
    return {name: version for name, _, version in metrics}
