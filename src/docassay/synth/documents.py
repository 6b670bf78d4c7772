"""Gold documents: invoices, receipts and bank statements whose figures add up.

Amounts are whole cents until they are written. Line totals are quantity times price, the total is
their sum, the tax an eleventh of it, balances run, dates rise, business numbers pass their check.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import NamedTuple

from docassay.analysis.draw import Draw, between, pick, stream
from docassay.synth import words

Row = dict[str, str]


class DocumentKind(NamedTuple):
    """A kind of document: its titles, and its fields and columns with their types."""

    titles: tuple[str, ...]
    aliases: tuple[str, ...]
    fields: Mapping[str, str]
    group: str
    columns: Mapping[str, str]


class Gold(NamedTuple):
    """One gold document, and how hard it is to read (1 on average)."""

    id: str
    kind: str
    fields: dict[str, str]
    rows: list[Row]
    difficulty: float

    @property
    def tree(self) -> dict[str, object]:
        """The document as it is written to a file."""
        return {**self.fields, KINDS[self.kind].group: self.rows}


_BILL = {
    "DOCUMENT_TYPE": "document_type",
    "BUSINESS_ABN": "id",
    "SUPPLIER_NAME": "name",
    "BUSINESS_ADDRESS": "address",
    "PAYER_NAME": "name",
    "PAYER_ADDRESS": "address",
    "INVOICE_DATE": "date",
    "IS_GST_INCLUDED": "boolean",
    "GST_AMOUNT": "money",
    "TOTAL_AMOUNT": "money",
}
_ITEM = {"description": "text", "quantity": "quantity", "price": "money", "total": "money"}
_STATEMENT = {"DOCUMENT_TYPE": "document_type", "STATEMENT_DATE_RANGE": "date_range"}
_TRANSACTION = {
    "date": "date",
    "description": "text",
    "amount_paid": "money",
    "amount_received": "money",
    "balance": "money",
}
KINDS: Mapping[str, DocumentKind] = {
    "invoice": DocumentKind(
        ("INVOICE", "INVOICE", "TAX INVOICE"),
        ("tax invoice", "estimate"),
        _BILL,
        "line_items",
        _ITEM,
    ),
    "receipt": DocumentKind(("RECEIPT",), ("sales receipt",), _BILL, "line_items", _ITEM),
    "bank_statement": DocumentKind(
        ("BANK STATEMENT",),
        ("bank statement", "statement"),
        _STATEMENT,
        "transactions",
        _TRANSACTION,
    ),
}

_FIRST_DAY = dt.date(2023, 7, 1).toordinal()
_LAST_DAY = dt.date(2026, 6, 30).toordinal()
_MOST_ROWS = 12
_STRIDES = (23, 29, 31, 37, 41, 43)
"""Primes that divide no catalogue's size: so a catalogue repeats only when it is used up."""
_ABN_WEIGHTS = (3, 5, 7, 9, 11, 13, 15, 17, 19)


def gold_document(seed: int, index: int, *, kinds: tuple[str, ...], rows: int | None) -> Gold:
    """Return the gold document of a number, with this many rows or, for None, one to twelve."""
    draw = stream(seed, index)
    kind = pick(draw, kinds)
    ease = draw()
    difficulty = 0.25 + 3 * ease * ease * ease
    spread = draw()
    count = 1 + int(_MOST_ROWS * spread * spread) if rows is None else rows
    make = _statement if kind == "bank_statement" else _bill
    fields, lines = make(kind, count, draw)
    return Gold(f"{kind}_{index + 1:06d}", kind, fields, lines, difficulty)


def money(cents: int) -> str:
    """Return an amount in the notation of gold: $1,234.56."""
    return f"-${-cents / 100:,.2f}" if cents < 0 else f"${cents / 100:,.2f}"


def day(ordinal: int) -> str:
    """Return a day in the notation of gold: 16/07/2025."""
    date = dt.date.fromordinal(ordinal)
    return f"{date.day:02d}/{date.month:02d}/{date.year}"


def business_number(draw: Draw) -> str:
    """Return an ABN whose first two digits make its weighted sum a multiple of 89."""
    digits = f"{between(draw, 0, 999_999_999):09d}"
    total = sum(weight * int(digit) for weight, digit in zip(_ABN_WEIGHTS, digits, strict=True))
    return f"{99 - total % 89} {digits[:3]} {digits[3:6]} {digits[6:]}"


def person(draw: Draw) -> str:
    """Return a person's name."""
    return f"{pick(draw, words.GIVEN)} {pick(draw, words.FAMILY)}"


def firm(draw: Draw, trade: words.Trade) -> str:
    """Return the name of a business of a trade."""
    name, noun = pick(draw, words.FIRM_NAMES), pick(draw, trade.nouns)
    return f"{name} {noun}{pick(draw, words.LEGAL_FORMS)}"


def address(draw: Draw) -> str:
    """Return a street address in Australia."""
    unit = f"Unit {between(draw, 1, 48)}, " if draw() < 0.15 else ""
    number = between(draw, 1, 398)
    return f"{unit}{number} {pick(draw, words.STREETS)}, {pick(draw, words.PLACES)}"


def amount(draw: Draw) -> str:
    """Return an amount of up to 500 dollars."""
    return money(between(draw, 100, 50_000))


def _bill(kind: str, count: int, draw: Draw) -> tuple[dict[str, str], list[Row]]:
    shop = kind == "receipt"
    trade = pick(draw, words.SHOPS if shop else words.TRADES)
    lines, total = _items(trade, count, draw)
    abroad = not shop and draw() < 0.12
    fields = {"DOCUMENT_TYPE": pick(draw, KINDS[kind].titles)}
    if abroad:
        fields["SUPPLIER_NAME"], fields["BUSINESS_ADDRESS"] = pick(draw, words.ABROAD)
    else:
        fields["BUSINESS_ABN"] = business_number(draw)
        fields["SUPPLIER_NAME"] = firm(draw, trade)
        fields["BUSINESS_ADDRESS"] = address(draw)
    if draw() < (0.15 if shop else 1):
        private = draw() < 0.5
        fields["PAYER_NAME"] = person(draw) if private else firm(draw, pick(draw, words.TRADES))
        if draw() < 0.9:
            fields["PAYER_ADDRESS"] = address(draw)
    fields["INVOICE_DATE"] = day(between(draw, _FIRST_DAY, _LAST_DAY))
    taxed = not abroad and draw() < 0.92
    fields["IS_GST_INCLUDED"] = str(taxed)
    if taxed:
        fields["GST_AMOUNT"] = money((2 * total + 11) // 22)
    fields["TOTAL_AMOUNT"] = money(total)
    return fields, lines


def _items(trade: words.Trade, count: int, draw: Draw) -> tuple[list[Row], int]:
    start, stride = between(draw, 0, 9_999), pick(draw, _STRIDES)
    reduced = count > 2 and draw() < 0.15
    lines: list[Row] = []
    sum_of_totals = 0
    for number in range(count - reduced):
        product, variant = divmod(start + number * stride, len(trade.variants))
        name, low, high = trade.products[product % len(trade.products)]
        if trade.hourly:
            quarters = between(draw, 1, 64)
            quantity, price = f"{quarters / 4:g}", 100 * between(draw, low, high)
            total = quarters * price // 4
        else:
            wide = draw()
            pieces = 1 + int(30 * wide * wide * wide)
            quantity, price = str(pieces), between(draw, 20 * low, 20 * high) * 5
            total = pieces * price
        sum_of_totals += total
        lines.append(
            {
                "description": f"{name} {trade.variants[variant]}",
                "quantity": quantity,
                "price": money(price),
                "total": money(total),
            }
        )
    if reduced:
        rebate = -max(1, sum_of_totals * between(draw, 3, 12) // 100)
        sum_of_totals += rebate
        text = money(rebate)
        reason = pick(draw, words.REDUCTIONS)
        lines.append({"description": reason, "quantity": "1", "price": text, "total": text})
    return lines, sum_of_totals


def _statement(kind: str, count: int, draw: Draw) -> tuple[dict[str, str], list[Row]]:
    start = dt.date.fromordinal(between(draw, _FIRST_DAY, _LAST_DAY)).replace(day=1).toordinal()
    end = (dt.date.fromordinal(start) + dt.timedelta(days=31)).replace(day=1).toordinal() - 1
    fields = {
        "DOCUMENT_TYPE": pick(draw, KINDS[kind].titles),
        "STATEMENT_DATE_RANGE": f"{day(start)} to {day(end)}",
    }
    balance = between(draw, 5_000, 600_000)
    lines = []
    for date in sorted([between(draw, start, end) for _ in range(count)]):
        paid = draw() < 0.7
        pattern, low, high = pick(draw, words.PAYMENTS if paid else words.RECEIPTS)
        cents = between(draw, 100 * low, 100 * high)
        balance += -cents if paid else cents
        lines.append(
            {
                "date": day(date),
                "description": _transaction(pattern, draw),
                "amount_paid" if paid else "amount_received": money(cents),
                "balance": money(balance),
            }
        )
    return fields, lines


def _transaction(pattern: str, draw: Draw) -> str:
    if "{firm}" in pattern:
        return pattern.format(firm=firm(draw, pick(draw, words.SHOPS)))
    if "{person}" in pattern:
        return pattern.format(person=person(draw))
    suburb = pick(draw, words.PLACES).rsplit(" ", 2)[0]
    return pattern.format(place=suburb, service=pick(draw, words.SERVICES))
