"""Tagged text: words in reading order, some of them inside entities of a category.

It is kept as blocks, the pieces that a reader keeps together: an entity, or a run of words outside
entities. To every metric that knows nothing of words it is an object whose fields are the
categories, each with the texts of its entities as values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Block(NamedTuple):
    """An entity, or a run of words outside entities; white space in the text is collapsed."""

    category: str | None
    """None for words outside entities."""
    text: str
    others: tuple[str, ...] = ()
    """Further texts that are as right as `text`, when gold lists several."""


class Token(NamedTuple):
    """One word with its tag: `B` begins an entity, `I` goes on with it, `O` is outside."""

    word: str
    kind: str
    category: str | None


class TaggedText(Mapping[str, list[str]]):
    """A document of words and entities, in order; as a mapping, the entity texts by category."""

    __slots__ = ("_by_category", "blocks")

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks = tuple(blocks)
        self._by_category: dict[str, list[str]] | None = None

    @property
    def _fields(self) -> dict[str, list[str]]:
        # made when first asked for: metrics of sequences look at the blocks alone
        if self._by_category is None:
            self._by_category = {}
            for category, text, _ in self.blocks:
                if category is not None:
                    self._by_category.setdefault(category, []).append(text)
        return self._by_category

    @property
    def tokens(self) -> Iterator[Token]:
        """The words in order, those outside entities included."""
        for category, text, _ in self.blocks:
            first, *rest = text.split()
            if category is None:
                yield from (Token(word, "O", None) for word in (first, *rest))
            else:
                yield Token(first, "B", category)
                yield from (Token(word, "I", category) for word in rest)

    def __getitem__(self, category: str) -> list[str]:
        return self._fields[category]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __str__(self) -> str:
        # digests are taken of this text, so it must tell every word and every tag
        return "\n".join([f"{category or ''}\t{text}" for category, text, _ in self.blocks])

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TaggedText):
            return self.blocks == other.blocks
        return self._fields == other

    def __hash__(self) -> int:
        return hash(self.blocks)
