"""ARCHITECTURE.md shows the package as it is."""

from __future__ import annotations

from tests.imports import MODULES, PAGE, drawing, room_of, single_importers, with_drawing

MOST_SHARE = 0.2


def test_the_drawing_of_imports_is_the_one_that_the_script_makes() -> None:
    page = PAGE.read_text("utf-8")
    assert with_drawing(page, [drawing()]) == page, "run python -m tests.imports"


def test_every_room_has_its_line_in_the_table() -> None:
    page = PAGE.read_text("utf-8")
    rooms = {room_of(module) for module in MODULES} - {"__init__", "__main__"}
    assert [room for room in sorted(rooms) if f"`{room}" not in page] == []


def test_few_modules_have_a_single_importer() -> None:
    # such a module belongs inside its importer unless it is an idea of its own
    assert len(single_importers()) <= MOST_SHARE * len(MODULES)
