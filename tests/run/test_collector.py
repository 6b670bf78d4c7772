"""The garbage collector rests while documents are read and scored, and is as it was afterwards."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from docassay.run.collector import collector_paused


@collector_paused()
def fail() -> None:
    raise KeyError(gc.isenabled())


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_is_afterwards_as_it_was(on: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        with pytest.raises(KeyError, match="False"):
            fail()
        assert gc.isenabled() == on
    finally:
        (gc.enable if before else gc.disable)()


FROZEN = """
import gc
from docassay.run.collector import collector_paused
with collector_paused():
    trees = [[[]] for _ in range(100_000)]
print(gc.get_count()[0] < 1_000, gc.get_freeze_count())
gc.freeze()
frozen = gc.get_freeze_count()
with collector_paused():
    pass
print(0 < gc.get_freeze_count() <= frozen)
"""


def test_what_was_made_meanwhile_is_old_and_what_others_froze_stays_frozen() -> None:
    command = [sys.executable, "-c", FROZEN]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "0", "True"]
