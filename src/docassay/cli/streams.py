"""Standard streams that are closed, full, or whose reader has gone away."""

from __future__ import annotations

import os
import signal
import sys
from typing import TextIO

from docassay.errors import EXIT_FILE, EXIT_FINE

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def open_streams() -> None:
    """Replace streams that the caller closed (`>&-`) by the null device.

    Otherwise the next file that is opened would get the number of a standard stream.
    """
    for number, (name, mode) in enumerate(_MODES.items()):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def send(stream: TextIO, text: str) -> None:
    """Write a text at once.

    A reader that has gone away (`| head -1`) is not an error, and no message is worth a failure:
    only results that cannot be written are.
    """
    try:
        stream.write(text if text.endswith("\n") else f"{text}\n")
        stream.flush()
    except OSError as error:
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            raise
        _discard(stream)


def close_streams(code: int) -> int:
    """Flush the streams at the end and return the exit code, 74 where output was lost."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done but for the interpreter's end
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            _discard(stream)
        except OSError:
            _discard(stream)
            code = EXIT_FILE if code == EXIT_FINE else code
    return code


def _discard(stream: TextIO) -> None:
    """Send what is left in a stream nowhere, or the interpreter fails to flush it at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
