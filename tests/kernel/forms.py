"""Both forms of the kernel: as it was imported, and as the Python of its source."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import docassay.kernel
from docassay.kernel import mistakes, readings, rows

FOLDER = Path(docassay.kernel.__file__).parent


class Form(NamedTuple):
    """The modules of the kernel."""

    readings: ModuleType
    rows: ModuleType
    mistakes: ModuleType


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docassay.kernel.{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _source() -> Form:
    """Return the modules as their source says, whatever was compiled of it."""
    own_readings = _load("readings")
    imported = sys.modules["docassay.kernel.readings"]
    sys.modules["docassay.kernel.readings"] = own_readings
    try:
        return Form(own_readings, _load("rows"), _load("mistakes"))
    finally:
        sys.modules["docassay.kernel.readings"] = imported


IMPORTED = Form(readings, rows, mistakes)
SOURCE = _source()
FORMS = (IMPORTED, SOURCE)
