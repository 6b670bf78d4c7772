"""An extraction as a whole: an extractor, and the documents that are not kept yet."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from docassay.errors import ConfigurationError
from docassay.extract.again import ReplayExtractor, kept_answers
from docassay.extract.answers import CONFIDENCES
from docassay.extract.client import ChatClient, Patience, require_httpx
from docassay.extract.documents import DocumentFile
from docassay.extract.endpoint import Endpoint, open_endpoint
from docassay.extract.extractors import (
    DocumentReader,
    Extractor,
    ModelExtractor,
    RuleExtractor,
    TokenPrices,
    is_text,
)
from docassay.extract.lines import FailedLine, KeptLine, line_file, refuse_other_run
from docassay.extract.options import ExtractOptions
from docassay.extract.own import CommandExtractor, FunctionExtractor, command_words, load_function
from docassay.extract.prompt import Prompt, PromptMaker, document_type
from docassay.extract.session import Session, Tell, pending
from docassay.extract.shape import schema_title
from docassay.load.files import read_bytes
from docassay.load.format import Record
from docassay.load.source import open_records
from docassay.load.wire import encode, to_text
from docassay.model.schema import Schema
from docassay.schema.write import to_plain

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extraction came to."""

    out: Path
    documents: int
    answered: int
    """In this session."""
    kept: int
    """Documents that were answered before."""
    failed: tuple[FailedLine, ...]
    outcomes: Mapping[str, int]
    tokens: int
    cost: float | None
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def per_minute(self) -> float:
        """Documents a minute, from the first to the last."""
        done = self.answered + len(self.failed)
        return 60 * done / self.seconds if self.seconds > 0 else 0.0


def read_template(path: str | Path | None) -> str | None:
    """Return the text of a template, None for none."""
    return None if path is None else to_text(read_bytes(Path(path))).text


def schema_digest(schema: Schema) -> str:
    """Return a short name for a schema with all its descriptions."""
    return hashlib.blake2b(encode(to_plain(schema)).encode(), digest_size=8).hexdigest()


class ExtractionJob:
    """An extraction with everything looked up but the server."""

    def __init__(
        self,
        options: ExtractOptions,
        schema: Schema,
        documents: tuple[DocumentFile, ...],
        *,
        schema_place: str = "",
    ) -> None:
        self._options = options
        self._schema = schema
        self._documents = documents
        self._schema_place = schema_place
        self._template = read_template(options.template)
        self._prompts: dict[tuple[str | None, str], Prompt] = {}

    @cached_property
    def _types(self) -> Mapping[str, str]:
        """The type of each document, as far as `type_from` says."""
        if self._options.type_from is None:
            return {}
        types = {}
        for item in open_records(self._options.type_from).records:
            if isinstance(item, Record) and isinstance(item.tree, dict) and item.id is not None:
                name = item.tree.get(self._schema.type_field)
                if isinstance(name, str) and name.strip():
                    types[item.id] = document_type(self._schema, name).name
        return types

    def prompt_for(self, document: DocumentFile, inputs: str) -> Prompt:
        """Return the prompt for a document and what is sent of it."""
        type_name = self._options.type or self._types.get(document.id)
        key = (type_name, inputs)
        if key not in self._prompts:
            maker = PromptMaker(self._schema, self._options.style, self._template, inputs)
            self._prompts[key] = maker.prompt(type_name)
        return self._prompts[key]

    def first_prompt(self) -> Prompt:
        """Return the prompt for the first document."""
        first = self._documents[0]
        return self.prompt_for(first, DocumentReader(self._options.inputs).inputs_of(first))

    async def run(self, out: Path, tell: Tell | None, say: Say) -> Extraction:
        """Extract what is not kept in a file yet, and add it there."""
        self._options.check_way()
        async with self._extractor(say) as extractor:
            digest = schema_digest(self._schema)
            with line_file(out, resume=self._options.resume) as file:
                refuse_other_run(file.kept, self._expected(extractor, digest), str(out))
                documents = pending(self._documents, file.kept)
                session = Session(extractor, file, digest, len(documents), tell)
                await session.run(documents, concurrency=self._options.concurrency)
                progress = session.progress
                return Extraction(
                    out,
                    len(self._documents),
                    file.written,
                    len(self._documents) - len(documents),
                    file.failures,
                    dict(session.outcomes),
                    session.tokens,
                    session.cost,
                    progress.seconds,
                    _about_refusals(extractor),
                )

    def _expected(self, extractor: Extractor, digest: str) -> dict[str, KeptLine]:
        return {
            document.id: KeptLine(extractor.model, extractor.prompt_digest(document), digest)
            for document in self._documents
        }

    @asynccontextmanager
    async def _extractor(self, say: Say) -> AsyncIterator[Extractor]:
        options = self._options
        if options.endpoint is None:
            yield self._local_extractor()
            return
        require_httpx()
        endpoint = self._endpoint(options.endpoint)
        for note in endpoint.notes:
            say(note)
        patience = Patience(options.timeout, options.retries, options.back_off)
        client = ChatClient(endpoint, concurrency=options.concurrency, patience=patience)
        async with client:
            yield self._model_extractor(client)

    def _endpoint(self, url: str) -> Endpoint:
        options = self._options
        return open_endpoint(
            url,
            environment=os.environ,
            key_env=options.key_env,
            key_header=options.key_header,
            headers=options.header,
        )

    def _model_extractor(self, client: ChatClient) -> ModelExtractor:
        options = self._options
        given = {"temperature": 0, **(options.param or {})}
        # null takes a parameter out of the request
        parameters = {name: value for name, value in given.items() if value is not None}
        return ModelExtractor(
            client,
            options.model or "",
            self._schema,
            self._reader(),
            self.prompt_for,
            parameters,
            self._response_format,
            TokenPrices(*options.price),
            options.confidence,
            options.samples,
        )

    def _reader(self) -> DocumentReader:
        options = self._options
        recognise = None
        if options.ocr is not None:
            from docassay.extract.ocr import ocr_engine

            recognise = ocr_engine(options.ocr, language=options.ocr_language)
        return DocumentReader(options.inputs, options.max_side, recognise)

    def _response_format(self, prompt: Prompt) -> object:
        chosen = self._options.response_format
        if chosen is None:
            chosen = "json_schema" if prompt.style == "json" else "none"
        if chosen == "none":
            return None
        if chosen == "json_object":
            return {"type": "json_object"}
        described = {"name": schema_title(self._schema), "strict": True}
        return {"type": chosen, "json_schema": {**described, "schema": prompt.answer_schema}}

    def _local_extractor(self) -> Extractor:
        options = self._options
        if options.ocr_only:
            return self._rule_extractor()
        if options.replay is not None:
            return self._replay(Path(options.replay))
        if options.command is not None:
            words = command_words(options.command)
            model = options.model or options.command
            return CommandExtractor(words, model, self._schema_place, options.timeout)
        given = options.extractor
        function = load_function(given) if isinstance(given, str) else given
        if not callable(function):
            raise ConfigurationError("extractor is no function", hint="give module:function")
        name = given if isinstance(given, str) else getattr(given, "__name__", "function")
        return FunctionExtractor(function, self._schema, options.model or name, options.timeout)

    def _rule_extractor(self) -> RuleExtractor:
        from docassay.extract.ocr import first_engine, ocr_engine

        options = self._options
        if options.ocr is None and all(map(is_text, self._documents)):
            name = options.model or "rules"
            return RuleExtractor(DocumentReader("text"), self._schema, name)
        engine = options.ocr or first_engine()
        recognise = ocr_engine(engine, language=options.ocr_language)
        reader = DocumentReader("text", options.max_side, recognise)
        return RuleExtractor(reader, self._schema, options.model or f"rules ({engine})")

    def _replay(self, path: Path) -> ReplayExtractor:
        """Return the answers that were kept, by document, each read again."""
        reader = DocumentReader(self._options.inputs)
        documents = {document.id: document for document in self._documents}

        def prompt_of(id: str) -> Prompt | None:
            document = documents.get(id)
            inputs = "" if document is None else reader.inputs_of(document)
            return None if document is None else self.prompt_for(document, inputs)

        how = self._options.confidence or CONFIDENCES[0]
        lines = kept_answers(path, prompt_of=prompt_of, schema=self._schema, confidence=how)
        return ReplayExtractor({line.id: line for line in lines}, self._options.model or "")


def _about_refusals(extractor: Extractor) -> tuple[str, ...]:
    if not isinstance(extractor, ModelExtractor):
        return ()
    return tuple(
        f"the server refuses {part}: it was asked without" for part in extractor.client.given_up
    )
