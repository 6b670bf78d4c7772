"""Nodes to a Schema: every key is known or a mistake, every value checked by who will use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from docassay.errors import ConfigurationError, Unreadable
from docassay.model.schema import (
    DATE_ORDERS,
    EXTRAS,
    GROUPINGS,
    MATCHES,
    METHODS,
    MISSING,
    DocumentType,
    Field,
    GroupSpec,
    Rule,
    Schema,
)
from docassay.schema.listing import child_path
from docassay.schema.nodes import (
    Mistakes,
    Node,
    flag,
    kind,
    mapping,
    number,
    one_of,
    plain,
    text,
    texts,
)
from docassay.values.comparator import COMPARATORS, Comparator
from docassay.values.reader import READERS, Reader, field_type

RULE_KEYS = ("check", "name", "when", "types", "tolerance", "relative")


class ParsedRule(NamedTuple):
    """A rule and the node it was read from."""

    rule: Rule
    node: Node


def parse_rules(node: Node, mistakes: Mistakes) -> tuple[ParsedRule, ...]:
    """Return the rules that a list of nodes states."""
    if node.value is None:
        return ()
    items = node.value if isinstance(node.value, tuple) else (node,)
    rules = [ParsedRule(rule, item) for item in items if (rule := _rule(item, mistakes))]
    first: dict[str, Node] = {}
    for rule, item in rules:
        if first.setdefault(rule.title, item) is not item:
            there = first[rule.title]
            hint = f"also at {there.where or there.path}; give one of them a name"
            mistakes.add(item, f"the rule {rule.title!r} stands twice", hint=hint)
    return tuple(rules)


def _rule(node: Node, mistakes: Mistakes) -> Rule | None:
    if not isinstance(node.value, Mapping):
        check = text(node, mistakes)
        return None if check is None else Rule(check)
    given = node.value
    for key, item in given.items():
        if key not in RULE_KEYS:
            mistakes.unknown(Node(None, node.path, item.where), "key", key, RULE_KEYS)
    if "check" not in given:
        mistakes.add(node, "no check", hint="write {check: a == b}")
        return None
    stated = {key: text(given[key], mistakes) for key in ("check", "name", "when") if key in given}
    limits = {
        key: number(given[key], mistakes, default=0.0)
        for key in ("tolerance", "relative")
        if key in given
    }
    return Rule(
        check=stated["check"] or "",
        name=stated.get("name") or "",
        when=stated.get("when") or "",
        types=texts(given["types"], mistakes) if "types" in given else (),
        tolerance=limits.get("tolerance"),
        relative=limits.get("relative", 0.0),
    )


def check_rules(schema: Schema, parsed: Sequence[ParsedRule], mistakes: Mistakes) -> None:
    """Note every rule that cannot be understood or asks for what the schema does not have."""
    from docassay.schema.rules.check import sheets

    types = [kind.name for kind in schema.types]
    for rule, node in parsed:
        for name in rule.types:
            if name not in types:
                mistakes.unknown(node, "document type", name, types)
    nodes = {rule.title: node for rule, node in parsed}
    for sheet in sheets(schema).values():
        for rule in sheet.rules:
            try:
                sheet.bind(rule)
            except ConfigurationError as error:
                mistakes.note(nodes[rule.title], error)


TOP_KEYS = (
    *("name", "absent", "dates", "currency", "type_field", "extra", "missing"),
    *("types", "fields", "groups", "rules"),
)
TYPE_KEYS = ("aliases", "fields", "unscored")
GROUP_KEYS = (
    *("match", "fields", "groups", "columns", "section", "aliases"),
    *("grouping", "group_id", "required", "description"),
)
FIELD_KEYS = (
    "type",
    "weight",
    "category",
    "accept",
    "match",
    "list",
    "repeated",
    "aliases",
    "compare",
    "floor",
    "method",
    "required",
    "description",
)


class Parsed(NamedTuple):
    """A schema and the nodes behind it: of fields and groups by path, of types by name."""

    schema: Schema
    places: Mapping[str, Node]
    groups: Mapping[str, Node]
    types: Mapping[str, Node]
    rules: tuple[ParsedRule, ...]


def parse(root: Node, mistakes: Mistakes) -> Parsed:
    """Return the schema that nodes describe; every mistake is noted and stepped over."""
    parser = _SchemaParser(mistakes)
    top = parser.entries(root, TOP_KEYS)
    types = mapping(top["types"], mistakes) if "types" in top else {}
    rules = parse_rules(top["rules"], mistakes) if "rules" in top else ()
    defaults = Schema()
    schema = Schema(
        name=_text(top, "name", mistakes) or "",
        fields=parser.fields(top, ()),
        groups=parser.groups(top, ()),
        types=tuple(parser.document_type(name, node) for name, node in types.items()),
        type_field=_text(top, "type_field", mistakes) or defaults.type_field,
        absent=_texts(top, "absent", mistakes),
        dates=one_of(top["dates"], mistakes, DATE_ORDERS) if "dates" in top else defaults.dates,
        currency=_text(top, "currency", mistakes),
        rules=tuple(rule.rule for rule in rules),
        extra=_one_of(top, "extra", mistakes, EXTRAS) or defaults.extra,
        missing=_one_of(top, "missing", mistakes, MISSING) or defaults.missing,
    )
    if "currency" in top:
        parser.option(top["currency"], "currency", READERS.get("money"), COMPARATORS.get("same"))
    if not schema.fields and not schema.groups and not mistakes.found:
        mistakes.add(root, "an empty schema", hint="list fields under `fields:`")
    return Parsed(schema, parser.places, parser.group_places, types, rules)


class _SchemaParser:
    """Carries the mistakes and the places found so far through the levels of a schema."""

    def __init__(self, mistakes: Mistakes) -> None:
        self.mistakes = mistakes
        self.places: dict[str, Node] = {}
        self.group_places: dict[str, Node] = {}

    def entries(self, node: Node, known: tuple[str, ...]) -> Mapping[str, Node]:
        children = mapping(node, self.mistakes)
        for key, item in children.items():
            if key not in known:
                self.mistakes.unknown(_parent(node, item), "key", key, known)
        return children

    def place(self, path: str, node: Node) -> None:
        """Note where a path is declared; a path has one declaration."""
        if not path.strip():
            self.mistakes.add(node, "a name that is empty")
        if path in self.places:
            first = self.places[path]
            self.mistakes.add(
                node, f"{path!r} is declared twice", hint=f"also at {first.where or first.path}"
            )
        self.places.setdefault(path, node)

    def fields(self, holder: Mapping[str, Node], enclosing: tuple[str, ...]) -> tuple[Field, ...]:
        if "fields" not in holder:
            return ()
        return tuple(
            self.field(child_path(name, enclosing), node)
            for name, node in mapping(holder["fields"], self.mistakes).items()
        )

    def groups(
        self, holder: Mapping[str, Node], enclosing: tuple[str, ...]
    ) -> tuple[GroupSpec, ...]:
        if "groups" not in holder:
            return ()
        return tuple(
            self.group(child_path(name, enclosing), node, enclosing)
            for name, node in mapping(holder["groups"], self.mistakes).items()
        )

    def document_type(self, name: str, node: Node) -> DocumentType:
        given = self.entries(node, TYPE_KEYS)
        lists = {key: _texts(given, key, self.mistakes) for key in TYPE_KEYS}
        return DocumentType(name, lists["aliases"], lists["fields"], lists["unscored"])

    def group(self, path: str, node: Node, enclosing: tuple[str, ...]) -> GroupSpec:
        self.place(path, node)
        self.group_places[path] = node
        inside = (*enclosing, path)
        given = self.entries(node, GROUP_KEYS)
        match, key = self.pairing(given["match"]) if "match" in given else ("best", None)
        columns = mapping(given["columns"], self.mistakes) if "columns" in given else {}
        return GroupSpec(
            path=path,
            fields=self.fields(given, inside),
            groups=self.groups(given, inside),
            match=match,
            key=None if key is None else child_path(key, inside),
            columns=MappingProxyType(
                {
                    child_path(name, inside): column
                    for name, item in columns.items()
                    if (column := text(item, self.mistakes)) is not None
                }
            ),
            section="section" in given and flag(given["section"], self.mistakes, default=False),
            aliases=_texts(given, "aliases", self.mistakes),
            grouping=_one_of(given, "grouping", self.mistakes, GROUPINGS),
            group_id=_text(given, "group_id", self.mistakes),
            required="required" in given and flag(given["required"], self.mistakes, default=False),
            description=_text(given, "description", self.mistakes) or "",
        )

    def pairing(self, node: Node) -> tuple[str, str | None]:
        """Return how a group's rows pair up, and by which field when by key."""
        if not isinstance(node.value, Mapping):
            return one_of(node, self.mistakes, MATCHES), None
        given = self.entries(node, ("key",))
        if "key" not in given:
            self.mistakes.add(node, "no key", hint="write {key: field}")
            return MATCHES[0], None
        return "key", text(given["key"], self.mistakes)

    def field(self, path: str, node: Node) -> Field:
        self.place(path, node)
        if isinstance(node.value, (str, tuple)):
            return self.shorthand(path, node)
        given = mapping(node, self.mistakes)
        own = {key: given[key] for key in FIELD_KEYS if key in given}
        # `choice` has an option of this name: a list names other keys, a mapping other values.
        if "aliases" in own and isinstance(own["aliases"].value, Mapping):
            del own["aliases"]
        default = Field(path)
        type_name = _text(own, "type", self.mistakes) or default.type
        compare = _text(own, "compare", self.mistakes)
        rest = {key: item for key, item in given.items() if key not in own}
        return Field(
            path=path,
            type=type_name,
            options=self.options(node, own, rest, type_name, compare),
            compare=compare,
            accept=self.accept(own, default.accept),
            weight=_number(own, "weight", self.mistakes, default=default.weight),
            match=one_of(own["match"], self.mistakes, MATCHES) if "match" in own else "best",
            split="list" not in own or flag(own["list"], self.mistakes, default=True),
            category=_text(own, "category", self.mistakes),
            aliases=_texts(own, "aliases", self.mistakes),
            repeated=flag(own["repeated"], self.mistakes, default=False)
            if "repeated" in own
            else None,
            floor=_number(own, "floor", self.mistakes, default=0.0, most=1.0)
            if "floor" in own
            else None,
            method=_one_of(own, "method", self.mistakes, METHODS),
            required="required" in own and flag(own["required"], self.mistakes, default=False),
            description=_text(own, "description", self.mistakes) or "",
        )

    def accept(self, own: Mapping[str, Node], default: float) -> float:
        """Return the similarity from which values are equal; from 0 on all would be."""
        threshold = _number(own, "accept", self.mistakes, default=default, most=1.0)
        if threshold == 0:
            self.mistakes.add(own["accept"], "0 where a number above 0 belongs")
        return threshold

    def shorthand(self, path: str, node: Node) -> Field:
        """Return the field of `total: money`."""
        type_name = text(node, self.mistakes)
        if type_name is None:
            return Field(path)
        self.options(node, {"type": node}, {}, type_name, None)
        return Field(path, type_name)

    def options(
        self,
        node: Node,
        own: Mapping[str, Node],
        rest: Mapping[str, Node],
        type_name: str,
        compare: str | None,
    ) -> Mapping[str, object]:
        """Return the options of a field's type as given, checked by the reader and comparator."""
        wrong = own.get("type", node)
        try:
            kind = field_type(type_name)
            reader = READERS.get(kind.reader)
            wrong = own.get("compare", wrong)
            comparator = COMPARATORS.get(compare or kind.comparator)
        except ConfigurationError as error:
            self.mistakes.note(wrong, error)
            return MappingProxyType({})
        settings: dict[str, object] = {}
        for key, item in rest.items():
            if key not in reader.options and key not in comparator.options:
                names = {*FIELD_KEYS, *reader.options, *comparator.options}
                self.mistakes.unknown(_parent(node, item), f"{type_name} field key", key, names)
                continue
            settings[key] = plain(item)
            self.option(item, key, reader, comparator)
        return MappingProxyType(settings)

    def option(self, node: Node, key: str, reader: Reader, comparator: Comparator) -> None:
        if node.value is None:
            self.mistakes.add(node, f"{kind(node)} where a value belongs")
            return
        if isinstance(node.value, tuple):
            texts(node, self.mistakes)
        try:
            if key in comparator.options:
                self.tolerance(node, comparator.check({key: plain(node)})[key])
            if key in reader.options:
                # what an option may be is known to the reader alone: let it read something
                reader.function("0", **reader.check({key: plain(node)}))
        except Unreadable:
            return
        except ConfigurationError as error:
            self.mistakes.note(node, error)

    def tolerance(self, node: Node, value: object) -> None:
        """Note a number that no comparator can work with."""
        if not isinstance(value, (Decimal, float)):
            return
        if not Decimal(value).is_finite() or value < 0:
            self.mistakes.add(node, f"{kind(node)} where a number of at least 0 belongs")


def _parent(node: Node, item: Node) -> Node:
    """Return a place for what is wrong with a key: the path of its mapping, the line of the key."""
    return Node(None, node.path, item.where)


def _text(given: Mapping[str, Node], key: str, mistakes: Mistakes) -> str | None:
    return text(given[key], mistakes) if key in given else None


def _one_of(
    given: Mapping[str, Node], key: str, mistakes: Mistakes, known: tuple[str, ...]
) -> str | None:
    return one_of(given[key], mistakes, known) if key in given else None


def _texts(given: Mapping[str, Node], key: str, mistakes: Mistakes) -> tuple[str, ...]:
    return texts(given[key], mistakes) if key in given else ()


def _number(
    given: Mapping[str, Node],
    key: str,
    mistakes: Mistakes,
    *,
    default: float,
    most: float = float("inf"),
) -> float:
    if key not in given:
        return default
    return number(given[key], mistakes, default=default, most=most)
