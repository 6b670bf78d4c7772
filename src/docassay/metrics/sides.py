"""Which members of a document a metric passes over that walks through trees by itself."""

from __future__ import annotations

from typing import NamedTuple

from docassay.schema.layout import Member

NOTHING_UNLISTED: frozenset[str] = frozenset()


class Side(NamedTuple):
    """Gold or pred, and the fields that gold has beside those of its document type."""

    gold: bool
    unlisted: frozenset[str] = NOTHING_UNLISTED

    def passes_over(self, member: Member, raw: object) -> bool:
        """Whether a member does not count: not scored, or not listed for the document type.

        What pred adds to the listed fields counts against it, unless gold has it as well.
        """
        if member.left_out is None:
            return False
        if member.left_out == "unscored" or self.gold or member.path in self.unlisted:
            return True
        return isinstance(raw, str) and member.field.means_absent(raw)
