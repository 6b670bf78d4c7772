"""Matching against its definition written plainly, on predictions that are gold with mistakes.

Independent documents seldom share enough for a list of several values, a row inside a row or a key
to matter. So a prediction here is gold with values and rows changed, lost, added and put in another
order, and every value states how sure it is.
"""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from docassay.matching.case import Case, make_case
from docassay.matching.verdicts import VerdictBlock, blocks
from docassay.model.document import Group, Reading
from docassay.run.open import prepare
from tests.matching.test_outcomes import check_one_story

WORDS = ("1", "2", "4", "1000", "1001", "a", "ab", "abcd", "a b", "NOT_FOUND")
SURE = (0.2, 0.5, 0.5, 0.9)
NEAR = {"type": "number", "absolute": "1"}
LIKE = {"type": "text", "accept": 0.5}
SCHEMAS = {
    "no schema": None,
    "tolerances": {
        "extra": "count",
        "fields": {"total": NEAR, "note": LIKE},
        "groups": {
            "items": {
                "fields": {"p": NEAR, "n": LIKE},
                "groups": {"sub": {"fields": {"n": NEAR}}},
            }
        },
    },
    "a tolerance inside": {
        "extra": "count",
        "groups": {"items": {"groups": {"sub": {"fields": {"n": NEAR}}}}},
    },
    "values in order": {
        "extra": "count",
        "fields": {"total": {"type": "exact", "match": "order"}},
        "groups": {"items": {"fields": {"n": {**NEAR, "match": "order"}, "p": "exact"}}},
    },
    "rows in order": {"extra": "count", "groups": {"items": {"match": "order"}}},
    "rows by key": {
        "extra": "count",
        "groups": {"items": {"match": {"key": "k"}, "fields": {"k": "exact"}}},
    },
}


class Maker:
    """Makes a document, and predictions of it."""

    def __init__(self, seed: int, wrong: float = 0.3) -> None:
        self.dice = random.Random(seed)
        self.wrong = wrong

    def often(self, rate: float) -> bool:
        return self.dice.random() < rate

    def leaf(self) -> object:
        word = self.dice.choice(WORDS)
        return {"value": word, "confidence": self.dice.choice(SURE)} if self.often(0.8) else word

    def cell(self) -> object:
        if self.often(0.5):
            return self.leaf()
        return [self.leaf() for _ in range(self.dice.choice((1, 2, 3, 3)))]

    def row(self, depth: int = 0) -> dict[str, object]:
        row: dict[str, object] = {name: self.cell() for name in "npq" if self.often(0.6)}
        if depth:
            row["k"] = self.dice.choice("xyz")
            if self.often(0.5):
                row["sub"] = [self.row() for _ in range(self.dice.choice((1, 2)))]
        return row

    def tree(self) -> dict[str, object]:
        tree: dict[str, object] = {"items": [self.row(1) for _ in range(self.dice.choice((1, 3)))]}
        return tree | {name: self.cell() for name in ("total", "note") if self.often(0.8)}

    def mistaken(self, node: object, name: str = "") -> object:
        """Return the node with parts of it lost, added, moved and, by their share, wrong."""
        if isinstance(node, list):
            kept = [self.mistaken(each, name) for each in node if not self.often(self.wrong / 2)]
            if self.often(self.wrong):
                kept.append(self.row(name == "items") if name in ("items", "sub") else self.leaf())
            if self.often(0.5):
                self.dice.shuffle(kept)
            return kept
        if isinstance(node, dict) and "value" not in node:
            kept = {key: self.mistaken(each, key) for key, each in node.items()}
            return {key: each for key, each in kept.items() if not self.often(self.wrong / 3)}
        if name == "k":
            return self.dice.choice("xyz") if self.often(0.1) else node
        return self.leaf() if self.often(self.wrong) else node


def case_of(seed: int, schema: object, wrong: float = 0.3) -> Case:
    maker = Maker(seed, wrong)
    gold = maker.tree()
    pred = maker.mistaken(gold)
    gold = {"items": [], **gold}
    return make_case("x", gold, pred, prepare(schema=schema).layouts)


class Plain:
    """What a pair of groups comes to, by trying every way to pair rows and values."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.pairs: dict[tuple[int, int], tuple[int, ...]] = {}

    def equal(self, path: str, gold: Reading, pred: Reading) -> bool:
        field = self.case.layout.field(path)
        return field.similarity(gold, pred) >= field.spec.accept

    def best_values(self, path: str, gold: Group, pred: Group) -> tuple[int, int]:
        """Return the most equal values of a field, and the greatest length for that."""
        golds, preds = gold.values.get(path, ()), pred.values.get(path, ())
        if self.case.layout.field(path).spec.match == "order" and golds and preds:
            at = dict(zip(pred.positions(path), preds, strict=True))
            same = [
                reading
                for slot, reading in zip(gold.positions(path), golds, strict=True)
                if slot in at and self.equal(path, reading, at[slot])
            ]
            return len(same), sum(len(reading.canonical) for reading in same)
        fits = [[self.equal(path, gold, pred) for pred in preds] for gold in golds]
        lengths = [len(reading.canonical) for reading in golds]
        places = [*range(len(preds)), *[-1] * len(golds)]
        best = (0, 0)
        for order in {*permutations(places, len(golds))}:
            same = [i for i, j in enumerate(order) if j >= 0 and fits[i][j]]
            best = max(best, (len(same), sum(lengths[i] for i in same)))
        return best

    def pair(self, gold: Group, pred: Group) -> tuple[int, ...]:
        """Return equal values, corrections (negative), exact rows inside, and length."""
        if (id(gold), id(pred)) in self.pairs:
            return self.pairs[id(gold), id(pred)]
        total = [0, 0, 0, 0]
        for path in {*gold.values, *pred.values}:
            same, length = self.best_values(path, gold, pred)
            most = max(len(gold.values.get(path, ())), len(pred.values.get(path, ())))
            total = [total[0] + same, total[1] + same - most, total[2], total[3] + length]
        for path in {*gold.groups, *pred.groups}:
            inner = self.rows(path, gold.groups.get(path, ()), pred.groups.get(path, ()))
            total = [one + more for one, more in zip(total, inner, strict=True)]
        self.pairs[id(gold), id(pred)] = tuple(total)
        return tuple(total)

    def rows(self, path: str, golds: object, preds: object) -> tuple[int, ...]:
        left, right = [*golds], [*preds]  # type: ignore[misc]
        how = self.case.layout.group(path).spec
        if how.match == "order":
            return self.together([*zip(left, right, strict=False)], left, right)
        if how.match == "key":
            key = how.key or ""
            names = {row.values[key][0].canonical for row in left if key in row.values}
            total = [0, 0, 0, 0]
            rest = [[row for row in side if key not in row.values] for side in (left, right)]
            sides = [[row for row in side if key in row.values] for side in (left, right)]
            names |= {row.values[key][0].canonical for row in sides[1]}
            for name in names:
                same = [
                    [row for row in side if row.values[key][0].canonical == name] for side in sides
                ]
                total = [a + b for a, b in zip(total, self.free(*same), strict=True)]
            alone = self.together([], *rest)
            return tuple(a + b for a, b in zip(total, alone, strict=True))
        return self.free(left, right)

    def free(self, left: list[Group], right: list[Group]) -> tuple[int, ...]:
        if len(left) <= len(right):
            ways = [[*zip(left, order, strict=True)] for order in permutations(right, len(left))]
        else:
            ways = [[*zip(order, right, strict=True)] for order in permutations(left, len(right))]
        return max(self.together(way, left, right) for way in ways)

    def together(
        self, way: list[tuple[Group, Group]], left: list[Group], right: list[Group]
    ) -> tuple[int, ...]:
        total = [0, 0, 0, 0]
        paired = {id(row) for pair in way for row in pair}
        for gold, pred in way:
            worth = self.pair(gold, pred)
            whole = worth[0] == gold.size == pred.size
            total = [one + more for one, more in zip(total, worth, strict=True)]
            total[2] += whole
        total[1] -= sum(row.size for row in (*left, *right) if id(row) not in paired)
        return tuple(total)


def counted(plain: Plain, parts: list[VerdictBlock]) -> tuple[dict, dict]:
    """Return the counts by field and by group type of groups as paired."""
    fields: dict[str, list[int]] = {}
    groups: dict[str, list[int]] = {}
    for part in parts:
        gold, pred = part.groups
        empty = Group("", None, {})
        one, other = gold or empty, pred or empty
        for path in {*one.values, *other.values}:
            n, m = len(one.values.get(path, ())), len(other.values.get(path, ()))
            same = plain.best_values(path, one, other)[0] if gold and pred else 0
            swaps = min(n, m) - same
            row = fields.setdefault(path, [0, 0, 0, 0])
            for at, amount in enumerate((same, swaps, n - same - swaps, m - same - swaps)):
                row[at] += amount
        if part.type:
            right = bool(gold and pred) and plain.pair(one, other)[0] == one.size == other.size
            at = groups.setdefault(part.type, [0, 0, 0])
            at[0] += right
            at[1] += pred is not None and not right
            at[2] += gold is not None and not right
    return fields, groups


def largest(edges: list[set[int]]) -> int:
    """Return the size of a largest matching, by augmenting paths."""
    owner: dict[int, int] = {}

    def find(i: int, seen: set[int]) -> bool:
        for j in edges[i] - seen:
            seen.add(j)
            if j not in owner or find(owner[j], seen):
                owner[j] = i
                return True
        return False

    return sum(find(i, set()) for i in range(len(edges)))


def check_values_in_any_group(case: Case, plain: Plain) -> None:
    sides = []
    for root in (case.gold.root, case.pred.root):
        values: dict[str, tuple[Reading, ...]] = {}
        for entity in root.entities():
            values[entity.field] = (*values.get(entity.field, ()), entity.reading)
        sides.append(values)
    assert case.ungrouped.keys() == sides[0].keys() | sides[1].keys()
    for path, equal in case.ungrouped.items():
        golds, preds = (side.get(path, ()) for side in sides)
        edges = [
            {j for j, pred in enumerate(preds) if plain.equal(path, gold, pred)} for gold in golds
        ]
        assert equal == largest(edges)


@pytest.mark.parametrize("name", SCHEMAS)
@hypothesis_settings(max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_matching_is_as_good_as_trying_every_way_and_counted_as_its_groups_are_paired(
    name: str, seed: int
) -> None:
    case = case_of(seed, SCHEMAS[name])
    plain = Plain(case)
    equal, corrections, exact, _ = plain.pair(case.gold.root, case.pred.root)
    tally = case.tally()
    columns = [sum(column) for column in zip(*tally.fields.values(), strict=True)]
    assert (columns[0], -sum(columns[1:])) == (equal, corrections)
    assert sum(row[0] for row in tally.groups.values()) == exact
    assert tally.exact == (corrections == 0)
    fields, groups = counted(plain, [*blocks(case)])
    assert tally.fields == fields
    assert {path: row[:3] for path, row in tally.groups.items()} == groups
    check_values_in_any_group(case, plain)
    check_one_story(case)
