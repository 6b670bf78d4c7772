"""Extractors: what turns a document into a line that is kept, whichever way it gets there.

A model behind an endpoint and rules over recognised text stand here, functions and commands in
`own`, the answers of an earlier run in `again`. Each has the same methods, so that timing,
concurrency, resumption and the report are the same for all.
"""

from __future__ import annotations

import asyncio
import threading
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import NamedTuple, Protocol, TypeVar

from docassay.extract.answers import ReadAnswer, read_answer, with_agreement, with_token_confidences
from docassay.extract.client import ChatClient, DocumentFailed, ModelReply
from docassay.extract.documents import (
    TEXTS,
    DocumentFile,
    PageImage,
    document_text,
    page_images,
)
from docassay.extract.lines import ExtractedLine
from docassay.extract.ocr import OcrText, text_as_words
from docassay.extract.prompt import Prompt
from docassay.model.schema import Schema

SAMPLE_TEMPERATURE = 0.7
"""The temperature of further answers, where none was asked for: at 0 all would be the same."""
T = TypeVar("T")
Recogniser = Callable[[Sequence[PageImage]], OcrText]


class Extractor(Protocol):
    """What turns documents into lines."""

    @property
    def model(self) -> str:
        """The name under which its answers are kept."""

    def prompt_digest(self, document: DocumentFile) -> str:
        """Return what tells its prompt for a document from others, "" where there is none."""

    async def extract(self, document: DocumentFile) -> ExtractedLine:
        """Return the line of a document; raise DocumentFailed when there is none."""


class Clock:
    """Takes the time of an extraction: when it began, and when it has ended."""

    def __init__(self) -> None:
        self.started = datetime.now(UTC)
        self._begin = monotonic()

    @property
    def ended(self) -> datetime:
        """Now, by a clock that nobody sets."""
        return self.started + timedelta(seconds=monotonic() - self._begin)


async def in_thread(work: Callable[[], T]) -> T:
    """Return the result of work in a thread, which does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(put: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # nobody waits any more
            loop.call_soon_threadsafe(lambda: None if future.done() else put())

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            reason = error
            settle(lambda: future.set_exception(_raisable(reason)))
        else:
            settle(lambda: future.set_result(result))

    threading.Thread(target=run, daemon=True).start()
    return await future


def _raisable(error: BaseException) -> BaseException:
    """Return an error that a future takes: SystemExit of a function is no end of the program."""
    fine = isinstance(error, Exception) and not isinstance(error, StopIteration)
    return error if fine else RuntimeError(f"{type(error).__name__}: {error}")


@dataclass(frozen=True, slots=True)
class TokenPrices:
    """What a million tokens cost."""

    prompt: float | None = None
    completion: float | None = None

    def cost(self, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
        """Return what an answer cost, None where no price was given or no tokens are known."""
        parts = ((self.prompt, prompt_tokens), (self.completion, completion_tokens))
        known = [(price, tokens) for price, tokens in parts if price is not None]
        if not known or all(tokens is None for _, tokens in known):
            return None
        return round(sum(price * (tokens or 0) for price, tokens in known) / 1_000_000, 9)


class ShownDocument(NamedTuple):
    """What a model gets to see of a document."""

    pages: tuple[PageImage, ...]
    text: str | None
    words: OcrText | None


@dataclass(frozen=True)
class DocumentReader:
    """Turns documents into what a model gets: pages, recognised text, or both."""

    inputs: str = "images"
    max_side: int | None = None
    recognise: Recogniser | None = None

    def inputs_of(self, document: DocumentFile) -> str:
        """Return what is sent of a document: of a text its text, whatever was asked for."""
        return "text" if is_text(document) else self.inputs

    def read(self, document: DocumentFile) -> ShownDocument:
        """Return the pages and the text of a document."""
        text = document_text(document)
        if text is not None:
            return ShownDocument((), text, text_as_words(text))
        pages = page_images(document, max_side=self.max_side)
        words = None if self.recognise is None else self.recognise(pages)
        shown_text = words.text if words is not None and self.inputs != "images" else None
        return ShownDocument(pages, shown_text, words)


def is_text(document: DocumentFile) -> bool:
    """Say whether a document is a text, in which nothing has to be recognised."""
    return all(path.suffix.lower() in TEXTS for path in document.files)


@dataclass(frozen=True)
class ModelExtractor:
    """Asks a model behind an endpoint, one request a document."""

    client: ChatClient
    model: str
    schema: Schema
    reader: DocumentReader
    prompt_for: Callable[[DocumentFile, str], Prompt]
    """The prompt for a document and what is sent of it."""
    parameters: Mapping[str, object]
    response_format: Callable[[Prompt], object]
    """What an answer should look like, None to leave it open."""
    prices: TokenPrices = TokenPrices()
    confidence: str | None = None
    samples: int = 1

    def _prompt(self, document: DocumentFile) -> Prompt:
        return self.prompt_for(document, self.reader.inputs_of(document))

    def prompt_digest(self, document: DocumentFile) -> str:
        """Return the digest of the prompt."""
        return self._prompt(document).digest

    async def extract(self, document: DocumentFile) -> ExtractedLine:
        """Ask for a document, as often as samples are wanted."""
        shown = await in_thread(lambda: self.reader.read(document))
        prompt = self._prompt(document)
        body = self._body(prompt, shown)
        warm = {"temperature": body.get("temperature") or SAMPLE_TEMPERATURE}
        bodies = [body, *({**body, **warm} for _ in range(self.samples - 1))]
        replies = [await self.client.ask(asked) for asked in bodies]
        return await in_thread(lambda: self._line(prompt, shown, replies))

    def _body(self, prompt: Prompt, shown: ShownDocument) -> dict[str, object]:
        text = prompt.for_text(shown.text)
        images = shown.pages if self.reader.inputs != "text" else ()
        content: object = text
        if images:
            content = [{"type": "text", "text": text}, *map(_image_part, images)]
        body: dict[str, object] = {
            "model": self.model,
            "messages": [{"role": "user", "content": content}],
            **self.parameters,
        }
        form = self.response_format(prompt)
        if form is not None:
            body.setdefault("response_format", form)
        if self.confidence is not None:
            body["logprobs"] = True
        return body

    def _line(
        self, prompt: Prompt, shown: ShownDocument, replies: Sequence[ModelReply]
    ) -> ExtractedLine:
        first = replies[0]
        answer = self._read(first, prompt, shown.text)
        record, notes = answer.record, []
        if self.confidence is not None and first.chances is not None:
            with_token_confidences(record, first.content, first.chances, self.confidence)
        elif self.confidence is not None:
            notes.append("the server gave no log-probabilities: no confidences")
        if len(replies) > 1:
            others = [self._read(reply, prompt, shown.text).record for reply in replies[1:]]
            with_agreement(record, others, self.schema)
        if shown.words is not None and shown.pages:
            record = _boxed(record, shown.words)
        tokens = [_total(reply.prompt_tokens for reply in replies)]
        tokens.append(_total(reply.completion_tokens for reply in replies))
        return ExtractedLine(
            record=record,
            raw=first.content,
            repairs=answer.repairs,
            outcome=answer.outcome,
            model=self.model,
            prompt=prompt.digest,
            started=first.started,
            ended=replies[-1].ended,
            attempts=sum(reply.attempts for reply in replies),
            prompt_tokens=tokens[0],
            completion_tokens=tokens[1],
            cost=self.prices.cost(tokens[0], tokens[1]),
            pages=len(shown.pages),
            finish=first.finish,
            notes=notes,
            logprobs=first.chances or (),
            samples=[reply.content for reply in replies[1:]],
        )

    def _read(self, reply: ModelReply, prompt: Prompt, text_shown: str | None) -> ReadAnswer:
        return read_answer(
            reply.content,
            finish=reply.finish,
            prompt=prompt,
            schema=self.schema,
            text_shown=text_shown,
        )


def _image_part(page: PageImage) -> dict[str, object]:
    data = b64encode(page.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{page.media};base64,{data}"}}


def _boxed(record: dict[str, object], words: OcrText) -> dict[str, object]:
    from docassay.extract.boxes import with_boxes

    return with_boxes(record, words)


def _total(counts: Iterable[int | None]) -> int | None:
    numbers = [count for count in counts if count is not None]
    return sum(numbers) if numbers else None


@dataclass(frozen=True)
class RuleExtractor:
    """Finds values by the labels, types and places of recognised words; there is no model."""

    reader: DocumentReader
    schema: Schema
    model: str

    def prompt_digest(self, document: DocumentFile) -> str:
        """Return nothing: rules have no prompt."""
        return ""

    async def extract(self, document: DocumentFile) -> ExtractedLine:
        """Recognise the text of a document and apply the rules."""
        from docassay.extract.rules import extract_by_rules

        clock = Clock()
        shown = await in_thread(lambda: self.reader.read(document))
        words = shown.words
        if words is None:
            raise DocumentFailed("no text was recognised")
        record = await in_thread(lambda: extract_by_rules(words, self.schema))
        return ExtractedLine(
            record=record,
            raw="",
            model=self.model,
            started=clock.started,
            ended=clock.ended,
            pages=len(shown.pages),
        )
