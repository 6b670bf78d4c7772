"""Schemas in the forms of other tools: VRDU's meta.json, and field_definitions.yaml.

In a meta.json, match functions name types and patterns make groups: each of the seven functions
becomes the type that does soundly what the function is for. What the released functions do to the
letter are the types `vrdu_date` and so on.

A field_definitions.yaml lists names only (`document_fields: {invoice: {fields: [...]}}`). What the
values are comes from its own lists of types where it has them, else from the schema
`business`, which holds the usual names; any other field is text. Columns of line items and of
transactions become the rows that `business` makes of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from docassay.model.schema import Field, Schema
from docassay.schema.nodes import Mistakes, Node, from_plain, mapping, read_yaml, text, texts

FUNCTIONS_KEY, PATTERNS_KEY = "entity_name_to_match_func", "entity_appearance_pattern"
"""The members of a meta.json that say how names are compared, and how they appear."""
UNREPEATED, REPEATED = "unrepeated", "repeated"
"""How a name may appear; any other word is the row that it is a component of."""
NAME_KEY = "dataset_name"
FUNCTIONS: Mapping[str, Mapping[str, str]] = {
    "DateMatch": {"type": "date"},
    "PriceMatch": {"type": "money", "absolute": "0.01"},
    "AddressMatch": {"type": "address"},
    "NumericalStringMatch": {"type": "digits"},
    "GeneralStringMatch": {"type": "alphanumeric"},
    "NameMatch": {"type": "name"},
    "DefaultMatch": {"type": "exact"},
}
DEFAULT = "DefaultMatch"
DATES = "month-first"


def is_vrdu_meta(root: Node) -> bool:
    """Whether nodes are the meta.json of a VRDU data set."""
    return isinstance(root.value, Mapping) and FUNCTIONS_KEY in root.value


def convert_vrdu_meta(root: Node, mistakes: Mistakes) -> Node:
    """Return a meta.json in docassay's own form."""
    given = mapping(root, mistakes)
    patterns = mapping(given[PATTERNS_KEY], mistakes) if PATTERNS_KEY in given else {}
    functions = mapping(given[FUNCTIONS_KEY], mistakes)
    for name in patterns:
        if name not in functions:
            mistakes.unknown(patterns[name], "name with a match function", name, functions)
    fields: dict[str, Node] = {}
    groups: dict[str, dict[str, Node]] = {}
    for name, function in functions.items():
        settings = {
            **_type(function, mistakes),
            "list": "false",  # what stands between bars in a text is one value all the same
        }
        pattern = text(patterns[name], mistakes) if name in patterns else UNREPEATED
        if pattern in (UNREPEATED, REPEATED, None):
            settings["repeated"] = str(pattern == REPEATED).lower()
            fields[name] = _node(function, settings)
        else:
            groups.setdefault(pattern, {})[name] = _node(function, settings)
    rows = {
        pattern: replace(root, value={"fields": replace(root, value=members)})
        for pattern, members in groups.items()
    }
    parts = {"fields": replace(root, value=fields), "groups": replace(root, value=rows)}
    own = {key: part for key, part in parts.items() if part.value}
    if NAME_KEY in given:
        own["name"] = given[NAME_KEY]
    # the released toolkit counts every name that a document has
    settings = {"dates": DATES, "extra": "count"}
    stated = {key: replace(root, value=text) for key, text in settings.items()}
    return replace(root, value={**own, **stated})


def _type(function: Node, mistakes: Mistakes) -> Mapping[str, str]:
    name = text(function, mistakes)
    if name is not None and name not in FUNCTIONS:
        mistakes.unknown(function, "match function", name, FUNCTIONS)
    return FUNCTIONS.get(name or "", {})


def _node(place: Node, settings: Mapping[str, str]) -> Node:
    return replace(place, value={key: replace(place, value=text) for key, text in settings.items()})


def known_functions(meta: Mapping[str, object]) -> tuple[dict[str, str], list[str]]:
    """Return the match function of each name in a data set's own meta.json, and what to say of it.

    The released toolkit takes DefaultMatch for one that is unknown or missing without a word, and
    the data set must be read.
    """
    given: dict[str, object] = {}
    for key in (FUNCTIONS_KEY, PATTERNS_KEY):
        members = meta.get(key)
        for name, value in members.items() if isinstance(members, Mapping) else ():
            given.setdefault(name, value if key == FUNCTIONS_KEY else "none")
    functions = {
        name: str(value) if str(value) in FUNCTIONS else DEFAULT for name, value in given.items()
    }
    strangers = [
        f"{name} ({value})" for name, value in given.items() if str(value) not in FUNCTIONS
    ]
    if not strangers:
        return functions, []
    listed = ", ".join(strangers)
    return functions, [f"{DEFAULT} is taken for names without one of the seven functions: {listed}"]


def functions_of(schema: Schema) -> dict[str, str]:
    """Return the match function of each field path of a schema that a meta.json was converted to.

    The inverse of the conversion: a schema that no meta.json converts to has none.
    """
    fields = [*schema.fields, *(field for group in schema.groups for field in group.fields)]
    functions = {field.path: _function(field) for field in fields}
    if schema.dates != DATES or any(field.split for field in fields):
        return {}
    named = {path: function for path, function in functions.items() if function is not None}
    return named if len(named) == len(functions) else {}


def _function(field: Field) -> str | None:
    stated = {"type": field.type, **{key: str(value) for key, value in field.options.items()}}
    return next((name for name, type_ in FUNCTIONS.items() if type_ == stated), None)


def explain_meta(schema: Schema, functions: Mapping[str, str]) -> str:
    """Return the sentence that says which type each match function became."""
    return f"meta.json is used as the schema: {'; '.join(_mapped(schema, functions))}"


def _mapped(schema: Schema, functions: Mapping[str, str]) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for field in (*schema.fields, *(field for group in schema.groups for field in group.fields)):
        name = field.path.rpartition(".")[2]
        options = ", ".join(f"{key} {value}" for key, value in field.options.items())
        kind = f"{field.type} {DATES}" if field.type == "date" else field.type
        became = f"{functions.get(name)} → {' '.join(filter(None, (kind, options)))}"
        names.setdefault(became, []).append(name)
    return (f"{became} ({', '.join(listed)})" for became, listed in names.items())


DOCUMENTS_KEY = "document_fields"
BUSINESS = Path(__file__).parent / "builtin" / "business.yaml"
_UNSCORED = re.compile(r"validation[-_ ]?only|unscored|not[-_ ]evaluated|exclude")
_KINDS: tuple[tuple[re.Pattern[str], Mapping[str, str]], ...] = (
    (re.compile(r"monet|money|amount|price"), {"type": "money", "relative": "0.01"}),
    (re.compile(r"bool"), {"type": "boolean"}),
    (re.compile(r"date.?range|period"), {"type": "date_range"}),
    (re.compile(r"date"), {"type": "date"}),
    (re.compile(r"phone"), {"type": "phone"}),
    (re.compile(r"quantit"), {"type": "quantity"}),
    (re.compile(r"percent"), {"type": "percent"}),
    (re.compile(r"\bids?\b|numeric.?id|identif"), {"type": "id"}),
    (re.compile(r"numer|number|integer|float"), {"type": "number"}),
    (re.compile(r"text|string"), {"type": "text"}),
)


def is_field_definitions(root: Node) -> bool:
    """Whether nodes list the fields of document types under `document_fields`."""
    return isinstance(root.value, Mapping) and DOCUMENTS_KEY in root.value


def convert_field_definitions(root: Node, mistakes: Mistakes) -> Node:
    """Return field definitions in docassay's own form."""
    given = mapping(root, mistakes)
    usual = mapping(read_yaml(BUSINESS.read_text("utf-8"), Mistakes(), file="business"), mistakes)
    unscored = {*_unscored(given)}
    types: dict[str, Node] = {}
    places: dict[str, Node] = {}
    for name, node in mapping(given[DOCUMENTS_KEY], mistakes).items():
        types[name] = _listed_type(name, node, unscored, usual, places, mistakes)
    groups = _groups(usual, places, root)
    columns = {column for group in groups.values() for column in _columns(group)}
    kinds = {**_listed(usual.get("fields"), mistakes), **_own_kinds(given, root)}
    categories = {
        field: category
        for category, node in _lists(given.get("field_categories"))
        for field in _names(node)
    }
    fields = {
        field: _field(field, place, kinds, categories)
        for field, place in places.items()
        if field not in columns
    }
    own: dict[str, Node] = {
        "name": replace(root, value="field definitions"),
        **{key: usual[key] for key in ("absent", "dates", "currency")},
        "types": replace(root, value=types),
        "fields": replace(root, value=fields),
    }
    if groups:
        own["groups"] = replace(root, value=groups)
    return replace(root, value=own)


def _listed_type(
    name: str,
    node: Node,
    unscored: set[str],
    usual: Mapping[str, Node],
    places: dict[str, Node],
    mistakes: Mistakes,
) -> Node:
    """Return a document type, and note where each of its fields stands."""
    given = node.value if isinstance(node.value, Mapping) else {"fields": node}
    if "fields" not in given:
        mistakes.add(node, "no fields", hint="write {count: 2, fields: [A, B]}")
        return replace(node, value={})
    listed = given["fields"]
    names = texts(listed, mistakes)
    apart = unscored | {*_unscored(given)}
    scored = [field for field in names if field not in apart]
    _check_count(given.get("count"), {len(names), len(scored)}, mistakes)
    items = listed.value if isinstance(listed.value, tuple) else (listed,)
    for item in items:
        if isinstance(item.value, str):
            places.setdefault(item.value, item)
    beside = sorted(field for field in apart if field in names or field in {*_unscored(given)})
    for field in beside:
        places.setdefault(field, listed)
    parts = {"fields": scored, "unscored": beside, "aliases": _aliases(name, given, usual)}
    return replace(
        node,
        value={key: from_plain(part, mistakes, path=node.path) for key, part in parts.items()},
    )


def _check_count(count: Node | None, counts: set[int], mistakes: Mistakes) -> None:
    if count is None:
        return
    stated = text(count, mistakes)
    if stated is not None and stated.strip() not in {*map(str, counts)}:
        listed = " or ".join(map(str, sorted(counts)))
        mistakes.add(count, f"{stated} fields are counted, but {listed} are listed")


def _aliases(name: str, given: Mapping[str, Node], usual: Mapping[str, Node]) -> list[str]:
    if "aliases" in given:
        return [*_names(given["aliases"])]
    kinds = usual["types"].value
    entry = kinds.get(name) if isinstance(kinds, Mapping) else None
    members = None if entry is None else entry.value
    return [*_names(members["aliases"])] if isinstance(members, Mapping) else []


def _groups(usual: Mapping[str, Node], places: Mapping[str, Node], root: Node) -> dict[str, Node]:
    """Return the usual groups as far as their columns are listed."""
    groups = {}
    for name, node in _lists(usual.get("groups")):
        assert isinstance(node.value, Mapping)
        members = {key: dict(_lists(node.value[key])) for key in ("fields", "columns")}
        named = {key: item for key, item in members["columns"].items() if item.value in places}
        if len(named) > 1:
            cells = {key: members["fields"][key] for key in named}
            parts = {"fields": replace(root, value=cells), "columns": replace(root, value=named)}
            groups[name] = replace(root, value=parts)
    return groups


def _columns(group: Node) -> Iterator[str]:
    assert isinstance(group.value, Mapping)
    for _, node in _lists(group.value["columns"]):
        yield str(node.value)


def _field(
    name: str, place: Node, kinds: Mapping[str, Node], categories: Mapping[str, str]
) -> Node:
    kind = kinds.get(name)
    settings = dict(kind.value) if kind is not None and isinstance(kind.value, Mapping) else {}
    settings = {key: replace(place, value=item.value) for key, item in settings.items()}
    settings.setdefault("type", replace(place, value="text"))
    if name in categories:
        settings["category"] = replace(place, value=categories[name])
    return replace(place, value=settings)


def _own_kinds(given: Mapping[str, Node], root: Node) -> dict[str, Node]:
    """Return what the file itself says its fields are: kinds with fields, or fields with kinds."""
    kinds: dict[str, Node] = {}
    evaluation = given.get("evaluation")
    for holder in (given, evaluation.value if evaluation is not None else None):
        if not isinstance(holder, Mapping):
            continue
        entries = [
            *_lists(holder.get("field_types")),
            *((key, node) for key, node in holder.items() if key.endswith("_fields")),
        ]
        for key, node in entries:
            if isinstance(node.value, str):
                named = {key: _settings(node.value)}
            else:
                named = dict.fromkeys(_names(node), _settings(key))
            for field, settings in named.items():
                if settings is not None:
                    parts = {option: replace(root, value=item) for option, item in settings.items()}
                    kinds[field] = replace(root, value=parts)
    return kinds


def _settings(kind: str) -> Mapping[str, str] | None:
    words = kind.lower().replace("_", " ")
    return next((settings for look, settings in _KINDS if look.search(words)), None)


def _listed(node: Node | None, mistakes: Mistakes) -> dict[str, Node]:
    return {} if node is None else dict(mapping(node, mistakes))


def _lists(node: Node | None) -> Iterator[tuple[str, Node]]:
    if node is not None and isinstance(node.value, Mapping):
        yield from node.value.items()


def _names(node: Node) -> Iterator[str]:
    for item in node.value if isinstance(node.value, tuple) else (node,):
        if isinstance(item.value, str):
            yield item.value


def _unscored(given: Mapping[str, Node]) -> Iterator[str]:
    """Yield the fields that stand for validation only, wherever the file lists them."""
    for key, node in given.items():
        if _UNSCORED.search(key.lower()):
            yield from _names(node)
        elif key == "evaluation" and isinstance(node.value, Mapping):
            yield from _unscored(node.value)
