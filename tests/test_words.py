"""Numbers and commands as people read them."""

from __future__ import annotations

import pytest

from docassay.model.words import chance, explain_command, first_names, p_value


@pytest.mark.parametrize(
    ("p", "in_a_table", "in_a_sentence"),
    [
        (None, "", ""),
        (0.0, "< 0.001", "p < 0.001"),
        (0.00099, "< 0.001", "p < 0.001"),
        (0.001, "0.001", "p = 0.001"),
        (0.0126, "0.013", "p = 0.013"),
        (1.0, "1.000", "p = 1.000"),
    ],
)
def test_a_p_value_has_three_places(p: float | None, in_a_table: str, in_a_sentence: str) -> None:
    assert p_value(p) == in_a_table
    assert chance(p) == in_a_sentence


@pytest.mark.parametrize(
    ("places", "id", "options", "command"),
    [
        (["run"], "a", [], "docassay explain run a"),
        (
            ["g", "p"],
            "a b",
            ["--types", "text"],
            "docassay explain g p 'a b' --types text",
        ),
        (["run"], "-v", [], "docassay explain -- run -v"),
        (["-run"], "a", ["--types", "text"], "docassay explain --types text -- -run a"),
    ],
)
def test_a_command_takes_no_id_or_path_for_an_option(
    places: list[str], id: str, options: list[str], command: str
) -> None:
    assert explain_command(places, id, options) == command


def test_a_command_without_gold_says_so_first() -> None:
    command = explain_command(["pred"], "-1", ["--types", "text"], without_gold=True)
    assert command == "docassay explain --no-gold --types text -- pred -1"


@pytest.mark.parametrize(
    ("names", "shown"),
    [([], ""), (["a"], "a"), (["a", "b"], "a, b"), (["a", "b", "c", "d"], "a, b and 2 more")],
)
def test_names_beyond_the_first_are_counted(names: list[str], shown: str) -> None:
    assert first_names(names, 2) == shown
