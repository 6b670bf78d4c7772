"""What renderings of a comparison have in common, worked out once.

What a score is called, how values and differences are written, which scores lead, which keys differ
most, and the sentence that says which run is better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docassay.model.comparison import (
    BETTER,
    EQUIVALENT,
    TIED,
    WORSE,
    ComparedCause,
    ComparedDocument,
    ComparedScore,
    Comparison,
    RunDifference,
)
from docassay.model.report import COUNT, FIELD, LAST, OVERALL, SHARE
from docassay.model.words import UNDEFINED, chance, number, visible
from docassay.report.first_screen import share
from docassay.report.tables import KINDS, amount

LONGEST = 160
"""Characters of a name or cell that are shown."""
SPREADS = {
    "timing": ("seconds a document", ",.2f"),
    "tokens": ("tokens a document", ",.0f"),
    "cost": ("cost a document", ",.4g"),
}
"""What predictions cost: the noun and how its mean is written."""


def others(comparison: Comparison) -> list[int]:
    """Return the runs that are compared with the one that all are compared with."""
    return [at for at in range(len(comparison.runs)) if at != comparison.against]


def headline_score(comparison: Comparison) -> ComparedScore | None:
    """Return the score that decides, None where no run has it."""
    return next(
        (entry for entry in comparison.scores if entry.score.address == comparison.headline), None
    )


IN_FULL = {"documents": "documents fully correct", "hours": "hours per 1,000"}
"""Short names that say too little without the words that stand beside them elsewhere."""


def label(comparison: Comparison, name: str) -> str:
    """Return what a readout is called: its short name, or metric and readout."""
    spec = comparison.specs.get(name)
    return IN_FULL.get(spec.short, spec.short) if spec is not None and spec.short else name


def headline_label(comparison: Comparison) -> str:
    """Return what the score that decides is called."""
    return label(comparison, comparison.headline)


def is_share(comparison: Comparison, entry: ComparedScore) -> bool:
    """Return whether values of a score are shares rather than numbers of things."""
    spec = comparison.specs.get(entry.score.name)
    if spec is not None:
        return spec.unit == SHARE
    return not any(isinstance(value, int) for value in entry.values)


def written(comparison: Comparison, entry: ComparedScore, value: float | int | None) -> str:
    """Return a value of a score as it is shown."""
    if is_share(comparison, entry):
        return share(value)
    spec = comparison.specs.get(entry.score.name)
    return amount(value, "" if spec is None else spec.unit)


def signed(comparison: Comparison, entry: ComparedScore, value: float | int | None) -> str:
    """Return a difference of a score with its sign."""
    if value is None:
        return UNDEFINED
    spec = comparison.specs.get(entry.score.name)
    if is_share(comparison, entry):
        # there is no minus before what is shown as nothing
        return f"{round(value, 3) + 0.0:+.3f}"
    if spec is None or spec.unit == COUNT:
        return f"{value:+,.0f}" if float(value).is_integer() else f"{value:+,.1f}"
    return f"{'+' if value >= 0 else ''}{amount(value, spec.unit)}"


def interval(comparison: Comparison, entry: ComparedScore, difference: RunDifference) -> str:
    """Return the interval of a difference, "" where there is none."""
    if difference.low is None or difference.high is None:
        return ""
    ends = (signed(comparison, entry, end) for end in (difference.low, difference.high))
    return f"[{', '.join(ends)}]"


def leading(comparison: Comparison) -> list[ComparedScore]:
    """Return the overall scores that say most: those of the first screen, then others by name."""
    every = {entry.score.name: entry for entry in overall(comparison)}
    names = [comparison.headline, *comparison.leading]
    for name in every:
        spec = comparison.specs.get(name)
        if spec is None or (spec.short and spec.unit == SHARE and spec.column is not None):
            names.append(name)
    return [every[name] for name in dict.fromkeys(names) if name in every]


def overall(comparison: Comparison) -> list[ComparedScore]:
    """Return the overall scores."""
    return [
        entry
        for entry in comparison.scores
        if entry.score.kind == OVERALL and not entry.score.slice
    ]


def kinds(comparison: Comparison) -> list[str]:
    """Return the kinds of keys there are, the known ones first."""
    present = {entry.score.kind for entry in comparison.scores} - {OVERALL}
    return [kind for kind in KINDS if kind in present] + sorted(present.difference(KINDS))


def shown_kinds(comparison: Comparison) -> list[str]:
    """Return the kinds of keys that people look for: the known ones, or else all there are."""
    every = kinds(comparison)
    return [kind for kind in every if kind in KINDS] or every


def by_key(comparison: Comparison, kind: str = FIELD) -> list[ComparedScore]:
    """Return the score that decides by key of a kind, what differs most first.

    Where it has no such key, the tested score whose column comes first stands in.
    """
    own = [
        entry
        for entry in comparison.scores
        if entry.score.kind == kind and not entry.score.slice and entry.differences
    ]
    names = [entry.score.name for entry in own if any(each.verdict for each in entry.differences)]
    first = min(dict.fromkeys(names), key=lambda name: _column(comparison, name), default="")
    name = comparison.headline if comparison.headline in names else first
    return most_different([entry for entry in own if entry.score.name == name])


def _column(comparison: Comparison, name: str) -> float:
    spec = comparison.specs.get(name)
    return LAST if spec is None or spec.column is None else spec.column


def slices(comparison: Comparison) -> list[ComparedScore]:
    """Return the score that decides by slice."""
    return [
        entry
        for entry in comparison.scores
        if entry.score.slice and not entry.score.key and entry.score.name == comparison.headline
    ]


def most_different(entries: Sequence[ComparedScore]) -> list[ComparedScore]:
    """Return scores with those first that differ by verdict, then by how much."""

    def order(entry: ComparedScore) -> tuple[bool, float, str]:
        sure = any(each.verdict in (BETTER, WORSE) for each in entry.differences)
        sizes = [abs(each.value) for each in entry.differences if each.value is not None]
        return (not sure, -max(sizes, default=-1.0), entry.score.address)

    return sorted(entries, key=order)


def is_sure(entry: ComparedScore) -> bool:
    """Return whether a run is better or worse in a score than the one compared with."""
    return any(difference.verdict in (BETTER, WORSE) for difference in entry.differences)


def contribution(comparison: Comparison, cause: ComparedCause, run: int) -> float:
    """Return what a cause contributes to the difference of a run."""
    return cause.differences[others(comparison).index(run)]


def explaining(comparison: Comparison) -> list[ComparedCause]:
    """Return the causes that contribute anything."""
    return [cause for cause in comparison.causes if any(cause.differences) or any(cause.values)]


def changes(comparison: Comparison, state: str, run: int) -> int:
    """Return how many documents a run has newly broken, or fixed."""
    return sum(
        document.states[run] == state for document in comparison.documents if document.states
    )


def command_of(comparison: Comparison, document: ComparedDocument) -> str:
    """Return the command that explains a document in the run that changed it most."""
    before = document.values[comparison.against]

    def size(run: int) -> tuple[bool, float]:
        value = document.values[run]
        state = document.states[run] if document.states else ""
        defined = None not in (value, before)
        return (bool(state), abs((value or 0.0) - (before or 0.0)) if defined else 0.0)

    for run in sorted(others(comparison), key=size, reverse=True):
        if document.commands and document.commands[run]:
            return document.commands[run]
    return ""


def verdict_sentence(comparison: Comparison, spell: Callable[[str], str] = visible) -> str:
    """Return which run is better and how sure that is; `spell` writes names of runs."""
    entry = headline_score(comparison)
    if entry is None or not comparison.runs:
        return f"not compared: no run has {visible(comparison.headline)}"
    if len(comparison.runs) > 2:
        return _leading_sentence(comparison, spell)
    if not entry.differences:
        return f"{spell(comparison.runs[0].name)} is compared with nothing"
    difference = entry.differences[0]
    first = spell(comparison.runs[comparison.against].name)
    second = spell(comparison.runs[difference.run].name)
    if difference.value is None:
        return f"not compared: {label(comparison, entry.score.name)} is undefined in a run"
    size, ends = _turned(comparison, entry, difference)
    p = chance(difference.p_adjusted)
    if difference.verdict in (BETTER, WORSE):
        better, worse = (second, first) if difference.verdict == BETTER else (first, second)
        return f"{better} is better than {worse} by {size}{ends}{f', {p}' if p else ''}"
    if difference.verdict == EQUIVALENT:
        return (
            f"equivalent: {first} and {second} differ by {size}{ends}, within the margin of "
            f"{comparison.margin:g}"
        )
    if difference.verdict == TIED:
        return (
            f"tied: the difference of {size}{ends} could be chance{f' ({p})' if p else ''}; "
            "docassay power tells how many documents would settle it"
        )
    return f"not tested: {first} and {second} differ by {size}{ends}"


def _turned(
    comparison: Comparison, entry: ComparedScore, difference: RunDifference
) -> tuple[str, str]:
    """Return the size of a difference and its interval, turned so that the size is positive."""
    value, low, high = difference.value or 0.0, difference.low, difference.high
    turned = value < 0
    size = signed(comparison, entry, abs(value)).lstrip("+")
    if low is None or high is None:
        return size, ""
    ends = (-high, -low) if turned else (low, high)
    texts = (signed(comparison, entry, end + 0.0).removeprefix("+") for end in ends)
    return size, f" [{', '.join(texts)}]"


def _leading_sentence(comparison: Comparison, spell: Callable[[str], str]) -> str:
    """Return who leads the leaderboard, and with whom."""
    name = headline_label(comparison)
    first = [place for place in comparison.standings if place.place == 1]
    if not first:
        return f"{name}: {len(comparison.runs)} runs, of which none has a value"
    names = [spell(comparison.runs[place.run].name) for place in first]
    best = share(first[0].score.value) if isinstance(first[0].score.value, float) else ""
    best = best or number(first[0].score.value)
    if len(names) == 1:
        rest = len(comparison.runs) - 1
        return f"{names[0]} is best by {name} ({best}), better than all {rest} others"
    if len(names) == len(comparison.runs):
        together = f"{', '.join(names[:-1])} and {names[-1]}"
        return (
            f"tied: no test tells {together} apart by {name}; docassay power tells how many "
            "documents would settle it"
        )
    return (
        f"{names[0]} leads by {name} ({best}); no test tells {', '.join(names[1:])} apart from it"
    )
