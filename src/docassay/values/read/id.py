"""Identifiers: letters and digits only, without a known label before them.

A label is taken off only where it stands apart ("ABN 51 824 753 556", "Invoice No. 7"), never where
it is grown together with the rest ("INV-001"), and never when nothing would remain. Words that
often begin an identifier ("PO 123" is "PO-123") are labels only before a mark or another label.
"""

from __future__ import annotations

import re
import unicodedata

from docassay.errors import Unreadable
from docassay.values.read.characters import plain, unaccented
from docassay.values.reader import reader

LABELS = (
    "abn", "acn", "arbn", "bsb", "tfn", "acct", "account", "a/c", "card", "client", "contract",
    "customer", "document", "doc", "ein", "gst", "gstin", "iban", "bic", "swift", "id", "inv",
    "invoice", "job", "member", "number", "no", "nos", "num", "nr", "nro", "n", "order", "po",
    "policy", "quote", "receipt", "ref", "reference", "reg", "registration", "serial", "sku", "ssn",
    "tax", "tin", "transaction", "txn", "uid", "ust", "ustid", "vat",
    "rechnung", "rechnungsnummer", "rechnungsnr", "kundennummer", "nummer", "facture", "factura",
    "fattura", "fatura", "faktura", "numero", "numéro", "número", "siret", "siren", "nif", "cif",
    "piva", "cnpj", "cpf", "kvk", "btw", "mwst", "tva", "iva", "№",
)  # fmt: skip

PREFIXES = frozenset({"inv", "po", "doc", "job", "ref", "txn", "sku"})
"""Labels that are as often a part of the identifier."""

_MARK = re.compile(r"\s*[:#]")
_WORD = re.compile(r"[\s#:;,()/\[\]]*([^\W\d_]+(?:[./][^\W\d_]+)*)(?=[\s.:#°º]|$)[.:#°º]*")
_KNOWN = frozenset(unaccented(label).replace(".", "").replace("/", "") for label in LABELS)


@reader("id")
def read_id(text: str, *, labels: tuple[str, ...] = ()) -> str:
    """Read an identifier without punctuation, spaces and case; `labels` adds to the known ones."""
    line = plain(text).replace("№", "No ").replace("Nº", "No ").replace("N°", "No ")
    all_labels = _KNOWN.union(_bare(label) for label in labels) if labels else _KNOWN
    start = 0
    while True:
        word = _WORD.match(line, start)
        if word is None or not _is_label(word, line, all_labels):
            break
        if not any(character.isalnum() for character in line[word.end() :]):
            break
        start = word.end()
    identifier = "".join(filter(str.isalnum, _caseless(line[start:])))
    if not identifier:
        raise Unreadable("not an identifier")
    return identifier


def _is_label(word: re.Match[str], line: str, labels: frozenset[str]) -> bool:
    label = _bare(word[1])
    if label not in labels:
        return False
    if label not in PREFIXES or word.end() > word.end(1) or _MARK.match(line, word.end()):
        return True
    following = _WORD.match(line, word.end())
    return following is not None and _bare(following[1]) in labels


def _bare(label: str) -> str:
    return unaccented(label).replace(".", "").replace("/", "").replace(" ", "")


def _caseless(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text.casefold())
