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
        assert form.pages.escaped(text) == json.dumps(text, ensure_ascii=False)[1:-1]


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
