"""Words of generated registration and ad-buy forms; every organisation is fictional."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from docassay.analysis.draw import Draw, between, pick, stream
from docassay.synth.documents import money, person
from docassay.synth.vrdu import forms as words
from docassay.synth.vrdu.page import FieldMark, Line, Mention, Paper, Piece, lay_out
from docassay.synth.words import MONTHS

ITEM = "line_item"
REGISTRATION: Mapping[str, str] = {
    "file_date": "DateMatch",
    "foreign_principle_name": "NameMatch",
    "registrant_name": "NameMatch",
    "registration_num": "NumericalStringMatch",
    "signer_name": "NameMatch",
    "signer_title": "GeneralStringMatch",
}
AD_BUY: Mapping[str, str] = {
    "advertiser": "GeneralStringMatch",
    "agency": "GeneralStringMatch",
    "contract_num": "NumericalStringMatch",
    "flight_from": "DateMatch",
    "flight_to": "DateMatch",
    "gross_amount": "PriceMatch",
    "product": "GeneralStringMatch",
    "property": "GeneralStringMatch",
    "tv_address": "AddressMatch",
}
COMPONENTS: Mapping[str, str] = {
    "channel": "GeneralStringMatch",
    "program_desc": "GeneralStringMatch",
    "program_end_date": "DateMatch",
    "program_start_date": "DateMatch",
    "sub_amount": "PriceMatch",
}
DATES = ("{m:02d}/{d:02d}/{y}", "{m:02d}/{d:02d}/{yy}", "{name} {d}, {y}", "{m:02d}-{d:02d}-{y}")
_FIRST_DAY = dt.date(2018, 1, 1).toordinal()
_LAST_DAY = dt.date(2020, 11, 30).toordinal()
_MOST_ITEMS = 12
_FIELD = re.compile(r"\{(\w+)\}")


class Template(NamedTuple):
    """The lines of a form, how it writes dates, and the columns of its table if it has one."""

    name: str
    dates: str
    lines: tuple[str, ...]
    columns: tuple[str, ...] = ()


class Form(NamedTuple):
    """One document: its name, template, values, rows, and how OCR finds it."""

    filename: str
    template: Template
    paper: Paper
    rows: int

    @property
    def candidates(self) -> dict[str, list[Mention]]:
        """Every occurrence of each value that stands outside the table."""
        mentions: dict[str, list[Mention]] = {}
        for mark, mention in self.paper.mentions.items():
            if mark.row is None:
                mentions.setdefault(mark.name, []).append(mention)
        return mentions

    @property
    def entities(self) -> dict[str, int]:
        """How many entities there are of each name."""
        simple = dict.fromkeys(self.candidates, 1)
        return {**simple, ITEM: self.rows} if self.template.columns else simple


# fmt: off
REGISTRATION_TEMPLATES = (
    Template("Amendment", DATES[2], (
        "U.S. Registration Unit | | Amendment to Registration Statement", "",
        "1. Name of Registrant | | 2. Registration No.",
        "{registrant_name} | | {registration_num}", "",
        "3. Foreign principal concerned", "{foreign_principle_name}", "",
        "The undersigned swear that they have read the information set forth",
        "in this amendment and that it is true and accurate.", "",
        "Date of signature: {file_date}", "Print name: {signer_name} | | Title: {signer_title}",
    )),
    Template("Short-Form", DATES[0], (
        "Short Form Registration Statement", "Received by the Registration Unit {file_date}", "",
        "1. Name {signer_name} | | 2. Registration No. {registration_num}",
        "3. Occupation {signer_title}", "",
        "8. What is the name and address of the primary registrant?", "{registrant_name}",
        "9. Indicate your connection with the primary registrant: employee",
        "10. List every foreign principal to whom you will render services",
        "{foreign_principle_name}", "", "Date {file_date} | | Name {signer_name}",
    )),
    Template("Dissemination_Report", DATES[1], (
        "Report on dissemination of informational materials", "",
        "Registrant | Registration No. | Foreign principal",
        "{registrant_name} | {registration_num} | {foreign_principle_name}", "",
        "Description of material: newsletter, sent by mail", "",
        "Signed {signer_name} | {signer_title} | on {file_date}",
        "Registration No. {registration_num}",
    )),
)
_WORDINGS = (
    ("Order #", "Advertiser", "Agency", "Product", "Flight", "Station", "Gross amount"),
    ("Contract", "Client", "Bought by", "Brand", "Flight dates", "Property", "Order total"),
    ("Invoice number", "Sponsor", "Agency name", "Campaign", "Schedule", "Call letters", "Gross"),
)
_HEADS = ("Broadcast order confirmation", "Contract for the sale of time | | Page 1")
_COLUMNS = (
    ("channel", "program_desc", "program_start_date", "program_end_date", "sub_amount"),
    ("program_start_date", "program_end_date", "channel", "program_desc", "sub_amount"),
)
# fmt: on


def _ad_buy_templates() -> Iterator[Template]:
    kinds = product(DATES, (True, False), _COLUMNS, _HEADS, _WORDINGS)
    for number, (dates, turned, columns, head, wording) in enumerate(kinds):
        order, buyer, agency, brand, flight, station, total = wording
        lines = (
            "{property} | | {tv_address}",
            f"{order} {{contract_num}} | | {buyer} {{advertiser}}",
            f"{brand} {{product}} | | {agency} {{agency}}",
            f"{flight} {{flight_from}} - {{flight_to}} | | {station} {{property}}",
            f"{total} {{gross_amount}}",
        )
        top = (lines[1], lines[3], lines[0], lines[2], lines[4]) if turned else lines
        foot = f"{order} {{contract_num}} | | {total} {{gross_amount}}"
        yield Template(f"sheet{number:02d}", dates, (head, *top, "", "ITEMS", "", foot), columns)


AD_BUY_TEMPLATES = (*_ad_buy_templates(),)


def registration_form(seed: int, index: int) -> Form:
    """Return the registration form of a number."""
    draw = stream(seed, index, "registration-form")
    template = REGISTRATION_TEMPLATES[index % len(REGISTRATION_TEMPLATES)]
    day = between(draw, _FIRST_DAY, _LAST_DAY)
    values = {
        "file_date": written(day, template.dates),
        "foreign_principle_name": pick(draw, words.PRINCIPALS),
        "registrant_name": pick(draw, words.REGISTRANTS),
        "registration_num": str(between(draw, 1800, 6999)),
        "signer_name": person(draw),
        "signer_title": pick(draw, words.TITLES),
    }
    rare = {"Amendment": "foreign_principle_name", "Short-Form": "signer_title"}
    for name in values:
        if draw() < (0.7 if rare.get(template.name) == name else 0.04):
            values[name] = ""
    paper = lay_out(_lines(template, values, []))
    filename = f"{index + 1:05d}-{template.name}-{dt.date.fromordinal(day):%Y%m%d}.pdf"
    return Form(filename, template, paper, 0)


def ad_buy_form(seed: int, index: int, *, items: int | None = None) -> Form:
    """Return the ad-buy form of a number, with so many line items, or for None one to twelve."""
    draw = stream(seed, index, "ad-buy-form")
    # few templates are frequent and many are rare, so that some are new to any small training set
    common = draw()
    template = AD_BUY_TEMPLATES[int(len(AD_BUY_TEMPLATES) * common * common)]
    first = between(draw, _FIRST_DAY, _LAST_DAY)
    spread = draw()
    count = 1 + int(_MOST_ITEMS * spread * spread) if items is None else items
    cents = [between(draw, 40, 2400) * 500 for _ in range(count)]
    rows = [_item(template, first, amount, draw) for amount in cents]
    street = between(draw, 1, 999)
    values = {
        "advertiser": pick(draw, words.CAMPAIGNS),
        "agency": pick(draw, words.AGENCIES) if draw() < 0.5 else "",
        "contract_num": str(between(draw, 100_000, 999_999)),
        "flight_from": written(first, template.dates),
        "flight_to": written(first + 27, template.dates),
        "gross_amount": money(sum(cents)),
        "product": pick(draw, words.PRODUCTS),
        "property": pick(draw, words.STATIONS),
        "tv_address": f"{street} {pick(draw, words.STREETS)}\n{pick(draw, words.TOWNS)}",
    }
    paper = lay_out(_lines(template, values, rows))
    return Form(f"{index + 1:05d}-{template.name}-order.pdf", template, paper, count)


def _item(template: Template, first: int, cents: int, draw: Draw) -> dict[str, str]:
    start = first + 7 * between(draw, 0, 3)
    return {
        "channel": pick(draw, words.CHANNELS),
        "program_desc": f"{pick(draw, words.PROGRAMS)} {pick(draw, words.SLOTS)}",
        "program_start_date": written(start, template.dates),
        "program_end_date": written(start + 6, template.dates),
        "sub_amount": money(cents),
    }


def written(ordinal: int, pattern: str) -> str:
    """Return a day in one of the notations of `DATES`."""
    date = dt.date.fromordinal(ordinal)
    name = MONTHS[date.month - 1]
    return pattern.format(
        d=date.day, m=date.month, y=date.year, yy=f"{date.year % 100:02d}", name=name
    )


def _lines(
    template: Template, values: Mapping[str, str], rows: Sequence[Mapping[str, str]]
) -> Iterator[Line]:
    times: dict[str, int] = {}
    for line in template.lines:
        if line == "ITEMS":
            yield tuple((Piece(name.replace("_", " ")),) for name in template.columns)
            for number, row in enumerate(rows):
                yield tuple(
                    (Piece(row[name], FieldMark(name, number)),) for name in template.columns
                )
            continue
        columns = [_pieces(column, values, times) for column in line.split("|")]
        first, second = zip(*columns, strict=True)
        yield first
        if any(second):
            yield second


def _pieces(
    column: str, values: Mapping[str, str], times: dict[str, int]
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return the pieces of a column, and what of a value in two lines goes on below."""
    above: list[Piece] = []
    below: list[Piece] = []
    for number, part in enumerate(_FIELD.split(column)):
        if number % 2 == 0:
            above += [Piece(part.strip())] if part.strip() else []
        elif values[part]:
            mark = FieldMark(part, None, times.get(part, 0))
            times[part] = mark.time + 1
            first, _, rest = values[part].partition("\n")
            above.append(Piece(first, mark))
            below += [Piece(rest, mark)] if rest else []
    return tuple(above), tuple(below)


# fmt: off

REGISTRANTS = (
    "Alderbrook Strategies LLC", "Calloway & Finch LLP", "Tidewater Public Affairs Inc.",
    "Northlight Counsel PLLC", "Marrow Street Group", "Pinecrest Relations Inc.",
    "Quill & Harbor LLC", "Redgate Advisory Partners", "Sablewood Communications",
    "The Larkspur Bureau", "Umber Hill Associates LLC", "Vantage Ferry Law Group",
)
PRINCIPALS = (
    "Government of Arvenia", "Ministry of Trade of Belmora", "Republic of Costavera",
    "Tourism Board of Drasland", "Embassy of Eldmere", "Free Port of Fennwick",
    "National Bank of Galdoria", "Chamber of Commerce of Hestria", "Port Authority of Ilmar",
)
TITLES = (
    "President", "Managing Director", "Partner", "Senior Vice-President", "General Counsel",
    "Chief Financial Officer", "Director, Public Affairs", "Secretary",
)
STATIONS = (
    "WQRL", "KZTV", "WBNX", "KHOV", "WPLD", "KESM", "WVIR", "KDAQ", "WGLN", "KTWB", "WOXF", "KMLY",
)
CAMPAIGNS = (
    "Friends of Dana Holt", "Rourke for Senate", "Citizens for Clean Rivers",
    "Mendez for Governor", "Committee to Elect J. Whitfield", "Taxpayers for Better Roads",
    "Okafor for Congress", "Yes on Measure 14", "Coalition for Rural Schools", "Bray 2020",
)
AGENCIES = (
    "Beacon Media Buying", "Halfmoon Placement Inc.", "Kestrel Ad Group", "Longview Media LLC",
    "Strand & Cole", "Turnstile Communications",
)
PRODUCTS = (
    "US Senate", "Governor 2020", "Issue advertising", "Congress District 7", "Ballot measure",
    "Candidate, primary", "Candidate, general",
)
STREETS = (
    "Broadcast Plaza", "Harbor Avenue", "Television Circle", "Mill Pond Road", "Capitol Street",
    "Skyline Drive", "Orchard Boulevard", "Second Street",
)
TOWNS = (
    "Dayfield, OH 45011", "Port Amity, NC 27701", "Lake Verity, MN 55401", "Fairmount, VA 23219",
    "Cedar Point, IA 52401", "San Brisas, TX 75201", "Granite Falls, NH 03101",
)
PROGRAMS = (
    "Morning News", "Noon Report", "Evening News at Six", "Late News", "Quiz Hour",
    "Prime Movie", "Sunday Football", "Weekend Sports", "Daytime Talk", "Wheel of Words",
    "Court in Session", "Good Day Local", "Night Line-up", "Access Tonight",
)
SLOTS = ("M-F 5a-7a", "M-F 12p-1p", "Su 1p-4p", "M-Su 6p-7p", "Sa 8p-10p", "M-F 11p-11:30p")
CHANNELS = ("Ch 4", "Ch 7", "Ch 9.1", "Ch 11", "Ch 13.2")
