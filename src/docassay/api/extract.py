"""Extraction: documents to predictions by a model, a function, a command or rules, and a score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple, Unpack

from docassay.api.score import Run, score_run
from docassay.errors import ConfigurationError, UnknownName, UnknownOption
from docassay.extract.again import kept_answers
from docassay.extract.documents import list_documents
from docassay.extract.job import Extraction, ExtractionJob, Say, read_template
from docassay.extract.lines import ExtractedLine
from docassay.extract.options import ExtractArgs, ExtractOptions
from docassay.extract.prompt import INPUTS, Prompt, PromptMaker
from docassay.extract.session import Tell, run_to_end
from docassay.run.options import Data, RunArgs
from docassay.schema.source import load_schema

PREDICTIONS = "predictions.jsonl"
"""What the predictions are called in the folder of a run that was extracted and scored."""


class ExtractedRun(NamedTuple):
    """An extraction and the run that its predictions were scored in."""

    extraction: Extraction
    run: Run


def build_prompt(
    schema: object,
    *,
    style: str = "json",
    template: str | Path | None = None,
    type: str | None = None,
    input: str = "images",
) -> Prompt:
    """Return the prompt that a schema makes."""
    if input not in INPUTS:
        raise UnknownName("input", input, INPUTS)
    return PromptMaker(load_schema(schema), style, read_template(template), input).prompt(type)


def extract_documents(
    documents: str | Path,
    *,
    schema: object,
    out: str | Path,
    progress: Tell | None = None,
    say: Say | None = None,
    **options: Unpack[ExtractArgs],
) -> Extraction:
    """Extract records from documents and keep them, one JSON line a document, in a file.

    The options are those of `docassay extract`; `extractor` may be a function itself.
    """
    job = _job(documents, schema, options)
    return run_to_end(lambda: job.run(Path(out), progress, say or _silent))


def show_prompt(documents: str | Path, *, schema: object, **options: Unpack[ExtractArgs]) -> Prompt:
    """Return the prompt of the first of the documents; nothing is sent."""
    return _job(documents, schema, options).first_prompt()


def extract_and_score(
    documents: str | Path,
    gold: Data,
    *,
    extract: ExtractArgs,
    progress: Tell | None = None,
    say: Say | None = None,
    **options: Unpack[RunArgs],
) -> ExtractedRun:
    """Extract records from documents and score them against gold, in the folder `out`."""
    folder = options.get("out")
    if folder is None:
        raise ConfigurationError("a run needs a folder", hint="say --out DIR")
    pred = Path(folder, PREDICTIONS)
    schema = options.get("schema")
    extraction = extract_documents(
        documents, schema=schema, out=pred, progress=progress, say=say, **extract
    )
    return ExtractedRun(extraction, score_run(gold, pred, **options))


def read_kept(path: str | Path, *, schema: object = None) -> Iterator[ExtractedLine]:
    """Yield the lines of an extraction, their answers read again by the parser of today.

    With the schema an answer that repeats the example of its prompt is recognised.
    """
    if schema is None:
        yield from kept_answers(Path(path))
        return
    described = load_schema(schema)
    prompt = PromptMaker(described).prompt()
    yield from kept_answers(Path(path), prompt_of=lambda _: prompt, schema=described)


def _job(documents: str | Path, schema: object, given: ExtractArgs) -> ExtractionJob:
    names = [option.name for option in fields(ExtractOptions)]
    for name in given:
        if name not in names:
            raise UnknownOption("option", name, names)
    options = ExtractOptions(**given)
    place = str(Path(schema).resolve()) if isinstance(schema, str | Path) else ""
    described = load_schema(schema)
    listed = list_documents(documents, ids=options.id, limit=options.limit)
    return ExtractionJob(options, described, listed, schema_place=place)


def _silent(_: str) -> None:
    """Say nothing."""
