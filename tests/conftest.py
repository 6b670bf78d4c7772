"""What all tests share: the slower machines' deadline, and the folder beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# in CI the same examples every time, so that it judges a change and not luck; elsewhere new ones
settings.register_profile(
    "docassay", deadline=None, max_examples=15, derandomize="CI" in os.environ
)
settings.load_profile("docassay")

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with reference data beside the project; without it the test is skipped."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the reference data is not beside this clone")
    return SHARED
