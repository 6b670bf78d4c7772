"""Both forms of the kernel: as it was imported, and as the Python of its source."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import docassay.kernel
from docassay.kernel import (
    alike,
    cells,
    columns,
    counting,
    digits,
    elsewhere,
    figures,
    formulas,
    judged,
    likeness,
    marks,
    mistakes,
    pages,
    pairs,
    plain,
    prints,
    readings,
    rows,
    senses,
    stored,
    survey,
    verdicts,
)

FOLDER = Path(docassay.kernel.__file__).parent


class Form(NamedTuple):
    """The modules of the kernel."""

    readings: ModuleType
    senses: ModuleType
    rows: ModuleType
    figures: ModuleType
    formulas: ModuleType
    survey: ModuleType
    alike: ModuleType
    plain: ModuleType
    counting: ModuleType
    digits: ModuleType
    mistakes: ModuleType
    pairs: ModuleType
    prints: ModuleType
    elsewhere: ModuleType
    columns: ModuleType
    likeness: ModuleType
    marks: ModuleType
    cells: ModuleType
    stored: ModuleType
    verdicts: ModuleType
    judged: ModuleType
    pages: ModuleType


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docassay.kernel.{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _source() -> Form:
    """Return the modules as their source says, whatever was compiled of it."""
    names = [f"docassay.kernel.{name}" for name in Form._fields]
    imported = {name: sys.modules[name] for name in names}
    try:
        for name, field in zip(names, Form._fields, strict=True):  # each imports those before it
            sys.modules[name] = _load(field)
        return Form(*(sys.modules[name] for name in names))
    finally:
        sys.modules.update(imported)


IMPORTED = Form(
    *(readings, senses, rows, figures, formulas, survey, alike, plain, counting, digits, mistakes),
    *(pairs, prints, elsewhere, columns, likeness, marks, cells, stored, verdicts, judged, pages),
)
SOURCE = _source()
FORMS = (IMPORTED, SOURCE)
