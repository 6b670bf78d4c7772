"""A document of the VRDU benchmark: its tree, and beside it the items as the files list them.

The released toolkit counts by the order, the boxes and the segments of those items, which a tree
does not keep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

FUNCTIONS_KEY, PATTERNS_KEY = "entity_name_to_match_func", "entity_appearance_pattern"
"""The members of a meta.json that say how names are compared, and how they appear."""
UNREPEATED, REPEATED = "unrepeated", "repeated"
"""How a name may appear; any other word is the row that it is a component of."""


class VrduDocument(dict[str, object]):
    """The tree of a document, with gold's annotations or a prediction's results as found."""

    __slots__ = ("_words", "items_as_found", "meta")

    def __init__(
        self,
        tree: Mapping[str, object],
        items_as_found: Sequence[object],
        meta: Mapping[str, object] | None = None,
        words: bytes | None = None,
    ) -> None:
        super().__init__(tree)
        self.items_as_found = items_as_found
        """The JSON list of dataset.jsonl (`annotations`) or of a prediction file (`results`)."""
        self.meta = meta
        """The content of meta.json, on gold documents of a data set that has one."""
        self._words = words

    @property
    def ocr(self) -> object:
        """The words of the pages with their boxes, None unless the format was told to keep them."""
        return None if self._words is None else msgspec.json.decode(self._words)
