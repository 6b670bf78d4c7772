"""Pages of generated documents: what is printed where, as a text or as a picture of a scan.

A page is plain data first: lines of texts with places, from the values of gold and from a style
that is drawn for each document (labels, columns, dates, fonts). A picture adds what scanning does:
a slope, a tint, blur, noise and the traces of JPEG.
"""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.analysis.draw import Draw, between, pick, stream
from docassay.errors import UnknownName
from docassay.extract.documents import require_pillow
from docassay.run.output import write_bytes, writing
from docassay.synth.documents import Gold, gold_document

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

FORMS = ("jpg", "txt")
"""What pages can be written as."""
LEFT, CENTRE, RIGHT = "l", "m", "r"
FONTS = ("DejaVuSans", "DejaVuSansMono", "DejaVuSerif", "STIXGeneral", "")
"""Files that matplotlib brings; "" is Pillow's own."""
BOLD = {"STIXGeneral": "STIXGeneralBol"}
"""The bold face of a font whose name does not end in -Bold."""
SYSTEM_FONTS = Path("/usr/share/fonts/truetype/dejavu")
DATES = ("%d/%m/%Y", "%d-%m-%Y", "%d %b %Y", "%d %B %Y", "%Y-%m-%d")
ARRIVING = "Amount due", "Total", "TOTAL", "Total amount", "Grand total", "Balance due"


class Mark(NamedTuple):
    """A text on a page: where it is fixed, in fractions of the width and in lines, and how."""

    text: str
    x: float
    line: float
    anchor: str = LEFT
    bold: bool = False


class Sheet(NamedTuple):
    """A page to print: its marks, its height in lines, its width in letters, and its font."""

    marks: tuple[Mark, ...]
    lines: float
    letters: int
    font: str


def sheet_of(gold: Gold, *, seed: int, index: int) -> Sheet:
    """Return the page of a gold document."""
    draw = stream(seed, index, "page")
    pen = _Pen(draw)
    writers = {"receipt": _receipt, "invoice": _invoice, "bank_statement": _statement}
    letters = writers[gold.kind](gold, pen)
    return Sheet(tuple(pen.marks), pen.line + 2, letters, pick(draw, FONTS))


class _Pen:
    """Where the next line goes, and the draws of the page's style."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.marks: list[Mark] = []
        self.line = 2.0
        self.dates = pick(draw, DATES)

    def write(self, *parts: Mark, step: float = 1.0) -> None:
        """Put parts on the current line and go on to the next."""
        self.marks += (part._replace(line=self.line) for part in parts if part.text)
        self.line += step

    def day(self, text: str) -> str:
        """Return a day of gold as this page writes days."""
        return dt.datetime.strptime(text, "%d/%m/%Y").strftime(self.dates)

    def pick(self, *options: str) -> str:
        """Return one of the options."""
        return pick(self.draw, options)


def _mark(text: str, x: float, anchor: str = LEFT, *, bold: bool = False) -> Mark:
    return Mark(text, x, 0.0, anchor, bold)


def _receipt(gold: Gold, pen: _Pen) -> int:
    """Print a receipt and return its width in letters; so do the others."""
    fields = gold.fields
    for text in (fields["SUPPLIER_NAME"], *_split(fields["BUSINESS_ADDRESS"], pen)):
        pen.write(_mark(text, 0.5, CENTRE, bold=text == fields["SUPPLIER_NAME"]))
    if "BUSINESS_ABN" in fields:
        pen.write(_mark(f"ABN{pen.pick(':', '')} {fields['BUSINESS_ABN']}", 0.5, CENTRE))
    pen.write(_mark(fields["DOCUMENT_TYPE"], 0.5, CENTRE, bold=True), step=1.6)
    pen.write(_mark(f"{pen.pick('Date: ', 'Date ')}{pen.day(fields['INVOICE_DATE'])}", 0.05))
    _payer(gold, pen, pen.pick("Customer:", "Sold to:"), beside=True)
    pen.line += 0.6
    table = pen.draw() < 0.5
    if table:
        _table(gold.rows, pen, _wide_columns(pen))
    else:
        for row in gold.rows:
            pen.write(_mark(row["description"], 0.05))
            sign = pen.pick("x", "@")
            times = f"{row['quantity']} {sign} {row['price']}"
            pen.write(_mark(times, 0.1), _mark(row["total"], 0.95, RIGHT))
    pen.line += 0.6
    _totals(gold, pen, 0.05)
    pen.write(_mark(pen.pick("Thank you", "Thank you for your visit", ""), 0.5, CENTRE))
    return 66 if table else 46


def _invoice(gold: Gold, pen: _Pen) -> int:
    fields = gold.fields
    title = _mark(fields["DOCUMENT_TYPE"], 0.95, RIGHT, bold=True)
    pen.write(_mark(fields["SUPPLIER_NAME"], 0.05, bold=True), title, step=1.3)
    label = pen.pick("Invoice date:", "Date:", "Date of issue:")
    day = _mark(f"{label} {pen.day(fields['INVOICE_DATE'])}", 0.95, RIGHT)
    for number, text in enumerate(_split(fields["BUSINESS_ADDRESS"], pen)):
        pen.write(_mark(text, 0.05), *([] if number else [day]))
    if "BUSINESS_ABN" in fields:
        pen.write(_mark(f"ABN{pen.pick(':', '')} {fields['BUSINESS_ABN']}", 0.05))
    pen.line += 1
    _payer(gold, pen, pen.pick("Bill to:", "Billed to", "Invoice to:"), beside=False)
    pen.line += 1
    _table(gold.rows, pen, _wide_columns(pen))
    pen.line += 1
    _totals(gold, pen, 0.62)
    return 92


def _statement(gold: Gold, pen: _Pen) -> int:
    first, last = gold.fields["STATEMENT_DATE_RANGE"].split(" to ")
    pen.write(_mark(gold.fields["DOCUMENT_TYPE"], 0.05, bold=True), step=1.6)
    label = pen.pick("Statement period:", "Period:")
    pen.write(_mark(f"{label} {pen.day(first)} to {pen.day(last)}", 0.05), step=2)
    columns = (
        _Column("date", pen.pick("Date", "Transaction date"), 0.05, LEFT),
        _Column("description", pen.pick("Description", "Details"), 0.2, LEFT),
        _Column("amount_paid", pen.pick("Debit", "Paid", "Withdrawals"), 0.68, RIGHT),
        _Column("amount_received", pen.pick("Credit", "Received", "Deposits"), 0.82, RIGHT),
        _Column("balance", "Balance", 0.96, RIGHT),
    )
    rows = [{**row, "date": pen.day(row["date"])} for row in gold.rows]
    _table(rows, pen, columns)
    return 100


class _Column(NamedTuple):
    field: str
    head: str
    x: float
    anchor: str


def _wide_columns(pen: _Pen) -> tuple[_Column, ...]:
    return (
        _Column("description", pen.pick("Description", "Item", "Details"), 0.05, LEFT),
        _Column("quantity", pen.pick("Qty", "Quantity"), 0.66, RIGHT),
        _Column("price", pen.pick("Price", "Unit price", "Rate"), 0.82, RIGHT),
        _Column("total", pen.pick("Total", "Amount"), 0.96, RIGHT),
    )


def _table(rows: Sequence[Mapping[str, str]], pen: _Pen, columns: Sequence[_Column]) -> None:
    pen.write(*(_mark(column.head, column.x, column.anchor, bold=True) for column in columns))
    pen.line += 0.3
    for row in rows:
        pen.write(*(_mark(row.get(name, ""), x, anchor) for name, _, x, anchor in columns))


def _payer(gold: Gold, pen: _Pen, label: str, *, beside: bool) -> None:
    name, place = gold.fields.get("PAYER_NAME"), gold.fields.get("PAYER_ADDRESS")
    if name is None:
        return
    if beside:
        pen.write(_mark(f"{label} {name}", 0.05))
    else:
        pen.write(_mark(label, 0.05))
        pen.write(_mark(name, 0.05))
    for text in [] if place is None else _split(place, pen):
        pen.write(_mark(text, 0.05))


def _totals(gold: Gold, pen: _Pen, x: float) -> None:
    tax = gold.fields.get("GST_AMOUNT")
    if tax is not None:
        label = pen.pick("GST", "GST amount", "GST (10%)")
        pen.write(_mark(label, x), _mark(tax, 0.96, RIGHT))
    total = _mark(pen.pick(*ARRIVING), x, bold=True)
    pen.write(total, _mark(gold.fields["TOTAL_AMOUNT"], 0.96, RIGHT, bold=True))
    if gold.fields["IS_GST_INCLUDED"] == "True":
        note = pen.pick("GST included: Yes", "Total is GST included", "GST included")
    else:
        note = pen.pick("GST included: No", "GST not included")
    pen.write(_mark(note, x))


def _split(place: str, pen: _Pen) -> list[str]:
    """Return an address in one line or in two."""
    if pen.draw() < 0.5:
        return [place]
    street, comma, town = place.rpartition(", ")
    return [f"{street}{comma}".rstrip(), town] if street else [place]


def sheet_text(sheet: Sheet) -> str:
    """Return a page as text of a fixed width."""
    rows: dict[float, str] = {}
    for mark in sorted(sheet.marks, key=lambda mark: (mark.line, mark.x)):
        column = round(mark.x * sheet.letters)
        shift = {LEFT: 0, CENTRE: len(mark.text) // 2, RIGHT: len(mark.text)}[mark.anchor]
        row = rows.get(mark.line, "")
        least = len(row) + 2 if row else 0
        rows[mark.line] = row.ljust(max(column - shift, least)) + mark.text
    text, last = "", 0.0
    for line in sorted(rows):
        text += "\n" if text and line - last > 1.5 else ""
        text += rows[line].rstrip() + "\n"
        last = line
    return text


def sheet_image(sheet: Sheet, *, seed: int, index: int) -> bytes:
    """Return a page as the JPEG of a scan."""
    require_pillow()
    from PIL import Image, ImageDraw

    draw = stream(seed, index, "scan")
    size = between(draw, 22, 28)
    margin = size * 2
    font, bold = _font(sheet.font, size, bold=False), _font(sheet.font, size, bold=True)
    letter = font.getlength("0123456789 total amount") / 23
    width = round(sheet.letters * letter * 1.12) + 2 * margin
    image = Image.new("L", (width, round((sheet.lines + 1) * size * 1.45) + 2 * margin), 255)
    canvas = ImageDraw.Draw(image)
    for mark in sheet.marks:
        place = (margin + mark.x * (width - 2 * margin), margin + mark.line * size * 1.45)
        face = bold if mark.bold else font
        canvas.text(place, mark.text, font=face, fill=0, anchor=f"{mark.anchor}a")
    return _scanned(image, draw)


def _font(name: str, size: int, *, bold: bool) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    face = BOLD.get(name, f"{name}-Bold") if bold else name
    for folder in _font_folders() if name else ():
        if (folder / f"{face}.ttf").exists():
            return ImageFont.truetype(str(folder / f"{face}.ttf"), size)
    return ImageFont.load_default(size)


def _font_folders() -> list[Path]:
    try:
        from matplotlib import get_data_path
    except ImportError:
        return [SYSTEM_FONTS]
    return [Path(get_data_path()) / "fonts" / "ttf", SYSTEM_FONTS]


def _scanned(image: Image, draw: Draw) -> bytes:
    """Return what scanning makes of a page, as JPEG."""
    import numpy as np
    from PIL import Image, ImageFilter

    angle = (draw() - 0.5) * 3
    image = image.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    image = image.filter(ImageFilter.GaussianBlur(0.3 + 0.6 * draw()))
    paper, ink = between(draw, 225, 255), between(draw, 10, 70)
    grain = np.random.default_rng(between(draw, 0, 2**31))
    noise = grain.normal(0, 2 + 10 * draw(), image.size[::-1])
    values = ink + np.asarray(image, dtype=np.float64) / 255 * (paper - ink) + noise
    rough = Image.fromarray(values.clip(0, 255).astype(np.uint8))
    packed = io.BytesIO()
    rough.save(packed, "JPEG", quality=between(draw, 50, 95))
    return packed.getvalue()


def write_pages(
    out: Path,
    *,
    docs: int,
    rows: int | None,
    seed: int,
    kinds: tuple[str, ...],
    form: str = "jpg",
    progress: Callable[[int], None] | None = None,
) -> list[Path]:
    """Write the pages of a corpus into a folder, ID.jpg or ID.txt, and return their paths."""
    if form not in FORMS:
        raise UnknownName("form of pages", form, FORMS)
    paths = []
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        for index in range(docs):
            gold = gold_document(seed, index, kinds=kinds, rows=rows)
            sheet = sheet_of(gold, seed=seed, index=index)
            path = out / f"{gold.id}.{form}"
            if form == "txt":
                write_bytes(path, sheet_text(sheet).encode())
            else:
                write_bytes(path, sheet_image(sheet, seed=seed, index=index))
            paths.append(path)
            if progress is not None:
                progress(index + 1)
    return paths
