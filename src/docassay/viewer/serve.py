"""Serving the viewer on this machine: the link, the browser, and Enter for a fresh link."""

from __future__ import annotations

import getpass
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, TextIO

from docassay.errors import ConfigurationError, DataError
from docassay.load.patch import PATCH
from docassay.run.reopen import is_run, short_names
from docassay.viewer.build import Inputs

if TYPE_CHECKING:
    from docassay.viewer.state import Viewer

HOST = "127.0.0.1"
"""The only address: others would need encryption and accounts."""
MISSING = "docassay view needs the extra `view`"


class ViewOptions(NamedTuple):
    """All that may be said about looking at runs."""

    port: int = 0
    """0: any that is free."""
    images: str | Path | None = None
    browser: bool = True
    patch: str | Path | None = None
    """Where decisions about gold go; None: into the folder of the first run."""
    reviewer: str = ""
    gold: str | Path | None = None
    pred: str | Path | None = None


def serve(
    folders: Sequence[str | Path],
    options: ViewOptions,
    *,
    tell: Callable[[str], None],
    say: Callable[[str], None],
) -> None:
    """Serve runs until it is interrupted; `tell` prints a link, `say` everything else."""
    try:
        import uvicorn

        from docassay.viewer.app import make_app
    except ImportError as error:
        raise ConfigurationError(
            f"{MISSING}: {error.name} is not installed", hint="pip install 'docassay[view]'"
        ) from None
    from docassay.viewer.guard import Doorkeeper, Guard

    viewer = make_viewer(folders, options, say=say)
    app = make_app(viewer)
    listener = _listener(options.port)
    with listener:
        port = listener.getsockname()[1]
        doorkeeper = Doorkeeper(port)

        def link() -> str:
            return f"http://{HOST}:{port}/?token={doorkeeper.token()}"

        config = uvicorn.Config(
            Guard(app, doorkeeper),
            lifespan="off",
            log_level="error" if os.environ.get("DOCASSAY_DEBUG") else "critical",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        tell(link())
        say("Enter prints a fresh link, Ctrl+C ends the viewer")
        if options.browser:
            Thread(target=webbrowser.open, args=(link(),), daemon=True).start()
        # while the first page is being looked at
        Thread(target=viewer.prepare, daemon=True).start()
        Thread(target=_print_links, args=(sys.stdin, link, tell), daemon=True).start()
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
        viewer.close()


def make_viewer(
    folders: Sequence[str | Path], options: ViewOptions, *, say: Callable[[str], None]
) -> Viewer:
    """Return the runs as they are looked at."""
    from docassay.viewer.images import Images
    from docassay.viewer.review import Review
    from docassay.viewer.runs import ViewedRun
    from docassay.viewer.state import Viewer

    homes = run_folders(folders)
    if options.pred is not None and len(homes) > 1:
        raise ConfigurationError("--pred says where pred of one run is, and there are several")
    images = None if options.images is None else Images(Path(options.images))
    inputs = Inputs(
        *(None if place is None else str(place) for place in (options.gold, options.pred))
    )
    names = short_names(homes)
    runs = [
        ViewedRun(name.replace("/", ":"), name, home, inputs=inputs, say=say)
        for name, home in zip(names, homes, strict=True)
    ]
    file = homes[0] / PATCH if options.patch is None else Path(options.patch)
    review = Review(file, options.reviewer or _login(), now=_now)
    return Viewer(runs, review, images, None if options.gold is None else str(options.gold))


def run_folders(given: Sequence[str | Path]) -> list[Path]:
    """Return the folders of runs, each once; what is none is an error."""
    homes: list[Path] = []
    for place in map(Path, given):
        home = place if place.is_dir() else place.parent
        if not is_run(place):
            from docassay.run.ledger import read_header

            read_header(place)  # which says what is wrong with it
            raise DataError("is no run", where=str(place))
        absolute = Path(os.path.abspath(home))
        if absolute not in homes:
            homes.append(absolute)
    if not homes:
        raise ConfigurationError("no run was named", hint="name a folder of score --out")
    return homes


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # so that the link works from the moment it is printed
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else "it lies between 0 and 65535"
        raise ConfigurationError(
            f"port {port} cannot be used: {reason}", hint="--port 0 takes one that is free"
        ) from None
    return listener


def _print_links(
    terminal: TextIO | None, link: Callable[[], str], tell: Callable[[str], None]
) -> None:
    """Print a fresh link for each line that is entered."""
    if terminal is None or terminal.closed or _is_in_background(terminal):
        return
    try:
        for _ in terminal:
            tell(link())
    except (OSError, ValueError):
        return


def _is_in_background(terminal: TextIO) -> bool:
    """Whether reading from the terminal would stop the process."""
    try:
        return terminal.isatty() and os.tcgetpgrp(terminal.fileno()) != os.getpgrp()
    except (OSError, ValueError, AttributeError):
        return False


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
