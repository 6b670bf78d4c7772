"""Extractors of one's own: a Python function, or a command whose output is read as an answer."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import shlex
import shutil
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from docassay.errors import ConfigurationError, DocassayError
from docassay.extract.answers import read_answer
from docassay.extract.client import DocumentFailed
from docassay.extract.documents import DocumentFile
from docassay.extract.endpoint import OWN_KEY
from docassay.extract.extractors import Clock, in_thread
from docassay.extract.lines import ExtractedLine
from docassay.load.python import plain_tree
from docassay.model.schema import Schema

MOST_OUTPUT = 1 << 25
LONGEST_WORDS = 300


@dataclass(frozen=True)
class FunctionExtractor:
    """Calls a Python function with the path of a document and the schema."""

    function: Callable[..., object]
    schema: Schema
    model: str
    timeout: float

    def prompt_digest(self, document: DocumentFile) -> str:
        """Return nothing: what a function asks is its own."""
        return ""

    async def extract(self, document: DocumentFile) -> ExtractedLine:
        """Call the function; in a thread unless it is asynchronous."""
        clock = Clock()
        try:
            async with asyncio.timeout(self.timeout):
                result = await self._call(document)
        except TimeoutError:
            raise DocumentFailed(f"no answer within {self.timeout:g} s") from None
        except DocassayError as error:
            raise DocumentFailed(error.sentence) from None
        except Exception as error:
            raise DocumentFailed(_told(error)) from None
        return _line_of_result(result, clock, self.model, document)

    async def _call(self, document: DocumentFile) -> object:
        if inspect.iscoroutinefunction(self.function) or inspect.iscoroutinefunction(
            getattr(self.function, "__call__", None)  # noqa: B004 - an object with an async call
        ):
            return await self.function(document.path, self.schema)  # type: ignore[misc]
        result = await in_thread(lambda: self.function(document.path, self.schema))
        return await result if isinstance(result, Awaitable) else result


def _told(error: Exception) -> str:
    """Return what a function raised, with the line at which it did."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return words[:LONGEST_WORDS] + place


ABOUT_RECORD = frozenset({"record", "raw", "tokens", "cost", "model", "pages", "notes", "usage"})
"""What may stand beside `record` in what a function returns."""


def _line_of_result(
    result: object, clock: Clock, model: str, document: DocumentFile
) -> ExtractedLine:
    """Return the line of what a function gave: a record, a text, or a record with its cost."""
    started, ended = clock.started, clock.ended
    if isinstance(result, str):
        answer = read_answer(result)
        return ExtractedLine(
            record=answer.record,
            raw=result,
            repairs=answer.repairs,
            outcome=answer.outcome,
            model=model,
            started=started,
            ended=ended,
        )
    try:
        tree = plain_tree({} if result is None else result, where=str(document.path))
    except DocassayError as error:
        raise DocumentFailed(error.sentence) from None
    if not isinstance(tree, dict):
        raise DocumentFailed(f"the function returned a {type(result).__name__}, not a record")
    about: Mapping[str, object] = {}
    if isinstance(tree.get("record"), dict) and ABOUT_RECORD.issuperset(tree):
        about, tree = tree, tree["record"]
    raw, tokens, cost = about.get("raw"), about.get("tokens", about.get("usage")), about.get("cost")
    counts = tokens if isinstance(tokens, Mapping) else {"prompt_tokens": tokens}
    return ExtractedLine(
        record=tree,
        raw=raw if isinstance(raw, str) else "",
        model=model,
        started=started,
        ended=ended,
        prompt_tokens=_whole(counts.get("prompt", counts.get("prompt_tokens"))),
        completion_tokens=_whole(counts.get("completion", counts.get("completion_tokens"))),
        cost=_amount(cost),
    )


def _whole(raw: object) -> int | None:
    return int(str(raw)) if not isinstance(raw, bool) and str(raw).isdecimal() else None


def _amount(raw: object) -> float | None:
    try:
        return None if raw is None or isinstance(raw, bool) else float(str(raw))
    except ValueError:
        return None


def load_function(spec: str) -> Callable[..., object]:
    """Return the function of `module:function`; modules beside the working folder are found."""
    module_name, sign, name = spec.partition(":")
    where = "--extractor"
    if not sign or not module_name or not name:
        raise ConfigurationError(f"{spec!r} is no function", where=where, hint="module:function")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        target: object = importlib.import_module(module_name)
    except ImportError as error:
        raise ConfigurationError(
            f"{module_name!r} cannot be imported: {error}", where=where, hint="is it installed?"
        ) from None
    except Exception as error:
        raise ConfigurationError(
            f"{module_name!r} cannot be imported: {_told(error)}", where=where
        ) from None
    for part in name.split("."):
        target = getattr(target, part, None)
    if not callable(target):
        raise ConfigurationError(f"{module_name!r} has no function {name!r}", where=where)
    return target


@dataclass(frozen=True)
class CommandExtractor:
    """Runs a command and reads what it prints as a model's answer is read."""

    words: tuple[str, ...]
    model: str
    schema_path: str
    timeout: float

    def prompt_digest(self, document: DocumentFile) -> str:
        """Return nothing: what a command asks is its own."""
        return ""

    async def extract(self, document: DocumentFile) -> ExtractedLine:
        """Run the command for a document; no shell sees its words."""
        places = {"path": str(document.path.resolve()), "id": document.id}
        places["schema"] = self.schema_path
        words = [_placed(word, places) for word in self.words]
        clock = Clock()
        output = await self._output(words)
        ended = clock.ended
        answer = read_answer(output)
        return ExtractedLine(
            record=answer.record,
            raw=output,
            repairs=answer.repairs,
            outcome=answer.outcome,
            model=self.model,
            started=clock.started,
            ended=ended,
        )

    async def _output(self, words: Sequence[str]) -> str:
        # the key is for the endpoint alone
        environment = {name: value for name, value in os.environ.items() if name != OWN_KEY}
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise DocumentFailed(f"{words[0]}: {error.strerror or error}") from None
        try:
            async with asyncio.timeout(self.timeout):
                output, errors = await process.communicate()
        except TimeoutError:
            raise DocumentFailed(f"no answer within {self.timeout:g} s") from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, 9)
                await process.wait()
        if process.returncode:
            said = " ".join(errors.decode("utf-8", "replace").split())[-LONGEST_WORDS:]
            raise DocumentFailed(f"the command ended with {process.returncode}: {said}")
        if len(output) > MOST_OUTPUT:
            raise DocumentFailed(f"the command printed more than {MOST_OUTPUT:,} bytes")
        return output.decode("utf-8", "replace")


def _placed(word: str, places: Mapping[str, str]) -> str:
    """Return a word of a command with its places filled, once."""
    parts = word.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, close, rest = part.partition("}")
        filled.append(places[name] + rest if close and name in places else "{" + part)
    return "".join(filled)


def command_words(command: str) -> tuple[str, ...]:
    """Return the words of a command that says where the path goes."""
    where = "--command"
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ConfigurationError(f"{command!r}: {error}", where=where) from None
    if not any("{path}" in word for word in words):
        raise ConfigurationError(
            f"{command!r} does not say where the path goes", where=where, hint="'tool {path}'"
        )
    if shutil.which(words[0]) is None:
        raise ConfigurationError(f"there is no command {words[0]!r}", where=where)
    return words
