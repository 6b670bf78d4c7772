"""The command line: one verb a file, loaded when it is called, and every exit code in one place."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module

import click

from docassay.errors import (
    EXIT_BUG,
    EXIT_CONFIGURATION,
    EXIT_FILE,
    EXIT_FINE,
    EXIT_INTERRUPTED,
    DocassayError,
    UnknownName,
)
from docassay.version import VERSION

VERBS = {
    "demo": "Score a generated sample with two imperfect models, and say what to open.",
    "score": "Score predictions against gold.",
    "explain": "Show one document: what is right, substituted, missing or too much.",
    "report": "Render a stored run again, without rescoring.",
    "thresholds": "Say from which confidence on values need no review.",
    "schema": "Make a schema from examples, check one, show one.",
    "parse": "Turn raw model responses into records, and say what was repaired.",
    "synth": "Write a generated corpus of any size, with realistic mistakes.",
    "study": "Study the metrics: reading order, and which go together.",
    "vrdu": "Score the few-shot benchmark VRDU, or one's own in its layout, as one table.",
    "splits": "Make few-shot splits of your own data, or look for leaks in splits.",
    "group": "Put flat entities into rows, as nested records.",
    "list": "List metrics, formats, comparators, readers or types.",
}


class Verbs(click.Group):
    """Sub-commands by name; a verb's module `docassay.cli.VERB` holds its `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which one meets them."""
        return [*VERBS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import a verb; an unknown one is answered with what exists."""
        if cmd_name not in VERBS:
            raise UnknownName("command", cmd_name, VERBS)
        command = import_module(f"docassay.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs with their summaries, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([*VERBS.items()])


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: docassay demo",
    invoke_without_command=True,
)
@click.version_option(VERSION, prog_name="docassay", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Say how good document extraction is, and what it would cost to put right."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; whatever goes wrong is said in one line."""
    for stream in (sys.stdout, sys.stderr):
        # a sign or a name that the terminal cannot show is no reason to fail
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        outcome = program.main([*arguments], prog_name="docassay", standalone_mode=False)
    except DocassayError as error:
        return _say(str(error), error.exit_code)
    except click.UsageError as error:
        path = "docassay" if error.ctx is None else error.ctx.command_path
        return _say(f"{error.format_message()} (see {path} --help)", EXIT_CONFIGURATION)
    except click.ClickException as error:
        return _say(error.format_message(), EXIT_FILE)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        return EXIT_FINE  # whoever was reading has seen enough
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        return _say(f"{place}{error.strerror or error}", EXIT_FILE)
    except Exception as error:
        return _bug(error)
    return outcome if isinstance(outcome, int) else EXIT_FINE


def _bug(error: Exception) -> int:
    if os.environ.get("DOCASSAY_DEBUG"):
        traceback.print_exception(error)
    kind = type(error).__name__
    return _say(
        f"this is a mistake in docassay itself: {kind}: {error} "
        "(DOCASSAY_DEBUG=1 shows where; please report it)",
        EXIT_BUG,
    )


def _say(message: str, code: int) -> int:
    from docassay.report.safe import visible

    click.echo(f"docassay: {visible(message)}", err=True)
    return code
