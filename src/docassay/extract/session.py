"""A session: documents through an extractor, a few at a time, each kept as soon as it is there."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import NamedTuple, TypeVar

from docassay.errors import ConfigurationError, DocassayError, FileError
from docassay.extract.client import DocumentFailed
from docassay.extract.documents import DocumentFile
from docassay.extract.extractors import Extractor
from docassay.extract.lines import ExtractedLine, FailedLine, LineFile

T = TypeVar("T")


class ExtractionProgress(NamedTuple):
    """How far a session has come."""

    done: int
    """Documents that were answered or have failed, in this session."""
    total: int
    failed: int
    tokens: int
    cost: float | None
    seconds: float

    @property
    def per_minute(self) -> float:
        """Documents a minute, so far."""
        return 60 * self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this pace, None before the first document."""
        return (self.total - self.done) * self.seconds / self.done if self.done else None


Tell = Callable[[ExtractionProgress], None]


@dataclass
class Session:
    """What is known while documents are extracted: counts, costs, and when it began."""

    extractor: Extractor
    file: LineFile
    schema_digest: str
    total: int
    tell: Tell | None = None
    outcomes: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    cost: float | None = None
    _began: float = field(default_factory=monotonic)

    @property
    def progress(self) -> ExtractionProgress:
        """How far the session has come."""
        failed = len(self.file.failures)
        done = self.file.written + failed
        seconds = monotonic() - self._began
        return ExtractionProgress(done, self.total, failed, self.tokens, self.cost, seconds)

    async def run(self, documents: Sequence[DocumentFile], *, concurrency: int) -> None:
        """Extract documents; an error that all of them would meet ends the session."""
        waiting = iter(documents)
        workers = [
            asyncio.create_task(self._work(waiting)) for _ in range(min(concurrency, self.total))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, waiting: Iterator[DocumentFile]) -> None:
        for document in waiting:
            try:
                line = await self.extractor.extract(document)
            except (ConfigurationError, FileError) as error:
                self._fail(document, error.sentence, 1)
                raise
            except DocumentFailed as error:
                self._fail(document, error.sentence, error.attempts)
            except DocassayError as error:
                self._fail(document, error.sentence, 0)
            else:
                self._keep(document, line)

    def _keep(self, document: DocumentFile, line: ExtractedLine) -> None:
        self.file.append(
            replace(
                line,
                id=document.id,
                file=document.path.name,
                schema_digest=line.schema_digest or self.schema_digest,
            )
        )
        self.outcomes[line.outcome] += 1
        self.tokens += (line.prompt_tokens or 0) + (line.completion_tokens or 0)
        if line.cost is not None:
            self.cost = (self.cost or 0.0) + line.cost
        self._report()

    def _fail(self, document: DocumentFile, error: str, attempts: int) -> None:
        line = FailedLine(document.id, error, attempts, self.extractor.model, document.path.name)
        self.file.fail(line)
        self._report()

    def _report(self) -> None:
        if self.tell is not None:
            self.tell(self.progress)


def run_to_end(work: Callable[[], Coroutine[object, object, T]]) -> T:
    """Return what a coroutine comes to, also where an event loop runs already (notebooks)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(asyncio.run(work()))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def pending(documents: Sequence[DocumentFile], kept: Mapping[str, object]) -> list[DocumentFile]:
    """Return the documents that are not kept yet."""
    return [document for document in documents if document.id not in kept]
