"""Values of pages: in the order of their fields, as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS


@given(text=st.text(max_size=5) | st.text(alphabet='a"\\\\/\x00\x1f\x7f\n\u2028é', max_size=5))
def test_a_text_is_escaped_as_json_has_it(text: str) -> None:
    for form in FORMS:
        assert form.pages.escaped(text) == json.dumps(text, ensure_ascii=False)[1:-1]


@pytest.mark.parametrize(
    ("frames", "others", "text"),
    [
        ([], [], ""),
        (["b"], [], '<b>B","pred":"B</b>'),
        ([], [("b", "2"), ("a", "1")], "2,1"),
        (["b", "d"], [("a", "1"), ("c", "2"), ("c", "3")], '1,<b>B","pred":"B</b>,2,3,row d cut'),
        (["b"], [("c", "3")], '<b>B","pred":"B</b>,3'),
    ],
    ids=["nothing", "same", "others as they come", "both", "others last"],
)
def test_values_are_added_in_the_order_of_their_fields(
    frames: list[str], others: list[tuple[str, str]], text: str
) -> None:
    framed = [(field, f"<{field}>", f"</{field}>") for field in frames]
    for form in FORMS:
        parts: list[str] = []
        texts = {"b": "B", "d": "long"}
        form.pages.add_values(parts, texts, framed, others, 3, "row", "{0} {1} cut".format)
        assert "".join(parts) == text
