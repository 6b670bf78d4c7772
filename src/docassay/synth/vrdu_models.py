"""Models that were never trained: what one would extract after so many documents of training.

It errs less the more it has seen, above all of the same template. Its mistakes are those of real
ones: misread characters, values left out or too many, rows whose components come in another order
or stray into the next row, and right values in another notation.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import NamedTuple

from docassay.synth.draw import Draw, pick
from docassay.synth.mistakes import spoil
from docassay.synth.vrdu_forms import AD_BUY, COMPONENTS, DATES, REGISTRATION, Form, written
from docassay.synth.vrdu_page import Mark, Mention
from docassay.synth.words import MONTHS

FLOOR, START, HALVING = 0.03, 0.5, 8.0
"""The rate of mistakes with endless training and with none, and what halves the way between."""
HOME, ABROAD = 4.0, 0.2
"""What the first document of a template is worth, and what one of another template is."""
_KINDS = {
    "DateMatch": "id",
    "PriceMatch": "id",
    "NumericalStringMatch": "id",
    "AddressMatch": "address",
    "NameMatch": "name",
    "GeneralStringMatch": "text",
}
"""Mistakes that suit values of each match function, none of which minds how a date is written."""
_MATCH = {**REGISTRATION, **AD_BUY, **COMPONENTS}

Extraction = tuple[str, Mention]


class Skill(NamedTuple):
    """How often a model errs on a document."""

    rate: float

    @classmethod
    def after(cls, same: int, others: int) -> Skill:
        """Return the skill after training on so many documents of this template and of others."""
        learnt = HOME * math.sqrt(same) + ABROAD * others
        return cls(FLOOR + (START - FLOOR) * 0.5 ** (learnt / HALVING))


def extract(form: Form, skill: Skill, draw: Draw) -> list[list[object]]:
    """Return what a model extracts from a form, as a list of [name, [text, box, segments]]."""
    found = [*_simple(form, skill, draw), *_rows(form, skill, draw)]
    return [[name, [one.text, one.box, one.segments]] for name, one in found]


def _simple(form: Form, skill: Skill, draw: Draw) -> list[Extraction]:
    mentions = form.candidates
    values = [one.text.strip() for several in mentions.values() for one in several]
    found: list[Extraction] = []
    for name in sorted(mentions):
        read = _read(name, pick(draw, mentions[name]), skill.rate, values, draw)
        if read is not None:
            found.append((name, read))
        if draw() < skill.rate / 3:
            # a second guess, of which only the first counts
            again = spoil(mentions[name][0].text.strip(), "name", values, prone=(), draw=draw)[1]
            found += [(name, mentions[name][0]._replace(text=again))] if again else []
    lost = sorted({*(REGISTRATION if not form.template.columns else AD_BUY)} - {*mentions})
    for name in lost:
        if draw() < skill.rate / 2:
            stray = pick(draw, [one for several in mentions.values() for one in several])
            found.append((name, stray))
    return found


def _rows(form: Form, skill: Skill, draw: Draw) -> list[Extraction]:
    found: list[Extraction] = []
    carried: Extraction | None = None
    for number in range(form.rows):
        if draw() < skill.rate / 5:
            continue
        row = _row(form, number, skill, draw)
        if len(row) > 1 and draw() < skill.rate / 2:
            place = int(draw() * (len(row) - 1))
            row[place], row[place + 1] = row[place + 1], row[place]
        if carried is not None:
            row.insert(min(1, len(row)), carried)
            carried = None
        if len(row) > 1 and number + 1 < form.rows and draw() < skill.rate / 6:
            carried = row.pop()
        found += row
    if form.rows and draw() < skill.rate:
        total = form.paper.mentions.get(Mark("gross_amount"))
        if total is not None:
            found.append(("sub_amount", total))
    return found


def _row(form: Form, number: int, skill: Skill, draw: Draw) -> list[Extraction]:
    row: list[Extraction] = []
    for name in form.template.columns:
        mention = form.paper.mentions[Mark(name, number)]
        read = _read(name, mention, skill.rate / 3, (), draw)
        row += [] if read is None else [(name, read)]
    return row


def _read(
    name: str, mention: Mention, rate: float, others: Sequence[str], draw: Draw
) -> Mention | None:
    """Return a value as a model reads it, None when it does not find it."""
    text = mention.text.strip()
    kind = _MATCH[name]
    if draw() < rate:
        wrong = spoil(text, _KINDS[kind], others, prone=("ocr", "missing"), draw=draw)[1]
        return None if wrong is None else mention._replace(text=wrong)
    if draw() < 0.2:
        if kind == "PriceMatch":
            text = pick(
                draw, (text.replace("$", ""), text.replace("$", "$ "), text.replace(",", ""))
            )
            return mention._replace(text=text)
        if kind == "DateMatch":
            return mention._replace(text=_another_notation(text, draw))
    return mention


def _another_notation(text: str, draw: Draw) -> str:
    """Return a date in any of the notations that forms use."""
    parts = text.replace(",", "").replace("/", " ").replace("-", " ").split()
    month = MONTHS.index(parts[0]) + 1 if parts[0].isalpha() else int(parts[0])
    year = int(parts[2]) if len(parts[2]) == 4 else 2000 + int(parts[2])
    return written(dt.date(year, month, int(parts[1])).toordinal(), pick(draw, DATES))
