"""The errors docassay raises, each saying what is wrong, where, and how to put it right.

DocassayError                 anything of ours
├── ConfigurationError        a plan, option or schema that cannot work       exit 2
│   ├── UnknownName           a name that is not registered; lists what is
│   └── SchemaError           a mistake in a schema, with file and line
├── RequirementError          a score that is not what it must be             exit 1
├── DataError                 input that cannot be scored                     exit 3
│   └── Unreadable            a text that is not of its field's type
└── FileError                 a file that cannot be opened, read or written   exit 74
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

EXIT_FINE = 0
EXIT_REQUIREMENT = 1
EXIT_CONFIGURATION = 2
EXIT_DATA = 3
EXIT_BUG = 70
EXIT_FILE = 74
EXIT_INTERRUPTED = 130


class DocassayError(Exception):
    """What went wrong, where it stands and a hint, printed as `where: what (hint)`."""

    exit_code = EXIT_BUG

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        hint: str | None = None,
        details: Sequence[str] = (),
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint
        self.details = tuple(details)
        """Further lines, such as a table of what was found."""

    @property
    def sentence(self) -> str:
        """The error without its details."""
        place = "" if self.where is None else f"{self.where}: "
        hint = "" if self.hint is None else f" ({self.hint})"
        return f"{place}{self.what}{hint}"

    def __str__(self) -> str:
        return "\n".join((self.sentence, *self.details))


class ConfigurationError(DocassayError):
    """A plan, option or schema that cannot work; raised before a document is read."""

    exit_code = EXIT_CONFIGURATION


MOST_CHOICES = 40
"""How many names an error lists; of more, only the nearest."""
NEAREST = 8


class UnknownName(ConfigurationError):  # noqa: N818 - the tree above names it as users see it
    """A name that nothing answers to, with the nearest one and all that exist."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, where: str | None = None
    ) -> None:
        choices = sorted(known)
        close = difflib.get_close_matches(name, choices, n=1)
        nearest = f"did you mean {close[0]!r}? " if close else ""
        shown = choices
        if len(choices) > MOST_CHOICES:
            shown = difflib.get_close_matches(name, choices, n=NEAREST, cutoff=0.0)
        more = f" and {len(choices) - len(shown)} more" if len(choices) > len(shown) else ""
        listed = f"{', '.join(shown)}{more}" if shown else "none"
        super().__init__(
            f"unknown {kind} {name!r}", where=where, hint=f"{nearest}there is: {listed}"
        )


class UnknownOption(UnknownName, TypeError):  # noqa: N818 - as above
    """A keyword that a function does not have; a TypeError too, as Python itself raises."""


class SchemaError(ConfigurationError):
    """A mistake in a schema."""


class RequirementError(DocassayError, AssertionError):
    """A score that is not what it must be; test runners show it as a failed assertion."""

    exit_code = EXIT_REQUIREMENT


class DataError(DocassayError):
    """Input that cannot be scored."""

    exit_code = EXIT_DATA


class Unreadable(DataError):  # noqa: N818 - reads as a statement about a value
    """A text that is not of its field's type; the message completes "'12.5O' is ..."."""


class FileError(DocassayError):
    """A file or folder that cannot be opened, read or written."""

    exit_code = EXIT_FILE
