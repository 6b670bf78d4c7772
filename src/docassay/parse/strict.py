"""Strict JSON, and the wrappings around it that need no search: one fence, or a text in a text."""

from __future__ import annotations

import html
import re

from docassay.errors import DataError
from docassay.load.wire import decode
from docassay.parse.leaves import unescape

# what stands behind the first brace tells: {\n, {\" or {&quot; is no JSON yet
_ESCAPED = re.compile(r"""[^{]*+\{(?=\s*\\)(?:\s|\\+[nrt])*+\\*["'{}]""")
_ENTITIES = re.compile(r"[^{]*+\{\s*&(?:quot|apos|\#34|\#39);")


def strict_object(text: str) -> dict[str, object] | None:
    """Return the tree of a text that is one JSON object with nothing to overlook, else None."""
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return None
    tree = _strict(text)
    return tree if isinstance(tree, dict) else None


def _strict(text: str) -> object:
    try:
        tree, problems = decode(text.encode(), "")
    except (DataError, UnicodeEncodeError):
        return None
    return None if problems else tree


def only_fence(text: str) -> str | None:
    """Return what stands in a code fence that is the whole text, else None."""
    text = text.strip()
    if not (text.startswith("```") and text.endswith("```") and text.count("```") == 2):
        return None
    return text[3:-3].partition("\n")[2]


def unwrapped(text: str) -> tuple[str, str] | None:
    """Return the text that a text holds in escaped form, and how, else None."""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    inner = _strict(text) if quoted else None
    if isinstance(inner, str):
        return inner, "JSON inside a text"
    if _ESCAPED.match(text) is not None:
        return unescape(text[1:-1] if quoted else text), "JSON inside a text"
    if _ENTITIES.match(text) is not None:
        return html.unescape(text), "HTML entities"
    return None
