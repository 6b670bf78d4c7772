"""A VRDU meta.json to docassay's own form: match functions name types, patterns make groups.

Each of the seven functions becomes the type that does soundly what the function is for. What the
released functions do to the letter are the types `vrdu_date` and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from docassay.model.schema import Field, Schema
from docassay.schema.nodes import Mistakes, Node, mapping, text

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
    return replace(root, value={**own, "dates": replace(root, value=DATES)})


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
