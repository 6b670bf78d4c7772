"""What splits need to know of documents in any format: ids, digests of content, templates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from docassay.errors import ConfigurationError, DataError
from docassay.load import Record
from docassay.model.document import Problem
from docassay.prepare import Data, open_source
from docassay.scoring import digest_of


class Template(NamedTuple):
    """Where a document's template stands: in a tag or field of this name, or in its id."""

    name: str | None = None
    in_id: str | None = None
    """A regular expression whose first group (or whole match) is the template."""


class Documents(NamedTuple):
    """Documents by id: a digest of the content ("" when there is none), and the template."""

    digests: Mapping[str, str]
    templates: Mapping[str, str]
    """Of those documents that have one."""
    problems: tuple[Problem, ...]

    @property
    def distinct(self) -> dict[str, str]:
        """Id -> template, of each document with a template once, under its first id."""
        seen: set[str] = set()
        found = {}
        for id in sorted(self.templates):
            digest = self.digests[id]
            if not digest or digest not in seen:
                found[id] = self.templates[id]
            seen.add(digest)
        return found


def describe(
    data: Data, template: Template, *, format: str | None = None, id_key: str | None = None
) -> Documents:
    """Read documents one by one and keep what splits need to know of them."""
    pattern = _pattern(template.in_id)
    digests: dict[str, str] = {}
    templates: dict[str, str] = {}
    problems: list[Problem] = []
    source = open_source(data, format=format, id_key=id_key)
    for item in source.records:
        if isinstance(item, Problem):
            problems.append(item)
            continue
        if item.id is None:
            raise DataError(
                "documents without ids cannot be split", where=item.where, hint="see --id-key"
            )
        if item.id in digests:
            message = "the id stands twice; the first is kept"
            problems.append(Problem(item.id, "gold", "", message, item.where))
            continue
        digests[item.id] = digest_of(item.tree) if item.tree else ""
        found = _template(item, template.name, pattern)
        if found:
            templates[item.id] = found
        elif template != Template():
            message = "has no template; left out"
            problems.append(Problem(item.id, "gold", "", message, item.where))
    return Documents(digests, templates, tuple(problems))


def _pattern(text: str | None) -> re.Pattern[str] | None:
    try:
        return None if text is None else re.compile(text)
    except re.error as error:
        raise ConfigurationError(
            f"{text!r} is not a regular expression: {error}", where="--template-in-id"
        ) from None


def _template(record: Record, name: str | None, pattern: re.Pattern[str] | None) -> str:
    if pattern is not None:
        found = pattern.search(record.id or "")
        return "" if found is None else (found[1] or "") if pattern.groups else found[0]
    if name is None:
        return ""
    tag = record.tags.get(name)
    return tag.strip() if tag is not None else _at(record.tree, name)


def _at(tree: object, path: str) -> str:
    """Return the one text or number at a path of keys, "" when there is none."""
    for key in path.split("."):
        tree = tree.get(key) if isinstance(tree, Mapping) else None
    if isinstance(tree, Mapping):
        tree = tree.get("value")
    return "" if tree is None or isinstance(tree, Mapping | list) else str(tree).strip()
