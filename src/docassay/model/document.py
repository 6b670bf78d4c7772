"""Documents: the trees as found, the groups as read, and texts with entities in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.kernel.readings import (
    NOTHING,
    SEPARATOR,
    Entity,
    Group,
    Number,
    Reading,
    Sense,
    Senses,
    Values,
)
from docassay.model.problem import Problem

__all__ = [
    "LEAF_KEYS",
    "LEAF_MARKS",
    "MAX_DEPTH",
    "NOTHING",
    "SEPARATOR",
    "Block",
    "Document",
    "Entity",
    "Group",
    "Number",
    "Reading",
    "Sense",
    "Senses",
    "TaggedText",
    "Token",
    "Unread",
    "Values",
    "hash_of",
]

LEAF_KEYS = frozenset({"value", "confidence", "page", "box", "normalised"})
LEAF_MARKS = frozenset({"value", "any_of"})
"""Keys by which an object may be a leaf instead of a row."""
MAX_DEPTH = 64


def hash_of(id: str) -> int:
    """Return a number of 64 bits that stands for an id, or for another text."""
    digest = _DIGEST.copy()
    digest.update(id.encode("utf-8", "surrogatepass"))
    return int.from_bytes(digest.digest())


_DIGEST = hashlib.blake2b(digest_size=8)
"""Of nothing yet: a copy of it takes half the time of making another one."""


class Unread(NamedTuple):
    """The value of a text that its reader could not read: equal only to the same text."""

    text: str

    def __str__(self) -> str:
        return self.text


class Document:
    """One side of a case: the tree as found, the groups as read, and what was wrong with it.

    A document in which nothing can be wrong is read when somebody asks for its groups.
    """

    __slots__ = ("_read", "_root", "confident", "problems", "tree")

    def __init__(
        self,
        tree: object,
        root: Group | Callable[[], Group],
        problems: Sequence[Problem] = (),
        *,
        confident: bool = False,
    ) -> None:
        self.tree = tree
        self.problems = problems
        self.confident = confident
        """Whether any value states how sure it is."""
        self._root = root if isinstance(root, Group) else None
        self._read = None if isinstance(root, Group) else root

    @property
    def root(self) -> Group:
        """The document's own fields, with all its groups inside."""
        if self._root is None:
            assert self._read is not None
            self._root = self._read()
        return self._root


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
