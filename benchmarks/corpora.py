"""What the benchmarks run on: plain invoices, rows that are all wrong, and a long text.

The plain invoices are those of `../shared/tools/gen_invoices.py` where that is at hand, else like
ones made here: ten values and rows of four, some missing, misread, written otherwise or invented,
and rows dropped, doubled, joined or in another order. One seed gives one corpus, to the byte.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

GENERATOR = Path(__file__).resolve().parents[2] / "shared" / "tools" / "gen_invoices.py"

VENDORS = ["Harbour Foods", "Nordlicht GmbH", "Lagrange & Fils", "Tern Optics Ltd", "Ôrigo S.A."]
STREETS = ["Mill Lane", "Rue du Port", "Lindenweg", "Station Road", "Via Larga", "Quay Street"]
TOWNS = ["Bristol BS1 4QA", "69002 Lyon", "20095 Hamburg", "Albany, NY 12207", "20122 Milano"]
KINDS = ["Galvanised", "Cordless", "Folding", "Thermal", "Recycled", "Double", "Waterproof"]
THINGS = ["Bracket", "Drill", "Ladder", "Label roll", "Paper A4", "Shelf unit", "Cable 5m"]
CURRENCIES = ("EUR", "GBP", "USD", "SEK")
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
MISREAD = dict(zip("0O1l5S8Be2Z", "O0l15SB8cZ2", strict=True))

TEXT, NUMBER = {"type": ["string", "null"]}, {"type": ["number", "null"]}
ROW = {"description": TEXT, "quantity": NUMBER, "unit_price": NUMBER, "amount": NUMBER}
SCHEMA = {
    "type": "object",
    "title": "Invoice",
    "properties": {
        **dict.fromkeys(("invoice_number", "invoice_date", "due_date", "po_number"), TEXT),
        **dict.fromkeys(("vendor_name", "vendor_address", "currency"), TEXT),
        **dict.fromkeys(("subtotal", "tax", "total"), NUMBER),
        "line_items": {"type": "array", "items": {"type": "object", "properties": ROW}},
    },
}

Tree = dict[str, object]
Row = dict[str, object]


def write_plain(folder: Path, *, docs: int, rows: int, seed: int = 7, typed: bool = False) -> None:
    """Write gold.jsonl, pred.jsonl and schema.json; `typed` keeps numbers numbers."""
    if GENERATOR.is_file():
        words = [folder, "--docs", docs, "--rows", rows, "--seed", seed]
        words += ["--typed"] if typed else []
        command = [sys.executable, GENERATOR, *words]
        subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL)
    else:
        write_own(folder, docs=docs, rows=rows, seed=seed, typed=typed)


def write_own(folder: Path, *, docs: int, rows: int, seed: int, typed: bool = False) -> None:
    """Write the same files with invoices made here."""
    chance = Random(seed)
    golds = [invoice(chance, rows) for _ in range(docs)]
    preds = [predicted(chance, gold, typed=typed) for gold in golds]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    write_lines(folder, golds, preds)


def write_lines(folder: Path, golds: list[Tree], preds: list[Tree]) -> None:
    for name, trees in (("gold", golds), ("pred", preds)):
        lines = "".join(json.dumps(tree, ensure_ascii=False) + "\n" for tree in trees)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")


def invoice(chance: Random, rows: int) -> Tree:
    items = [item(chance) for _ in range(rows)]
    subtotal = round(sum(float(str(row["amount"])) for row in items), 2)
    tax = round(subtotal / 5, 2)
    number = chance.randrange(10**6)
    return {
        "invoice_number": f"{chance.choice('ABCDE')}-{number:06}",
        "invoice_date": day(chance),
        "due_date": day(chance),
        "po_number": f"PO{chance.randrange(10**6, 10**7)}" if chance.random() < 0.8 else None,
        "vendor_name": chance.choice(VENDORS),
        "vendor_address": f"{1 + number % 400} {chance.choice(STREETS)}, {chance.choice(TOWNS)}",
        "currency": chance.choice(CURRENCIES),
        "subtotal": subtotal,
        "tax": tax,
        "total": round(subtotal + tax, 2),
        "line_items": items,
    }


def item(chance: Random) -> Row:
    quantity, price = chance.randint(1, 150), round(chance.uniform(0.4, 700), 2)
    thing = f"{chance.choice(KINDS)} {chance.choice(THINGS)} {chance.randint(10, 999)}"
    return {
        "description": f"{thing}{chance.choice('KLMNP')}",
        "quantity": quantity,
        "unit_price": price,
        "amount": round(quantity * price, 2),
    }


def day(chance: Random) -> str:
    year, month, date = chance.randint(2018, 2026), chance.randint(1, 12), chance.randint(1, 28)
    return f"{year}-{month:02}-{date:02}"


def predicted(chance: Random, gold: Tree, *, typed: bool) -> Tree:
    """Return what an imperfect model makes of an invoice."""

    def spoil(row: Row) -> Row:
        return {key: spoilt(chance, key, value, typed=typed) for key, value in row.items()}

    tree = spoil({key: value for key, value in gold.items() if key != "line_items"})
    golds = gold["line_items"]
    assert isinstance(golds, list)
    rows: list[Row] = []
    for row in golds:
        luck = chance.random()
        rows += [] if luck < 0.03 else [spoil(row)] * (2 if luck > 0.98 else 1)
    if chance.random() < 0.15:
        rows.append({"description": "Delivery", "quantity": 1, "unit_price": 30.0, "amount": 30.0})
    if len(rows) > 2 and chance.random() < 0.1:
        place = chance.randrange(len(rows) - 1)
        second = rows.pop(place + 1)
        joined = f"{rows[place]['description']} {second['description']}"
        rows[place] = {**rows[place], "description": joined}
    if chance.random() < 0.3:
        chance.shuffle(rows)
    return {**tree, "line_items": rows}


def spoilt(chance: Random, key: str, value: object, *, typed: bool) -> object:
    """Return a value as predicted, which is most often the value."""
    luck = chance.random()
    if value is None:
        return "PO1000001" if luck < 0.1 else None
    if luck < 0.03:
        return None
    if isinstance(value, int | float):
        if luck < 0.06:
            return round(value * chance.choice((10, 0.1, 1.01)) + 1, 2)
        written = chance.choice((f"${value:,.2f}", f"{value:.2f}", f"{value:,.2f}"))
        return written if luck < 0.12 and isinstance(value, float) and not typed else value
    text = str(value)
    if luck < 0.08:
        place = chance.randrange(len(text))
        return text[:place] + MISREAD.get(text[place], "") + text[place + 1 :]
    if luck < 0.12:
        return otherwise(chance, text) if key.endswith("date") else text.upper()
    return text.replace(" ", "  ") if luck < 0.14 else value


def otherwise(chance: Random, date: str) -> str:
    year, month, day_ = date.split("-")
    name = MONTHS[int(month) - 1]
    return chance.choice(
        (f"{month}/{day_}/{year}", f"{day_}.{month}.{year}", f"{day_} {name} {year}")
    )


def nothing_shared(chance: Random, row: Row) -> Row:
    price = float(str(row["unit_price"]))
    number = int(str(row["quantity"]))
    return {
        "description": f"x{row['description']}y",
        "quantity": number + 1000,
        "unit_price": price + 1000,
        "amount": round(2 * number * price + 7, 2),
    }


def one_value_shared(chance: Random, row: Row) -> Row:
    return {**nothing_shared(chance, row), "quantity": row["quantity"]}


def one_value_wrong(chance: Random, row: Row) -> Row:
    key = chance.choice([*row])
    return {**row, key: nothing_shared(chance, row)[key]}


def with_gaps(chance: Random, row: Row) -> Row:
    kept = {key: value for key, value in row.items() if chance.random() > 0.2}
    return {key: one_value_shared(chance, row)[key] for key in kept}


def common_words(chance: Random, row: Row) -> Row:
    words = " ".join(chance.choices(KINDS, k=6))
    return {
        "description": f"{words} {row['description']}",
        "amount": nothing_shared(chance, row)["amount"],
    }


def of_few_values(chance: Random, row: Row) -> Row:
    values = {key: f"{key} {chance.randrange(10)}" for key in ("size", "colour", "shelf")}
    kept = {key: value for key, value in values.items() if chance.random() > 0.2}
    return {**kept, "description": f"{row['description']} {chance.random():.6f}"}


def with_rows_inside(chance: Random, row: Row) -> Row:
    inside = [{"lot": chance.randrange(60), "count": f"{chance.random():.3f}"} for _ in range(2)]
    return {"description": f"{row['description']} {chance.random():.6f}", "lots": inside}


WRONG: dict[str, Callable[[Random, Row], Row]] = {
    "that share nothing": nothing_shared,
    "that share one value": one_value_shared,
    "with one value wrong": one_value_wrong,
    "with gaps": with_gaps,
}
"""How a row of gold becomes a wrong one."""
NESTED = "with rows inside"
UNRELATED: dict[str, Callable[[Random, Row], Row]] = {
    "of common words": common_words,
    "of few values": of_few_values,
    NESTED: with_rows_inside,
}
"""What rows of gold are made like, and rows of pred as well."""
WRONG_ROWS = (*WRONG, *(kind for kind in UNRELATED if kind != NESTED))


def write_wrong(folder: Path, *, rows: int, kind: str, seed: int = 7) -> None:
    """Write one document of which no row is right; rows of pred stand in another order."""
    chance = Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    if kind in UNRELATED:
        make = UNRELATED[kind]
        golds, preds = ([make(chance, item(chance)) for _ in range(rows)] for _ in range(2))
    else:
        golds = [item(chance) for _ in range(rows)]
        preds = [WRONG[kind](chance, row) for row in golds]
    chance.shuffle(preds)
    write_lines(folder, [{"line_items": golds}], [{"line_items": preds}])


def write_long_text(folder: Path, *, size: int, wrong: float, seed: int = 7) -> None:
    """Write one document with one text of which a share of the characters is wrong."""
    chance = Random(seed)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(3000)]
    text = "".join(_endless(chance, words, size))[:size]
    read = "".join(
        chance.choice(("", "#", letter * 2)) if chance.random() < wrong else letter
        for letter in text
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder, [{"title": "A page", "text": text}], [{"title": "A page", "text": read}])


def _endless(chance: Random, words: list[str], size: int) -> Iterator[str]:
    written = 0
    while written < size:
        word = chance.choice(words) + " "
        written += len(word)
        yield word
