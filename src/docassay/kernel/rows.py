"""Rows of two documents: which are the same, which belong together, and what their values count.

What is unusual (several values of a field, rows inside rows, fields without keys) is left to the
callers, which hear of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

from docassay.kernel.readings import (
    NOTHING,
    Group,
    Number,
    Reading,
    Step,
    Steps,
    key_of,
    reading_at,
    same_leaf,
    surely_alike,
    values_of,
)

MOST_DIGITS = 600
"""Longer whole numbers are not looked for in texts: Python may refuse to read them."""
NOBODY, SEVERAL = -1, -2
"""In the place of the only row that another one shares values with, where there is no such row."""
FEW_PAIRS = 400
"""Up to so many pairs of rows, looking at each is faster than an index of what they hold."""
Row = tuple[frozenset[str], Group]
"""A group with its tokens: a text for each of its values, equal for equal values of a field."""
Worth = tuple[int, int, int, int]
"""What matching rows achieves, most important first: equal values, corrections saved against
leaving the rows unmatched, rows that are exact, the length of what is equal.
"""
NO_WORTH: Worth = (0, 0, 0, 0)
Assignment = Callable[[Sequence[Sequence[Worth]]], list[tuple[int, int]]]
"""Finds the best pairs of a few rows by what each pair is worth."""
GroupPairs = list[tuple[Group, Group]]
Pairs = list[tuple[Group | None, Group | None]]
"""Groups as matched, those without a partner included."""
R = TypeVar("R", bound="tuple[Group | None, Group | None, *tuple[object, ...]]")
ValuePair = tuple[str, Reading | None, Reading | None]
"""A field, and what gold and pred have of it; one of them may have nothing."""
FIRST = itemgetter(0)


def pair_twins(
    golds: Sequence[Group], preds: Sequence[Group]
) -> tuple[GroupPairs, list[Group], list[Group]]:
    """Pair the rows that hold the same readings and no rows inside; return the others too."""
    pairs: GroupPairs = []
    left: list[Group] = []
    right: list[Group] = []
    both = min(len(golds), len(preds))
    for place in range(both):
        gold = golds[place]
        pred = preds[place]
        # most of them stand where they should
        if are_twins(gold, pred):
            pairs.append((gold, pred))
        else:
            left.append(gold)
            right.append(pred)
    left.extend(golds[both:])
    right.extend(preds[both:])
    if left and right:
        left, right = _twins_anywhere(left, right, pairs)
    return pairs, left, right


def are_twins(gold: Group, pred: Group) -> bool:
    """Whether two rows hold the same readings and no rows inside; most need not be read for it."""
    if gold._values is None and pred._values is None:
        if gold._count != pred._count:
            return False
        if gold._steps is pred._steps:
            return same_leaves(gold._leaves, pred._leaves, gold._steps)
        return _same_by_field(gold, pred)
    return values_of(gold) == values_of(pred) and is_flat(gold) and is_flat(pred)


def same_leaves(golds: list[object], preds: list[object], steps: Steps) -> bool:
    """Whether leaves are read alike one by one, as 5 and "5" may be that differ in kind."""
    for place in range(len(golds)):
        gold = golds[place]
        pred = preds[place]
        if same_leaf(gold, pred):
            continue
        if gold is None or pred is None or type(gold) is type(pred):
            return False
        step = steps[place]
        if not _same_readings(gold, step, pred, step):
            return False
    return True


def _same_by_field(gold: Group, pred: Group) -> bool:
    """Whether rows that are unread have equally many values, and of each field the same one."""
    leaves, steps = gold._leaves, gold._steps
    for place in range(len(leaves)):
        leaf = leaves[place]
        if leaf is None:
            continue
        step = steps[place]
        at = place_of(step[0], pred._steps, place)
        if at < 0 or pred._leaves[at] is None:
            return False
        if not _same_readings(leaf, step, pred._leaves[at], pred._steps[at]):
            return False
    return True


def _same_readings(gold: object, own: Step, pred: object, other: Step) -> bool:
    """Whether two leaves are one text to one reader."""
    return _reader_of(gold, own) is _reader_of(pred, other) and str(gold) == str(pred)


def _reader_of(leaf: object, step: Step) -> object:
    """Return what reads a leaf: a number may mean something else than it would as a text."""
    return step[2] if type(leaf) is Number else step[1]


def place_of(path: str, steps: Steps, likely: int) -> int:
    """Return where steps have a field, −1 if they do not; most have it in the likely place."""
    if likely < len(steps) and _leads_to(steps[likely], path):
        return likely
    for place in range(len(steps)):
        if _leads_to(steps[place], path):
            return place
    return -1


def _leads_to(step: Step, path: str) -> bool:
    return step[0] is path or step[0] == path


def are_unread(gold: Group, pred: Group) -> bool:
    """Whether two rows are unread and have their fields in the same places."""
    return gold._values is None and pred._values is None and gold._steps is pred._steps


def is_whole(row: Group) -> bool:
    """Whether a row that is unread has a value for each of its keys."""
    return row._count == len(row._leaves)


def value_pairs(gold: Group | None, pred: Group | None, same: bool) -> list[ValuePair]:
    """Return the values of two groups of one value a field, by field, or those of one alone.

    Without `same`, not those that are the same text on both sides, which are not read for it.
    """
    pairs: list[ValuePair] = []
    if gold is None or pred is None:
        _add_alone(pairs, gold, pred)
    elif not same and are_unread(gold, pred):
        _add_other_leaves(pairs, gold, pred)
    else:
        golds = values_of(gold)
        preds = values_of(pred)
        for path, own in golds.items():
            other = preds.get(path)
            if other is None:
                pairs.append((path, own[0], None))
            elif same or own[0] is not other[0]:
                pairs.append((path, own[0], other[0]))
        for path, other in preds.items():
            if path not in golds:
                pairs.append((path, None, other[0]))
    if len(pairs) > 1:
        pairs.sort(key=FIRST)
    return pairs


def _add_alone(pairs: list[ValuePair], gold: Group | None, pred: Group | None) -> None:
    """Add the values of a group that nothing stands for."""
    if gold is not None:
        for path, own in values_of(gold).items():
            pairs.append((path, own[0], None))
    elif pred is not None:
        for path, own in values_of(pred).items():
            pairs.append((path, None, own[0]))


def _add_other_leaves(pairs: list[ValuePair], gold: Group, pred: Group) -> None:
    """Add the values that are not the same text, of groups with their fields in the same places."""
    golds, preds, steps = gold._leaves, pred._leaves, gold._steps
    for place in range(len(golds)):
        leaf = golds[place]
        found = preds[place]
        if same_leaf(leaf, found):
            continue
        step = steps[place]
        own = None if leaf is None else reading_at(step, leaf)
        other = None if found is None else reading_at(step, found)
        if own is not other:
            pairs.append((step[0], own, other))


def in_file_order(pairs: Iterable[R]) -> list[R]:
    """Return pairs of rows in the order of gold's, then those that only pred has in its order.

    Behind its two rows, a pair may hold what else is known of it.
    """
    every = list(pairs)
    rows = _by_number(every)
    if rows is not None:
        return rows
    keyed: list[tuple[bool, int, int, int]] = []
    for place in range(len(every)):
        pair = every[place]
        gold, pred = pair[0], pair[1]
        gold_index = -1 if gold is None or gold.index is None else gold.index
        pred_index = -1 if pred is None or pred.index is None else pred.index
        keyed.append((gold is None, gold_index, pred_index, place))
    keyed.sort()
    return [every[key[3]] for key in keyed]


def _by_number(pairs: list[R]) -> list[R] | None:
    """Return pairs of rows in file order where the numbers of gold's are all it takes, else None.

    In most documents each of them is there once, and pred has no more than one row alone.
    """
    most = len(pairs)
    rows: list[R | None] = [None] * most
    last: R | None = None
    for pair in pairs:
        gold = pair[0]
        if gold is None:
            if last is not None:
                return None
            last = pair
            continue
        number: int = -1 if gold.index is None else gold.index
        if number < 0 or number >= most or rows[number] is not None:
            return None
        rows[number] = pair
    ordered = [pair for pair in rows if pair is not None]
    if last is not None:
        ordered.append(last)
    return ordered


@lru_cache(maxsize=1 << 12)
def row_path(start: str) -> str:
    """Return the path of a row by what the paths of its values begin with; "" for the root."""
    return start.rstrip(".")


def follow_in_order(pairs: Pairs) -> bool:
    """Whether rows that stand for each other have rising numbers in pred, as they come."""
    last = -1
    for gold, pred in pairs:
        if gold is None or pred is None or gold.index is None or pred.index is None:
            continue
        number: int = pred.index
        if number < last:
            return False
        last = number
    return True


def is_flat(row: Group) -> bool:
    """Whether a row has neither rows inside nor placeholders."""
    return not row.groups and not row.slots


def _twins_anywhere(
    golds: list[Group], preds: list[Group], pairs: GroupPairs
) -> tuple[list[Group], list[Group]]:
    """Add the twins that stand in different places to the pairs, and return the other rows."""
    if len(golds) * len(preds) <= FEW_PAIRS:
        return _twins_among_few(golds, preds, pairs)
    row = golds[0]
    steps = row._steps if _are_all_unread(golds, preds) else None
    kinds = [] if steps is None else _kinds(golds, steps)
    # contents by number; the first row of each that waits for a twin, and the next one of the same
    known: dict[object, int] = {}
    numbers = [-1] * len(preds)
    first: list[int] = []
    following = [-1] * len(preds)
    for place in range(len(preds) - 1, -1, -1):
        pred = preds[place]
        if steps is not None or is_flat(pred):
            number = known.setdefault(_content(pred, steps, kinds), len(first))
            if number == len(first):
                first.append(place)
            else:
                following[place] = first[number]
                first[number] = place
            numbers[place] = number
    left: list[Group] = []
    free = [True] * len(preds)
    due = 0
    for gold in golds:
        # most rows follow each other on both sides
        if due < len(preds) and are_twins(gold, preds[due]):
            number = numbers[due]
        elif steps is not None or is_flat(gold):
            number = known.get(_content(gold, steps, kinds), -1)
        else:
            number = -1
        place = -1 if number < 0 else first[number]
        if place < 0:
            left.append(gold)
        else:
            first[number] = following[place]
            free[place] = False
            due = place + 1
            pairs.append((gold, preds[place]))
    if len(left) == len(golds):
        return golds, preds
    return left, [preds[place] for place in range(len(preds)) if free[place]]


def _twins_among_few(
    golds: list[Group], preds: list[Group], pairs: GroupPairs
) -> tuple[list[Group], list[Group]]:
    """Do so for a few rows by looking at each pair."""
    left: list[Group] = []
    right = preds
    for gold in golds:
        twin = -1
        for place in range(len(right)):
            if are_twins(gold, right[place]):
                twin = place
                break
        if twin < 0:
            left.append(gold)
        else:
            pairs.append((gold, right[twin]))
            right = right[:twin] + right[twin + 1 :]
    return left, right


def _are_all_unread(golds: list[Group], preds: list[Group]) -> bool:
    for rows in (golds, preds):
        for row in rows:
            if row._values is not None:
                return False
    return True


def _kinds(rows: list[Group], steps: Steps) -> list[object]:
    """Return what kind of leaf rows that are unread have by these steps; None where they have none.

    Where they have several, it is one of them.
    """
    kinds: list[object] = [None] * len(steps)
    for row in rows:
        if row._steps is not steps:
            continue
        leaves = row._leaves
        missing = 0
        for place in range(len(leaves)):
            if kinds[place] is None:
                if leaves[place] is None:
                    missing += 1
                else:
                    kinds[place] = type(leaves[place])
        if not missing:
            break
    return kinds


def _content(row: Group, steps: Steps | None, kinds: list[object]) -> object:
    """Return what rows that hold the same readings, and they alone, have in common.

    Rows that are unread, as those are for which there are steps, need not be read for it. Leaves
    stand in the places of the steps: those of the kind of their place for themselves, and others
    for what they would be as such.
    """
    if steps is None:
        return frozenset(values_of(row).values())
    leaves = row._leaves if row._steps is steps else _laid_out(row, steps)
    if leaves is None:
        return _unlike(row)
    for place in range(len(leaves)):
        leaf = leaves[place]
        if leaf is not None and type(leaf) is not kinds[place]:
            return tuple([_as_kind(leaves[at], steps[at], kinds[at]) for at in range(len(leaves))])
    return tuple(leaves)


def _laid_out(row: Group, steps: Steps) -> list[object] | None:
    """Return the leaves of a row as they stand in rows of other steps; None if these lack any."""
    places: list[object] = [None] * len(steps)
    leaves, own = row._leaves, row._steps
    for place in range(len(leaves)):
        leaf = leaves[place]
        if leaf is not None:
            step = own[place]
            at = place_of(step[0], steps, place)
            if at < 0 or _reader_of(leaf, step) is not _reader_of(leaf, steps[at]):
                return None
            places[at] = leaf
    return places


def _unlike(row: Group) -> object:
    """Return the content of a row that is unread, whatever its steps are."""
    leaves, steps = row._leaves, row._steps
    return frozenset(
        [
            (_reader_of(leaves[place], steps[place]), str(leaves[place]))
            for place in range(len(leaves))
            if leaves[place] is not None
        ]
    )


def _as_kind(leaf: object, step: Step, kind: object) -> object:
    """Return what stands for a leaf among those of a kind: the same for leaves that are one text.

    A number is not the same as a text that looks like it where these mean different things.
    """
    if leaf is None or type(leaf) is kind:
        return leaf
    text = str(leaf)
    if (type(leaf) is Number or kind is Number) and step[1] is not step[2]:
        return (text,)
    return _as_whole(text) if kind is int else text


def _as_whole(text: str) -> object:
    """Return the whole number that is written like this, or the text where none is."""
    digits = text[1:] if text[:1] == "-" else text
    if len(digits) > MOST_DIGITS or not digits.isascii() or not digits.isdecimal():
        return text
    return text if digits[0] == "0" and text != "0" else int(text)


def tokens_of(group: Group) -> frozenset[str]:
    """Return the keys of a group that has one value in each field, all of them with keys."""
    values = values_of(group)
    return frozenset([key_of(readings[0]) for readings in values.values()])  # type: ignore[misc]


def plain_rows(groups: Sequence[Group], pairwise: frozenset[str]) -> list[Row] | None:
    """Return groups with their tokens; None if any has several values in a field.

    The same goes for a field that is compared `pairwise`, whose values have no tokens.
    """
    rows: list[Row] = []
    for group in groups:
        if not group.single or (pairwise and not pairwise.isdisjoint(values_of(group))):
            return None
        rows.append((tokens_of(group), group))
    return rows


def pair_unrepeated(
    golds: list[Row], preds: list[Row]
) -> tuple[GroupPairs, list[Row], list[Row]] | None:
    """Return the pairs of identical rows and the rows that remain; None if any stands twice."""
    waiting = {tokens: pred for tokens, pred in preds}
    if len(waiting) < len(preds):
        return None
    seen: set[frozenset[str]] = set()
    pairs: GroupPairs = []
    left: list[Row] = []
    for row in golds:
        tokens = row[0]
        if tokens in seen:
            return None
        seen.add(tokens)
        partner = waiting.pop(tokens, None)
        if partner is None:
            left.append(row)
        else:
            pairs.append((row[1], partner))
    return pairs, left, list(waiting.items())


def places(rows: Sequence[Row]) -> dict[str, list[int]]:
    """Return the places of the rows that have a token, by token."""
    where: dict[str, list[int]] = {}
    for place in range(len(rows)):
        for token in rows[place][0]:
            at = where.get(token)
            if at is None:
                where[token] = [place]
            else:
                at.append(place)
    return where


def take_obvious(left: list[Row], right: list[Row]) -> GroupPairs:
    """Take out and return the pairs of rows that share values with each other and no one else.

    Every best matching has such a pair: to part the two loses their equal values and wins none.
    """
    partners = [NOBODY] * len(left)
    suitors = [NOBODY] * len(right)
    if len(left) * len(right) > FEW_PAIRS:
        _introduce_many(left, right, partners, suitors)
    else:
        _introduce_few(left, right, partners, suitors)
    pairs: GroupPairs = []
    single: list[Row] = []
    taken: set[int] = set()
    for place in range(len(left)):
        partner = partners[place]
        if partner >= 0 and suitors[partner] == place:
            pairs.append((left[place][1], right[partner][1]))
            taken.add(partner)
        else:
            single.append(left[place])
    if pairs:
        left[:] = single
        right[:] = [right[place] for place in range(len(right)) if place not in taken]
    return pairs


def token_length(token: str) -> int:
    """Return the length of the value in a token: field, value, and perhaps a number."""
    start = token.find("\x1f") + 1
    end = token.find("\x1f", start)
    return (len(token) if end < 0 else end) - start


def worth(gold: Row, pred: Row) -> tuple[int, int, int]:
    """Return the worth of a pair of rows without rows inside, of which none are identical."""
    shared = gold[0] & pred[0]
    length = 0
    for token in shared:
        length += token_length(token)
    equal = len(shared)
    return equal, equal + overlap(gold[1], pred[1]), length


def worth_of_pair(gold: Row, pred: Row) -> Worth:
    """Return the same, and before the length whether the rows have all their values in common."""
    equal, spared, length = worth(gold, pred)
    return equal, spared, int(equal == gold[1].size == pred[1].size), length


def worth_of_few(golds: Sequence[Row], preds: Sequence[Row], assign: Assignment) -> Worth:
    """Return what the best matching of a few rows without rows inside is worth.

    `assign` finds it where there are more than two rows on both sides.
    """
    worths = [[worth_of_pair(gold, pred) for pred in preds] for gold in golds]
    if len(golds) == 1 or len(preds) == 1:
        return max([each for row in worths for each in row])
    if len(golds) == 2 == len(preds):
        straight = both_worths(worths[0][0], worths[1][1])
        return max(straight, both_worths(worths[0][1], worths[1][0]))
    total = NO_WORTH
    for i, j in assign(worths):
        total = both_worths(total, worths[i][j])
    return total


def both_worths(one: Worth, other: Worth) -> Worth:
    """Return what two matchings are worth together."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def overlap(gold: Group, pred: Group) -> int:
    """Return how many values of two rows could be right or substituted, by field counts.

    Corrections of a pair are, over its fields, max(gold, pred) - equal; left unmatched, the two
    rows cost gold + pred. The difference is min(gold, pred) + equal.
    """
    both = 0
    if are_unread(gold, pred):
        for place in range(len(gold._leaves)):
            if gold._leaves[place] is not None and pred._leaves[place] is not None:
                both += 1
        return both
    others = values_of(pred)
    for path, golds in values_of(gold).items():
        preds = others.get(path)
        if preds is not None:
            both += min(len(golds), len(preds))
    return both


def with_the_rest(pairs: GroupPairs, golds: Sequence[Group], preds: Sequence[Group]) -> Pairs:
    """Return pairs with the groups of either side that stand in none."""
    every: Pairs = list(pairs)
    if len(pairs) < len(golds):
        paired = {id(pair[0]) for pair in pairs}
        every.extend([(gold, None) for gold in golds if id(gold) not in paired])
    if len(pairs) < len(preds):
        paired = {id(pair[1]) for pair in pairs}
        every.extend([(None, pred) for pred in preds if id(pred) not in paired])
    return every


def _introduce_few(
    left: list[Row], right: list[Row], partners: list[int], suitors: list[int]
) -> None:
    """Note for each row the only other one that it shares values with, or that several do."""
    for gold in range(len(left)):
        tokens = left[gold][0]
        for pred in range(len(right)):
            if not tokens.isdisjoint(right[pred][0]):
                _meet(partners, gold, pred)
                _meet(suitors, pred, gold)


def _introduce_many(
    left: list[Row], right: list[Row], partners: list[int], suitors: list[int]
) -> None:
    """Do so by an index of what rows hold, in steps that grow as the number of rows does."""
    where: dict[str, int] = {}
    # the rows that have a token which several have, as long as it says anything new of them
    common: dict[str, list[int]] = {}
    _add_places(right, where, common)
    seen: set[str] = set()
    for gold in range(len(left)):
        for token in left[gold][0]:
            pred = where.get(token, NOBODY)
            if pred < 0:
                continue
            several = common.get(token)
            if several is None:
                _meet(partners, gold, pred)
                _meet(suitors, pred, gold)
                continue
            partners[gold] = SEVERAL
            for pred in several:
                _meet(suitors, pred, gold)
            if token in seen:  # they have met several by now
                several.clear()
            seen.add(token)


def _add_places(rows: list[Row], where: dict[str, int], common: dict[str, list[int]]) -> None:
    """Add the first place of each token, and all places of those that stand in several rows."""
    for place in range(len(rows)):
        for token in rows[place][0]:
            first = where.setdefault(token, place)
            if first != place:
                several = common.get(token)
                if several is None:
                    common[token] = [first, place]
                else:
                    several.append(place)


def _meet(partners: list[int], own: int, other: int) -> None:
    """Note that a row shares values with another one."""
    met = partners[own]
    if met == NOBODY:
        partners[own] = other
    elif met != other:
        partners[own] = SEVERAL


def count_values(
    counts: dict[str, list[int]],
    left: tuple[dict[str, list[Reading]], dict[str, list[Reading]]],
    gold: Group,
    pred: Group,
    pairwise: frozenset[str],
) -> bool:
    """Count the values of two groups that have one value a field.

    Adds to the four `counts` of each field (right, substituted, added, deleted), and to the values
    of gold and of pred that are `left` over. Two values of a field that is compared `pairwise` are
    not counted. Returns whether all else is right.
    """
    if not pairwise and are_unread(gold, pred):
        return _count_leaves(counts, left, gold, pred)
    exact = True
    missed, spurious = left
    gold_values, pred_values = values_of(gold), values_of(pred)
    for path, golds in gold_values.items():
        own = counts.get(path)
        if own is None:
            own = counts[path] = [0, 0, 0, 0]
        preds = pred_values.get(path)
        if preds is None:
            own[2] += 1
            missed.setdefault(path, []).append(golds[0])
            exact = False
        elif pairwise and path in pairwise:
            continue
        elif golds[0] is preds[0] or key_of(golds[0]) == key_of(preds[0]):
            own[0] += 1
        else:
            own[1] += 1
            missed.setdefault(path, []).append(golds[0])
            spurious.setdefault(path, []).append(preds[0])
            exact = False
    for path, preds in pred_values.items():
        if path not in gold_values:
            own = counts.get(path)
            if own is None:
                own = counts[path] = [0, 0, 0, 0]
            own[3] += 1
            spurious.setdefault(path, []).append(preds[0])
            exact = False
    return exact


def _count_leaves(
    counts: dict[str, list[int]],
    left: tuple[dict[str, list[Reading]], dict[str, list[Reading]]],
    gold: Group,
    pred: Group,
) -> bool:
    """Do so for rows that are unread, of which only leaves that differ are read."""
    exact = True
    missed, spurious = left
    golds, preds, steps = gold._leaves, pred._leaves, gold._steps
    for place in range(len(golds)):
        leaf = golds[place]
        if leaf is None:
            continue
        step = steps[place]
        path = step[0]
        own = counts.get(path)
        if own is None:
            own = counts[path] = [0, 0, 0, 0]
        other = preds[place]
        if same_leaf(leaf, other) or (other is not None and surely_alike(step, leaf, other)):
            own[0] += 1
            continue
        value = reading_at(step, leaf)
        assert value is not None
        if other is None:
            own[2] += 1
            missed.setdefault(path, []).append(value)
            exact = False
            continue
        found = reading_at(step, other)
        assert found is not None
        if value is found or key_of(value) == key_of(found):
            own[0] += 1
        else:
            own[1] += 1
            missed.setdefault(path, []).append(value)
            spurious.setdefault(path, []).append(found)
            exact = False
    for place in range(len(preds)):
        leaf = preds[place]
        if leaf is not None and golds[place] is None:
            step = steps[place]
            path = step[0]
            own = counts.get(path)
            if own is None:
                own = counts[path] = [0, 0, 0, 0]
            own[3] += 1
            found = reading_at(step, leaf)
            assert found is not None
            spurious.setdefault(path, []).append(found)
            exact = False
    return exact


def fields_of(row: Group) -> tuple[str, ...]:
    """Return the fields of a group's own values in file order; one that is unread stays so."""
    if row._values is not None:
        return tuple(row._values)
    leaves, steps = row._leaves, row._steps
    return tuple([steps[place][0] for place in range(len(leaves)) if leaves[place] is not None])


def paths_in(groups: Sequence[Group]) -> set[str]:
    """Return the fields that any of the groups has a value of; rows inside are not looked into."""
    paths: set[str] = set()
    steps: Steps | None = None
    for group in groups:
        if group._values is not None or not is_whole(group):
            paths.update(fields_of(group))
        elif group._steps is not steps:  # most rows have the same fields
            steps = group._steps
            paths.update([step[0] for step in steps])
    return paths


def hold_any(groups: Iterable[Group], paths: AbstractSet[str]) -> bool:
    """Whether any of the groups holds, at any depth, a value of one of the fields."""
    without: Steps | None = None
    """Steps that lead to none of the fields: most rows have the same."""
    for group in groups:
        if group._values is not None:
            if not paths.isdisjoint(group._values):
                return True
        elif group._steps is not without:
            if paths.isdisjoint([step[0] for step in group._steps]):
                without = group._steps
            elif not paths.isdisjoint(fields_of(group)):
                return True
        if group.groups:
            for rows in group.groups.values():
                if hold_any(rows, paths):
                    return True
    return False


def readings_in(group: Group, path: str, into: list[Reading]) -> None:
    """Add the values of a field at and below a group, in their order; what is unread stays so."""
    if group._values is None:
        leaves, steps = group._leaves, group._steps
        for place in range(len(leaves)):
            step = steps[place]
            if leaves[place] is not None and step[0] == path:
                reading = reading_at(step, leaves[place])
                assert reading is not None
                into.append(reading)
    else:
        into.extend(group._values.get(path, ()))
    if group.groups:
        for rows in group.groups.values():
            for row in rows:
                readings_in(row, path, into)


def texts_in(group: Group, texts: list[str]) -> bool:
    """Add the texts of all values of a group and of rows at any depth, in their order.

    Returns whether texts are all that there is: no value has others that are as right, or means
    something else than its text does.
    """
    if group._values is None:
        leaves = [leaf for leaf in group._leaves if leaf is not None]
        texts.extend([leaf if type(leaf) is str else str(leaf) for leaf in leaves])
    elif not _own_texts(group, texts):
        return False
    if group.groups:
        for rows in group.groups.values():
            for row in rows:
                if not texts_in(row, texts):
                    return False
    return True


def _own_texts(group: Group, texts: list[str]) -> bool:
    for readings in values_of(group).values():
        for reading in readings:
            if reading.alternatives or reading.normalised:
                return False
            texts.append(reading.text)
    return True


def value_at(root: Group, place: int) -> tuple[Group, str, Reading]:
    """Return the value whose text stands at a place of those that `texts_in` gives.

    With its group, whose values alone are read, and its field.
    """
    found: list[tuple[Group, str, Reading]] = []
    _find(root, place, found)
    return found[0]


def _find(group: Group, place: int, found: list[tuple[Group, str, Reading]]) -> int:
    """Add the value at a place if it is inside a group, and return −1; else the place behind it."""
    size = _count_own(group)
    if place < size:
        for path, readings in values_of(group).items():
            if place < len(readings):
                found.append((group, path, readings[place]))
                return -1
            place -= len(readings)
    place -= size
    if group.groups:
        for rows in group.groups.values():
            for row in rows:
                place = _find(row, place, found)
                if place < 0:
                    return -1
    return place


def _count_own(group: Group) -> int:
    """Return the number of a group's own values, without reading them."""
    if group._values is None:
        return len(group._leaves) - group._leaves.count(None)
    return sum(map(len, group._values.values()))


def rows_inside(
    gold: Group | None, pred: Group | None
) -> list[tuple[str, Sequence[Group], Sequence[Group]]]:
    """Return the rows inside two groups by their type, sorted."""
    golds = NOTHING if gold is None else gold.groups
    preds = NOTHING if pred is None else pred.groups
    if not golds and not preds:
        return []
    paths = [*golds, *[path for path in preds if path not in golds]]
    paths.sort()
    return [(path, golds.get(path, ()), preds.get(path, ())) for path in paths]


def is_nested(group: Group) -> bool:
    """Whether any row of a group has rows inside, or a type of rows is empty."""
    for rows in group.groups.values():
        if not rows:
            return True
        for row in rows:
            if row.groups:
                return True
    return False


def count_rows(groups: Sequence[Group]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the number of values by field and of rows by type in groups, at any depth."""
    shapes: dict[tuple[str, ...], int] = {}
    values: dict[str, int] = {}
    rows: dict[str, int] = {}
    steps: Steps | None = None
    shape: tuple[str, ...] = ()
    for group in groups:
        if group._values is None and is_whole(group):
            if group._steps is not steps:  # most rows have the same fields
                steps = group._steps
                shape = fields_of(group)
            shapes[shape] = shapes.get(shape, 0) + 1
        elif group.single and not group.groups:
            own = fields_of(group)
            shapes[own] = shapes.get(own, 0) + 1
        else:
            _count_nested(group, values, rows)
    for own, times in shapes.items():
        for path in own:
            values[path] = values.get(path, 0) + times
    return values, rows


def _count_nested(group: Group, values: dict[str, int], rows: dict[str, int]) -> None:
    for path, readings in values_of(group).items():
        values[path] = values.get(path, 0) + len(readings)
    for path, inner in group.groups.items():
        rows[path] = rows.get(path, 0) + len(inner)
        for row in inner:
            _count_nested(row, values, rows)


def count_pairs(
    counts: dict[str, list[int]],
    left: tuple[dict[str, list[Reading]], dict[str, list[Reading]]],
    pairs: Sequence[tuple[Group | None, Group | None]],
    pairwise: frozenset[str],
) -> tuple[int, int, int] | None:
    """Count the values of rows that were paired or left alone, as `count_values` does.

    Returns how many rows are right, only in pred and only in gold (a pair with a mistake is both);
    None, and nothing counted, if a row holds rows, several values of a field, or one of a field
    that is compared `pairwise`.
    """
    for gold, pred in pairs:
        if gold is not None and not is_plain(gold, pairwise):
            return None
        if pred is not None and not is_plain(pred, pairwise):
            return None
    right = extra = missing = 0
    for gold, pred in pairs:
        if gold is not None and pred is not None:
            if count_values(counts, left, gold, pred, pairwise):
                right += 1
                continue
            missing += 1
            extra += 1
        elif gold is not None:
            missing += 1
            count_alone(counts, 2, left[0], gold)
        elif pred is not None:
            extra += 1
            count_alone(counts, 3, left[1], pred)
    return right, extra, missing


def is_plain(row: Group, pairwise: frozenset[str]) -> bool:
    """Whether a row has no rows inside, and one value a field, all of them with keys."""
    if not row.single or row.groups:
        return False
    return not pairwise or pairwise.isdisjoint(values_of(row))


def count_alone(
    counts: dict[str, list[int]], column: int, left: dict[str, list[Reading]], group: Group
) -> None:
    """Count the values of a group without a partner in one column."""
    if group._values is None:
        leaves, steps = group._leaves, group._steps
        for place in range(len(leaves)):
            leaf = leaves[place]
            if leaf is not None:
                step = steps[place]
                path = step[0]
                own = counts.get(path)
                if own is None:
                    own = counts[path] = [0, 0, 0, 0]
                own[column] += 1
                reading = reading_at(step, leaf)
                assert reading is not None
                left.setdefault(path, []).append(reading)
        return
    for path, readings in values_of(group).items():
        own = counts.get(path)
        if own is None:
            own = counts[path] = [0, 0, 0, 0]
        own[column] += len(readings)
        leftover = left.get(path)
        if leftover is None:
            left[path] = list(readings)
        else:
            leftover.extend(readings)


def equal_keys(golds: Sequence[Reading], preds: Sequence[Reading]) -> int:
    """Return how many readings find one of equal key: the size of what two multisets share."""
    if len(golds) == 1 and len(preds) == 1:  # which is most fields
        return int(key_of(golds[0]) == key_of(preds[0]))
    waiting: dict[str | None, int] = {}
    for pred in preds:
        key = key_of(pred)
        waiting[key] = waiting.get(key, 0) + 1
    equal = 0
    for gold in golds:
        key = key_of(gold)
        free = waiting.get(key)
        if free:
            waiting[key] = free - 1
            equal += 1
    return equal
