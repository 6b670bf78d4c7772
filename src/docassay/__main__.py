"""The entry point of `docassay` and `python -m docassay`.

Modules are imported inside `main`, so that an interrupt while they load ends as quietly as any
other.
"""

import gc
import os
import sys

INTERRUPTED = 130
"""The exit code of an interrupt; `docassay.errors`, which lists all of them, is not loaded yet."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    code = INTERRUPTED
    try:
        from docassay.cli import run
        from docassay.cli.streams import close_streams, open_streams

        open_streams()
        code = run(sys.argv[1:])
        code = close_streams(code)
    except KeyboardInterrupt:
        # at once: modules that are half loaded may fail while the interpreter shuts down
        os._exit(code)
    gc.freeze()  # what a run has made goes with the process: no cycle in it is worth looking for
    sys.exit(code)


if __name__ == "__main__":
    main()
