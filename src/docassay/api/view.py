"""Looking at runs in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def view(
    *runs: str | Path,
    port: int = 0,
    images: str | Path | None = None,
    browser: bool = True,
    patch: str | Path | None = None,
    reviewer: str = "",
    gold: str | Path | None = None,
    pred: str | Path | None = None,
    tell: Callable[[str], None] = print,
    say: Callable[[str], None] = print,
) -> None:
    """Serve run folders to a browser on this machine until it is interrupted.

    `images` is a folder of pages (ID.png, ID.pdf, ID/1.png …). Decisions about gold go to `patch`,
    else to gold-patch.jsonl in the folder of the first run, under the name of the `reviewer`.
    `gold` and `pred` say where the inputs are now. `tell` prints a link, `say` everything else.
    """
    from docassay.viewer.serve import ViewOptions, serve

    options = ViewOptions(port, images, browser, patch, reviewer, gold, pred)
    serve(runs, options, tell=tell, say=say)
