"""Responses parsed per CPU second, with `json.loads` as the floor, in one interleaved run.

    python benchmarks/parse.py [--rounds 7] [--count 2000]

The response is an invoice with eight rows, about 1 kB: as strict JSON, in a code fence, with prose
around it, as Python prints it, cut off in the middle of a row, and as FIELD: value lines. The floor
reads the strict form only, and builds floats where docassay keeps the digits and looks for keys
that stand twice.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

from docassay import parse_response

ROWS = 8


def invoice(number: int) -> dict[str, object]:
    """Return an invoice with eight rows; no two are alike."""
    return {
        "invoice_number": f"INV-{number:05}",
        "date": f"2024-03-{number % 28 + 1:02}",
        "supplier": "Harbour Café & Bakery Pty Ltd",
        "abn": "12 345 678 901",
        "currency": "AUD",
        "paid": number % 2 == 0,
        "due": None,
        "line_items": [
            {
                "description": f"Item {number}-{row}, boxed",
                "quantity": row + 1,
                "unit_price": 2.25 + row,
                "total": f"${1000 + number + row:,}.50",
            }
            for row in range(ROWS)
        ],
        "total": 1234.25 + number,
    }


def lines(tree: dict[str, object]) -> str:
    """Return an invoice as FIELD: value lines, its rows as columns with bars."""
    rows = tree["line_items"]
    assert isinstance(rows, list)
    columns = {
        f"LINE_ITEM_{name.upper()}": " | ".join(str(row[name]) for row in rows) for name in rows[0]
    }
    plain = {key.upper(): value for key, value in tree.items() if key != "line_items"}
    return "\n".join(f"{key}: {value}" for key, value in {**plain, **columns}.items())


def forms(count: int) -> dict[str, list[str]]:
    """Return the same invoices in every form."""
    trees = [invoice(number) for number in range(count)]
    strict = [json.dumps(tree, ensure_ascii=False) for tree in trees]
    return {
        "strict JSON": strict,
        "pretty JSON": [json.dumps(tree, indent=2, ensure_ascii=False) for tree in trees],
        "in a fence": [f"```json\n{text}\n```" for text in strict],
        "prose around a fence": [
            f"Here it is:\n```json\n{text}\n```\nAll done." for text in strict
        ],
        "as Python prints it": [repr(tree) for tree in trees],
        "cut off in a row": [text[: len(text) * 2 // 3] for text in strict],
        "FIELD: value lines": [lines(tree) for tree in trees],
    }


def seconds(function: Callable[[str], object], texts: list[str]) -> float:
    """Return the CPU seconds that all texts take."""
    start = time.process_time()
    for text in texts:
        function(text)
    return time.process_time() - start


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--count", type=int, default=2000)
    chosen = options.parse_args()
    texts = forms(chosen.count)
    jobs: dict[str, tuple[Callable[[str], object], list[str]]] = {
        "json.loads, strict JSON": (json.loads, texts["strict JSON"]),
        **{name: (parse_response, all_of_it) for name, all_of_it in texts.items()},
    }
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(chosen.rounds):
        for name, (function, own) in jobs.items():
            times[name].append(seconds(function, own))
    floor = times["json.loads, strict JSON"]
    print(f"{'':24} {'characters':>10} {'per CPU s':>10} {'times json.loads':>17}  outcome")
    for name, (function, own) in jobs.items():
        ratio = statistics.median(a / b for a, b in zip(times[name], floor, strict=True))
        rate = chosen.count / statistics.median(times[name])
        outcome = "" if function is json.loads else parse_response(own[0]).outcome
        print(f"{name:24} {len(own[0]):>10,} {rate:>10,.0f} {ratio:>17.1f}  {outcome}")


if __name__ == "__main__":
    main()
