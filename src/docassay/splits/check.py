"""Finding leaks: test documents that a model has seen, or whose template it has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from docassay.splits.file import PARTS, Split

OVERLAP = "in two parts of one split"
TWIN = "the same content under two ids, in two parts of one split"
TEMPLATE = "tested on a template that was trained on, in a task of unseen ones"
UNKNOWN = "not in the data"
REPEATED = "listed twice in one part"
NAMED = "the name says another number of documents"


class Leak(NamedTuple):
    """One finding: in which split, of what kind, and the documents concerned."""

    split: str
    kind: str
    detail: str
    documents: tuple[str, ...]


def check_splits(
    splits: Sequence[Split],
    *,
    digests: Mapping[str, str] | None = None,
    templates: Mapping[str, str] | None = None,
) -> list[Leak]:
    """Return what is wrong with splits, in their order.

    `digests` (id -> digest of the content) tells which ids exist and which are one document;
    `templates` (id -> template) tells whether a template is really unseen.
    """
    return [leak for split in splits for leak in _leaks(split, digests, templates)]


def _leaks(
    split: Split, digests: Mapping[str, str] | None, templates: Mapping[str, str] | None
) -> Iterator[Leak]:
    yield from _within(split)
    yield from _between(split, digests or {})
    if digests is not None:
        lost = {id for part in PARTS for id in getattr(split, part)} - digests.keys()
        if lost:
            yield Leak(str(split.name), UNKNOWN, "", tuple(sorted(lost)))
    if templates is not None and split.name.family == "UTL":
        yield from _seen(split, templates)


def _within(split: Split) -> Iterator[Leak]:
    """Yield what is wrong with each part on its own."""
    for part in PARTS:
        ids = getattr(split, part)
        twice = sorted(id for id, times in Counter(ids).items() if times > 1)
        if twice:
            yield Leak(str(split.name), REPEATED, part, tuple(twice))
        said = getattr(split.name, f"{part}_size")
        if said != len(ids):
            detail = f"{part}: {said} in the name, {len(ids)} in the file"
            yield Leak(str(split.name), NAMED, detail, ())


def _between(split: Split, digests: Mapping[str, str]) -> Iterator[Leak]:
    """Yield what any two parts have in common."""
    for one, other in combinations(PARTS, 2):
        ours, theirs = getattr(split, one), getattr(split, other)
        shared = sorted({*ours} & {*theirs})
        if shared:
            yield Leak(str(split.name), OVERLAP, f"{one} and {other}", tuple(shared))
        twins = _twins(ours, theirs, digests)
        if twins:
            yield Leak(str(split.name), TWIN, f"{one} and {other}", twins)


def _twins(
    ours: Sequence[str], theirs: Sequence[str], digests: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the ids of the second part whose content another id of the first part has."""
    known: dict[str, set[str]] = {}
    for id in ours:
        if digests.get(id):
            known.setdefault(digests[id], set()).add(id)
    return tuple(sorted(id for id in {*theirs} if known.get(digests.get(id, ""), set()) - {id}))


def _seen(split: Split, templates: Mapping[str, str]) -> Iterator[Leak]:
    trained = {templates[id] for id in split.train if id in templates}
    found: dict[str, list[str]] = {}
    for id in split.test:
        if templates.get(id) in trained:
            found.setdefault(templates[id], []).append(id)
    for template in sorted(found):
        yield Leak(str(split.name), TEMPLATE, template, tuple(sorted(found[template])))
