"""The record of a text with JSON in it: the object that is meant, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docassay.parse.find import MOST, Found, objects
from docassay.parse.keys import read_line
from docassay.parse.loose import TOO_DEEP
from docassay.parse.thinking import without_marks
from docassay.parse.tree import Tree, about

_FENCE_LINE = re.compile(r"```\w*")
_LABEL = re.compile(
    r"(?:.*[ _])?(?:json|output|answer|result|response|data|record|extraction|object)s?",
    re.IGNORECASE,
)
"""Words before the record itself, rather than the name of a field."""
_PREFILLED = re.compile(r'\s*"[^"\n]{1,80}"\s*:')
_LOOKED_AT = 2000
"""Lines that are searched for other fields around an object."""


def find_record(text: str) -> Tree | None:
    """Return the object of a text that is meant, or None when no object is the answer."""
    missing = _PREFILLED.match(text) is not None
    if missing:  # the prompt ended with the opening bracket
        text = "{" + text
    found = objects(text)
    if not found:
        return None
    best = found[0] if missing else max(found, key=lambda one: one.rank)
    if TOO_DEEP in best.read.repairs:
        return Tree({}, (TOO_DEEP,))
    if not missing and _stands_in_a_field(text, best):
        return None
    fields, chosen = _record(best.read.value)
    repairs = [*(["opening bracket missing"] if missing else []), *_packaging(text, found, best)]
    return Tree(fields, (*repairs, *chosen, *best.read.repairs))


def _record(value: object) -> tuple[dict[str, object], list[str]]:
    if isinstance(value, dict):
        return value, []
    records = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    if not records:
        return {}, []
    if isinstance(value, list) and len(value) == 1:
        return records[0], ["list of one record"]
    return records[0], [f"list of records: the first of {len(records)} is taken"]


def _packaging(text: str, found: Sequence[Found], best: Found) -> list[str]:
    """Return what stands around the object that was taken."""
    ends = [0, *(one.read.end for one in found)]
    starts = [*(one.start for one in found), len(text)]
    around = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    words, marks, _ = without_marks(around)
    repairs = [*marks, *(["code fence"] if best.fenced else [])]
    if _FENCE_LINE.sub("", words).strip():
        repairs.append("text around the JSON")
    if len(found) > 1:
        number = found.index(best) + 1
        repairs.append(f"several objects: number {number} of {len(found)} is taken")
        repairs += [about("only in another object", key) for key in _elsewhere(found, best)]
    if len(found) == MOST:
        repairs.append("too long: more objects follow")
    return repairs


def _elsewhere(found: Sequence[Found], best: Found) -> list[str]:
    """Return the keys that objects as good as the one that was taken have beside its own."""
    own, _ = _record(best.read.value)
    like = (one for one in found if (one.fenced, one.program) == (best.fenced, best.program))
    keys = {key: None for one in like if one.quoted for key in _record(one.read.value)[0]}
    return [key for key in keys if key not in own]


def _stands_in_a_field(text: str, best: Found) -> bool:
    """Say whether an object is the value of one `FIELD: value` line or row among others."""
    begin = text.rfind("\n", 0, best.start) + 1
    own = read_line(text[begin : best.start])
    if own.raw.startswith("|") and own.raw.count("|") > 1:
        return True
    if own.key is None or own.words or _LABEL.fullmatch(own.key) is not None:
        return False
    above, below = text[:begin].splitlines(), text[best.read.end :].splitlines()[1:]
    if own.key.isupper() or text[best.start] == "[":
        return any(read_line(line).key is not None for line in [*above, *below][:_LOOKED_AT])
    # a word like `Note: …` may stand anywhere; a field stands right beside its neighbour
    beside = map(read_line, [*above[-1:], *below[:1]])
    return any(one.key is not None and one.words and one.words[0] not in "{[" for one in beside)
