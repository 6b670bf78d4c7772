"""What is wrong in two groups value by value, and how two spellings of a value differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from docassay.kernel.readings import Group, Reading, Step, Values, key_of, reading_at, values_of
from docassay.kernel.senses import usual_number

F = TypeVar("F")
Mistake = tuple[F, Reading | None, Reading | None]
"""A field, and what gold and pred have of it; either may have nothing."""
Wrong = list[tuple[str, Reading | None, Reading | None]]
"""The same of the paths of fields."""


def mistakes_in(
    gold: Group | None, pred: Group | None, pairwise: frozenset[str], field_of: Callable[[str], F]
) -> list[Mistake[F]] | None:
    """Return each value that is not right in two groups that stand for each other, by field.

    None, where either has several values of a field, or both one that is compared `pairwise`.
    """
    if gold is None:
        return [] if pred is None else _all_of(pred, False, field_of)
    if pred is None:
        return _all_of(gold, True, field_of)
    if not gold.single or not pred.single:
        return None
    if gold._values is None and pred._values is None:
        return _unread_mistakes(gold, pred, pairwise, field_of)
    golds = values_of(gold)
    preds = values_of(pred)
    paths = _wrong_fields(golds, preds, pairwise)
    if not paths:
        return None if paths is None else []
    mistakes: list[Mistake[F]] = []
    for path in paths:
        own = golds.get(path)
        other = preds.get(path)
        gold_value = None if own is None else own[0]
        pred_value = None if other is None else other[0]
        mistakes.append((field_of(path), gold_value, pred_value))
    return mistakes


def _unread_mistakes(
    gold: Group, pred: Group, pairwise: frozenset[str], field_of: Callable[[str], F]
) -> list[Mistake[F]] | None:
    """Do the same for groups that are unread; leaves that are the same stay so."""
    wrong: Wrong = []
    if gold._steps is pred._steps and _same_places(gold._leaves, pred._leaves):
        told = _add_place_by_place(wrong, gold, pred, pairwise)  # most rows have the same keys
    else:
        told = _add_path_by_path(wrong, gold, pred, pairwise)
    if not told:
        return None
    if len(wrong) > 1:
        wrong.sort(key=itemgetter(0))
    return [(field_of(path), own, its) for path, own, its in wrong]


def _add_place_by_place(wrong: Wrong, gold: Group, pred: Group, pairwise: frozenset[str]) -> bool:
    """Add what is wrong in groups that have leaves in the same places."""
    golds, preds, steps = gold._leaves, pred._leaves, gold._steps
    for place in range(len(golds)):
        leaf, other = golds[place], preds[place]
        if leaf is None or _are_same(leaf, other):
            continue
        if not _add_other(wrong, steps[place], leaf, steps[place], other, pairwise):
            return False
    return True


def _add_path_by_path(wrong: Wrong, gold: Group, pred: Group, pairwise: frozenset[str]) -> bool:
    """Add what is wrong in any two groups."""
    golds, preds = gold._leaves, pred._leaves
    steps, others = gold._steps, pred._steps
    where = {others[place][0]: place for place in range(len(others)) if preds[place] is not None}
    for place in range(len(golds)):
        leaf = golds[place]
        if leaf is None:
            continue
        step = steps[place]
        at = where.pop(step[0], -1)
        if at < 0:
            wrong.append((step[0], reading_at(step, leaf), None))
            continue
        if _are_same(leaf, preds[at]):
            continue
        if not _add_other(wrong, step, leaf, others[at], preds[at], pairwise):
            return False
    for path, at in where.items():
        wrong.append((path, None, reading_at(others[at], preds[at])))
    return True


def _same_places(golds: list[object], preds: list[object]) -> bool:
    """Whether either of two lists of leaves has none where the other has none."""
    same = True
    for place in range(len(golds)):
        if (golds[place] is None) != (preds[place] is None):
            same = False
            break
    return same


def _are_same(leaf: object, other: object) -> bool:
    return leaf is other or (type(leaf) is type(other) and leaf == other)


def _add_other(
    wrong: Wrong,
    step: Step,
    leaf: object,
    other_step: Step,
    other: object,
    pairwise: frozenset[str],
) -> bool:
    """Add a field whose leaves are not the same, if it is wrong; return whether a key can tell."""
    own, its = reading_at(step, leaf), reading_at(other_step, other)
    if own is its:
        return True
    if step[0] in pairwise:
        return False
    if key_of(own) != key_of(its):  # type: ignore[arg-type]
        wrong.append((step[0], own, its))
    return True


def _wrong_fields(
    golds: dict[str, Values], preds: dict[str, Values], pairwise: frozenset[str]
) -> list[str] | None:
    """Return the fields, sorted, whose one value is not right; None where no key can tell."""
    paths: list[str] = []
    for path, own in golds.items():
        other = preds.get(path)
        if other is None:
            paths.append(path)
        elif own[0] is not other[0]:
            if path in pairwise:
                return None
            if key_of(own[0]) != key_of(other[0]):
                paths.append(path)
    paths.extend([path for path in preds if path not in golds])
    paths.sort()
    return paths


def _all_of(group: Group, of_gold: bool, field_of: Callable[[str], F]) -> list[Mistake[F]]:
    """Return all values of a group without a partner."""
    mistakes: list[Mistake[F]] = []
    values = values_of(group)
    for path in sorted(values):
        field = field_of(path)
        for reading in values[path]:
            mistake = (field, reading, None) if of_gold else (field, None, reading)
            mistakes.append(mistake)
    return mistakes


Words = tuple[str, ...]


def usual_words(text: str) -> Words | None:
    """Return the words and numbers of a text in ASCII without case, None for any other text.

    What folding changes besides case is no part of a word.
    """
    return words_in(text.lower().replace("&", " and ")) if text.isascii() else None


def words_in(line: str) -> Words:
    """Return the runs of letters and digits of a text in ASCII."""
    words: list[str] = []
    start = -1
    for place in range(len(line)):
        character = line[place]
        if "a" <= character <= "z" or "0" <= character <= "9" or "A" <= character <= "Z":
            if start < 0:
                start = place
        elif start >= 0:
            words.append(line[start:place])
            start = -1
    if start >= 0:
        words.append(line[start:])
    return tuple(words)


def transposed(gold: str, pred: str) -> bool:
    """Whether two neighbouring digits changed places and nothing else did."""
    if len(gold) != len(pred):
        return False
    first = second = -1
    for place in range(len(gold)):
        if gold[place] != pred[place]:
            if second >= 0:
                return False
            if first < 0:
                first = place
            else:
                second = place
    if second < 0 or gold[first] != pred[second] or gold[second] != pred[first]:
        return False
    if not "0" <= gold[first] <= "9" or not "0" <= gold[second] <= "9":
        return False
    place = first + 1
    while not "0" <= gold[place] <= "9":
        place += 1
    return place == second


_ALIKE = (
    *("0oqd", "1li7j", "2z", "38b", "4a", "5s", "56", "6gb", "68", "06", "08", "9gq"),
    *("uv", "ce"),
)
_WIDTH = 128
_PAIRS = frozenset(
    _WIDTH * ord(one) + ord(other) for looks in _ALIKE for one, other in permutations(looks, 2)
)
LOOKS = bytes(place in _PAIRS for place in range(_WIDTH * _WIDTH))
"""Whether two characters look alike, at the place that their codes come to."""


def look_alike(gold: str, pred: str) -> bool:
    """Whether all characters of two texts look alike that differ, `rn` and `m` among them."""
    return _look_alike(gold, pred) or _look_alike(_joined(gold), _joined(pred))


def _look_alike(run: str, other: str) -> bool:
    if len(run) != len(other):
        return False
    for place in range(len(run)):
        if run[place] != other[place]:
            own = ord(run[place])
            code = ord(other[place])
            if own >= 128 or code >= 128 or not LOOKS[128 * own + code]:
                return False
    return True


def _joined(text: str) -> str:
    """Return a text with the letters that two others look like side by side."""
    return text.replace("rn", "m").replace("vv", "w").replace("cl", "d")


SPELT_SHORTER, SPELT_OTHERWISE, SPELT_LONGER, SPELT_ALIKE, SPELT_TRANSPOSED = range(-1, 4)
"""What pred is beside gold: a part of it, unlike, more, alike to the eye, two digits exchanged."""
SPELT_SAME, SPELT_NEGATED, SPELT_SHIFTED, UNTOLD = range(4, 8)
"""The same value in another writing, with the other sign, times a power of ten; nothing of it."""
Number = tuple[str, str]
"""A number in canonical form, and the currency or unit that stands beside it."""


class SpellingRules(NamedTuple):
    """What has to be known of types and words, and who is asked about texts that are not usual."""

    number_kinds: frozenset[str]
    """Types of numbers."""
    open_kinds: frozenset[str]
    """Types that do not say what a text is, so that it may be a number, a date or neither."""
    cents_kinds: frozenset[str]
    """Types of numbers in which a point before three digits may be no decimal point."""
    before_numbers: frozenset[str]
    """The words with which all begins that may stand before the number of a text."""
    in_dates: frozenset[str]
    """Words that a date may have, of those with three letters or more."""
    words: Callable[[str], Words]
    number: Callable[[str, str], Number | None]
    """The number of a text, by the type of its field."""
    units_agree: Callable[[str, str], bool]
    dates: Callable[[str, str, str, str], int]
    """How two texts differ as dates, by the type of their field and the order of day and month."""
    unaccented: Callable[[str], str]
    causes: dict[int, str]
    """What the ways in which texts differ are called as causes."""
    order: Sequence[str]
    """All causes in the order in which they are asked about."""


class Spellings:
    """Tells how the texts of gold and pred differ, by the first rule that holds."""

    def __init__(self, rules: SpellingRules) -> None:
        self.number_kinds = rules.number_kinds
        self.open_kinds = rules.open_kinds
        self.cents_kinds = rules.cents_kinds
        self.before_numbers = rules.before_numbers
        self.in_dates = rules.in_dates
        self.causes = rules.causes
        self.rules = rules

    def cause_between(self, gold: Reading, pred: Reading, field: Any) -> str:
        """Return why pred is not gold: of gold's alternatives, the cause that is asked first."""
        if not gold.alternatives:
            return self.cause_of(gold.text, pred.text, field)
        causes = {self.cause_of(reading.text, pred.text, field) for reading in gold.alternatives}
        return min(causes, key=self.rules.order.index)

    def cause_of(self, gold: str, pred: str, field: Any) -> str:
        """Return why pred's text is not gold's, for a field whose comparator tells them apart."""
        return self.causes[self.between(gold, pred, field.spec.type, field.schema.dates)]

    def between(self, gold: str, pred: str, kind: str, dates: str) -> int:
        """Return how pred is spelt beside gold in a field of some type."""
        gold_words, pred_words = self.words(gold), self.words(pred)
        letters = (self._spelling(gold, gold_words), self._spelling(pred, pred_words))
        sizes = None
        number = self.number(gold, kind)
        other = None if number is None else self.number(pred, kind)
        if number is None or other is None:
            told = SPELT_SAME if _same_words(gold_words, pred_words) else UNTOLD
            if told == UNTOLD and not has_a_word(gold, gold_words, self.in_dates):
                told = self.rules.dates(gold, pred, kind, dates)
        else:
            sizes = (number[0].lstrip("-"), other[0].lstrip("-"))
            told = self._of_numbers(number, other, sizes)
        if told != UNTOLD:
            # 1OO is no 1 with a unit: where digits became letters, the number says nothing
            return SPELT_ALIKE if self._loses_digits(letters) else told
        return spelt_otherwise(gold_words, pred_words, letters, self._looks(letters), sizes)

    def words(self, text: str) -> Words:
        """Return the words and numbers of a text, without case and punctuation."""
        words = usual_words(text)
        return self.rules.words(text) if words is None else words

    def number(self, text: str, kind: str) -> Number | None:
        """Return a text as a number, None where it is none, or a field has no numbers."""
        open_kind = kind in self.open_kinds
        if not open_kind and kind not in self.number_kinds:
            return None
        usual = usual_number(text)
        # what the rest would come to
        if usual is not None and (kind not in self.cents_kinds or text[-4:-3] != "."):
            return usual, ""
        if open_kind and begins_with_a_word(text, self.before_numbers):
            return None
        return self.rules.number(text, kind)

    def _spelling(self, text: str, words: Words) -> str:
        """Return a text without what stands between letters and digits; a stroke is an l."""
        if "|" in text or "!" in text:
            words = self.words(text.replace("|", "l").replace("!", "l"))
        return words[0] if len(words) == 1 else "".join(words)

    def _of_numbers(self, gold: Number, pred: Number, sizes: tuple[str, str]) -> int:
        """Return what tells two numbers apart, whose sizes are these."""
        if gold[0] == pred[0]:
            same = gold[1] == pred[1] or self.rules.units_agree(gold[1], pred[1])
            return SPELT_SAME if same else SPELT_OTHERWISE
        if sizes[0] == sizes[1]:
            return SPELT_NEGATED
        digits = significant(sizes[0])
        return SPELT_SHIFTED if digits and digits == significant(sizes[1]) else UNTOLD

    def _loses_digits(self, letters: tuple[str, str]) -> bool:
        """Whether letters stand for digits, or digits for letters, and nothing else differs."""
        if _digits_in(letters[0]) == _digits_in(letters[1]):
            return False
        looks = self._looks(letters)
        return letters[0] != letters[1] and look_alike(looks[0], looks[1])

    def _looks(self, letters: tuple[str, str]) -> tuple[str, str]:
        """Return what is seen of two spellings: their letters without accents."""
        if letters[0].isascii() and letters[1].isascii():  # spellings have no case
            return letters
        bare = self.rules.unaccented
        return bare(letters[0]), bare(letters[1])


def begins_with_a_word(text: str, before_numbers: frozenset[str]) -> bool:
    """Whether the first word of a text begins nothing that stands before a number."""
    word = text.partition(" ")[0].replace("-", "")
    return word.isascii() and word.isalpha() and word.lower() not in before_numbers


def has_a_word(text: str, words: Words, in_dates: frozenset[str]) -> bool:
    """Whether a text, whose words are these, is surely no date because of one of them."""
    if not text.isascii() or ":" in text:
        return False
    found = False
    for word in words:
        if len(word) > 2 and word.isalpha() and word not in in_dates:
            found = True
            break
    return found


def _same_words(golds: Words, preds: Words) -> bool:
    if golds == preds or "".join(golds) == "".join(preds):
        return True
    # "Smith, John" is John Smith, but 1 of 2 is not 2 of 1
    if len(golds) != len(preds) or sorted(golds) != sorted(preds):
        return False
    return _digits_in("".join(golds)) == 0


def _digits_in(text: str) -> int:
    count = 0
    for character in text:
        if "0" <= character <= "9":
            count += 1
    return count


def spelt_otherwise(
    gold_words: tuple[str, ...],
    pred_words: tuple[str, ...],
    letters: tuple[str, str],
    looks: tuple[str, str],
    sizes: tuple[str, str] | None,
) -> int:
    """Return how pred is spelt otherwise than gold, by the first rule that holds.

    By the words and the letters of both, what is seen of the letters, and the sizes of numbers.
    """
    written = spelt = [letters]
    if sizes is not None:
        in_full = _of_one_length(sizes[0], sizes[1])
        digits = (significant(sizes[0]), significant(sizes[1]))
        # most are spelt alike in all ways
        written = [letters] if in_full == letters else [letters, in_full]
        spelt = written if digits in written else [*written, digits]
    for spelling in spelt:
        if transposed(spelling[0], spelling[1]):
            return SPELT_TRANSPOSED
    for spelling in spelt:
        seen = looks if spelling is letters else spelling
        if spelling[0] != spelling[1] and look_alike(seen[0], seen[1]):
            return SPELT_ALIKE
    # digits alone say nothing here: 2.00 is no part of 2.50, though 2 is one of 25
    return part_of(gold_words, pred_words, written)


def significant(size: str) -> str:
    """Return the digits of a number without the zeros at either end."""
    return size.replace(".", "").strip("0")


def _of_one_length(gold: str, pred: str) -> tuple[str, str]:
    """Return the digits of two sizes, with zeros behind the one with fewer decimals."""
    gold_whole, _, gold_part = gold.partition(".")
    pred_whole, _, pred_part = pred.partition(".")
    places = max(len(gold_part), len(pred_part))
    return gold_whole + gold_part.ljust(places, "0"), pred_whole + pred_part.ljust(places, "0")


SHORTEST_INSIDE = 3
"""Characters from which a text inside another is taken for a part of it, wherever it stands."""


def part_of(
    gold_words: tuple[str, ...], pred_words: tuple[str, ...], written: list[tuple[str, str]]
) -> int:
    """Return SPELT_SHORTER where pred is a part of gold, SPELT_LONGER where gold is one of pred.

    By the words of either, or by a way in which both are written.
    """
    if is_part(pred_words, gold_words):
        return SPELT_SHORTER
    for gold, pred in written:
        if is_inside(pred, gold):
            return SPELT_SHORTER
    if is_part(gold_words, pred_words):
        return SPELT_LONGER
    for gold, pred in written:
        if is_inside(gold, pred):
            return SPELT_LONGER
    return SPELT_OTHERWISE


def is_part(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether some words stand in order among more others."""
    size = len(part)
    if size == 0 or size >= len(whole):
        return False
    found = 0
    for word in whole:
        if word == part[found]:
            found += 1
            if found == size:
                return True
    return False


def is_inside(part: str, whole: str) -> bool:
    """Whether one text is a stretch of another: its beginning, its end or what tells enough."""
    if len(part) == 0 or len(part) >= len(whole) or part not in whole:
        return False
    return len(part) >= SHORTEST_INSIDE or whole.startswith(part) or whole.endswith(part)
