"""A comparison on a terminal: what decides on the first screen, or every score table by table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from docassay.model.comparison import (
    BETTER,
    BROKEN,
    EQUIVALENT,
    FIXED,
    WORSE,
    ComparedScore,
    Comparison,
    LeaderboardPlace,
    RunDifference,
)
from docassay.model.words import UNDEFINED, count, cut, p_value, visible
from docassay.report.comparison import (
    LONGEST,
    SPREADS,
    by_key,
    changes,
    command_of,
    contribution,
    explaining,
    headline_label,
    headline_score,
    interval,
    is_sure,
    kinds,
    label,
    leading,
    most_different,
    others,
    overall,
    shown_kinds,
    signed,
    slices,
    verdict_sentence,
    written,
)
from docassay.report.first_screen import (
    INDENT,
    MOST_LINES,
    WIDTH,
    command_lines,
    end_cut,
    middle_cut,
    share,
    spaced,
    wrapped,
)
from docassay.report.screen import Screen, draw, grid, words
from docassay.report.tables import plural

MOST_OVERALL = 4
MOST_KEYS = 5
MOST_CAUSES = 3
MOST_DOCUMENTS = 3
MOST_PLACES = 6
LONGEST_HEAD = 14
NARROWEST_CELL, NARROWEST_NAME, WIDEST_NAME, WIDEST_PLACE = 8, 20, 40, 32
PAIR_BESIDE = 24
MARKS = {BETTER: "+", WORSE: "-", EQUIVALENT: "="}
"""What stands beside a value of one of many runs."""
STYLES = {BETTER: "green", WORSE: "red", BROKEN: "red", FIXED: "green"}
FOOTER = "-v all scores, --format markdown|csv|json|latex|html, --out DIR keeps them"
LEAST_LINES = ((8, 0, 6, 4, 4), (8, 0, 4, 3, 3), (8, 0, 3, 2, 2), (4, 0, 2, 0, 2))
"""How many lines of each part stay: where there is almost room for all, and where there is less."""
ENDS = "95 % interval"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class ScreenLine(NamedTuple):
    """A line of the first screen: a name, cells on its right, a verdict and an interval."""

    name: str
    cells: tuple[str, ...]
    verdict: str = ""
    interval: str = ""
    style: str = ""


def first_screen(comparison: Comparison, screen: Screen) -> str:
    """Return at most 24 lines of 80 columns; slices that were asked for may make it longer."""
    runs, heads = _columns(comparison)
    parts: list[Sequence[ScreenLine]] = [
        [*_overall_lines(comparison, runs, heads)],
        [*_slice_lines(comparison, runs, heads)],
        [*_key_lines(comparison, runs, heads)],
        [*_cause_lines(comparison, runs, heads)],
        [*_document_lines(comparison, runs, heads)],
    ]
    above = [[Text(line, "bold") for line in wrapped(verdict_sentence(comparison), WIDTH)]]
    above[0].append(Text(_about(comparison, runs, heads), "dim"))
    if len(runs) == 2 and {*heads.values()} <= {*LETTERS}:
        names = (f"{INDENT}{head}  {comparison.runs[at].name}" for at, head in heads.items())
        above[0] += [Text(end_cut(visible(name), WIDTH)) for name in names]
    if len(comparison.runs) > 2:
        above.append([*_standings(comparison, heads)])
    below = [*_below(comparison)]
    room = MOST_LINES - sum(map(len, above)) - len(above) - len(below)
    if "by" in comparison.facts:
        asked, parts[1] = parts[1], ()
        parts = _fitted(parts, room)
        parts[1] = asked
    else:
        # slices by document type come unasked, and only where there is room for them
        parts = _fitted(parts, room)
    blocks = [*above, *_aligned([part for part in parts if part])]
    return draw([*spaced(blocks), *below], Screen(WIDTH, screen.colour))


def _fitted(parts: Sequence[Sequence[ScreenLine]], room: int) -> list[Sequence[ScreenLine]]:
    """Return parts that need at most so many lines with a blank one between two.

    Each keeps its head and its first lines; what goes first is what stands further down.
    """
    fitted = [*parts]
    for least in LEAST_LINES:
        for at in reversed(range(len(fitted))):
            while len(fitted[at]) > least[at] and _height(fitted) > room:
                fitted[at] = fitted[at][:-1]
    # a head without a line says nothing
    return [part if len(part) > 1 else () for part in fitted]


def _height(parts: Sequence[Sequence[ScreenLine]]) -> int:
    filled = [len(part) for part in parts if part]
    return sum(filled) + len(filled) - 1


def _about(comparison: Comparison, runs: Sequence[int], heads: dict[int, str]) -> str:
    """Return what is compared with what, and what marks mean, by the names of columns."""
    documents = count(comparison.documents_compared, "document")
    about = f"{documents} compared by {headline_label(comparison)}"
    if len(comparison.runs) < 2:
        return end_cut(about, WIDTH)
    against = heads[comparison.against]
    if len(comparison.runs) == 2:
        (other,) = others(comparison)
        about += f"; a change is {heads[other]} minus {against}"
    else:
        if len(runs) < len(comparison.runs):
            about += f" ({len(comparison.runs) - len(runs)} runs have no column)"
        about += f"; + better, - worse, = equivalent to {against}"
    return end_cut(about, WIDTH)


def _columns(comparison: Comparison) -> tuple[list[int], dict[int, str]]:
    """Return the runs that there is room for, and what their columns are called.

    Names that leave no room for those of fields are replaced by letters.
    """
    every = [*range(len(comparison.runs))]
    names = {at: visible(run.name) for at, run in enumerate(comparison.runs)}
    # beside two runs there are the change and the verdict
    beside = PAIR_BESIDE if len(every) == 2 else NARROWEST_CELL // 2
    room = WIDTH - len(INDENT) - NARROWEST_NAME - beside
    if sum(max(NARROWEST_CELL, cell_len(name) + 2) for name in names.values()) <= room:
        return every, names
    if len(every) == 2:
        short = {at: middle_cut(name, LONGEST_HEAD) for at, name in names.items()}
        if len({*short.values()}) == len({*names.values()}):
            return every, short
        return every, {at: LETTERS[at] for at in every}
    ranked = [place.run for place in comparison.standings]
    chosen = [*dict.fromkeys((comparison.against, *ranked, *every))][: room // NARROWEST_CELL]
    letters = {at: LETTERS[at] if at < len(LETTERS) else str(at + 1) for at in every}
    return sorted(chosen), letters


def _standings(comparison: Comparison, heads: dict[int, str]) -> Iterator[Text]:
    """Yield the leaderboard: places, values with intervals, and who is tied with whom."""
    entry = headline_score(comparison)
    if entry is None:
        return
    places = comparison.standings[:MOST_PLACES]
    names = {place.run: _named(comparison, place.run, heads) for place in places}
    width = min(max(map(cell_len, ("run", *names.values()))), WIDEST_PLACE)
    yield Text(f"{INDENT}   {'run'.ljust(width)}  {headline_label(comparison)}", "bold")
    for place in places:
        line = Text(f"{INDENT}{place.place:>2} {_padded(names[place.run], width)}  ")
        ends = place.score.interval.ends
        line.append(written(comparison, entry, place.score.value))
        line.append("" if ends is None else f" [{share(ends[0])}, {share(ends[1])}]")
        line.append(_tied(comparison, place, heads), "dim")
        line.truncate(WIDTH, overflow="ellipsis")
        yield line
    left = len(comparison.standings) - len(places)
    if left:
        yield Text(f"{INDENT}   and {count(left, 'run')} below them", "dim")


def _named(comparison: Comparison, run: int, heads: dict[int, str]) -> str:
    name = visible(comparison.runs[run].name)
    return name if heads[run] == name else f"{heads[run]}  {name}"


def _tied(comparison: Comparison, place: LeaderboardPlace, heads: dict[int, str]) -> str:
    """Return from which runs a run cannot be told apart, and which one is compared with."""
    parts = ["baseline"] if place.run == comparison.against else []
    if place.tied:
        parts.append(f"tied with {', '.join(heads[run] for run in place.tied)}")
    return f"  {'; '.join(parts)}" if parts else ""


def _padded(text: str, width: int) -> str:
    short = middle_cut(text, width)
    return f"{short}{' ' * (width - cell_len(short))}"


def _head(
    comparison: Comparison,
    title: str,
    runs: Sequence[int],
    heads: dict[int, str],
    last: str = "change",
) -> ScreenLine:
    # values of many runs have a mark behind them
    pair = len(comparison.runs) == 2
    cells = [heads[run] if pair else f"{heads[run]} " for run in runs]
    return ScreenLine(title, (*cells, last) if pair else tuple(cells), style="bold")


def _score_line(
    comparison: Comparison, name: str, entry: ComparedScore, runs: Sequence[int]
) -> ScreenLine:
    values = [written(comparison, entry, entry.values[run]) for run in runs]
    by_run = {difference.run: difference for difference in entry.differences}
    if len(comparison.runs) == 2:
        difference = next(iter(by_run.values()), None)
        if difference is None:
            return ScreenLine(name, (*values, ""))
        return ScreenLine(
            name,
            (*values, signed(comparison, entry, difference.value)),
            difference.verdict or "",
            interval(comparison, entry, difference),
        )
    marks = [_mark(by_run.get(run)) for run in runs]
    return ScreenLine(
        name, tuple(f"{value}{mark}" for value, mark in zip(values, marks, strict=True))
    )


def _mark(difference: RunDifference | None) -> str:
    verdict = None if difference is None else difference.verdict
    return " " if verdict is None else MARKS.get(verdict, " ")


def _overall_lines(
    comparison: Comparison, runs: Sequence[int], heads: dict[int, str]
) -> Iterator[ScreenLine]:
    """Yield the scores that say most, and what predictions cost."""
    entries = leading(comparison)[:MOST_OVERALL]
    costs = [*_cost_lines(comparison, runs)]
    if entries or costs:
        yield _head(comparison, "overall", runs, heads)
    for entry in entries:
        yield _score_line(comparison, label(comparison, entry.score.name), entry, runs)
    yield from costs


def _cost_lines(comparison: Comparison, runs: Sequence[int]) -> Iterator[ScreenLine]:
    for name, (noun, form) in SPREADS.items():
        means = [comparison.runs[run].spreads.get(name, {}).get("mean") for run in runs]
        if any(mean is not None for mean in means):
            cells = [UNDEFINED if mean is None else f"{mean:{form}}" for mean in means]
            if len(comparison.runs) > 2:
                cells = [f"{cell} " for cell in cells]
            else:
                before, after = means[comparison.against], means[1 - comparison.against]
                change = None if before is None or after is None else after - before
                cells.append(UNDEFINED if change is None else f"{change:+{form}}")
            yield ScreenLine(noun, tuple(cells))


def _key_lines(
    comparison: Comparison, runs: Sequence[int], heads: dict[int, str]
) -> Iterator[ScreenLine]:
    """Yield the fields that differ most, of the first kind of key that there is."""
    for kind in shown_kinds(comparison):
        entries = by_key(comparison, kind)
        if not entries:
            continue
        shown = entries[:MOST_KEYS]
        sure = sum(is_sure(entry) for entry in entries)
        noun = plural(kind)
        title = f"{noun} ({sure} of {len(entries)} differ)" if sure else f"{noun}, none differs"
        yield _head(comparison, title, runs, heads)
        for entry in shown:
            yield _score_line(comparison, visible(entry.score.key), entry, runs)
        return


def _slice_lines(
    comparison: Comparison, runs: Sequence[int], heads: dict[int, str]
) -> Iterator[ScreenLine]:
    entries = slices(comparison)
    if entries:
        yield _head(comparison, "slices", runs, heads)
    for entry in entries:
        yield _score_line(comparison, visible(entry.score.slice), entry, runs)


def _cause_lines(
    comparison: Comparison, runs: Sequence[int], heads: dict[int, str]
) -> Iterator[ScreenLine]:
    """Yield the causes that explain most: wrong values, and points of the difference."""
    causes = explaining(comparison)[:MOST_CAUSES]
    if not causes:
        return
    pair = len(comparison.runs) == 2
    yield _head(comparison, "wrong values, by cause", runs, heads, "points")
    for cause in causes:
        values = [f"{cause.values[run]:,}{'' if pair else ' '}" for run in runs]
        if pair:
            values.append(f"{contribution(comparison, cause, others(comparison)[0]):+.3f}")
        yield ScreenLine(visible(cause.name), tuple(values))


def _document_lines(
    comparison: Comparison, runs: Sequence[int], heads: dict[int, str]
) -> Iterator[ScreenLine]:
    """Yield the documents that changed most, below how many were newly broken and fixed."""
    documents = comparison.documents
    if not documents:
        return
    pair = len(comparison.runs) == 2
    title = "documents"
    # where no metric says which documents are fully correct, none is broken or fixed
    if pair and any(state for document in documents for state in document.states):
        (other,) = others(comparison)
        broken, fixed = (changes(comparison, state, other) for state in (BROKEN, FIXED))
        title = f"{broken:,} newly broken, {fixed:,} fixed"
    yield _head(comparison, title, runs, heads)
    for document in documents[:MOST_DOCUMENTS]:
        values = [share(document.values[run]) for run in runs]
        if pair:
            state = document.states[others(comparison)[0]] if document.states else ""
            yield ScreenLine(visible(document.id), (*values, f"{document.change:+.3f}"), state)
        else:
            states = document.states or ("",) * len(comparison.runs)
            marks = {BROKEN: "-", FIXED: "+"}
            values = [
                f"{value}{marks.get(states[run], ' ')}"
                for run, value in zip(runs, values, strict=True)
            ]
            yield ScreenLine(visible(document.id), tuple(values))


def _aligned(blocks: Sequence[Sequence[ScreenLine]]) -> list[list[Text]]:
    """Return the lines of blocks with their columns in the same places.

    Where they are too wide, intervals go first, then the middle of names.
    """
    lines = [line for block in blocks for line in block]
    columns = max((len(line.cells) for line in lines), default=0)
    widths = [
        max(NARROWEST_CELL, *(cell_len(line.cells[at]) + 2 for line in lines))
        for at in range(columns)
    ]
    longest = min(max((cell_len(line.name) for line in lines), default=0), WIDEST_NAME)
    verdict = max((len(line.verdict) + 2 for line in lines if line.verdict), default=0)
    width = max(NARROWEST_NAME, min(longest, WIDTH - len(INDENT) - sum(widths) - verdict))
    return [
        [*_drawn(block, width, widths, WIDTH - len(INDENT) - width - sum(widths))]
        for block in blocks
    ]


def _drawn(
    block: Sequence[ScreenLine], width: int, widths: Sequence[int], room: int
) -> Iterator[Text]:
    """Yield the lines of a block, with intervals if there is room for them."""
    verdict = max(len(line.verdict) for line in block) + 2
    ends = max(len(line.interval) for line in block) + 2
    with_ends = ends > 2 and verdict + ends <= room
    for line in block:
        row = f"{INDENT}{_padded(line.name, width)}"
        for cell, size in zip(line.cells, widths, strict=True):
            row += " " * (size - cell_len(cell)) + cell
        drawn = Text(row, line.style)
        if line.verdict:
            drawn.append(f"  {line.verdict}", STYLES.get(line.verdict, "dim"))
        text = line.interval or (ENDS if line.style else "")
        if text and with_ends:
            before = len(line.verdict) + 2 if line.verdict else 0
            drawn.append(f"{' ' * (verdict + 2 - before)}{text}")
        drawn.rstrip()
        yield drawn


def _below(comparison: Comparison) -> Iterator[Text]:
    """Yield the command that explains the first document, and what else there is."""
    for document in comparison.documents[:1]:
        command = command_of(comparison, document)
        plain = "'" not in command and "\n" not in command
        if command and plain:
            yield from (Text(line, "cyan") for line in command_lines(command.split(" ")))
        elif command:
            yield from (Text(f"{INDENT}{line}", "cyan") for line in visible(command).split("\n"))
    yield Text(end_cut(f"{INDENT}{FOOTER}", WIDTH))


def whole_tables(comparison: Comparison, screen: Screen) -> str:
    """Return every score of every run, table by table."""
    parts: list[RenderableType] = [words(verdict_sentence(comparison), "bold")]
    heads = {at: visible(run.name) for at, run in enumerate(comparison.runs)}
    parts += [words(_about(comparison, range(len(comparison.runs)), heads), "dim"), Text()]
    if len(comparison.runs) > 2:
        parts += [*_standings(comparison, heads), Text()]
    families = [("overall", [*leading(comparison), *overall(comparison)])]
    for kind in kinds(comparison):
        own = [entry for entry in comparison.scores if entry.score.kind == kind]
        named: dict[str, list[ComparedScore]] = {comparison.headline: []}
        for entry in own:
            if not entry.score.slice:
                named.setdefault(entry.score.name, []).append(entry)
        for name, alike in named.items():
            families.append((f"{label(comparison, name)} by {kind}", most_different(alike)))
    families.append(("slices", [entry for entry in comparison.scores if entry.score.slice]))
    for title, entries in families:
        parts += [*_family(comparison, title, entries)]
    parts += [*_cause_table(comparison), *_document_table(comparison)]
    return draw(parts, screen)


def _family(
    comparison: Comparison, title: str, entries: Sequence[ComparedScore]
) -> Iterator[RenderableType]:
    """Yield the table of some scores; those that are undefined in every run are left out."""
    shown = [entry for entry in dict.fromkeys(entries) if any(v is not None for v in entry.values)]
    if not shown:
        return
    pair = len(comparison.runs) == 2
    heads = [cut(visible(run.name), LONGEST) for run in comparison.runs]
    more = ("change", "interval 95 %", "adjusted p", "verdict") if pair else ()
    table = grid(title, *heads, *more)
    for entry in shown:
        line = _score_line(comparison, _row_name(comparison, entry), entry, range(len(heads)))
        cells = [Text(cell) for cell in line.cells]
        if pair and entry.differences:
            p = p_value(entry.differences[0].p_adjusted)
            cells += [
                Text(line.interval),
                Text(p),
                Text(line.verdict, STYLES.get(line.verdict, "")),
            ]
        table.add_row(words(cut(line.name, LONGEST)), *cells)
    yield table
    yield Text()


def _row_name(comparison: Comparison, entry: ComparedScore) -> str:
    score = entry.score
    if score.slice:
        key = f"@{score.key}" if score.key else ""
        return visible(f"{label(comparison, score.name)}{key}[{score.slice}]")
    return visible(score.key) if score.key else label(comparison, score.name)


def _cause_table(comparison: Comparison) -> Iterator[RenderableType]:
    causes = explaining(comparison)
    if not causes:
        return
    names = [visible(run.name) for run in comparison.runs]
    table = grid(
        "wrong values, by cause", *names, *(f"{names[run]} points" for run in others(comparison))
    )
    for cause in causes:
        points = (f"{contribution(comparison, cause, run):+.4f}" for run in others(comparison))
        table.add_row(words(cause.name), *(f"{value:,}" for value in cause.values), *points)
    yield table
    yield Text()


def _document_table(comparison: Comparison) -> Iterator[RenderableType]:
    if not comparison.documents:
        return
    table = grid("documents", *(visible(run.name) for run in comparison.runs), "change", "became")
    for document in comparison.documents:
        states = " ".join(dict.fromkeys(state for state in document.states if state))
        values = (share(value) for value in document.values)
        table.add_row(
            words(cut(document.id, LONGEST)),
            *values,
            f"{document.change:+.3f}",
            Text(states, STYLES.get(states, "")),
        )
    yield table
    yield from _below(comparison)
