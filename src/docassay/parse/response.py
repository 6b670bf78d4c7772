"""Raw model responses: a text to the record in it, and a name for everything done on the way.

The stages, in order: the text as strict JSON; a fence, an escaped text or thoughts taken off; the
JSON object that is meant, read loosely; Donut's tokens; tags; lines. Nothing is invented: a value
is either in the text with its end, or it is left out and said.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from docassay.model.outcome import CLEAN, PARTIAL, REPAIRED, UNPARSEABLE
from docassay.parse.calls import REPAIR as TOOL_CALL
from docassay.parse.calls import arguments, is_call
from docassay.parse.json import find_record
from docassay.parse.lines import read_lines
from docassay.parse.listed import unfold
from docassay.parse.loose import TOO_DEEP
from docassay.parse.strict import only_fence, strict_object, unwrapped
from docassay.parse.thinking import without_marks, without_thinking
from docassay.parse.tokens import is_donut, read_donut, read_tags
from docassay.parse.tree import Tree, about

PACKAGING = frozenset({"code fence"})
"""What a clean response may have around it."""
LOSSES = frozenset(
    {"cut off", "value cut off", "unclosed token", "list of records", "left out by the model"}
    | {"unreadable part", "too long", "only in another object"}
)
"""Kinds of repair after which something of the record is missing."""
MOST_NAMED = 20
"""Different repairs of one response that are listed."""
MOST_WRAPPINGS = 2
"""Times that a text may be escaped as a whole."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class Response(NamedTuple):
    """The record of a response, what became of it, and what had to be done."""

    tree: dict[str, object]
    outcome: str
    """clean, repaired, partial or unparseable."""
    repairs: tuple[str, ...]
    """What was done, or why nothing could be: `kind`, or `kind: detail`."""
    form: str = ""
    """json, donut, tags or lines; "" when unparseable."""

    @property
    def summary(self) -> str:
        """The outcome and what was done: `repaired: single quotes, trailing comma`."""
        return CLEAN if self.outcome == CLEAN else f"{self.outcome}: {', '.join(self.repairs)}"


def parse_response(text: str) -> Response:
    """Return the record in a raw model response; whatever the text, nothing is raised."""
    for inner, packaging in ((text, ()), (only_fence(text), ("code fence",))):
        tree = None if inner is None else strict_object(inner)
        if tree is not None:
            # in strict JSON, a list that is a text begins with these
            folded = '"[' in text or '"{' in text
            found = Response(tree, CLEAN, packaging, "json")
            return _settled(Tree(tree, packaging), "json") if folded or is_call(tree) else found
    if text.count("\0") > max(3, len(text) // 1000):
        return _unparseable("no text: it is full of NUL characters")
    text, count = _SURROGATE.subn("\ufffd", text)
    text = text.strip().removeprefix("\ufeff")
    before = dict.fromkeys(["half a character"] if count else [])
    for _ in range(MOST_WRAPPINGS):
        wrapped = unwrapped(text)
        if wrapped is not None:
            text, repair = wrapped
            before[repair] = None
    answer = without_thinking(text)
    if answer.unfinished:
        return _unparseable("cut off while thinking")
    return _search(answer.text, (*before, *answer.repairs))


def _search(text: str, before: tuple[str, ...]) -> Response:
    """Return the record in a text without thoughts."""
    if not text.strip():
        return _unparseable("empty")
    if is_donut(text):
        return _settled(_after(before, read_donut(text)), "donut")
    found = find_record(text)
    if found is not None:
        return _settled(_after(before, found), "json")
    text, marks, _ = without_marks(text)
    for form, read in (("tags", read_tags), ("lines", read_lines)):
        tree = read(text)
        if tree.fields:
            return _settled(_after((*before, *marks), tree), form)
    return _unparseable("no record found")


def _after(before: tuple[str, ...], tree: Tree) -> Tree:
    return Tree(tree.fields, (*before, *tree.repairs))


def _settled(tree: Tree, form: str) -> Response:
    """Return the response of a tree; what became of it follows from the repairs."""
    fields, repairs = tree
    repairs = (*repairs, *(about("list as text", key) for key in unfold(fields)))
    handed = arguments(fields)
    if handed is not None:
        fields, repairs = handed, (*repairs, TOOL_CALL)
    kinds = {repair.partition(":")[0] for repair in repairs}
    if TOO_DEEP in kinds:
        return _unparseable(TOO_DEEP)
    lost = not kinds.isdisjoint(LOSSES)
    if len(repairs) > MOST_NAMED:
        repairs = (*repairs[:MOST_NAMED], f"and more: {len(repairs) - MOST_NAMED}")
    if not fields and (lost or form != "json" or "key without value" in kinds):
        return Response({}, UNPARSEABLE, repairs or ("no record found",))
    if lost:
        return Response(fields, PARTIAL, repairs, form)
    return Response(fields, REPAIRED if kinds - PACKAGING else CLEAN, repairs, form)


def _unparseable(reason: str) -> Response:
    return Response({}, UNPARSEABLE, (reason,))
