"""The garbage collector of Python, while many documents are read or scored."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the search for cycles.

    Trees and cases have none, and looking takes a tenth of the time of scoring and half of reading.
    What was made meanwhile counts as old afterwards, so that the search does not begin with it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():  # what others have frozen stays so
                gc.freeze()
                gc.unfreeze()
            gc.enable()
