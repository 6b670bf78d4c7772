"""Speed of what users get, against a bare rapidfuzz + scipy floor and released packages.

    python benchmarks/run.py [--only PART,PART] [--write] [--quick]

Every ratio is the median over interleaved rounds, because identical loops on a shared machine
differ by half or more; the least and the greatest stand beside it. Each piece of work takes its
turns in a process of its own. Times are CPU seconds of all processes, with reading and, the first
round aside, without imports unless it says a fresh process. `--write` keeps the figures in
results.json and results.md and in docs/explanation/speed.md; parts that were not run stay as they
were. `--quick` takes two minutes and ends with 1 when a ratio to the floor has fallen by more than
MARGIN against results.json, twice in a row.
"""

from __future__ import annotations

import os

# before numpy is imported: the command does the same for itself
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# fresh processes find modules compiled to bytecode, as those of an installed package are
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import argparse
import json
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpora import GENERATOR
from docassay.version import VERSION
from parts import PARTS, figures_of
from timing import ROUNDS, Aim, Figure

HERE = Path(__file__).parent
KEPT = HERE / "results.json"
PAGES = (HERE / "results.md", HERE.parent / "docs" / "explanation" / "speed.md")
START, END = "<!-- figures: written by `make bench` -->", "<!-- figures end -->"
MARGIN = 0.3
"""The part of a ratio by which it may fall before `--quick` complains: a busy machine moves it."""

TITLES = {
    "headlines": "What users get",
    "families": "Families of metrics",
    "process": "The whole process",
    "out": "Keeping a run",
    "growth": "Growth with rows",
    "long": "Wrong rows and long texts",
    "huge": "Thousands of wrong rows a side, in a fresh process",
    "start": "Cold start",
    "peers": "Released packages",
    "guard": "What `make bench-quick` guards",
}
HEAD = (
    "documents",
    "work",
    "docassay",
    "other",
    "value",
    "",
    "least to greatest",
    "rounds",
    "aim",
    "",
)


Facts = dict[str, str | int | float]


def facts() -> Facts:
    """Return what the numbers hang on besides the code."""
    return {
        "docassay": VERSION,
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": os.cpu_count() or 1,
        "load": round(os.getloadavg()[0], 1),
        "date": time.strftime("%Y-%m-%d"),
        "plain_invoices": "gen_invoices.py" if GENERATOR.is_file() else "benchmarks/corpora.py",
    }


def number(value: float | None) -> str:
    """Return a number with three digits, or whole."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def cells(figure: Figure) -> tuple[str, ...]:
    """Return a figure as texts."""
    if not figure.rounds:
        return (figure.data, figure.work, "", "", "", figure.remark, "", "", "", "")
    work = f"{figure.work} ({figure.remark})" if figure.remark else figure.work
    return (
        figure.data,
        work,
        number(figure.docassay),
        number(figure.other),
        number(figure.value),
        figure.unit,
        f"{number(figure.least)} to {number(figure.greatest)}",
        str(figure.rounds),
        "" if figure.aim is None else str(figure.aim),
        figure.verdict,
    )


def tables(figures: Sequence[Figure], runs: dict[str, Facts]) -> Iterator[str]:
    """Yield all figures as Markdown, part by part, with the facts of each run."""
    for part, title in TITLES.items():
        own = [figure for figure in figures if figure.part == part]
        if not own:
            continue
        yield f"### {title}\n"
        yield ", ".join(f"{name} {value}" for name, value in runs[part].items()) + "\n"
        yield f"| {' | '.join(HEAD)} |"
        rules = ("---:" if place in (2, 3, 4, 7) else "---" for place in range(len(HEAD)))
        yield f"| {' | '.join(rules)} |"
        yield from (f"| {' | '.join(cells(figure))} |" for figure in own)
        yield ""


def kept() -> tuple[list[Figure], dict[str, Facts]]:
    """Return the figures that were kept, and the facts of each part's run."""
    if not KEPT.is_file():
        return [], {}
    stored = json.loads(KEPT.read_text())
    figures = [
        Figure(**{**figure, "aim": None if figure["aim"] is None else Aim(*figure["aim"])})
        for figure in stored["figures"]
    ]
    return figures, stored["runs"]


def keep(new: list[Figure], part: str, run: Facts) -> None:
    """Keep the figures of a part in place of the old ones."""
    old, runs = kept()
    figures = [figure for figure in old if figure.part != part] + new
    figures.sort(key=lambda figure: [*TITLES].index(figure.part))
    runs[part] = run
    stored = {"runs": runs, "figures": [figure._asdict() for figure in figures]}
    KEPT.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
    block = "\n".join((START, "", *tables(figures, runs), END))
    for page in PAGES:
        before, rest = page.read_text().split(START)
        page.write_text(before + block + rest.split(END)[1])


def show(figure: Figure) -> None:
    """Print a figure as one line."""
    data, work, own, other, value, unit, spread, _, aim, verdict = cells(figure)
    rates = f"{own} / {other}" if own else ""
    spread = f"({spread})" if spread else ""
    line = f"{data:44} {work[:48]:48} {rates:>17} {value:>7} {unit} {spread} {aim} {verdict}"
    print(line.rstrip(), flush=True)


def measure(part: str) -> list[Figure]:
    """Measure a part and print its figures as they come."""
    print(f"\n{TITLES[part]}")
    figures = []
    for figure in figures_of(part):
        show(figure)
        figures.append(figure)
    return figures


def fallen(figures: Sequence[Figure], base: Sequence[Figure]) -> Iterator[str]:
    """Yield the works whose ratio to the floor is lower than kept by more than the margin."""
    expected = {(figure.data, figure.work): figure.value for figure in base}
    for figure in figures:
        before = expected.get((figure.data, figure.work))
        if before is not None and figure.value < (1 - MARGIN) * before:
            place = f"{figure.data}, {figure.work}"
            yield f"{place}: {figure.value:.3f} of the floor, kept {before:.3f}"


def quick() -> int:
    """Compare a few ratios with those kept; return the exit code."""
    base = [figure for figure in kept()[0] if figure.part == "guard"]
    if not base:
        print("results.json has no ratios to compare with: run `make bench` first", file=sys.stderr)
        return 2
    slower = [*fallen(measure("guard"), base)]
    if slower:
        print("\nonce more, because something was slower", file=sys.stderr)
        again = [*fallen(measure("guard"), base)]
        places = {words.rsplit(":", 1)[0] for words in slower}
        slower = [words for words in again if words.rsplit(":", 1)[0] in places]
    for words in slower:
        print(f"slower by more than {MARGIN:.0%}: {words}", file=sys.stderr)
    return 1 if slower else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    parser.add_argument("--quick", action="store_true", help="compare with the figures kept")
    chosen = parser.parse_args()
    if chosen.quick:
        raise SystemExit(quick())
    parts = chosen.only.split(",")
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        parser.error(f"no part is called {unknown[0]!r}; parts are {', '.join(PARTS)}")
    figures = []
    for part in parts:
        run = facts()
        own = measure(part)
        figures += own
        if chosen.write:
            keep(own, part, run)
    print(f"\n(medians of {ROUNDS} interleaved rounds; rates are documents per CPU second)")
    missed = sum(figure.verdict == "missed" for figure in figures)
    print(f"{sum(figure.verdict == 'met' for figure in figures)} aims met, {missed} missed")


if __name__ == "__main__":
    main()
