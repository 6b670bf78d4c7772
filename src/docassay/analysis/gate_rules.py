"""Rules of a gate: what must hold of a run before a build passes, from YAML, TOML or Python.

A rule is a requirement such as `aligned >= 0.9` or `newly_broken <= 3`, or one of
`no_regression: {scores: [aligned, "aligned@*"], max_drop: 0.01, alpha: 0.05}` and
`non_inferior: {scores: [aligned], margin: 0.01}`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docassay.analysis.require import Requirement, requirement
from docassay.errors import ConfigurationError, UnknownName
from docassay.load.files import existing, read_bytes
from docassay.schema.nodes import Mistakes, Node, from_plain, kind, number, read_json, read_yaml

NO_REGRESSION, NON_INFERIOR, NEWLY_BROKEN = "no_regression", "non_inferior", "newly_broken"
USUAL_SCORES = ("aligned",)
MAX_DROP = 0.01
ALPHA = 0.05
MARGIN = 0.01
FILES = (".yaml", ".yml", ".json")
PROJECT = "pyproject.toml"
PLACE = "tool.docassay.gate"
_FORMS = (
    "write 'aligned >= 0.9', 'newly_broken <= 3', no_regression: {scores: [aligned], "
    "max_drop: 0.01} or non_inferior: {scores: [aligned], margin: 0.01}"
)


class ValueRule(NamedTuple):
    """What a score, or the number of newly broken documents, must be."""

    limit: Requirement
    where: str | None = None

    def __str__(self) -> str:
        return str(self.limit)

    @property
    def scores(self) -> tuple[str, ...]:
        """The addresses that it is about; the number of newly broken documents has none."""
        return () if self.counts_broken else (self.limit.address,)

    @property
    def counts_broken(self) -> bool:
        """Whether it is about newly broken documents."""
        return self.limit.address == NEWLY_BROKEN

    @property
    def compares(self) -> bool:
        """Whether it needs a baseline."""
        return self.counts_broken


class NoRegression(NamedTuple):
    """No score may be worse than in the baseline by more than a drop, if that is significant."""

    scores: tuple[str, ...] = USUAL_SCORES
    max_drop: float | None = None
    """None where the rule states none: what is asked for on the command line, or MAX_DROP."""
    alpha: float = ALPHA
    where: str | None = None

    def __str__(self) -> str:
        drop = MAX_DROP if self.max_drop is None else self.max_drop
        limits = f"max_drop {drop:g}, alpha {self.alpha:g}"
        return f"{NO_REGRESSION} of {', '.join(self.scores)} ({limits})"

    @property
    def compares(self) -> bool:
        """Whether it needs a baseline."""
        return True


class NonInferior(NamedTuple):
    """Scores must surely not be worse than in the baseline by a margin or more."""

    scores: tuple[str, ...] = USUAL_SCORES
    margin: float = MARGIN
    where: str | None = None

    def __str__(self) -> str:
        return f"{NON_INFERIOR} of {', '.join(self.scores)} (margin {self.margin:g})"

    @property
    def compares(self) -> bool:
        """Whether it needs a baseline."""
        return True


GateRule = ValueRule | NoRegression | NonInferior
GivenRule = str | Mapping[str, object]
"""A rule as Python holds what stands in YAML."""


class GateRules(NamedTuple):
    """The rules of a gate, and where they come from."""

    rules: tuple[GateRule, ...]
    source: str = ""
    """In words; "" for those that were given in Python."""


USUAL_RULES = GateRules((NoRegression(),), f"no rules given: {NoRegression()}")


def rules_of(
    given: str | Path | GivenRule | Sequence[GivenRule] | None, *, max_drop: float | None = None
) -> GateRules:
    """Return rules from a file, from Python data, or from the nearest pyproject.toml.

    `max_drop` goes for rules of no regression that state none of their own.
    """
    if given is None:
        chosen = _project_rules(Path.cwd()) or USUAL_RULES
    elif isinstance(given, Path) or (isinstance(given, str) and _names_file(given)):
        chosen = _file_rules(existing(Path(given)))
    else:
        # what is no rule is refused like a line of a file
        plain = [*given] if isinstance(given, list | tuple) else [given]
        mistakes = Mistakes()
        chosen = GateRules(_rules(from_plain(plain, mistakes, path="rules"), mistakes))
    return chosen if max_drop is None else _with_drop(chosen, max_drop)


def _names_file(text: str) -> bool:
    return text.lower().endswith(FILES) or Path(text).is_file()


def _with_drop(rules: GateRules, max_drop: float) -> GateRules:
    if not 0 <= max_drop < float("inf"):
        raise ConfigurationError(f"a drop of {max_drop:g} is no limit", hint="say 0 or more")
    open_rules = [
        rule for rule in rules.rules if isinstance(rule, NoRegression) and rule.max_drop is None
    ]
    if not open_rules:
        raise ConfigurationError(
            "max_drop is given, and no rule leaves it open",
            hint=f"it is for {NO_REGRESSION} rules that do not state max_drop",
        )
    adapted = tuple(
        rule._replace(max_drop=max_drop)
        if isinstance(rule, NoRegression) and rule.max_drop is None
        else rule
        for rule in rules.rules
    )
    source = rules.source
    if rules is USUAL_RULES:
        source = f"no rules given: {adapted[0]}"
    return GateRules(adapted, source)


def _file_rules(path: Path) -> GateRules:
    """Return the rules of a YAML or JSON file."""
    name = str(path)
    if path.name == PROJECT:
        rules = _rules_in_project(path)
        if rules is None:
            example = 'write [tool.docassay] gate = ["aligned >= 0.9"]'
            raise ConfigurationError(f"has no {PLACE}", where=name, hint=example)
        return rules
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigurationError("is not UTF-8", where=name) from None
    mistakes = Mistakes()
    read = read_json if path.suffix.lower() == ".json" else read_yaml
    root = read(text, mistakes, file=name)
    _refuse(mistakes)
    return GateRules(_rules(root, mistakes), f"rules: {name}")


def _project_rules(folder: Path) -> GateRules | None:
    """Return the rules of the nearest pyproject.toml that has any, from a folder upwards."""
    for home in (folder, *folder.parents):
        file = home / PROJECT
        if file.is_file() and (rules := _rules_in_project(file)) is not None:
            return rules
    return None


def _rules_in_project(file: Path) -> GateRules | None:
    try:
        content = tomllib.loads(read_bytes(file).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"not TOML: {error}", where=str(file)) from None
    *section, setting = PLACE.split(".")
    table: object = content
    for part in section:
        table = table.get(part) if isinstance(table, dict) else None
    if not isinstance(table, dict) or not table:
        return None
    for name in table:
        if name != setting:
            raise UnknownName(f"setting of [{'.'.join(section)}]", name, [setting], where=str(file))
    table = table[setting]
    mistakes = Mistakes()
    root = _placed(from_plain(table, mistakes, path=PLACE), str(file))
    return GateRules(_rules(root, mistakes), f"rules: {PLACE} in {file}")


def _placed(node: Node, where: str) -> Node:
    """Return a node that names its file as its place: TOML is read without lines."""
    if isinstance(node.value, tuple):
        return Node(tuple(_placed(item, where) for item in node.value), node.path, where)
    if isinstance(node.value, Mapping):
        entries = {key: _placed(item, where) for key, item in node.value.items()}
        return Node(entries, node.path, where)
    return Node(node.value, node.path, where)


def _rules(root: Node, mistakes: Mistakes) -> tuple[GateRule, ...]:
    """Return the rules of a list; all mistakes are reported together."""
    rules: list[GateRule] = []
    if not isinstance(root.value, tuple):
        mistakes.add(root, f"{kind(root)} where a list of rules belongs", hint=_FORMS)
    elif not root.value:
        mistakes.add(root, "the list of rules is empty", hint=_FORMS)
    else:
        for item in root.value:
            rule = _rule(item, mistakes)
            rules += [] if rule is None else [rule]
    _refuse(mistakes)
    return tuple(rules)


def _refuse(mistakes: Mistakes) -> None:
    """Raise what is wrong, the first mistake with all others below it."""
    if mistakes.found:
        first, *others = mistakes.found
        raise ConfigurationError(
            first.what,
            where=first.where,
            hint=first.hint,
            details=[error.sentence for error in others],
        )


def _rule(node: Node, mistakes: Mistakes) -> GateRule | None:
    given = node.value
    if isinstance(given, str):
        return _stated(given, node, mistakes)
    if not isinstance(given, Mapping) or len(given) != 1:
        mistakes.add(node, f"{kind(node)} where one rule belongs", hint=_FORMS)
        return None
    ((name, options),) = given.items()
    if name == NO_REGRESSION:
        entries = _options(options, ("scores", "max_drop", "alpha"), mistakes)
        return NoRegression(
            _scores(entries, mistakes),
            number(entries["max_drop"], mistakes, default=MAX_DROP)
            if "max_drop" in entries
            else None,
            _between(entries, "alpha", ALPHA, mistakes),
            node.where,
        )
    if name == NON_INFERIOR:
        entries = _options(options, ("scores", "margin"), mistakes)
        scores = _scores(entries, mistakes)
        return NonInferior(scores, _between(entries, "margin", MARGIN, mistakes), node.where)
    mistakes.unknown(node, "rule", name, (NO_REGRESSION, NON_INFERIOR))
    return None


def _stated(text: str, node: Node, mistakes: Mistakes) -> GateRule | None:
    """Return the rule of a text: a requirement, or a rule with its usual options."""
    if text.strip() == NO_REGRESSION:
        return NoRegression(where=node.where)
    if text.strip() == NON_INFERIOR:
        return NonInferior(where=node.where)
    try:
        return ValueRule(requirement(text), node.where)
    except ConfigurationError as error:
        mistakes.add(node, error.what, hint=_FORMS)
        return None


def _options(node: Node, names: Sequence[str], mistakes: Mistakes) -> dict[str, Node]:
    """Return the options of a rule that it may have; none at all are the usual ones."""
    if node.value is None:
        return {}
    if not isinstance(node.value, Mapping):
        mistakes.add(node, f"{kind(node)} where {{{', '.join(names)}}} belongs")
        return {}
    for name, item in node.value.items():
        if name not in names:
            mistakes.unknown(item, "option", name, names)
    return {name: item for name, item in node.value.items() if name in names}


def _scores(entries: Mapping[str, Node], mistakes: Mistakes) -> tuple[str, ...]:
    """Return the addresses that a rule is about."""
    node = entries.get("scores")
    if node is None:
        return USUAL_SCORES
    items = node.value if isinstance(node.value, tuple) else (node,)
    addresses = []
    for item in items:
        if isinstance(item.value, str) and item.value.strip():
            addresses.append(item.value.strip())
        else:
            mistakes.add(item, f"{kind(item)} where the name of a score belongs")
    if not items:
        mistakes.add(node, "no score is named", hint="scores: [aligned]")
    return tuple(dict.fromkeys(addresses))


def _between(entries: Mapping[str, Node], name: str, default: float, mistakes: Mistakes) -> float:
    """Return an option that is above 0 and at most 1."""
    node = entries.get(name)
    if node is None:
        return default
    share = number(node, mistakes, default=default, most=1)
    if share == 0:
        mistakes.add(node, "0 decides nothing", hint=f"say {name}: {default:g}")
        return default
    return share
