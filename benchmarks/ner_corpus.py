"""Invented pages of a civil register as BIO files, with predictions by an imperfect reader.

The reader misreads letters, splits words, misses, invents and mistakes entities, and now and then
reads two neighbouring blocks in the wrong order. One seed gives one corpus, to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

VOCABULARY = """
syllable ba bel ber car cha da del fer gau la lan mar mi mon na nou per ri ro sal tou ver
ending an ard eau el et ier in on ot ville
month janvier février mars avril mai juin juillet août septembre octobre novembre
trade boulanger charron couturière cultivateur domestique forgeron journalier tisserand
link chef épouse fils fille neveu veuve belle-mère pensionnaire
outside le la de né née à demeurant âgé ans et section rue n° présente dudit témoin signé
"""
WORDS = {kind: words for kind, *words in map(str.split, VOCABULARY.strip().splitlines())}
MISTAKEN = dict(zip("eanriltéo", "couvl1fe0", strict=True))

MISREAD, SPLIT_WORD = 0.04, 0.01  # of letters, of words
MISSED, INVENTED, MISTAGGED, SWAPPED = 0.06, 0.04, 0.03, 0.03  # of blocks


class Piece(NamedTuple):
    """The words of an entity, or with category None of what stands between entities."""

    category: str | None
    words: tuple[str, ...]


def name(random: Random) -> str:
    parts = random.choices(WORDS["syllable"], k=random.randint(1, 2))
    return "".join([*parts, random.choice(WORDS["ending"])]).capitalize()


def date(random: Random) -> tuple[str, ...]:
    return (
        str(random.randint(1, 28)),
        random.choice(WORDS["month"]),
        str(random.randint(1780, 1936)),
    )


MAKERS: dict[str, Callable[[Random], tuple[str, ...]]] = {
    "surname": lambda random: (name(random).upper(),),
    "firstname": lambda random: tuple(name(random) for _ in range(random.randint(1, 3))),
    "birth_date": date,
    "birth_place": lambda random: (name(random), "sur", name(random))[: random.choice((1, 3))],
    "occupation": lambda random: (random.choice(WORDS["trade"]),),
    "employer": lambda random: ("chez", name(random), "et", name(random)),
    "link": lambda random: (random.choice(WORDS["link"]),),
    "house": lambda random: (str(random.randint(1, 300)),),
}


def entity(random: Random) -> Piece:
    category = random.choice([*MAKERS])
    return Piece(category, MAKERS[category](random))


def page(random: Random, entities: int) -> list[Piece]:
    """Return a page: entities, and words outside them between two of three."""
    pieces = []
    for _ in range(entities):
        pieces.append(entity(random))
        outside = random.choice((0, 1, 2, 4)) if random.random() < 0.67 else 0
        if outside:
            pieces.append(Piece(None, tuple(random.choices(WORDS["outside"], k=outside))))
    return pieces


def read(random: Random, pieces: Sequence[Piece]) -> list[Piece]:
    """Return what the imperfect reader makes of a page."""
    found = []
    for category, words in pieces:
        if random.random() < MISSED:
            continue
        if category is not None and random.random() < MISTAGGED:
            category = random.choice([*MAKERS])
        seen = tuple(part for word in words for part in read_word(random, word))
        found.append(Piece(category, seen))
        if random.random() < INVENTED:
            found.append(entity(random))
    for place in range(1, len(found)):
        if random.random() < SWAPPED:
            found[place - 1], found[place] = found[place], found[place - 1]
    return found


def read_word(random: Random, word: str) -> tuple[str, ...]:
    letters = []
    for letter in word:
        draw = random.random()
        if draw < MISREAD / 2:
            letters.append(MISTAKEN.get(letter, "e"))
        elif draw < MISREAD * 3 / 4:
            letters.append(letter * 2)
        elif draw >= MISREAD or len(word) == 1:
            letters.append(letter)
    seen = "".join(letters) or word
    if len(seen) > 3 and random.random() < SPLIT_WORD:
        return seen[:2], seen[2:]
    return (seen,)


def bio(pieces: Sequence[Piece]) -> str:
    """Return pieces as lines of a word and its IOB2 tag."""
    lines = []
    for category, words in pieces:
        for place, word in enumerate(words):
            tag = "O" if category is None else f"{'I' if place else 'B'}-{category}"
            lines.append(f"{word} {tag}\n")
    return "".join(lines)


def write_corpus(folder: Path, *, docs: int, entities: int, seed: int) -> None:
    """Write pages of so many entities into folder/gold, and what was read into folder/pred."""
    random = Random(seed)
    for side in ("gold", "pred"):
        (folder / side).mkdir(parents=True, exist_ok=True)
    for number in range(docs):
        gold = page(random, entities)
        for side, pieces in (("gold", gold), ("pred", read(random, gold))):
            file = folder / side / f"page{number:04}.bio"
            file.write_text(bio(pieces), encoding="utf-8", newline="\n")
