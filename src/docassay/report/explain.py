"""One document as a coloured diff: what is correct, and what a person would do to correct it.

Signs say it without colour: ✓ correct, ≠ put another value, + add what is missing, − delete what
should not be there. Rows stand beside the rows they were matched with, whatever their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from docassay.matching.case import Case
from docassay.matching.verdicts import (
    ADDITION,
    DELETION,
    RIGHT,
    SUBSTITUTION,
    RowPlace,
    Verdict,
    VerdictBlock,
    blocks,
)
from docassay.model.words import UNDEFINED, count, cut, number, visible
from docassay.report.screen import PLAIN, Screen, draw, words
from docassay.run.diffs import is_same_text
from docassay.run.find import FoundDocument

SIGNS = {RIGHT: "✓", SUBSTITUTION: "≠", ADDITION: "+", DELETION: "−"}
STYLES = {RIGHT: "green", SUBSTITUTION: "magenta", ADDITION: "cyan", DELETION: "red"}
"""Colours that can be read on a dark and on a light background."""
MEANINGS = {
    RIGHT: "correct",
    SUBSTITUTION: "to substitute",
    ADDITION: "to add",
    DELETION: "to delete",
}
KEPT = (SUBSTITUTION, ADDITION, DELETION)
"""What is left of a document whose correct values were not kept."""
LONGEST = 300
NARROW = 8
WIDEST_NAME = 24


def render(found: FoundDocument, *, screen: Screen = PLAIN) -> str:
    """Return the diff of a document."""
    made = [*blocks(found.case)]
    places = _places(found.case)
    if _is_alone(found.case):
        widths = _widths(made, screen.width)
        alone = [_values_alone(block, places, widths) for block in made]
        parts = [part for table in alone for part in (table, Text())]
        below = [*_problems(found), *_about_places(places, ("pred",))]
        nothing = [] if made else [Text("Pred has no value."), Text()]
        return draw([*_title(found), Text(), *parts, *nothing, *below], screen)
    below = [*_problems(found), _counts(made), *_about_places(places, ("pred", "gold"))]
    nothing_said = "Neither gold nor pred has a value."
    return _diff(_title(found), made, below, nothing_said, screen, places=places)


Places = Mapping[tuple[str, str | None], str]
"""Where the value of a side and a path stands in the text of the document, in words."""
NO_PLACES: Places = MappingProxyType({})
NOWHERE = "not in the source"


def _is_alone(case: Case) -> bool:
    return case.origin is not None and case.origin.gold is None


def _places(case: Case) -> Places:
    """Return where values stand in the text of the document, nothing where there is no text."""
    if case.original is None:
        return NO_PLACES
    from docassay.metrics.grounded import placed_values

    return {
        (value.side, value.entity.path): NOWHERE
        if value.place is None
        else f"line {value.place.line}"
        + (f", page {value.place.page}" if value.place.page > 1 else "")
        for value in placed_values(case)
    }


def _about_places(places: Places, sides: Sequence[str]) -> Iterator[RenderableType]:
    """Yield how many values stand in the source."""
    for side in sides:
        own = [place for (which, _), place in places.items() if which == side]
        if own:
            standing = sum(place != NOWHERE for place in own)
            yield Text(f"{number(standing)} of {count(len(own), f'{side} value')} in the source")


def _values_alone(block: VerdictBlock, places: Places, widths: tuple[int, int, int]) -> Table:
    """Return the values of a row without gold: as found, as read, and where they stand."""
    table = Table.grid(padding=(0, 2, 0, 0))
    name, value, place = widths
    table.add_column(width=name + 2, overflow="fold")
    for column in (value, value, place):
        table.add_column(width=column, overflow="fold")
    row = f"pred {block.pred}" if block.pred else ""
    table.add_row(*(words(text, "bold") for text in (block.type or "document", row, "", "")))
    for entry in block.verdicts:
        read = entry.pred_read
        same = read is None or entry.pred is None or is_same_text(read, entry.pred)
        standing = places.get(("pred", entry.pred_path), "")
        table.add_row(
            words(_name(entry, block)),
            _value(entry.pred, None, ""),
            words("" if same else f"read as {cut(str(read), LONGEST)}"),
            words(standing, STYLES[DELETION] if standing == NOWHERE else ""),
        )
    return table


def render_stored(document: str, entries: Sequence[Verdict], *, screen: Screen = PLAIN) -> str:
    """Return what a run has kept of a document's wrong values."""
    wrong = [entry for entry in entries if entry.verdict != RIGHT]
    both = {_row(entry.pred_path): _row(entry.gold_path) for entry in wrong if _is_both(entry)}
    rows: dict[tuple[str, str], list[Verdict]] = {}
    for entry in wrong:
        kind, pred_row = entry.field.rpartition(".")[0], _row(entry.pred_path)
        gold_row = both.get(pred_row, "") if entry.gold_path is None else _row(entry.gold_path)
        rows.setdefault((kind, gold_row or f"pred {pred_row}"), []).append(entry)
    partners = {gold_row: pred_row for pred_row, gold_row in both.items()}
    made = [
        VerdictBlock(RowPlace(kind, "", row.removeprefix("pred ")), own)
        if row.startswith("pred ")
        else VerdictBlock(RowPlace(kind, row, partners.get(row, "")), own)
        for (kind, row), own in rows.items()
    ]
    title = [words(document, "bold"), words("as kept in the run: its wrong values alone")]
    return _diff(title, made, [_counts(made, KEPT)], "No value is wrong.", screen, kinds=KEPT)


def _is_both(entry: Verdict) -> bool:
    return entry.gold_path is not None and entry.pred_path is not None


def _row(path: str | None) -> str:
    return "" if path is None else path.rpartition(".")[0]


def _diff(
    title: Iterable[RenderableType],
    made: Sequence[VerdictBlock],
    below: Iterable[RenderableType],
    nothing: str,
    screen: Screen,
    *,
    kinds: Sequence[str] = tuple(SIGNS),
    places: Places = NO_PLACES,
) -> str:
    widths = _widths(made, screen.width)
    parts: list[RenderableType] = [*title, Text()]
    for block in made:
        parts += [_block(block, widths, kinds, places), Text()]
    if not made:
        parts += [Text(nothing), Text()]
    return draw([*parts, *below], screen)


def _title(found: FoundDocument) -> Iterator[RenderableType]:
    case = found.case
    kind = f" ({case.type})" if case.type else ""
    yield words(f"{case.id}{kind}", "bold")
    if not _is_alone(case):
        yield words(f"gold: {found.gold_where or UNDEFINED}")
    yield words(f"pred: {found.pred_where or 'no prediction'}")


def _widths(made: Sequence[VerdictBlock], width: int) -> tuple[int, int, int]:
    """Return the widths of name, value and reason, the same for every block of the document."""
    names = [len(visible(_name(verdict, block))) for block in made for verdict in block.verdicts]
    name = max(NARROW, min(max(names, default=0), WIDEST_NAME, width // 4))
    rest = width - name - len("✓ ") - 3 * len("  ")
    reason = max(NARROW, rest * 3 // 10)
    return name, max(NARROW, (rest - reason) // 2), reason


def _block(
    block: VerdictBlock, widths: tuple[int, int, int], kinds: Sequence[str], places: Places
) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    name, value, reason = widths
    table.add_column(width=name + 2, overflow="fold")
    for width in (value, value, reason):
        table.add_column(width=width, overflow="fold")
    table.add_row(*_heading(block, whole=RIGHT in kinds))
    alone = block.gold is None or block.pred is None
    for verdict in block.verdicts:
        style = STYLES[verdict.verdict]
        label = Text(f"{SIGNS[verdict.verdict]} ", style=f"bold {style}")
        label.append(visible(_name(verdict, block)), style="not bold default")
        shown_style = "" if verdict.verdict == RIGHT else style
        table.add_row(
            label,
            _value(verdict.gold, _reading(verdict, verdict.gold, verdict.gold_read), shown_style),
            _value(verdict.pred, _reading(verdict, verdict.pred, verdict.pred_read), shown_style),
            Text("\n").join(map(words, _remarks(verdict, places, alone=alone))),
        )
    return table


def _remarks(entry: Verdict, places: Places, *, alone: bool) -> Iterator[str]:
    """Yield why two values are the same or not, and where pred's stands in the source."""
    if not (alone or _plainly_right(entry)):
        yield entry.reason
    side, path = ("gold", entry.gold_path) if entry.pred is None else ("pred", entry.pred_path)
    if (side, path) in places:
        yield places[side, path]


def _heading(block: VerdictBlock, *, whole: bool) -> Iterator[Text]:
    """Yield the first line of a block: which rows stand beside each other, and how well."""
    wrong = sum(verdict.verdict != RIGHT for verdict in block.verdicts)
    summary, style = "all correct", STYLES[RIGHT]
    if block.gold is None:
        summary, style = "no such row in gold", STYLES[DELETION]
    elif block.pred is None:
        summary, style = "no such row in pred", STYLES[ADDITION]
    elif wrong:
        amount = f"{wrong} of {len(block.verdicts)}" if whole else str(wrong)
        summary, style = f"{amount} wrong", STYLES[SUBSTITUTION]
    elif not block.verdicts:
        summary, style = "no values of its own", ""
    yield words(block.type or "document", f"bold {style}")
    for side, path in (("gold", block.gold), ("pred", block.pred)):
        yield words(f"{side} {UNDEFINED if path is None else path}".strip(), f"bold {style}")
    yield words(summary, f"bold {style}")


def _name(one: Verdict, block: VerdictBlock) -> str:
    return one.field.removeprefix(f"{block.type}.") if block.type else one.field


def _reading(one: Verdict, text: str | None, read: str | None) -> str | None:
    """Return what a text was read as, where that helps to see why two values are equal or not."""
    if text is None or read is None or one.gold is None or one.pred is None:
        return None
    return None if is_same_text(read, text) or _plainly_right(one) else read


def _value(text: str | None, read: str | None, style: str) -> Text:
    if text is None:
        return Text(UNDEFINED, style="dim")
    cell = words(cut(text, LONGEST), style)
    if read is not None:
        cell.append(f"\nread as {visible(cut(read, LONGEST))}", style="not bold default")
    return cell


def _plainly_right(one: Verdict) -> bool:
    return one.verdict == RIGHT and one.gold == one.pred


def _problems(found: FoundDocument) -> list[RenderableType]:
    if not found.problems:
        return []
    parts: list[RenderableType] = [Text("problems", style="bold magenta")]
    for problem in found.problems:
        field = f"{problem.field}: " if problem.field else ""
        line = words(f"{problem.side}: {field}{cut(problem.message, LONGEST)}")
        parts.append(Padding(line, (0, 0, 0, 2)))
    return [*parts, Text()]


def _counts(made: Sequence[VerdictBlock], kinds: Sequence[str] = tuple(SIGNS)) -> Text:
    amounts = Counter(entry.verdict for block in made for entry in block.verdicts)
    line = Text()
    for verdict in kinds:
        line.append(f"{SIGNS[verdict]} ", style=f"bold {STYLES[verdict]}")
        line.append(f"{number(amounts[verdict])} {MEANINGS[verdict]}   ")
    rows = [block for block in made if block.type]
    if rows and RIGHT in kinds:
        matched = sum(block.gold is not None and block.pred is not None for block in rows)
        line.append(f"\n{count(matched, 'row')} matched, {len(rows) - matched} unmatched")
    return line
