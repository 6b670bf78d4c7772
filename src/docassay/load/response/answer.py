"""Raw model responses: a text to the record in it, and a name for everything done on the way.

The stages, in order: the text as strict JSON; a fence, an escaped text or thoughts taken off; the
JSON object that is meant, read loosely; Donut's tokens; HTML; tags; lines. Nothing is invented: a
value is either in the text with its end, or it is left out and reported. The example of a prompt
and an error of a service are no records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from docassay.load.response.html import read_html, read_marked_lines
from docassay.load.response.json import (
    TEMPLATE_LEFT_OUT,
    find_record,
    is_answer,
    only_fence,
    strict_object,
    unwrapped,
    without_objects,
)
from docassay.load.response.judge import error_in, error_of, is_template
from docassay.load.response.leaves import Tree, about
from docassay.load.response.lines import read_lines
from docassay.load.response.loose import TOO_DEEP, read_loosely
from docassay.load.response.tokens import (
    is_donut,
    read_donut,
    read_tags,
    without_marks,
    without_thinking,
)
from docassay.model.problem import CLEAN, PARTIAL, REPAIRED, UNPARSEABLE, Repair, ResponseOutcome

TOOL_CALL = "tool call"
_ARGUMENTS = ("arguments", "parameters", "input")
_AROUND = frozenset({"name", "type", "id", "call_id", "index"})


def is_call(tree: dict[str, object]) -> bool:
    """Say whether an object is a call and nothing else."""
    if "function" in tree:
        inner = tree["function"]
        return tree.keys() <= {*_AROUND, "function"} and isinstance(inner, dict) and is_call(inner)
    if "name" not in tree or len(tree) > len(_AROUND) + 1:
        return False
    others = tree.keys() - _AROUND
    return len(others) == 1 and not others.isdisjoint(_ARGUMENTS)


def arguments(tree: dict[str, object]) -> dict[str, object] | None:
    """Return what a call hands over, None when it is no call or hands over no record."""
    if not is_call(tree):
        return None
    call = tree.get("function", tree)
    if not isinstance(call, dict):
        return None
    content = next((call[name] for name in _ARGUMENTS if name in call), None)
    return content if isinstance(content, dict) else None


LONGEST = 100_000
_HARMLESS = frozenset({"single quotes", "smart quotes", "Python literal"})
# a quote that never ends goes to the end of the text, so that no search begins again inside it
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*+("?)|'(?:[^'\\]|\\.)*+('?)""", re.DOTALL)
_GROUPED = re.compile(r"\d,\d")


def unfold(tree: dict[str, object]) -> list[str]:
    """Turn the texts of a tree that are lists or objects into these, and return their keys."""
    keys: dict[str, None] = {}
    waiting: list[tuple[str, dict[str, object] | list[object]]] = [("", tree)]
    while waiting:
        name, holder = waiting.pop()
        members = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, value in [*members]:
            own = key if isinstance(key, str) else name
            if isinstance(value, dict | list):
                waiting.append((own, value))
            elif type(value) is str and (content := _unfolded(value)) is not None:
                keys[own] = None
                holder[key] = content
    return [*keys]


def _unfolded(text: str) -> object | None:
    text = text.strip()
    if text[:1] + text[-1:] not in ("[]", "{}") or len(text) > LONGEST:
        return None
    # a comma between digits may group them: [1,234.56] is left alone
    if _GROUPED.search(_QUOTED.sub(_unclosed, text)) is not None:
        return None
    read = read_loosely(text, 0, len(text))
    if not read.complete or read.end < len(text) or not _HARMLESS.issuperset(read.repairs):
        return None
    # [12] may as well be a remark in brackets
    single = isinstance(read.value, list) and len(read.value) == 1
    if single and isinstance(read.value, list) and not isinstance(read.value[0], str | dict):
        return None
    return read.value


def _unclosed(quoted: re.Match[str]) -> str:
    """Return nothing for a quoted text, and one whose quote never ends as it is."""
    return "" if quoted[1] or quoted[2] else quoted[0]


PACKAGING = frozenset({"code fence"})
"""What a clean response may have around it."""
LOSSES = frozenset(
    {"cut off", "value cut off", "unclosed token", "list of records", "left out by the model"}
    | {"unreadable part", "too long", "only in another object"}
)
"""Kinds of repair after which something of the record is missing."""
NO_RECORD = Repair("no record found")
ERROR = "error instead of a record"
TEMPLATE = "only the prompt's example"
MOST_NAMED = 20
"""Different repairs of one response that are listed."""
MOST_WRAPPINGS = 2
"""Times that a text may be escaped as a whole."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class Response(NamedTuple):
    """The record of a response, what became of it, and what had to be done."""

    tree: dict[str, object]
    result: ResponseOutcome
    """The outcome and the repairs as data."""
    form: str = ""
    """json, donut, html, tags or lines; "" when unparseable."""

    @property
    def outcome(self) -> str:
        """One of clean, repaired, partial or unparseable."""
        return self.result.kind

    @property
    def repairs(self) -> tuple[str, ...]:
        """What was done, or why nothing could be: `kind`, or `kind: subject`."""
        return tuple(map(str, self.result.repairs))

    @property
    def summary(self) -> str:
        """The outcome and what was done: `repaired: single quotes, trailing comma`."""
        return self.result.summary


def parse_response(text: str) -> Response:
    """Return the record in a raw model response; whatever the text, nothing is raised."""
    for inner, packaging in ((text, ()), (only_fence(text), (Repair("code fence"),))):
        tree = None if inner is None else strict_object(inner)
        if tree is not None:
            # in strict JSON, a list that is a text begins with these
            folded = '"[' in text or '"{' in text
            response = Response(tree, ResponseOutcome(CLEAN, packaging), "json")
            plain = not folded and not is_call(tree) and is_answer(tree)
            return response if plain else _settled(Tree(tree, packaging), "json")
    if text.count("\0") > max(3, len(text) // 1000):
        return _unparseable(Repair("no text", "it is full of NUL characters"))
    text, count = _SURROGATE.subn("\ufffd", text)
    # white space tells that the comma before it groups no digits: `{"q": 1,` may go on with 234
    behind = "\n" if text[-1:].isspace() and text.rstrip().endswith(",") else ""
    text = text.strip().removeprefix("\ufeff") + behind
    before = dict.fromkeys(["half a character"] if count else [])
    for _ in range(MOST_WRAPPINGS):
        wrapped = unwrapped(text)
        if wrapped is not None:
            text, repair = wrapped
            before[repair] = None
    answer = without_thinking(text)
    if answer.unfinished:
        return _unparseable(Repair("cut off while thinking"))
    return _search(answer.text, (*before, *answer.repairs))


_FORMS: Sequence[tuple[str, Callable[[str], Tree]]] = (
    ("html", read_html),
    ("tags", read_tags),
    ("html", read_marked_lines),
    ("lines", read_lines),
)
"""The forms without JSON, in the order in which they are tried."""


def _search(text: str, before: tuple[Repair | str, ...]) -> Response:
    """Return the record in a text without thoughts."""
    if not text.strip():
        return _unparseable(Repair("empty"))
    error = error_in(text)
    if error is not None:
        record = find_record(error.rest)
        if record is None or not record.fields or not is_answer(record.fields):
            return _unparseable(Repair(ERROR, error.reason))
        return _settled(_after((*before, "text around the JSON"), record), "json")
    if is_donut(text):
        return _settled(_after(before, read_donut(text)), "donut")
    record = find_record(text)
    if record is not None and not is_template(record.fields):
        return _settled(_after(before, record), "json")
    if record is not None:
        before, text = (*before, TEMPLATE_LEFT_OUT), without_objects(text)
    text, marks, _ = without_marks(text)
    for form, read in _FORMS:
        tree = read(text)
        if tree.fields:
            return _settled(_after((*before, *marks), tree), form)
    return _unparseable(NO_RECORD if record is None else Repair(TEMPLATE))


def _after(before: tuple[Repair | str, ...], tree: Tree) -> Tree:
    return Tree(tree.fields, (*before, *tree.repairs))


def _settled(tree: Tree, form: str) -> Response:
    """Return the response of a tree; what became of it follows from the repairs."""
    fields = tree.fields
    repairs = tuple(Repair(entry) if isinstance(entry, str) else entry for entry in tree.repairs)
    repairs = (*repairs, *(about("list as text", key) for key in unfold(fields)))
    handed = arguments(fields)
    if handed is not None:
        fields, repairs = handed, (*repairs, Repair(TOOL_CALL))
    if is_template(fields):
        return _unparseable(Repair(TEMPLATE))
    error = error_of(fields)
    if error is not None:
        return _unparseable(Repair(ERROR, error))
    kinds = {repair.kind for repair in repairs}
    if TOO_DEEP in kinds:
        return _unparseable(Repair(TOO_DEEP))
    lost = not kinds.isdisjoint(LOSSES)
    if len(repairs) > MOST_NAMED:
        repairs = (*repairs[:MOST_NAMED], Repair("and more", str(len(repairs) - MOST_NAMED)))
    if not fields and (lost or form != "json" or "key without value" in kinds):
        return Response({}, ResponseOutcome(UNPARSEABLE, repairs or (NO_RECORD,)))
    if lost:
        return Response(fields, ResponseOutcome(PARTIAL, repairs), form)
    kind = REPAIRED if kinds - PACKAGING else CLEAN
    return Response(fields, ResponseOutcome(kind, repairs), form)


def _unparseable(reason: Repair) -> Response:
    return Response({}, ResponseOutcome(UNPARSEABLE, (reason,)))
