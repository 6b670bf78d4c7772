"""Everything metrics say of a few runs, as it is kept in `whole_reports.txt`.

The numbers behind it are held by the tests beside this one; here stands what is made of them: which
lines, tables, charts and facts there are, in which order, cut where and in which words. After a
change that means to say something else, `python -m tests.metrics.test_whole_reports` writes the
file again, and its difference is read like any other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import zip_longest
from pathlib import Path

import docassay as da
from docassay.model.report import Report, Score
from tests.matching.test_reference import Maker

KEPT = Path(__file__).with_name("whole_reports.txt")
Corpus = dict[str, object]
SCHEMA = {
    "type_field": "kind",
    "fields": {
        "kind": "exact",
        "number": {"type": "id", "category": "head"},
        "date": {"type": "date", "category": "head"},
        "name": {"type": "text", "category": "party", "accept": 0.8},
        "total": {"type": "money", "weight": 3, "category": "amounts"},
        "tax": {"type": "money", "category": "amounts"},
        "paid": "boolean",
        "notes": {"type": "exact", "match": "order"},
        "tags": "text",
    },
    "groups": {"lines": {"fields": {"what": "text", "amount": "number", "code": "exact"}}},
    "types": {
        "bill": {"fields": ["kind", "number", "date", "name", "total", "tax", "lines", "tags"]},
        "slip": {"fields": ["kind", "date", "name", "total", "paid", "notes"]},
    },
    "rules": [
        {"name": "tax below total", "check": "tax < total"},
        {"name": "lines add up", "check": "sum(lines.amount) == total"},
    ],
}
POOLS = {
    "number": ("INV-1007", "INV-2310", "A 77", "9931"),
    "date": ("3 May 2025", "2025-05-13", "1/12/2024", "30 June 2023"),
    "name": ("Miller and Sons", "Café Zentral", "Brown Ltd", "Green Grocers"),
    "total": ("$1,234.50", "$99.00", "EUR 12,00", "-5.10"),
    "tax": ("$123.45", "$9.90", "1.20"),
    "paid": ("yes", "no"),
    "notes": ("first", "second", "third", "fourth"),
    "tags": ("red apple", "green pear", "blue plum", "old tree"),
    "what": ("red apples", "green pears", "blue plums", "bread"),
    "amount": ("1", "2.5", "1,000", "47"),
    "code": ("x1", "x2", "y7"),
}
SPOILT = (
    lambda text, dice: text[:-2] or "?",
    lambda text, dice: text.replace("1", "7").replace("e", "c"),
    lambda text, dice: text.upper(),
    lambda text, dice: text + " more",
    lambda text, dice: text.replace(".", "").replace(",", ""),
    lambda text, dice: dice.choice(POOLS["name"]),
    lambda text, dice: text[1:2] + text[:1] + text[2:],
    lambda text, dice: text.lstrip("-$"),
)


class TypedMaker:
    """Makes documents of the schema above, and predictions of them."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def cell(self, name: str) -> object:
        if name in ("notes", "tags"):
            return self.dice.sample(POOLS[name], self.dice.choice((1, 2, 3)))
        return self.dice.choice(POOLS[name])

    def tree(self) -> dict[str, object]:
        kind = self.dice.choice(("bill", "bill", "slip"))
        names = ("number", "date", "name", "total", "tax", "tags")
        tree: dict[str, object] = {"kind": kind}
        names = names if kind == "bill" else ("date", "name", "total", "paid", "notes")
        tree |= {name: self.cell(name) for name in names if self.dice.random() < 0.9}
        if kind == "bill":
            rows = range(self.dice.choice((0, 1, 2, 4)))
            tree["lines"] = [{name: self.cell(name) for name in SCHEMA_ROW} for _ in rows]
        return tree

    def mistaken(self, node: object) -> object:
        if isinstance(node, dict):
            kept = {key: self.mistaken(each) for key, each in node.items() if not self.rare()}
            if self.rare() and "kind" in kept:
                kept["kind"] = self.dice.choice(("bill", "slip", "letter"))
            return kept
        if isinstance(node, list):
            kept_items = [self.mistaken(each) for each in node if not self.rare()]
            if self.dice.random() < 0.4:
                self.dice.shuffle(kept_items)
            if self.rare() and node:
                kept_items.append(self.dice.choice(node))
            return kept_items
        text = f"{node}"
        if text not in ("bill", "slip") and self.dice.random() < 0.35:
            text = self.dice.choice(SPOILT)(text, self.dice)
        return {"value": text, "confidence": self.dice.choice((0.3, 0.6, 0.6, 0.9, 0.99))}

    def rare(self) -> bool:
        return self.dice.random() < 0.12


SCHEMA_ROW = ("what", "amount", "code")


def typed(count: int) -> tuple[Corpus, Corpus]:
    makers = {f"d{seed:02}": TypedMaker(seed) for seed in range(count)}
    golds = {id: maker.tree() for id, maker in makers.items()}
    preds = {id: makers[id].mistaken(tree) for id, tree in golds.items()}
    del preds["d01"]
    return golds, preds


def untyped(count: int) -> tuple[Corpus, Corpus]:
    makers = {f"u{seed:02}": Maker(seed) for seed in range(count)}
    golds = {id: maker.tree() for id, maker in makers.items()}
    return golds, {id: makers[id].mistaken(tree) for id, tree in golds.items()}


ALL = ["kieval", "fields", "causes", "effort", "entity", "hybrid", "confidence", "rules"]
ALL += ["ner", "tree", "vrdu"]
SETTINGS = {
    "fields.substitution": "fn",
    "fields.item_words": 0.5,
    "fields.item_similarity": 0.7,
    "fields.count_absent": True,
    "fields.matched_above": 0.5,
    "kieval.tau": "0.6",
    "kieval.flatten": True,
    "effort.hourly_rate": 30,
    "effort.currency": "AUD",
    "ner.macro": True,
}


def reports() -> Iterator[tuple[str, Report]]:
    """Yield every run with its name."""
    typed_run, untyped_run = typed(14), untyped(7)
    yield "no metrics asked for", da.score(*typed_run, schema=SCHEMA)
    yield "every metric, typed", da.score(*typed_run, schema=SCHEMA, metrics=ALL)
    yield (
        "every metric, with other settings",
        da.score(*typed_run, schema=SCHEMA, metrics=ALL, settings=SETTINGS),
    )
    yield "every metric, untyped", da.score(*untyped_run, metrics=ALL, types="text")
    yield "fields alone", da.score(*typed_run, schema=SCHEMA, metrics=["fields"])
    yield "entity alone", da.score(*untyped_run, metrics=["entity"], types="text")
    yield "hybrid and rules", da.score(*typed_run, schema=SCHEMA, metrics=["hybrid", "rules"])
    yield (
        "effort and causes alone",
        da.score(*untyped_run, metrics=["effort", "causes"], types="text"),
    )
    golds, _ = typed(4)
    yield "all right", da.score(golds, golds, schema=SCHEMA, metrics=ALL)
    yield (
        "nothing predicted",
        da.score(golds, {id: {} for id in golds}, schema=SCHEMA, metrics=ALL),
    )
    yield "nothing at all", da.score({"d": {}}, {"d": {}}, schema=SCHEMA, metrics=ALL)


def shown(value: object) -> object:
    """Return a value with its numbers rounded, tuples and mappings as they print everywhere."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return round(value, 6) + 0.0
    if isinstance(value, Mapping):
        return {key: shown(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [shown(each) for each in value]
    return value


def lines_of(name: str, report: Report) -> Iterator[str]:
    yield f"== {name}"
    scores: dict[str, list[str]] = {}
    for score in report.scores:
        scores.setdefault(f"{score.metric}.{score.readout}", []).append(_cell(score))
    yield from (f"{address}  {'  '.join(cells)}" for address, cells in scores.items())
    yield from (f"headline  {shown(line)}" for line in report.headline)
    yield from (f"cause  {shown(line)}" for line in report.causes)
    yield from (f"problem  {shown(problem[1:5])}" for problem in report.problems)
    yield from (f"broken  {shown(violation)}" for violation in report.violations)
    details = report.details
    for part in ("sections", "checklist"):
        for section in getattr(details, part):
            yield f"{part}  {section.title}"
            yield from (f"  {field}: {shown(each)}" for field, each in _fields(section))
    for picture in details.pictures:
        yield f"picture  {picture.name} {shown(picture.kinds)}"
        yield from (f"  {field}: {shown(each)}" for field, each in _fields(picture.drawing))
    yield from (f"fact  {key}  {shown(fact)}" for key, fact in details.facts.items())
    for line in report.lines[:2]:
        values = [f"{key} {shown(value)}" for key, value in line.scores.items()]
        yield f"document  {line.id}  {'  '.join(values)}"


def _cell(score: Score) -> str:
    return f"{score.key} {shown(score.value)}/{score.support}".strip()


def _fields(parts: object) -> Iterator[tuple[str, object]]:
    for name in parts._fields:  # type: ignore[attr-defined]
        value = getattr(parts, name)
        if value not in ((), None, "", False):
            yield name, value


def text() -> str:
    return "".join(f"{line}\n" for name, report in reports() for line in lines_of(name, report))


def test_metrics_say_what_they_said() -> None:
    pairs = zip_longest(text().splitlines(), KEPT.read_text(encoding="utf-8").splitlines())
    for number, (line, kept) in enumerate(pairs, 1):
        assert line == kept, f"{KEPT.name}:{number}"


if __name__ == "__main__":
    KEPT.write_text(text(), encoding="utf-8")
