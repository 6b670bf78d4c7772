"""Whether an audit finds wrong values of gold, and how many right ones it names.

    python benchmarks/audit.py [--docs 400] [--seeds 5] [--share 0.05]

A generated corpus is predicted by three models that err independently. A share of gold's values is
then made wrong in one of several ways, the three runs are scored against that gold, and the audit
ranks what it suspects. Shown by seed: how many of the wrong values are among the first suspects, as
many as there are wrong values, and among all named; how many named are not wrong; and how many the
audit names when gold is as it was. Then the same by the kind of mistake, over all seeds.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import yaml

import docassay as da
from docassay.analysis.audit.result import Audit
from docassay.analysis.audit.study import MIN_SCORE
from docassay.synth.corpus import generate, schema_text
from docassay.synth.profiles import PROFILES

CAREFUL, HASTY = PROFILES["careful"], PROFILES["hasty"]
MODELS = (
    CAREFUL,
    HASTY,
    replace(
        CAREFUL,
        name="middling",
        wrong=0.05,
        dropped=0.015,
        invented=0.04,
        added=0.08,
        prone=("ocr", "truncated", "other_field"),
    ),
)
Tree = dict[str, object]
Spot = tuple[Tree, str, str]
"""An object of a tree, a key in it and the path of the value."""


class Wrong(NamedTuple):
    """A value of gold that was made wrong."""

    document: str
    path: str
    kind: str


def spots(tree: Tree) -> Iterator[Spot]:
    """Yield every value of a document but its type."""
    for key, value in tree.items():
        if isinstance(value, list):
            for number, row in enumerate(value):
                yield from ((row, name, f"{key}[{number}].{name}") for name in row)
        elif key != "DOCUMENT_TYPE":
            yield tree, key, key


def typo(spot: Spot, tree: Tree, chance: random.Random) -> str | None:
    """Return a text with a letter replaced or two exchanged."""
    text = str(spot[0][spot[1]])
    places = [at for at, char in enumerate(text) if char.isalpha()]
    if not places:
        return None
    at = chance.choice(places)
    if chance.random() < 0.5 and at + 1 < len(text) and text[at] != text[at + 1]:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + chance.choice("aeionrst".replace(text[at].lower(), "")) + text[at + 1 :]


def digit(spot: Spot, tree: Tree, chance: random.Random) -> str | None:
    """Return a text with two unlike digits exchanged, or one replaced."""
    text = str(spot[0][spot[1]])
    places = [at for at, char in enumerate(text) if char.isdigit()]
    if not places:
        return None
    pairs = [at for at in places if text[at + 1 : at + 2].isdigit() and text[at] != text[at + 1]]
    if pairs and chance.random() < 0.5:
        at = chance.choice(pairs)
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    at = chance.choice(places)
    return text[:at] + chance.choice("123456789".replace(text[at], "")) + text[at + 1 :]


def other_row(spot: Spot, tree: Tree, chance: random.Random) -> str | None:
    """Return what another row has in the same column."""
    rows = next((value for value in tree.values() if isinstance(value, list)), [])
    texts = [row[spot[1]] for row in rows if spot[1] in row and spot[0] is not tree]
    texts = [text for text in texts if text != spot[0][spot[1]]]
    return str(chance.choice(texts)) if texts else None


def other_field(spot: Spot, tree: Tree, chance: random.Random) -> str | None:
    """Return what another field of the same object has."""
    here = spot[0]
    texts = [
        value
        for key, value in here.items()
        if key not in (spot[1], "DOCUMENT_TYPE")
        and isinstance(value, str)
        and value != here[spot[1]]
    ]
    return str(chance.choice(texts)) if texts else None


def dropped(spot: Spot, tree: Tree, chance: random.Random) -> str | None:
    """Return no text."""
    return ""


CHANGES: Mapping[str, Callable[[Spot, Tree, random.Random], str | None]] = {
    "typo": typo,
    "digit": digit,
    "other row": other_row,
    "other field": other_field,
    "dropped": dropped,
}
INVENTED = "invented"
KINDS = (*CHANGES, INVENTED)
LEAST, NAMED = 0.02, MIN_SCORE


def spoil(golds: dict[str, Tree], share: float, chance: random.Random) -> list[Wrong]:
    """Make a share of all values wrong, in turns by each kind of change, and return which."""
    every = [(id, spot) for id, tree in golds.items() for spot in spots(tree)]
    seen = {spot[1] for _, spot in every}
    bare = [
        (id, (row, name, f"{key}[{number}].{name}"))
        for id, tree in golds.items()
        for key, rows in tree.items()
        if isinstance(rows, list)
        for number, row in enumerate(rows)
        for name in sorted({each for other in rows for each in other} - row.keys())
    ]
    values = {name: [s[0][s[1]] for _, s in every if s[1] == name] for name in seen}
    chance.shuffle(every)
    chance.shuffle(bare)
    wrong: list[Wrong] = []
    wanted = round(share * len(every))
    turn = 0
    while len(wrong) < wanted and every:
        kind = KINDS[turn % len(KINDS)]
        turn += 1
        if kind == INVENTED:
            if bare:
                id, (row, name, path) = bare.pop()
                row[name] = chance.choice(values[name])
                wrong.append(Wrong(id, path, kind))
            continue
        for at in range(len(every) - 1, -1, -1):
            id, spot = every[at]
            text = CHANGES[kind](spot, golds[id], chance)
            if text is not None:
                every.pop(at)
                spot[0][spot[1]] = text
                wrong.append(Wrong(id, spot[2], kind))
                break
    return wrong


def copied(tree: Mapping[str, object]) -> Tree:
    """Return a document whose rows can be changed."""
    return {
        key: [dict(row) for row in value] if isinstance(value, list) else value
        for key, value in tree.items()
    }


def audited(golds: Mapping[str, Tree], preds: Mapping[str, Mapping[str, Tree]]) -> Audit:
    """Return the audit of three runs."""
    schema = yaml.safe_load(schema_text())
    reports = [da.score(golds, pred, schema=schema, metrics=["kieval"]) for pred in preds.values()]
    return da.audit(*reports, min_score=LEAST)


class Figures(NamedTuple):
    """What an audit found of a corpus."""

    values: int
    wrong: int
    among_first: int
    named: int
    named_wrong: int
    named_clean: int


def measure(seed: int, docs: int, share: float, kinds: Counter[tuple[str, bool]]) -> Figures:
    """Audit a corpus of a seed with and without wrong values."""
    samples = {
        profile: [*generate(docs, seed=seed, rows=None, profile=profile)] for profile in MODELS
    }
    clean = {sample.id: copied(sample.gold) for sample in samples[CAREFUL]}
    preds = {
        profile.name: {sample.id: sample.pred for sample in samples[profile]} for profile in MODELS
    }
    golds = {id: copied(tree) for id, tree in clean.items()}
    wrong = spoil(golds, share, random.Random(seed))
    before, after = audited(clean, preds), audited(golds, preds)
    places = {(each.document, each.path) for each in wrong}
    first = {(each.document, each.path) for each in after.suspects[: len(wrong)]}
    named = {(s.document, s.path) for s in after.suspects if s.score >= NAMED}
    for each in wrong:
        kinds[each.kind, (each.document, each.path) in first] += 1
    return Figures(
        before.values,
        len(wrong),
        len(places & first),
        len(named),
        len(places & named),
        sum(each.score >= NAMED for each in before.suspects),
    )


def main() -> None:
    """Print the figures of every seed, and those by kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--docs", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--share", type=float, default=0.05)
    given = parser.parse_args()
    kinds: Counter[tuple[str, bool]] = Counter()
    print("seed  values  wrong  among first  named  of these wrong  named in clean gold")
    for seed in range(given.seeds):
        got = measure(seed, given.docs, given.share, kinds)
        print(
            f"{seed:4}  {got.values:6}  {got.wrong:5}  {got.among_first / got.wrong:11.1%}"
            f"  {got.named:5}  {got.named_wrong / max(1, got.named):14.1%}"
            f"  {got.named_clean:6} ({got.named_clean / got.values:.2%})"
        )
    print("\nkind         wrong  among first")
    for kind in KINDS:
        hits, misses = kinds[kind, True], kinds[kind, False]
        print(f"{kind:11}  {hits + misses:5}  {hits / max(1, hits + misses):11.1%}")


if __name__ == "__main__":
    main()
