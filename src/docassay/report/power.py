"""A forecast of documents needed: for a terminal, as Markdown and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from docassay.analysis.power import PowerLine, PowerStudy
from docassay.errors import UnknownName
from docassay.model.words import UNDEFINED, count, number, visible
from docassay.report.screen import PLAIN, Screen, draw
from docassay.report.sheets import StudyTable, drawn, markdown
from docassay.run.output import json_text

FORMATS = ("table", "json", "markdown")
MOST_FIELDS = 12
"""How many fields are shown, those that need most documents first."""


def render(
    study: PowerStudy, format: str, *, screen: Screen = PLAIN, all_fields: bool = False
) -> str:
    """Return the forecast as text in one of FORMATS."""
    if format not in FORMATS:
        raise UnknownName("format of a forecast", format, FORMATS)
    if format == "table":
        # a table without a single forecast says no more than the sentence above it
        forecast = all_fields or any(line.needed is not None for line in study.lines)
        return draw(drawn(_headline(study), _tables(study, all_fields) if forecast else ()), screen)
    functions: Mapping[str, Callable[[PowerStudy], str]] = {
        "json": _json,
        "markdown": lambda own: markdown(
            "docassay: documents needed", _paragraphs(own), _tables(own, True)
        ),
    }
    return functions[format](study)


def _paragraphs(study: PowerStudy) -> Iterator[str]:
    for sentence in _headline(study):
        yield from (sentence, "")


def _headline(study: PowerStudy) -> Iterator[str]:
    """Yield the answer in words, and what it rests on."""
    asked = study.question
    goal = (
        f"a difference of {asked.difference:g} with power {asked.power:g} at alpha {asked.alpha:g}"
    )
    main = next((line for line in study.lines if line.address == study.headline), None)
    if main is None:
        yield f"No score can be forecast: none is a share. Asked for: {goal}"
    elif main.needed is None:
        yield f"No forecast for {main.label}: {main.why}. Asked for: {goal}"
    else:
        yield f"{count(main.needed, 'document')} show {goal}, in {main.label}"
        if main.resolves is not None:
            many = count(study.documents, "document at hand", "documents at hand")
            yield f"The {many} show {main.resolves:.4f} or more"
    yield _assumption(study)


def _assumption(study: PowerStudy) -> str:
    names = [visible(run.name) for run in study.runs]
    if study.correlation is None:
        return f"From how {names[0]} and {names[1]} differ by document"
    return (
        f"From {names[0]} alone. Assumed: another run varies as much over documents, and the "
        f"errors of the two correlate by {study.correlation:g}; name a second run, or say "
        "--correlation"
    )


def _tables(study: PowerStudy, all_fields: bool) -> Iterator[StudyTable]:
    overall = [line for line in study.lines if not line.key]
    named = [line for line in overall if line.label != line.address]
    yield _sheet(study, "Overall", "score", overall if all_fields else named or overall)
    main = study.headline.partition("@")[0]
    keyed = [line for line in study.lines if line.key and line.address.partition("@")[0] == main]
    fields = sorted(keyed, key=lambda line: (-(line.needed or 0), line.key))
    if not fields:
        return
    shown = fields if all_fields else fields[:MOST_FIELDS]
    label = next(line.label for line in fields)
    rest = len(fields) - len(shown)
    more = f"{number(rest)} more need fewer or have no forecast; -v lists all\n" if rest else ""
    together = f"all at once: where all {len(fields)} are tested together"
    yield _sheet(study, f"{label} by {fields[0].kind}", fields[0].kind, shown, more + together)


def _sheet(
    study: PowerStudy, title: str, noun: str, lines: Sequence[PowerLine], below: str = ""
) -> StudyTable:
    pair = len(study.runs) == 2
    keyed = any(line.key for line in lines)
    head = (noun, *(("difference", "to see it") if pair else ("value",)), "documents needed")
    head += ("all at once", "shows now") if keyed else ("shows now", "power now")
    rows = [_row(line, pair=pair, keyed=keyed) for line in lines]
    seen: dict[str, list[str]] = {}
    for line in lines:
        if line.why:
            seen.setdefault(line.why, []).append(line.key or line.label)
    whys = [f"no forecast, {why}: {', '.join(map(visible, names))}" for why, names in seen.items()]
    return StudyTable(title, head, rows, "\n".join([*whys, *([below] if below else [])]))


def _row(line: PowerLine, *, pair: bool, keyed: bool) -> tuple[str, ...]:
    name = line.key or line.label
    first = (
        (_signed(line.observed), number(line.needed_for_observed))
        if pair
        else (number(line.values[0]),)
    )
    power = UNDEFINED if line.power_now is None else f"{line.power_now:.2f}"
    shows = UNDEFINED if line.resolves is None else f"{line.resolves:.3f}"
    last = (number(line.needed_together), shows) if keyed else (shows, power)
    return (name, *first, number(line.needed), *last)


def _signed(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:+.4f}"


def _json(study: PowerStudy) -> str:
    facts: dict[str, object] = {
        "docassay": study.version,
        "runs": [run._asdict() for run in study.runs],
        "documents": study.documents,
        **study.question._asdict(),
        "correlation": study.correlation,
        "headline": study.headline,
        "notes": study.notes,
    }
    scores = ({**line._asdict(), "values": [*line.values]} for line in study.lines)
    return json_text(facts, {"scores": scores})
