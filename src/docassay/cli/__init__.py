"""The command line: one module per verb, imported when it is called, and all exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module

import click

from docassay.cli.streams import send
from docassay.errors import (
    EXIT_BUG,
    EXIT_CONFIGURATION,
    EXIT_FILE,
    EXIT_FINE,
    EXIT_INTERRUPTED,
    ConfigurationError,
    DocassayError,
    UnknownName,
)
from docassay.version import VERSION

COMMANDS = {
    "score": "Score predictions against gold.",
    "explain": "Show one document: which values are correct, substituted, missing or extra.",
    "view": "Look at runs in a browser: documents, differences, decisions about gold.",
    "report": "Render a stored run again, without rescoring.",
    "runs": "List stored runs, tag them, and show how a score went over time.",
    "demo": "Score a generated sample with two imperfect models, and list the files to open.",
    "list": "List scores, metrics, formats, types, readers or comparators.",
}
EXTRACTION = {
    "extract": "Run a model, a function, a command or OCR over documents, ready to score.",
    "run": "Extract and score in one.",
    "prompt": "Show the prompt that a schema makes.",
}
DECISIONS = {
    "compare": "Compare runs over the same gold: which is better, in what, and is that sure.",
    "gate": "Pass or fail a run by rules, and against an earlier run.",
    "power": "Say how many documents a comparison needs, and what these can show.",
    "sensitivity": "Show stored runs under other settings: does another run win?",
    "thresholds": "Find the confidence from which on values need no review.",
    "audit": "Find values of gold that are probably wrong, with evidence.",
    "gold": "Write gold with the decisions of a patch applied.",
    "verify": "Score a run again and compare: equal, or what differs.",
}
FILES = {
    "schema": "Create a schema from examples, check one, show one.",
    "parse": "Turn raw model responses into records, and report every repair.",
    "convert": "Write documents of any format as JSON lines or as BIO files.",
}
STUDIES = {
    "bench": "Prepare a public data set at hand: gold, a list of its images, a schema.",
    "vrdu": "Score the few-shot benchmark VRDU, or your own in its layout, as one table.",
    "splits": "Create few-shot splits of your own data, or check splits for leaks.",
    "study": "Study metrics and data: reading order, correlations, what gold holds.",
    "group": "Group flat entities into rows, as nested records.",
    "synth": "Write a generated corpus of any size, with realistic errors.",
}
SECTIONS = {
    "Commands": COMMANDS,
    "Decisions": DECISIONS,
    "Extraction": EXTRACTION,
    "Files": FILES,
    "Benchmarks and studies": STUDIES,
}
VERBS = {verb: summary for verbs in SECTIONS.values() for verb, summary in verbs.items()}


class Verbs(click.Group):
    """Sub-commands by name; a verb's module `docassay.cli.VERB` holds its `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs, the most used first."""
        return [*VERBS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import a verb; raise UnknownName with all verbs for one that does not exist."""
        if cmd_name not in VERBS:
            raise UnknownName("command", cmd_name, VERBS)
        command = import_module(f"docassay.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs with their summaries, without importing them."""
        for title, verbs in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([*verbs.items()])


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: docassay demo",
    invoke_without_command=True,
)
@click.version_option(VERSION, prog_name="docassay", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Measure how good document extraction is, and what correcting it would cost."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; an error is reported on stderr."""
    for stream in (sys.stdout, sys.stderr):
        # a sign or a name that the terminal cannot show is no reason to fail
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    # products of small matrices gain nothing from threads, which wait for each other in busy loops;
    # whoever sets the variable decides
    if "numpy" not in sys.modules:  # which asks for it while it is loaded
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        _refuse_nul(arguments)
        outcome = program.main([*arguments], prog_name="docassay", standalone_mode=False)
    except DocassayError as error:
        return _fail(error.sentence, error.exit_code, error.details)
    except click.UsageError as error:
        path = "docassay" if error.ctx is None else error.ctx.command_path
        return _fail(f"{error.format_message()} (see {path} --help)", EXIT_CONFIGURATION)
    except click.ClickException as error:
        return _fail(error.format_message(), EXIT_FILE)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", EXIT_INTERRUPTED)
    except (BrokenPipeError, SystemExit):
        return EXIT_FINE  # the reader has gone away; click exits of its own accord then
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        return _fail(f"{place}{error.strerror or error}", EXIT_FILE)
    except Exception as error:
        return _bug(error)
    return outcome if isinstance(outcome, int) else EXIT_FINE


def _refuse_nul(arguments: Sequence[str]) -> None:
    for argument in arguments:
        if "\0" in argument:
            raise ConfigurationError(
                "an argument holds a NUL character", where=argument, hint="remove it"
            )


def _bug(error: Exception) -> int:
    if os.environ.get("DOCASSAY_DEBUG"):
        traceback.print_exception(error)
    kind = type(error).__name__
    return _fail(
        f"this is a bug in docassay: {kind}: {error} "
        "(DOCASSAY_DEBUG=1 shows the traceback; please report it)",
        EXIT_BUG,
    )


def _fail(message: str, code: int, details: Sequence[str] = ()) -> int:
    from docassay.model.words import visible

    send(sys.stderr, "\n".join(map(visible, (f"docassay: {message}", *details))))
    return code
