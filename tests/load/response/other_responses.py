"""Responses in lines, tables, tokens and tags, and responses without any record."""

from __future__ import annotations

from tests.load.response.json_responses import Case

LINES: list[Case] = [
    (
        "fields in capitals",
        "DOCUMENT_TYPE: INVOICE\nBUSINESS_ABN: 12 345 678 901\nTOTAL_AMOUNT: $1,234.56\n",
        {
            "DOCUMENT_TYPE": "INVOICE",
            "BUSINESS_ABN": "12 345 678 901",
            "TOTAL_AMOUNT": "$1,234.56",
        },
        "clean",
        (),
    ),
    (
        "placeholders between bars",
        "LINE_ITEM_NAMES: Tea | Cake | Pie\nLINE_ITEM_PRICES: NOT_FOUND | $111.69 | NOT_FOUND",
        {
            "LINE_ITEM_NAMES": "Tea | Cake | Pie",
            "LINE_ITEM_PRICES": "NOT_FOUND | $111.69 | NOT_FOUND",
        },
        "clean",
        (),
    ),
    (
        "an address of several lines, one of them with a colon",
        "PAYER_ADDRESS: 1 High St\nAttn: Bob\nSydney NSW 2000\nGST_AMOUNT: NOT_FOUND",
        {"PAYER_ADDRESS": "1 High St\nAttn: Bob\nSydney NSW 2000", "GST_AMOUNT": "NOT_FOUND"},
        "clean",
        (),
    ),
    (
        "times and addresses of the web",
        "Time: 12:30\nWebsite: http://acme.example\nOpen 9:00 to 17:00",
        {"Time": "12:30", "Website": "http://acme.example\nOpen 9:00 to 17:00"},
        "clean",
        (),
    ),
    (
        "no space behind the colon",
        "TOTAL:12.50\nDATE:3/4/2024",
        {"TOTAL": "12.50", "DATE": "3/4/2024"},
        "clean",
        (),
    ),
    (
        "a field without value",
        "SUPPLIER_NAME:\nTOTAL: 5",
        {"SUPPLIER_NAME": "", "TOTAL": "5"},
        "clean",
        (),
    ),
    (
        "prose around",
        "Here is the extracted information:\n\nTotal: $5.00\nDate: 3 April 2024\n\nLet me know!",
        {"Total": "$5.00", "Date": "3 April 2024"},
        "repaired",
        ("text around the fields",),
    ),
    (
        "bold keys in bullets",
        "Based on the image:\n\n- **Invoice Number:** INV-1\n- **Total Amount**: $5\n",
        {"Invoice Number": "INV-1", "Total Amount": "$5"},
        "repaired",
        ("text around the fields", "Markdown marks"),
    ),
    (
        "numbered fields",
        "1. **Vendor:** Acme\n2. **Total:** 5",
        {"Vendor": "Acme", "Total": "5"},
        "repaired",
        ("Markdown marks",),
    ),
    (
        "bullets below a key",
        "ITEMS:\n- Tea, black\n- Cake\nTOTAL: 5",
        {"ITEMS": ["Tea, black", "Cake"], "TOTAL": "5"},
        "clean",
        (),
    ),
    (
        "an empty bullet keeps its slot",
        "ITEMS:\n- Tea\n-\n- Cake",
        {"ITEMS": ["Tea", "", "Cake"]},
        "clean",
        (),
    ),
    (
        "stars and numbers below a key",
        "Items:\n* Tea\n* Cake\nPrices:\n1. 2.50\n2. 1,000.00",
        {"Items": ["Tea", "Cake"], "Prices": ["2.50", "1,000.00"]},
        "clean",
        (),
    ),
    (
        "indented blocks",
        "vendor:\n  name: Acme\n  abn: 012\ntotal: 5.00",
        {"vendor": {"name": "Acme", "abn": "012"}, "total": "5.00"},
        "clean",
        (),
    ),
    (
        "rows of indented fields",
        "total: 5\nline_items:\n  - name: Tea\n    price: 2\n  - name: Cake\n    price: 3",
        {
            "total": "5",
            "line_items": [{"name": "Tea", "price": "2"}, {"name": "Cake", "price": "3"}],
        },
        "clean",
        (),
    ),
    (
        "rows of one field each",
        "line_items:\n- name: Tea\n- name: Cake",
        {"line_items": [{"name": "Tea"}, {"name": "Cake"}]},
        "clean",
        (),
    ),
    (
        "a section of bullets",
        "**Vendor:**\n- Name: Acme\n- ABN Number: 12",
        {"Vendor": {"Name": "Acme", "ABN Number": "12"}},
        "repaired",
        ("Markdown marks",),
    ),
    (
        "headings over fields are no fields",
        "## Invoice\nNumber: 1\n## Payment\nTotal: 5",
        {"Number": "1", "Total": "5"},
        "repaired",
        ("Markdown marks",),
    ),
    (
        "headings that keep equal fields apart",
        "## Seller\nName: Acme\n## Buyer\nName: Bob",
        {"Name": "Acme", "Buyer": {"Name": "Bob"}},
        "repaired",
        ("Markdown marks",),
    ),
    (
        "a list as a text",
        "NAMES: ['Tea', 'Cake']\nTOTAL: 5",
        {"NAMES": ["Tea", "Cake"], "TOTAL": "5"},
        "repaired",
        ("list as text: NAMES",),
    ),
    (
        "rows in a field",
        'SUPPLIER: Acme\nLINE_ITEMS: [{"name": "Tea"}]\nTOTAL: 5',
        {"SUPPLIER": "Acme", "LINE_ITEMS": [{"name": "Tea"}], "TOTAL": "5"},
        "repaired",
        ("list as text: LINE_ITEMS",),
    ),
    (
        "a field twice",
        "TOTAL: 5\nDATE: x\nTOTAL: 6",
        {"TOTAL": "6", "DATE": "x"},
        "repaired",
        ("duplicate key: TOTAL",),
    ),
    (
        "lines in a fence",
        "```\nTOTAL: 5\nDATE: 3/4/24\n```",
        {"TOTAL": "5", "DATE": "3/4/24"},
        "clean",
        ("code fence",),
    ),
    (
        "a note is no field",
        "TOTAL: 5\n\nNote: the date is hard to read.",
        {"TOTAL": "5"},
        "repaired",
        ("text around the fields",),
    ),
    (
        "another script",
        "合計: 1,200円\n日付：2024年3月1日",
        {"合計": "1,200円", "日付": "2024年3月1日"},
        "clean",
        (),
    ),
    (
        "a value of several lines below a blank one",
        "ADDRESS:\n\n1 High St\nSydney\n\nTOTAL: 5",
        {"ADDRESS": "1 High St\nSydney", "TOTAL": "5"},
        "clean",
        (),
    ),
    (
        "bullets below a heading",
        "# Items\n- Tea\n- Cake\n\n# Sum\nTotal: 5",
        {"Items": ["Tea", "Cake"], "Total": "5"},
        "repaired",
        ("Markdown marks",),
    ),
    ("windows line ends", "TOTAL: 5\r\nDATE: x\r\n", {"TOTAL": "5", "DATE": "x"}, "clean", ()),
    ("a value in quotes", 'Total: "5.00"', {"Total": "5.00"}, "repaired", ("Markdown marks",)),
]

TABLES: list[Case] = [
    (
        "fields and values",
        "| Field | Value |\n|---|---|\n| Total | $1,234.56 |\n| Date | 3/4/2024 |",
        {"Total": "$1,234.56", "Date": "3/4/2024"},
        "clean",
        (),
    ),
    (
        "bold fields among prose",
        "Here you go:\n\n| Field | Extracted Value |\n|:--|--:|\n| **Total** | 5 |\n\nAnything up?",
        {"Total": "5"},
        "repaired",
        ("text around the fields",),
    ),
    (
        "rows below a heading",
        "Total: 5\n\n### Line Items\n\n| Name | Price |\n|---|---|\n| Tea | 1,000 |\n| Cake | |",
        {
            "Total": "5",
            "Line Items": [{"Name": "Tea", "Price": "1,000"}, {"Name": "Cake", "Price": ""}],
        },
        "repaired",
        ("Markdown marks",),
    ),
    (
        "rows below a key",
        "LINE_ITEMS:\n\n| Name | Price |\n|---|---|\n| Tea | 2 |\n\nTOTAL: 5",
        {"LINE_ITEMS": [{"Name": "Tea", "Price": "2"}], "TOTAL": "5"},
        "clean",
        (),
    ),
    (
        "columns without a name",
        "| Name | Price |\n|---|---|\n| Tea | 2 |\n| Cake | 3 |",
        {"Name": ["Tea", "Cake"], "Price": ["2", "3"]},
        "clean",
        (),
    ),
    (
        "one row without a name",
        "| Date | Total |\n|---|---|\n| 3/4 | 5 |",
        {"Date": "3/4", "Total": "5"},
        "clean",
        (),
    ),
]

TOKENS: list[Case] = [
    (
        "a receipt of Donut",
        "<s_menu><s_nm>Pear</s_nm><s_price>1,000</s_price><sep/><s_nm>Tea</s_nm></s_menu>"
        "<s_total><s_total_price>5</s_total_price></s_total>",
        {"menu": [{"nm": "Pear", "price": "1,000"}, {"nm": "Tea"}], "total": {"total_price": "5"}},
        "clean",
        (),
    ),
    (
        "a task and an end",
        "<s_cord-v2><s_menu><s_nm>Pear</s_nm></s_menu></s>",
        {"menu": {"nm": "Pear"}},
        "clean",
        (),
    ),
    (
        "a task of one's own and an end",
        "<s><s_bills><s_total>5</s_total></s>",
        {"total": "5"},
        "clean",
        (),
    ),
    (
        "values of a token",
        "<s_nm>Tea<sep/>Cake<sep/></s_nm>",
        {"nm": ["Tea", "Cake", ""]},
        "clean",
        (),
    ),
    ("an empty token", "<s_nm></s_nm><s_total>5</s_total>", {"nm": "", "total": "5"}, "clean", ()),
    (
        "tokens cut off",
        "<s_menu><s_nm>Pear</s_nm><s_price>1,0",
        {"menu": {"nm": "Pear"}},
        "partial",
        ("cut off: 2 tokens closed", "value cut off: price"),
    ),
    (
        "a token that is not closed",
        "<s_menu><s_nm>Pear<s_price>1</s_price></s_menu>",
        {"menu": {"nm": {"price": "1"}}},
        "partial",
        ("text around the fields", "unclosed token: nm"),
    ),
    (
        "a token that was never opened",
        "<s_nm>Tea</s_nm></s_price>",
        {"nm": "Tea"},
        "repaired",
        ("extra token: price",),
    ),
    (
        "tags",
        "<invoice><total>12</total><date>3/4</date></invoice>",
        {"total": "12", "date": "3/4"},
        "clean",
        (),
    ),
    (
        "repeated tags among prose",
        "The answer:\n<total>5</total>\n<item>Tea</item>\n<item>Cake &amp; Pie</item>",
        {"total": "5", "item": ["Tea", "Cake & Pie"]},
        "repaired",
        ("text around the fields",),
    ),
    (
        "rows of tags",
        "<items><item><name>Tea</name></item><item><name>Pie</name></item></items><n>2</n>",
        {"items": {"item": [{"name": "Tea"}, {"name": "Pie"}]}, "n": "2"},
        "clean",
        (),
    ),
]

NOTHING: list[Case] = [
    (reason, text, {}, "unparseable", (why,))
    for reason, text, why in [
        ("an empty text", "", "empty"),
        ("blanks", " \n\t\n", "empty"),
        ("thoughts alone", "<think>Hm.</think>\n", "empty"),
        (
            "a refusal",
            "I'm sorry, but I can't help with extracting personal data.",
            "no record found",
        ),
        (
            "a refusal with a colon",
            "Unfortunately, the image is blurry: I cannot read it.",
            "no record found",
        ),
        ("an error", "Error: image could not be processed", "no record found"),
        ("a list without objects", '["Tea", "Cake"]', "no record found"),
        ("a number", "12.50", "no record found"),
        ("null", "null", "no record found"),
        ("an opening bracket", "{", "no record found"),
        ("a prompt without an answer", "Here is the JSON:", "no record found"),
        ("too many levels", '{"a":' * 600 + "1" + "}" * 600, "nested too deeply"),
        ("too many tokens", "<s_a>" * 600, "nested too deeply"),
    ]
]

CASES = [*LINES, *TABLES, *TOKENS, *NOTHING]
