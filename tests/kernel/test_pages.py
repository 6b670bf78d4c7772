"""Values of pages: in the order of their fields, as JSON."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS
from tests.kernel.test_kernel import pairs_of


@given(text=st.text(max_size=5) | st.text(alphabet='a"\\\\/\x00\x1f\x7f\n\u2028é', max_size=5))
def test_a_text_is_escaped_as_json_has_it(text: str) -> None:
    for form in FORMS:
        assert form.judged.escaped(text) == json.dumps(text, ensure_ascii=False)[1:-1]


@pytest.mark.parametrize(
    ("texts", "others", "text"),
    [
        ({}, [], ""),
        ({"n": "N"}, [], '<n>N","pred":"N</n>'),
        ({}, [("b", "2"), ("a", "1")], "2,1"),
        (
            {"q": "long", "n": "N"},
            [("a", "1"), ("p", "2"), ("p", "3")],
            '1,<n>N","pred":"N</n>,2,3,row q cut',
        ),
        ({"n": "N"}, [("p", "3")], '<n>N","pred":"N</n>,3'),
        ({"n": "N", "p": "P"}, [("n", "2"), ("n", "3")], '2,3,<p>P","pred":"P</p>'),
    ],
    ids=["nothing", "same", "others as they come", "both", "others last", "others instead"],
)
def test_values_are_added_in_the_order_of_their_fields(
    texts: dict[str, str], others: list[tuple[str, str]], text: str
) -> None:
    for form in FORMS:
        read = form.readings.Group(
            "", None, {field: (form.readings.Reading(own, len),) for field, own in texts.items()}
        )
        for row in (*pairs_of(form, [texts], [])[0], read):
            frames = form.pages.RowFrames(form.pages.Frames(frame, 2))
            parts: list[str] = []
            made = frames.of(row, form.verdicts.ROOT, False)
            same = form.pages.add_row(parts, row, made, others, 3, "row", "{0} {1} cut".format)
            assert "".join(parts) == f"[{text}]}},"
            assert same == len(texts.keys() - {field for field, _ in others})


def test_frames_are_made_once_for_rows_of_the_same_fields_in_the_same_place() -> None:
    for form in FORMS:
        made: list[tuple[object, ...]] = []

        def make(*asked: object, made: list[tuple[object, ...]] = made) -> tuple[str, list[object]]:
            made.append(asked)
            return "", []

        frames = form.pages.RowFrames(form.pages.Frames(make, 2))
        rows, _ = pairs_of(form, [{"n": "1", "p": "2"}, {"n": "3", "p": None}, {"p": "2"}], [])
        place = form.verdicts.RowPlace("items", "items[0]", "items[0]")
        for row in rows:
            frames.of(row, place, False)
        frames.of(rows[0], place, True)
        assert made == [
            (("n", "p"), place, False),
            (("p",), place, False),
            (("n", "p"), place, True),
        ]


def frame(fields: tuple[str, ...], *_: object) -> tuple[str, list[tuple[int, str, str, str, str]]]:
    framed = [
        (at, field, f"<{field}>", f",<{field}>", f"</{field}>") for at, field in enumerate(fields)
    ]
    return "[", sorted(framed, key=lambda entry: entry[1])


def test_rows_of_a_page_count_what_became_of_their_values() -> None:
    for form in FORMS:
        golds, preds = pairs_of(form, [{"n": "1", "p": "2"}, {"n": "7"}], [{"n": "1", "p": "3"}])

        def said(field: str, verdict: str, gold: str | None, pred: str | None, form=form) -> object:  # type: ignore[no-untyped-def]
            return form.verdicts.Verdict(
                *("d", field, verdict, None, None, gold, pred, None, None, None, "why", None)
            )

        block, place = form.verdicts.VerdictBlock, form.verdicts.RowPlace
        pairs = [(golds[0], preds[0]), (golds[1], None)]
        wrong = (said("n", "right", "1", "01"), said("p", "substitution", "2", "3"))
        alone = (said("n", "addition", "7", None),)
        blocks = [
            block(place("items", "i0", "i0"), wrong, pairs[0], False),
            block(place("items", "i1", None), alone, pairs[1], False),
        ]
        causes = {
            (id(pairs[0][0]), id(pairs[0][1])): ["moved away"],
            (id(pairs[1][0]), id(None)): ["lost"],
        }
        rows = rows_of(form, longest=9)
        rows.add_all(blocks, causes, {1})
        assert rows.between("<", ">") == (
            "<"
            '[n right:"1","pred":"01","reason":"why"},p substitution:"2","pred":"3",'
            '"moved":"row","reason":"why","cause":"moved away"}]},'
            'head items i1 None False n addition:"7","pred":null,"reason":"why","cause":"lost"}]}>'
        )
        assert rows.counts == {"right": 1, "substitution": 1, "addition": 1, "deletion": 0}
        assert (rows.moved, rows.moved_rows) == (1, 1)
        assert [*rows.fields] == ["p", "n"]
        assert [*rows.causes] == ["moved away", "lost"]
        assert [*rows.verdicts] == ["substitution", "addition"]
        # nothing is wrong without gold, nor has a cause
        rows = rows_of(form, longest=9, alone=True)
        rows.add_all(blocks[1:], causes, ())
        assert rows.between("", "") == 'head items i1 None True n :"7","pred":null}]}'
        assert not any(rows.counts.values())
        assert not rows.fields
        assert not rows.causes


@pytest.mark.parametrize(
    ("marked", "longest", "unusual"), [(False, 4, False), (False, 3, True), (True, 9, True)]
)
def test_long_values_and_those_with_marks_take_a_closer_look(
    marked: bool, longest: int, unusual: bool
) -> None:
    for form in FORMS:
        for texts in (("long", "x"), ("x", "long")):
            entry = form.verdicts.Verdict(
                *("d", "n", "substitution", None, None, *texts, None, None, None, "", None)
            )
            place = form.verdicts.RowPlace("t", "a", None)
            rows = rows_of(form, longest)
            block = form.verdicts.VerdictBlock(place, (entry,), (None, None), marked)
            rows.add(block, ["why"], False)
            assert ("unusual" in rows.between("", "")) is unusual
            assert rows.counts["substitution"] == 1


def test_a_document_without_rows_is_what_stands_around_them() -> None:
    for form in FORMS:
        assert rows_of(form, 9).between("[", "]") == "[]"


@given(numbers=st.permutations(range(7)), gone=st.sets(st.integers(0, 6)))
def test_as_few_rows_as_can_be_have_moved(numbers: list[int], gone: set[int]) -> None:
    """The others follow each other, and no longer series of rows does."""
    for form in FORMS:
        group, place = form.readings.Group, form.verdicts.RowPlace
        blocks = []
        for at, number in enumerate(numbers):
            gold, pred = group("r", at, {}), None if at in gone else group("r", number, {})
            here = place("r", f"r[{at}]", None if pred is None else f"r[{number}]")
            blocks.append(form.verdicts.VerdictBlock(here, (), (gold, pred)))
        matched = [at for at in range(7) if at not in gone]
        moved = form.pages.moved_rows(blocks)
        stayed = [numbers[at] for at in matched if at not in moved]
        assert moved <= {*matched}
        assert stayed == sorted(stayed)
        left = [numbers[at] for at in matched]
        assert not any(
            [*series] == sorted(series) for series in combinations(left, len(stayed) + 1)
        )


def rows_of(form, longest: int, *, alone: bool = False):  # type: ignore[no-untyped-def]
    pages = form.pages
    style = pages.PageStyle(
        form.judged.ValueTexts(str, str),
        pages.Frames(frame, 2),
        {"moved away": "row"},
        lambda place, alone: f"head {place.type} {place.gold} {place.pred} {alone} ",
        lambda kind, field, verdict: f"{field} {verdict}:",
        lambda block, entry, cause, longest, alone: "unusual",
        None,
    )
    return pages.PageRows(style, longest, alone)
