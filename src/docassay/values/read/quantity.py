"""Quantities: a number and its unit. A quantity without a unit agrees with any."""

from __future__ import annotations

import re

from docassay.errors import Unreadable
from docassay.values.read.characters import unaccented
from docassay.values.read.number import Amount, decimal_marks, decimal_of, dissect
from docassay.values.reader import reader

_TABLE = """
    kg = kgs kilo kilos kilogram kilograms kilogramme kilogrammes kilogramm
    g = gr gm gms gram grams gramme grammes gramm
    mg = milligram milligrams
    t = tonne tonnes ton tons
    lb = lbs pound pounds
    oz = ounce ounces
    l = lt ltr ltrs litre litres liter liters
    ml = millilitre millilitres milliliter milliliters
    gal = gallon gallons
    m = metre metres meter meters mtr
    km = kilometre kilometres kilometer kilometers kms
    cm = centimetre centimetres centimeter centimeters
    mm = millimetre millimetres millimeter millimeters
    in = inch inches
    ft = foot feet
    m2 = sqm m^2
    m3 = cbm m^3
    h = hr hrs hour hours std stunde stunden heure heures hora horas
    min = mins minute minutes
    s = sec secs second seconds
    day = days tag tage jour jours dia dias
    week = weeks wk wks
    month = months mo mth mths
    kwh =
    piece = pc pcs pce pces pieces ea each unit units stk stck stuck st pz pza pzas szt pcs.
    box = boxes bx
    bottle = bottles btl btls
    pack = packs pk pkt pkts packet packets
    set = sets
    dozen = doz dz
"""
_UNITS = {
    unaccented(word): line.split(" =")[0].strip()
    for line in _TABLE.strip().splitlines()
    for word in line.replace("=", " ").split()
}
_TIMES = frozenset({"x", "×", "qty", "quantity", "@"})
_RAISED = str.maketrans("²³", "23")
_UNKNOWN_UNIT = re.compile(r"[^\W\d_]{2,20}")


@reader("quantity", compare="within")
def read_quantity(text: str, *, decimal: str | None = None) -> Amount:
    """Read a number with an optional unit; `decimal` is as for numbers."""
    points = decimal_marks(text, decimal, ".")
    metres = text.rstrip().translate(_RAISED)
    # "5 m2" ends in a digit that belongs to the unit.
    power = metres[-2:].lower() if metres[-2:].lower() in ("m2", "m3") else ""
    dissected = dissect(metres[:-2] if power else metres)
    number = None if dissected is None else decimal_of(dissected, points)
    if dissected is None or number is None:
        raise Unreadable("not a quantity")
    marks = [_mark(mark) for mark in (dissected.head, dissected.tail + power)]
    units = [mark for mark in marks if mark and mark not in _TIMES]
    if len(units) > 1 or not all(unit in _UNITS or _UNKNOWN_UNIT.fullmatch(unit) for unit in units):
        raise Unreadable("not a quantity")
    return Amount(number, _UNITS.get(units[0], units[0]) if units else None)


def _mark(around: str) -> str:
    return unaccented(around).strip(" .:()") if around else ""
