"""Judged values as files have them: lines of JSON, lines of CSV, and entries of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from json import dumps

from docassay.kernel import texts
from docassay.kernel.cells import is_plain
from docassay.kernel.pairs import GroupPair
from docassay.kernel.verdicts import RIGHT, Told, VerdictBlock

LONGEST_READ = 2_000
"""Characters of what a text was read as in a page."""
Causes = Mapping[tuple[int, int], list[str]]
"""Why values are wrong, by the ids of the two groups that they stand in, in their order."""


def causes_by_row(
    wrong: Sequence[tuple[GroupPair, object, object, object]], causes: list[str]
) -> Causes:
    """Return the causes of wrong values by the groups that these stand in."""
    by_row: dict[tuple[int, int], list[str]] = {}
    last: GroupPair | None = None
    own: list[str] = []
    for place in range(len(wrong)):
        pair = wrong[place][0]
        if pair is not last:  # those of two groups come one after the other
            last = pair
            own = by_row[id(pair.gold), id(pair.pred)] = []
        own.append(causes[place])
    return by_row


def escaped(text: str) -> str:
    """Return a text as it stands between the quotes of JSON; half of a surrogate pair stays."""
    return text if texts.stands_in_json(text) else dumps(text, ensure_ascii=False)[1:-1]


def quoted(text: str | None) -> str:
    """Return a text as JSON, or null."""
    return "null" if text is None else f'"{escaped(text)}"'


class ValueTexts:
    """Makes the texts of judged values; numbers and cells that are not plain by two functions."""

    def __init__(self, number: Callable[[float], str], cell: Callable[[str], str]) -> None:
        self._number = number
        self._cell = cell

    def number(self, value: float | None) -> str:
        """Return a number as JSON, or null."""
        if value is None:
            return "null"
        if type(value) is float and (value == 0.0 or value == 1.0):  # which most are
            return repr(value)
        return self._number(value)

    def cell(self, text: str | None) -> str:
        """Return a text as a cell of CSV."""
        if text is None:
            return ""
        return text if is_plain(text) else self._cell(text)

    def add_lines(
        self,
        lines: list[str],
        errors: list[str],
        blocks: Sequence[VerdictBlock],
        causes: Causes,
        every: bool,
        end: str,
    ) -> None:
        """Add the verdicts of a document to lines of JSON, and the wrong values to lines of CSV.

        With `every`, verdicts on values that are right too. Lines of CSV have the same `end`.
        """
        for block in blocks:
            if not block.told:
                continue
            place = block.place
            row = place.pred if place.gold is None else place.gold
            own: Sequence[str] | None = None
            at = 0
            for told in block.told:
                wrong = told[2] != RIGHT
                if wrong or every:
                    lines.append(self._verdict_line(told))
                if wrong:
                    if own is None:
                        own = causes[id(block.groups[0]), id(block.groups[1])]
                    errors.append(self._error_line(told, row, own[at], end))
                    at += 1

    def _verdict_line(self, told: Told) -> str:
        """Return a verdict as an object of JSON, in a line of its own."""
        id, field, verdict, own_path, other_path, gold, pred, own, other, alike, why, sure = told
        return (
            f'{{"document":{quoted(id)},"field":{quoted(field)},"verdict":"{verdict}"'
            f',"gold_path":{quoted(own_path)},"pred_path":{quoted(other_path)}'
            f',"gold":{quoted(gold)},"pred":{quoted(pred)}'
            f',"gold_read":{quoted(own)},"pred_read":{quoted(other)}'
            f',"similarity":{self.number(alike)},"reason":{quoted(why)}'
            f',"confidence":{self.number(sure)}}}\n'
        )

    def _error_line(self, told: Told, row: str | None, cause: str, end: str) -> str:
        """Return a wrong value as a line of CSV: what it is, why it is wrong, and the `end`."""
        id, field, verdict, _, _, gold, pred, _, _, _, reason, _ = told
        return (
            f"{self.cell(id)},{self.cell(field)},{self.cell(row)},{self.cell(gold)},"
            f"{self.cell(pred)},{verdict},{self.cell(cause)},{self.cell(reason)},{end}"
        )

    def page_value(
        self, told: Told, head: str, reason: str, cause: str | None, moved: str | None
    ) -> str:
        """Return a value as an entry of a page, which begins with `head`, up to the text of gold.

        Members that say nothing are left out.
        """
        _, _, verdict, gold_path, pred_path, gold, pred, own, other, alike, _, sure = told
        parts = [head]
        _add_text(parts, gold)
        parts.append(',"pred":')
        _add_text(parts, pred)
        if sure is not None:
            parts.append(f',"confidence":{self.number(sure)}')
        if verdict != RIGHT or gold != pred:
            gold_path, pred_path = gold_path or None, pred_path or None
            if moved is not None:
                parts.append(f',"moved":"{moved}"')
            _add(parts, ',"gold_read":"', said_more(gold, own))
            _add(parts, ',"pred_read":"', said_more(pred, other))
            _add(parts, ',"reason":"', reason or None)
            _add(parts, ',"cause":"', cause or None)
            if alike is not None:
                parts.append(f',"similarity":{self.number(alike)}')
        _add(parts, ',"gold_path":"', gold_path)
        _add(parts, ',"pred_path":"', pred_path)
        parts.append("}")
        return "".join(parts)


def _add_text(parts: list[str], text: str | None) -> None:
    """Add a text as JSON, or null."""
    if text is None:
        parts.append("null")
    else:
        _add(parts, '"', text)


def _add(parts: list[str], start: str, text: str | None) -> None:
    """Add what a text begins with, the opening quote too, and the text, if there is one."""
    if text is not None:
        parts.append(start)
        parts.append(escaped(text))
        parts.append('"')


def said_more(text: str | None, read: str | None) -> str | None:
    """Return what a text was read as where that says more than the text."""
    if text is None or not read or read == text or is_same_text(read, text):
        return None
    return read[:LONGEST_READ]


def is_same_text(read: str, text: str) -> bool:
    """Whether what a text was read as says no more than the text."""
    folded = text.casefold()  # which folding once more leaves as it is
    return read == folded or read.casefold().split() == folded.split()
