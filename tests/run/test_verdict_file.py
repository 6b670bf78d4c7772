"""What is wrong in documents, as the files of a run have it."""

from __future__ import annotations

from docassay.matching.case import Case, make_case
from docassay.matching.verdicts import RIGHT, blocks
from docassay.run.open import prepare
from docassay.run.verdict_file import wrong_blocks

ROWS = [{"n": "1", "p": "2"}, {"n": "3", "p": "4", "in": [{"x": "5"}]}, {"n": "6", "p": "7"}]
OTHERS = [{"n": "3", "p": "4", "in": [{"x": "9"}]}, {"n": "1", "p": "2"}, {"n": "6", "p": "0"}]
TREES = [
    ({"a": "1", "b": "2", "items": ROWS}, {"a": "1", "b": "3", "items": OTHERS}),
    ({"c": ["x", "y"], "items": ROWS[:2]}, {"c": ["z", "x", "v"], "items": [*OTHERS[2:], {}]}),
    ({"items": [{"n": ["1", "2"], "p": "a"}]}, {"items": [{"n": ["1", "5"]}, {"n": "7"}]}),
    ({"a": "1", "items": ROWS}, None),
    ({"a": "1"}, {"a": "1", "items": OTHERS}),
    ({"a": "1", "items": ROWS}, {"a": "1", "items": ROWS}),
]


def case_of(number: int) -> Case:
    return make_case("x", *TREES[number], prepare().layouts)


def test_wrong_values_are_those_of_all_that_are_not_right_in_the_same_order() -> None:
    cases = [case_of(number) for number in range(len(TREES))]
    for number, shown in enumerate(wrong_blocks(cases)):
        every = [
            (block.place, [entry for entry in block.verdicts if entry.verdict != RIGHT])
            for block in blocks(case_of(number))
        ]
        wrong = [(block.place, [*block.verdicts]) for block in shown]
        assert wrong == [block for block in every if block[1]]
    assert [block.gold for block in wrong_blocks(cases[:1])[0]] == [
        "",
        "items[1].in[0]",
        "items[2]",
    ]
