"""What is wrong in two groups value by value, and how two spellings of a value differ."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from operator import itemgetter
from typing import TypeVar

from docassay.kernel import texts
from docassay.kernel.readings import Group, Reading, Steps, Values, key_of, reading_at, values_of
from docassay.kernel.senses import usual_number

F = TypeVar("F")
AreEqual = Callable[[str, Reading, Reading], bool]
"""Compares two values of a field that no key settles."""
Mistake = tuple[F, Reading | None, Reading | None]
"""A field, and what gold and pred have of it; either may have nothing."""


def mistakes_in(
    gold: Group | None,
    pred: Group | None,
    pairwise: frozenset[str],
    field_of: Callable[[str], F],
    are_equal: AreEqual,
) -> list[Mistake[F]] | None:
    """Return each value that is not right in two groups that stand for each other, by field.

    Values of `pairwise` fields are compared. None, where either has several values of a field.
    """
    if gold is None:
        return [] if pred is None else _all_of(pred, False, field_of)
    if pred is None:
        return _all_of(gold, True, field_of)
    if not gold.single or not pred.single:
        return None
    if gold._values is None and pred._values is None:
        return _unread_mistakes(gold, pred, pairwise, field_of, are_equal)
    golds = values_of(gold)
    preds = values_of(pred)
    paths = _wrong_fields(golds, preds, pairwise, are_equal)
    mistakes: list[Mistake[F]] = []
    for path in paths:
        own = golds.get(path)
        other = preds.get(path)
        gold_value = None if own is None else own[0]
        pred_value = None if other is None else other[0]
        mistakes.append((field_of(path), gold_value, pred_value))
    return mistakes


def _unread_mistakes(
    gold: Group,
    pred: Group,
    pairwise: frozenset[str],
    field_of: Callable[[str], F],
    are_equal: AreEqual,
) -> list[Mistake[F]]:
    """Do the same for groups that are unread; leaves that are the same stay so."""
    golds, preds = gold._leaves, pred._leaves
    steps, others = gold._steps, pred._steps
    same = steps is others  # as those of most rows are
    where = _places_of(preds, others, golds if same else None)
    wrong: list[tuple[str, Reading | None, Reading | None]] = []
    for place in range(len(golds)):
        leaf = golds[place]
        if leaf is None:
            continue
        path = steps[place][0]
        at = place if same else where.pop(path, -1)
        if at < 0 or preds[at] is None:
            wrong.append((path, reading_at(steps[place], leaf), None))
            continue
        other = preds[at]
        if type(leaf) is type(other) and leaf == other:
            continue
        own, its = reading_at(steps[place], leaf), reading_at(others[at], other)
        if own is not its and not _mean_the_same(path, own, its, pairwise, are_equal):  # type: ignore[arg-type]
            wrong.append((path, own, its))
    for path, at in where.items():
        wrong.append((path, None, reading_at(others[at], preds[at])))
    if len(wrong) > 1:
        wrong.sort(key=itemgetter(0))
    return [(field_of(path), own, its) for path, own, its in wrong]


def _places_of(leaves: list[object], steps: Steps, besides: list[object] | None) -> dict[str, int]:
    """Return the place of each value that a row has, by its field; not of those `besides`."""
    return {
        steps[place][0]: place
        for place in range(len(steps))
        if leaves[place] is not None and (besides is None or besides[place] is None)
    }


def _mean_the_same(
    path: str, gold: Reading, pred: Reading, pairwise: frozenset[str], are_equal: AreEqual
) -> bool:
    """Whether two values of a field are equal: by their keys, or compared."""
    if pairwise and path in pairwise:
        return are_equal(path, gold, pred)
    return key_of(gold) == key_of(pred)


def _wrong_fields(
    golds: dict[str, Values],
    preds: dict[str, Values],
    pairwise: frozenset[str],
    are_equal: AreEqual,
) -> list[str]:
    """Return the fields, sorted, whose one value is not right."""
    paths: list[str] = []
    for path, own in golds.items():
        other = preds.get(path)
        if other is None or (
            own[0] is not other[0]
            and not _mean_the_same(path, own[0], other[0], pairwise, are_equal)
        ):
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


def ascii_words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text in ASCII, without case; an ampersand is `and`."""
    line = texts.as_text(text).lower()
    return words_in(line.replace("&", " and ") if "&" in line else line)


def words_in(line: str) -> tuple[str, ...]:
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


def same_words(gold_words: tuple[str, ...], pred_words: tuple[str, ...]) -> bool:
    """Whether the words of two texts are the same, in another order or with other gaps."""
    return _same_words(gold_words, pred_words, "".join(gold_words), "".join(pred_words))


def _same_words(
    gold_words: tuple[str, ...], pred_words: tuple[str, ...], gold: str, pred: str
) -> bool:
    """Return the same of words that come to some letters and digits."""
    if gold == pred:
        return True
    if len(gold) != len(pred) or sorted(gold_words) != sorted(pred_words):
        return False
    # "Smith, John" is John Smith, but 1 of 2 is not 2 of 1
    digits = 0
    for character in gold:
        if "0" <= character <= "9":
            digits += 1
    return digits == 0


def has_other_word(words: tuple[str, ...], known: frozenset[str], shortest: int) -> bool:
    """Whether any word is none of the known ones, of those that are long enough."""
    others = 0
    for word in words:
        if len(word) >= shortest and word not in known and word.isalpha():
            others += 1
    return others > 0


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
    if _look_alike(gold, pred):
        return True
    if not _joins(gold) and not _joins(pred):
        return False
    return _look_alike(_joined(gold), _joined(pred))


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


def _joins(text: str) -> bool:
    """Whether `_joined` changes a text, which is true of few."""
    before = " "
    for character in text:
        if character == "n" and before == "r":
            return True
        if character == "v" and before == "v":
            return True
        if character == "l" and before == "c":
            return True
        before = character
    return False


def _joined(text: str) -> str:
    """Return a text with the letters that two others look like side by side."""
    return text.replace("rn", "m").replace("vv", "w").replace("cl", "d")


SPELT_SHORTER, SPELT_OTHERWISE, SPELT_LONGER, SPELT_ALIKE, SPELT_TRANSPOSED = range(-1, 4)
"""What pred is beside gold: a part of it, unlike, more, alike to the eye, two digits exchanged."""


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


UNTOLD, WRITTEN_OTHERWISE, OF_OTHER_SIGN, OF_OTHER_POWER = range(4, 8)
"""Nothing is told of two texts; both say the same, or numbers of other signs or powers of ten."""


class TextKinds:
    """What texts of a field may be, as far as it decides how two of them differ."""

    __slots__ = ("before_numbers", "in_dates", "numbers", "pointed")

    def __init__(
        self,
        *,
        numbers: bool,
        pointed: bool,
        before_numbers: frozenset[str] | None,
        in_dates: frozenset[str] | None,
    ) -> None:
        self.numbers = numbers
        self.pointed = pointed
        """Whether a point before three digits is a decimal point."""
        self.before_numbers = before_numbers
        """Where texts need not be numbers, the words that those begin with which may be some."""
        self.in_dates = in_dates
        """Where they may be dates, all words of these."""


def usual_difference(gold: str, pred: str, kinds: TextKinds) -> int:
    """Return how pred differs from gold, of two usual numbers or texts in ASCII that are none.

    UNTOLD of all others: what they are takes a closer look.
    """
    own, its = texts.as_text(gold), texts.as_text(pred)
    if not texts.is_ascii(own) or not texts.is_ascii(its) or _has_stroke(own) or _has_stroke(its):
        return UNTOLD
    number = _number_in(own, kinds) if kinds.numbers else None
    if number is not None:
        other = _number_in(its, kinds)
        if other is None:
            return UNTOLD
        return _between_numbers(own, its, _size(number), _size(other), number == other)
    if kinds.numbers and not _begins_with_other_word(own, kinds.before_numbers):
        return UNTOLD
    words, others = ascii_words(own), ascii_words(its)
    letters = ("".join(words), "".join(others))
    if _same_words(words, others, letters[0], letters[1]):
        return WRITTEN_OTHERWISE
    if kinds.in_dates is not None and (":" in own or not has_other_word(words, kinds.in_dates, 3)):
        return UNTOLD
    return spelt_otherwise(words, others, letters, letters, None)


def _has_stroke(text: str) -> bool:
    """Whether a text has a character that may be a letter after all."""
    return "|" in text or "!" in text


def _number_in(text: str, kinds: TextKinds) -> str | None:
    """Return a usual number in canonical form, None for any other text."""
    return usual_number(text) if kinds.pointed or text[-4:-3] != "." else None


def _size(number: str) -> str:
    """Return a number in canonical form without its sign."""
    return number[1:] if number[0] == "-" else number


def _between_numbers(gold: str, pred: str, size: str, other: str, same: bool) -> int:
    """Return how two usual numbers differ that have some sizes, or are the same."""
    if same:
        return WRITTEN_OTHERWISE
    if size == other:
        return OF_OTHER_SIGN
    digits = significant(size)
    if digits and digits == significant(other):
        return OF_OTHER_POWER
    words, others = words_in(gold), words_in(pred)
    letters = ("".join(words), "".join(others))
    return spelt_otherwise(words, others, letters, letters, (size, other))


def _begins_with_other_word(text: str, known: frozenset[str] | None) -> bool:
    """Whether the first word of a text is none of the known ones; without these, no word is."""
    if known is None:
        return False
    word = text.partition(" ")[0].replace("-", "")
    return word.isalpha() and word.lower() not in known


def significant(size: str) -> str:
    """Return the digits of a number without the zeros at either end."""
    digits = size.replace(".", "") if "." in size else size
    return digits.strip("0") if digits.startswith("0") or digits.endswith("0") else digits


def _of_one_length(gold: str, pred: str) -> tuple[str, str]:
    """Return the digits of two sizes, with zeros behind the one with fewer decimals."""
    if "." not in gold and "." not in pred:
        return gold, pred
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
