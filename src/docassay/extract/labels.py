"""Cells of a text and the labels of fields: what stands where, and what a field may be called.

A cell is a stretch of a line without a gap of two spaces. A label is a phrase, made of the words of
a field's name and of what such words are called on paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from docassay.model.original import PAGE_END
from docassay.model.schema import Field

ALIKE = 80.0
"""How alike two words must be, of 100, to be one that was misread."""
SHORT = 3
"""Letters up to which a word must be read as it is."""
PRINTED: dict[str, tuple[str, ...]] = {
    "total": ("total", "grand total", "total due", "amount due", "balance due", "total amount",
              "total payable", "amount payable", "amount"),
    "subtotal": ("subtotal", "sub total", "net", "net amount", "total excl"),
    "date": ("date", "dated", "date of issue", "issued"),
    "due": ("due", "payable by", "pay by"),
    "tax": ("tax", "vat", "gst", "sales tax", "service tax"),
    "vat": ("vat", "tax"),
    "gst": ("gst", "tax"),
    "number": ("number", "no", "nr", "num"),
    "quantity": ("quantity", "qty", "units", "count"),
    "cnt": ("qty", "quantity", "count"),
    "price": ("price", "unit price", "rate", "amount", "each"),
    "unitprice": ("unit price", "price", "rate", "each"),
    "description": ("description", "item", "details", "particulars", "product"),
    "nm": ("description", "item", "name", "details"),
    "amount": ("amount", "total", "value"),
    "paid": ("paid", "debit", "withdrawals", "withdrawal", "money out"),
    "received": ("received", "credit", "deposits", "deposit", "money in"),
    "balance": ("balance", "running balance"),
    "range": ("range", "period", "statement period", "from"),
    "phone": ("phone", "tel", "telephone", "mobile"),
    "invoice": ("invoice",),
    "cash": ("cash", "tendered", "cash tendered"),
    "change": ("change", "change due"),
    "discount": ("discount", "reduction"),
}  # fmt: skip
"""Words of names of fields -> what is printed."""
BUYER = ("payer", "customer", "buyer", "client", "recipient", "receiver")
SELLER = ("supplier", "vendor", "seller", "merchant", "company", "store", "shop", "business",
          "issuer", "sender", "provider")  # fmt: skip
ROLES: dict[tuple[str, ...], tuple[str, ...]] = {
    BUYER: ("bill to", "billed to", "sold to", "invoice to", "ship to", "customer", "client"),
    SELLER: ("from", "seller", "supplier", "vendor", "sold by"),
}
"""Words for the two sides of a deal -> what is printed above them."""
COMMON = frozenset(
    {"amount", "name", "number", "value", "field", "document", "business", "address", "is", "of",
     "the", "id", "code", "text", "type", "unit", "price"}
)  # fmt: skip
"""Words of names of fields that say too little alone."""
LEFT_OUT = COMMON | {"invoice", "receipt", "statement", "transaction", "order", "date", "line"}
"""Words of names of fields that a label may leave out."""


class TextCell(NamedTuple):
    """A stretch of a line without a wide gap."""

    text: str
    start: int
    """Where it begins in the whole text."""
    line: int
    left: int
    """The column in which it begins."""

    @property
    def right(self) -> int:
        """The column after its last."""
        return self.left + len(self.text)

    @property
    def end(self) -> int:
        """Where it ends in the whole text."""
        return self.start + len(self.text)

    def part(self, start: int, end: int) -> TextCell:
        """Return a stretch of the cell, without the white space around it."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        return TextCell(text.strip(), self.start + start, self.line, self.left + start)

    def words(self) -> list[TextCell]:
        """Return its words."""
        return [self.part(*word.span()) for word in re.finditer(r"\S+", self.text)]


def cells_of(text: str) -> list[list[TextCell]]:
    """Return the cells of a text by line; a blank line has none, and a page ends in one."""
    lines: list[list[TextCell]] = []
    start = 0
    for number, line in enumerate(re.split(rf"[\n{PAGE_END}]", text)):
        spans = re.finditer(r"\S+(?: \S+)*", line)
        lines.append(
            [TextCell(span[0], start + span.start(), number, span.start()) for span in spans]
        )
        start += len(line) + 1
    return lines


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters, figures left out."""
    return tuple(re.findall(r"[^\W\d_]+", text.lower()))


class Phrase(NamedTuple):
    """Words that may stand as a label, and how sure a label they are."""

    words: tuple[str, ...]
    weight: float


def name_words(field: Field) -> tuple[str, ...]:
    """Return the words of a field's own name: `lineTotal`, `line_total` are line and total."""
    name = field.path.rpartition(".")[2]
    return tokens(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " "))


def phrases(field: Field) -> tuple[Phrase, ...]:
    """Return what may stand as the label of a field, the surest first."""
    weights: dict[tuple[str, ...], float] = {}

    def add(words: Sequence[str], weight: float) -> None:
        key = tuple(words)
        weights[key] = max(weights.get(key, 0.0), weight)

    own = name_words(field)
    add(own, 1.0)
    for alias in field.aliases:
        add(tokens(alias.replace("_", " ")), 1.0)
    for first in range(len(own)):
        for last in range(first + 1, len(own) + 1):
            if COMMON.issuperset(own[first:last]) and len(own) > 1:
                continue
            weight = 0.9 if LEFT_OUT.issuperset((*own[:first], *own[last:])) else 0.6
            add(own[first:last], weight)
            for printed in PRINTED.get("".join(own[first:last]), ()):
                add((*own[:first], *tokens(printed)) if first else tokens(printed), weight)
                add(tokens(printed), weight - 0.05)
    for words, labels in ROLES.items():
        if {*own} & {*words}:
            for label in labels:
                add(tokens(label), 0.8)
    listed = (Phrase(words, weight) for words, weight in weights.items() if words)
    return tuple(sorted(listed, key=lambda phrase: (-phrase.weight, phrase.words)))


def same_word(read: str, word: str) -> bool:
    """Whether a word that was read is this one, a letter or so misread."""
    if read == word:
        return True
    return min(len(read), len(word)) > SHORT and ratio(read, word) >= ALIKE


def label_score(text: str, candidates: Sequence[Phrase]) -> float:
    """Return from 0 to 1 how well a text is the label of a field."""
    read = tokens(text)
    best = 0.0
    for words, weight in candidates:
        if weight <= best:
            break
        if _place(read, words) is not None:
            best = max(best, weight * (len(words) / len(read)) ** 0.5)
    return best


def label_end(cell: TextCell, candidates: Sequence[Phrase]) -> tuple[float, int]:
    """Return how well a cell begins with a label of a field, and where that label ends in it."""
    matches = [*re.finditer(r"[^\W\d_]+", cell.text)]
    read = [match[0].lower() for match in matches]
    best = (0.0, 0)
    for words, weight in candidates:
        if weight > best[0] and len(words) <= len(read) and _place(read[: len(words)], words) == 0:
            best = (weight, matches[len(words) - 1].end())
    return best


def _place(read: Sequence[str], words: Sequence[str]) -> int | None:
    """Return where words stand in what was read, None where they do not."""
    for start in range(len(read) - len(words) + 1):
        if all(map(same_word, read[start : start + len(words)], words)):
            return start
    return None
