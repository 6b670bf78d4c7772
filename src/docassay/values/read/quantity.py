"""Quantities: a number and its unit. A quantity without a unit agrees with any.

Case counts only where it makes another unit: Mg is not mg, MB is not mb, MW is not mW. A receipt in
capitals still has its kilograms: KG is kg, and MG is mg.
"""

from __future__ import annotations

import re

from docassay.errors import Unreadable
from docassay.kernel.digits import digits_of
from docassay.values.read.characters import unaccented
from docassay.values.read.number import (
    MAGNITUDES,
    Amount,
    decimal_marks,
    decimal_of,
    dissect,
    in_digits,
)
from docassay.values.reader import reader

_TABLE = """
    kg = kgs kilo kilos kilogram kilograms kilogramme kilogrammes kilogramm
    g = gr gm gms gram grams gramme grammes gramm
    mg = milligram milligrams milligramm
    µg = ug mcg microgram micrograms mikrogramm
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
    in = inch inches " '' zoll pouce pouces pulgada pulgadas
    ft = foot feet '
    yd = yard yards
    mi = mile miles
    m2 = sqm m^2 qm
    m3 = cbm m^3 cu.m
    sqft = sq.ft sf
    °c = degc
    °f = degf
    hl = hectolitre hectolitres
    cl = centilitre centilitres
    dl = decilitre decilitres
    w = watt watts
    v = volt volts
    kw = kilowatt kilowatts
    h = hr hrs hour hours std stunde stunden heure heures hora horas
    min = mins minute minutes
    s = sec secs second seconds
    day = days tag tage jour jours dia dias giorno giorni hari dni 日
    week = weeks wk wks woche wochen semaine semaines semana semanas minggu
    month = months mo mth mths monat monate monaten mois mes meses mese mesi bulan maanden ヶ月 か月
    year = years yr yrs jahr jahre an ans ano anos anno anni tahun jaar lat rok 年
    kwh =
    piece = pc pcs pce pces pieces ea each unit units stk stck stuck st pz pza pzas szt pcs.
    piece = sztuk sztuki stuks kos ks шт 個 个 개 つ buah biji pièce pièces pezzi
    box = boxes bx kotak karton ctn carton cartons 箱
    bottle = bottles btl btls flasche flaschen bouteille bouteilles botol 瓶
    pack = packs pk pkt pkts packet packets
    set = sets
    dozen = doz dz dutzend douzaine docena lusin
    pair = pairs pr prs paar paire
    本 =
    枚 =
    台 =
    冊 =
    袋 =
    杯 =
    件 =
    張 = 张
    人 = 名
    式 =
"""
_UNITS = {
    unaccented(word): line.split(" =")[0].strip()
    for line in _TABLE.strip().splitlines()
    for word in line.replace("=", " ").split()
}
_BYTES = re.compile("[kKmMgGtT][bB]")
_LARGE_OR_SMALL = frozenset({"mw", "mwh", "mhz", "mj", "mpa", "mv", "mbar", "mbit", "mbps", "mol"})
"""Units with a prefix that is mega as a capital and milli as a small letter."""
_TIMES = frozenset({"x", "×", "qty", "quantity", "@"})
_RAISED = str.maketrans("²³", "23")
_UNKNOWN_UNIT = re.compile(r"[^\W\d_]{2,20}")


@reader("quantity", compare="within", gist=digits_of)
def read_quantity(text: str, *, decimal: str | None = None) -> Amount:
    """Read a number with an optional unit; `decimal` is as for numbers."""
    points = decimal_marks(text, decimal, ".")
    metres = in_digits(text).rstrip().translate(_RAISED)
    # "5 m2" ends in a digit that belongs to the unit.
    power = metres[-2:].lower() if metres[-2:].lower() in ("m2", "m3") else ""
    dissected = dissect(metres[:-2] if power else metres)
    number = None if dissected is None else decimal_of(dissected, points)
    if dissected is None or number is None:
        raise Unreadable("not a quantity")
    marks = [mark.strip(" .:()") for mark in (dissected.head, dissected.tail + power)]
    units = [mark for mark in marks if mark and unaccented(mark) not in _TIMES]
    if len(units) > 1:
        raise Unreadable("not a quantity")
    return Amount(number, _unit(units[0]) if units else None)


def _unit(mark: str) -> str:
    """Return the one name of a unit; a name that nobody knows stands for itself."""
    if mark == "Mg" or _BYTES.fullmatch(mark):
        return mark[0].lower() + mark[1:] if mark[0] == "K" else mark
    name = unaccented(mark)
    if name in _LARGE_OR_SMALL:
        return mark[0] + name[1:]
    unit = _UNITS.get(name)
    if unit is None and (name in MAGNITUDES or _UNKNOWN_UNIT.fullmatch(name) is None):
        raise Unreadable("not a quantity")
    return name if unit is None else unit
