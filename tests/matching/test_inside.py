"""What rows inside rows are worth is what their best matching achieves, however it is found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel.rows import NO_WORTH, Worth, both_worths
from docassay.matching.case import Case, make_case
from docassay.matching.groups import Matcher
from docassay.matching.inside import near
from docassay.model.document import Group
from docassay.run.open import prepare

WORD = st.sampled_from(["a", "b", "c", "dd"])
INNER = st.lists(
    st.dictionaries(
        st.sampled_from(["n", "p"]), st.one_of(WORD, st.lists(WORD, min_size=1, max_size=2))
    ),
    min_size=1,
    max_size=4,
)
LISTS = st.lists(INNER, min_size=1, max_size=4)


def case_of(golds: list, preds: list) -> Case:
    sides = ({"rows": [{"sub": inner} for inner in side]} for side in (golds, preds))
    return make_case("x", *sides, prepare(schema=None).layouts)


def inner_lists(case: Case) -> tuple[list[tuple[Group, ...]], list[tuple[Group, ...]]]:
    gold, pred = (
        [row.groups["rows.sub"] for row in side.root.groups.get("rows", ()) if row.groups]
        for side in (case.gold, case.pred)
    )
    return gold, pred


def worth_of_matching(
    matcher: Matcher, golds: tuple[Group, ...], preds: tuple[Group, ...]
) -> Worth:
    """Return what the pairs of a matching are worth, one by one."""
    matched = matcher.match(golds, preds, "rows.sub")
    total = NO_WORTH
    for gold, pred in (*matched.settled.pairs, *matched.others):
        if gold is not None and pred is not None:
            total = both_worths(total, matcher._worth_of_pair(gold, pred))
    return total


@given(golds=LISTS, preds=LISTS)
def test_all_pairs_of_rows_are_worth_what_their_matchings_are(golds: list, preds: list) -> None:
    case = case_of(golds, preds)
    left, right = inner_lists(case)
    matcher = Matcher(case.layout, case.pairwise)
    worths = matcher._worths(left, right, "rows.sub")
    for i, gold in enumerate(left):
        for j, pred in enumerate(right):
            assert tuple(worths[:, i, j].tolist()) == worth_of_matching(matcher, gold, pred)


def test_rows_of_the_same_fields_that_share_nothing_need_no_matching() -> None:
    golds = [[{"n": f"{i}", "p": "x"}] for i in range(3)]
    preds = [[{"n": f"{i}", "p": "y"}] for i in range(3)]
    case = case_of(golds, [*preds, [{"n": "9"}, {"p": "y"}]])
    matcher = Matcher(case.layout, case.pairwise)
    left, right = ([*map(matcher._inner_rows, side)] for side in inner_lists(case))
    # the last list has rows of different fields
    assert [*near(left, right)] == [[0, 3], [1, 3], [2, 3]]
    assert [*near(right, left)][3] == [0, 1, 2]
