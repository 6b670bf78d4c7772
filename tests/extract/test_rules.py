"""The extractor without a model: labels, types, places and tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.extract.boxes import with_boxes
from docassay.extract.labels import cells_of, label_score, phrases
from docassay.extract.ocr import OcrText, OcrWord, text_as_words
from docassay.extract.rules import extract_by_rules
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from tests.growth import growth

ITEMS = GroupSpec(
    "items",
    (
        Field("items.description", "text"),
        Field("items.quantity", "quantity"),
        Field("items.price", "money"),
        Field("items.total", "money"),
    ),
)
OWN = (
    Field("company", "name"),
    Field("company_address", "address"),
    Field("invoice_number", "id"),
    Field("invoice_date", "date"),
    Field("due_date", "date"),
    Field("customer_name", "name"),
    Field("customer_address", "address"),
    Field("subtotal", "money"),
    Field("tax", "money"),
    Field("total", "money"),
    Field("is_tax_included", "boolean"),
)
SCHEMA = Schema(fields=OWN, groups=(ITEMS,))
INVOICE = """\
Harbour Supplies Ltd                                TAX INVOICE
12 Mill Road,                          Invoice no: INV-0042
Leeds LS1 4AP                          Date: 14 March 2025
                                       Due: 13/04/2025

Bill to:
Anna Lindqvist
7 High Street, York YO1 7HH

Description              Qty    Unit price     Amount
Drip line 300 mm           2        $12.50     $25.00
Hose clip, stainless      10         $0.75      $7.50
steel 16 mm

                              Subtotal         $32.50
                              VAT (20%)         $6.50
                              Amount due       $39.00
                              Tax not included
"""
RECEIPT = """\
        CAFE AURORA
   3 Quay Street, Hull HU1 2AB
           12/05/2025

Flat white
   2 x 3.50                   7.00
1 Lemon tart                  4.20
Soda                          1.80

TOTAL                        13.00
CASH                         20.00
CHANGE                        7.00
"""


def plain(tree: object) -> object:
    """A record without confidences and places."""
    if isinstance(tree, dict):
        if "value" in tree:
            return tree["value"]
        return {key: plain(value) for key, value in tree.items()}
    return [plain(item) for item in tree] if isinstance(tree, list) else tree


def found(text: str, schema: Schema = SCHEMA) -> dict[str, object]:
    record = plain(extract_by_rules(text_as_words(text), schema))
    assert isinstance(record, dict)
    return record


def test_an_invoice_is_read_whole() -> None:
    assert found(INVOICE) == {
        "company": "Harbour Supplies Ltd",
        "company_address": "12 Mill Road, Leeds LS1 4AP",
        "invoice_number": "INV-0042",
        "invoice_date": "14 March 2025",
        "due_date": "13/04/2025",
        "customer_name": "Anna Lindqvist",
        "customer_address": "7 High Street, York YO1 7HH",
        "subtotal": "$32.50",
        "tax": "$6.50",
        "total": "$39.00",
        "is_tax_included": "False",
        "items": [
            {
                "description": "Drip line 300 mm",
                "quantity": "2",
                "price": "$12.50",
                "total": "$25.00",
            },
            {
                "description": "Hose clip, stainless steel 16 mm",
                "quantity": "10",
                "price": "$0.75",
                "total": "$7.50",
            },
        ],
    }


def test_a_receipt_without_a_header_has_its_rows_by_their_amounts() -> None:
    record = found(RECEIPT)
    assert record["items"] == [
        {"description": "Flat white", "quantity": "2", "price": "3.50", "total": "7.00"},
        {"description": "Lemon tart", "quantity": "1", "total": "4.20"},
        {"description": "Soda", "total": "1.80"},
    ]
    assert record["total"] == "13.00"
    assert record["company"] == "CAFE AURORA"
    assert record["company_address"] == "3 Quay Street, Hull HU1 2AB"
    assert record["invoice_date"] == "12/05/2025"
    assert "due_date" not in record


CASES = {
    "a label above its value": (
        "Invoice number    Due date\nA-1077            01/02/2025",
        {"invoice_number": "A-1077", "due_date": "01/02/2025"},
    ),
    "a code of several groups": ("Invoice no 44 618 368", {"invoice_number": "44 618 368"}),
    "a label with a letter misread": ("Subtolal   9.00\nTotal   10.00",
                                      {"subtotal": "9.00", "total": "10.00"}),
    "a subtotal is no total": ("Subtotal   9.00", {"subtotal": "9.00"}),
    "a figure without any label is nobody's": ("9.00", {}),
    "an answer after a colon": ("Tax included: No\nTotal 5.00",
                                {"is_tax_included": "False", "total": "5.00"}),
    "a time behind a date": ("Due 25/12/2018 8:13:39 PM", {"due_date": "25/12/2018"}),
    "a name before its address": ("Sold to: Acme Centre\n5 Jacaranda Court, Hobart\nTotal 5.00",
                                  {"customer_name": "Acme Centre", "total": "5.00",
                                   "customer_address": "5 Jacaranda Court, Hobart"}),
    "a labelled address": ("Customer address: 5 Court, Hobart",
                           {"customer_address": "5 Court, Hobart"}),
    "an empty page": ("", {}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_values_are_taken_by_their_labels(text: str, expected: dict[str, object]) -> None:
    own = tuple(field for field in OWN if "company" not in field.path)
    assert found(text, Schema(fields=own)) == expected


def test_headers_and_figures_of_narrow_columns_may_touch() -> None:
    text = "Item          Qty Unit price Total\nLamp A4 brass   2 $146.70 $293.40\n"
    assert found(text)["items"] == [
        {"description": "Lamp A4 brass", "quantity": "2", "price": "$146.70", "total": "$293.40"}
    ]


def test_a_table_goes_on_under_its_header_on_the_next_page() -> None:
    head = "Description      Qty    Price    Total"
    rows = ("Lamp               1     4.00     4.00", "Bulb               2     1.00     2.00")
    text = "\f".join(f"{head}\n{row}" for row in rows)
    assert [row["description"] for row in found(text)["items"]] == ["Lamp", "Bulb"]  # type: ignore[index]


def test_the_stated_type_of_a_document_decides_what_is_looked_for() -> None:
    types = (
        DocumentType("receipt", ("sales receipt",), ("kind", "total")),
        DocumentType("bank_statement", ("statement",), ("kind", "period")),
    )
    own = (Field("total", "money"), Field("period", "date_range"))
    schema = Schema(fields=own, types=types, type_field="kind")
    text = "SALES RECEIPT\nTotal 5.00\nPeriod 01/02/2025 to 28/02/2025"
    assert found(text, schema) == {"kind": "SALES RECEIPT", "total": "5.00"}
    text = text.replace("SALES RECEIPT", "Bank statement")
    assert found(text, schema) == {"kind": "Bank statement", "period": "01/02/2025 to 28/02/2025"}


def test_fields_of_a_section_stand_in_it_and_choices_are_found() -> None:
    section = GroupSpec("sums", (Field("sums.total", "money"),), section=True)
    currency = Field("currency", "choice", {"choices": ["EUR", "USD"]})
    record = found("Total 5.00\nPaid in USD", Schema(fields=(currency,), groups=(section,)))
    assert record == {"currency": "USD", "sums": {"total": "5.00"}}


def test_a_leaf_says_how_sure_it_is_and_where_it_stands() -> None:
    words = (
        OcrWord("Total", 0, 5, 2, (0.1, 0.5, 0.2, 0.52), 0.9),
        OcrWord("$5.00", 7, 12, 2, (0.6, 0.5, 0.7, 0.52), 0.5),
    )
    record = extract_by_rules(
        OcrText("Total  $5.00", words), Schema(fields=(Field("total", "money"),))
    )
    assert record == {
        "total": {"value": "$5.00", "confidence": 0.5, "page": 2, "box": [0.6, 0.5, 0.7, 0.52]}
    }


@pytest.mark.parametrize(
    ("name", "label", "least", "most"),
    [
        ("invoice_date", "Invoice date", 1, 1),
        ("invoiceDate", "Date of issue:", 0.7, 0.95),
        ("total", "Grand total", 0.8, 1),
        ("total", "Subtotal", 0, 0),
        ("tax_amount", "GST (10%)", 0.8, 1),
        ("total", "Total number of pages", 0.3, 0.6),
        ("date", "", 0, 0),
    ],
)
def test_a_label_fits_a_name_more_or_less(name: str, label: str, least: float, most: float) -> None:
    assert least <= label_score(label, phrases(Field(name))) <= most


@given(st.text(alphabet="ab1 .:$\n\f", max_size=60))
def test_any_text_is_survived_and_cells_are_where_they_say(text: str) -> None:
    cells = [cell for line in cells_of(text) for cell in line]
    assert all(text[cell.start : cell.end] == cell.text for cell in cells)
    extract_by_rules(text_as_words(text), SCHEMA)


def boxed(*words: str) -> OcrText:
    """Words side by side, each a tenth of the page wide."""
    parts, length = [], 0
    for number, word in enumerate(words):
        box = (number / 10, 0.0, (number + 1) / 10, 1.0)
        parts.append(OcrWord(word, length, length + len(word), 1, box, None))
        length += len(word) + 1
    return OcrText(" ".join(words), tuple(parts))


def test_values_of_a_model_get_the_boxes_of_their_words() -> None:
    text = boxed("Acme", "Ltd,", "$1,234.50", "14/03/2025")
    record = {
        "name": "ACME LTD",
        "total": {"value": "1234.50", "confidence": 0.7},
        "date": "2025-03-14",
        "paid": True,
        "note": None,
        "tags": ["Acme"],
    }
    assert with_boxes(record, text) == {
        "name": {"value": "ACME LTD", "page": 1, "box": [0.0, 0.0, 0.2, 1.0]},
        "total": {"value": "1234.50", "confidence": 0.7, "page": 1, "box": [0.2, 0.0, 0.3, 1.0]},
        "date": "2025-03-14",
        "paid": True,
        "note": None,
        "tags": [{"value": "Acme", "page": 1, "box": [0.0, 0.0, 0.1, 1.0]}],
    }


def test_values_of_a_row_stand_near_each_other() -> None:
    text = boxed("5.00", "Tea", "5.00", "Cake", "5.00")
    rows = with_boxes({"rows": [{"x": "Cake", "y": "5.00"}, {"x": "Tea", "y": "5.00"}]}, text)
    boxes = [[leaf["box"][0] for leaf in row.values()] for row in rows["rows"]]  # type: ignore[attr-defined]
    assert boxes == [[0.3, 0.2], [0.1, 0.0]]


def test_only_whole_words_are_a_place() -> None:
    assert with_boxes({"total": "5.00"}, boxed("15.00", "5.001")) == {"total": "5.00"}
    assert with_boxes({"total": "---"}, boxed("15.00")) == {"total": "---"}


def test_a_value_of_two_lines_has_a_box_without_what_stands_between() -> None:
    words = (
        OcrWord("ACME", 0, 4, 1, (0.1, 0.10, 0.3, 0.12), None),
        OcrWord("1", 5, 6, 1, (0.1, 0.20, 0.12, 0.22), None),
        OcrWord("Road,", 7, 12, 1, (0.13, 0.20, 0.3, 0.22), None),
        OcrWord("Page", 16, 20, 1, (0.8, 0.20, 0.9, 0.22), None),
        OcrWord("York", 21, 25, 1, (0.1, 0.30, 0.2, 0.32), None),
        OcrWord("YO1", 26, 29, 1, (0.21, 0.30, 0.3, 0.32), None),
    )
    text = OcrText("ACME\n1 Road,    Page\nYork YO1", words)
    record = extract_by_rules(text, Schema(fields=(Field("address", "address"),)))
    assert record["address"] == {
        "value": "1 Road, York YO1",
        "confidence": 0.8,
        "page": 1,
        "box": [0.1, 0.2, 0.3, 0.32],
    }


def invoice(rows: int) -> OcrText:
    head = "Description            Qty     Price       Total\n"
    lines = (f"Item {row:<18} {2:>3} {row + 1:>6}.00 {2 * row + 2:>8}.00\n" for row in range(rows))
    return text_as_words(f"{INVOICE.split('Description')[0]}{head}{''.join(lines)}Total  9.00")


def test_work_grows_with_the_rows_of_a_page() -> None:
    extract_by_rules(invoice(20), SCHEMA)
    assert growth(lambda text: extract_by_rules(text, SCHEMA), invoice(50), invoice(200)) < 6
    records = {rows: plain(extract_by_rules(invoice(rows), SCHEMA)) for rows in (50, 200)}
    pairs = [(records[rows], invoice(rows)) for rows in (50, 200)]
    assert growth(lambda pair: with_boxes(*pair), *pairs) < 6  # type: ignore[arg-type]
