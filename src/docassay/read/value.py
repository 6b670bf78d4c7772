"""Reading one text: the value and, when the text is not of its type, the problem to report."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from docassay.errors import Unreadable
from docassay.model.document import Unread
from docassay.read.characters import fold, shortened


def read_value(
    function: Callable[..., Hashable], options: Mapping[str, object], text: str
) -> tuple[Hashable, str | None]:
    """Return a text's value and no problem, or Unread and the sentence that says why."""
    try:
        return function(text, **options), None
    except Unreadable as error:
        return unread(text, error)


def unread(text: str, error: Unreadable) -> tuple[Unread, str]:
    """Return the value of a text that could not be read, and the sentence that says why."""
    return Unread(fold(text)), f"{shortened(text)} is {error.what}"
