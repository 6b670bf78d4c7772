"""Values of pages: in the order of their fields, as JSON."""

from __future__ import annotations

import json

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
            frames = form.pages.Frames(frame, 2)
            parts: list[str] = []
            made = frames.of(row, ("", ""), False)
            same = form.pages.add_row(parts, row, made, others, 3, "row", "{0} {1} cut".format)
            assert "".join(parts) == f"[{text}]}},"
            assert same == len(texts.keys() - {field for field, _ in others})


def test_frames_are_made_once_for_rows_of_the_same_fields_in_the_same_place() -> None:
    for form in FORMS:
        made: list[tuple[object, ...]] = []

        def make(*asked: object, made: list[tuple[object, ...]] = made) -> tuple[str, list[object]]:
            made.append(asked)
            return "", []

        frames = form.pages.Frames(make, 2)
        rows, _ = pairs_of(form, [{"n": "1", "p": "2"}, {"n": "3", "p": None}, {"p": "2"}], [])
        for row in rows:
            frames.of(row, ("r[0].", "r[0]."), False)
        frames.of(rows[0], ("r[0].", "r[0]."), True)
        assert made == [
            (("n", "p"), "items", ("r[0].", "r[0]."), False),
            (("p",), "items", ("r[0].", "r[0]."), False),
            (("n", "p"), "items", ("r[0].", "r[0]."), True),
        ]


def frame(fields: tuple[str, ...], *_: object) -> tuple[str, list[tuple[int, str, str, str]]]:
    framed = [(at, field, f"<{field}>", f"</{field}>") for at, field in enumerate(fields)]
    return "[", sorted(framed, key=lambda entry: entry[1])


def test_rows_of_a_page_count_what_became_of_their_values() -> None:
    for form in FORMS:
        golds, preds = pairs_of(form, [{"n": "1", "p": "2"}, {"n": "7"}], [{"n": "1", "p": "3"}])

        def said(field: str, verdict: str, gold: str | None, pred: str | None, form=form) -> object:  # type: ignore[no-untyped-def]
            return form.verdicts.Verdict(
                *("d", field, verdict, None, None, gold, pred, None, None, None, "why", None)
            )

        block = form.verdicts.VerdictBlock
        pairs = [(golds[0], preds[0]), (golds[1], None)]
        wrong = (said("n", "right", "1", "01"), said("p", "substitution", "2", "3"))
        alone = (said("n", "addition", "7", None),)
        blocks = [
            block("items", "i0", "i0", wrong, pairs[0], ("", ""), False),
            block("items", "i1", None, alone, pairs[1], ("", ""), False),
        ]
        causes = {
            (id(pairs[0][0]), id(pairs[0][1])): ["moved away"],
            (id(pairs[1][0]), id(None)): ["lost"],
        }
        rows = rows_of(form, longest=9)
        rows.add_all(blocks, causes, {1})
        assert rows.text == (
            '[n right:"1","pred":"01","reason":"why"},p substitution:"2","pred":"3",'
            '"moved":"row","reason":"why","cause":"moved away"}]},'
            'head items i1 None False n addition:"7","pred":null,"reason":"why","cause":"lost"}]}'
        )
        assert rows.counts == {"right": 1, "substitution": 1, "addition": 1, "deletion": 0}
        assert (rows.moved, rows.moved_rows) == (1, 1)
        assert [*rows.fields] == ["p", "n"]
        assert [*rows.causes] == ["moved away", "lost"]
        assert [*rows.verdicts] == ["substitution", "addition"]
        # nothing is wrong without gold, nor has a cause
        rows = rows_of(form, longest=9, alone=True)
        rows.add_all(blocks[1:], causes, ())
        assert rows.text == 'head items i1 None True n :"7","pred":null}]}'
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
            shown = ("t", "a", None, (entry,), (None, None), ("", ""), marked)
            rows = rows_of(form, longest)
            rows.add(form.verdicts.VerdictBlock(*shown), ["why"], False)
            assert ("unusual" in rows.text) is unusual
            assert rows.counts["substitution"] == 1


def rows_of(form, longest: int, *, alone: bool = False):  # type: ignore[no-untyped-def]
    pages = form.pages
    style = pages.PageStyle(
        form.judged.ValueTexts(str, str),
        pages.Frames(frame, 2),
        {"moved away": "row"},
        "head {} {} {} {} ".format,
        lambda kind, field, verdict: f"{field} {verdict}:",
        lambda block, entry, cause, longest, alone: "unusual",
        None,
    )
    return pages.PageRows(style, longest, alone)
