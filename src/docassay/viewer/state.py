"""What a viewer looks at: runs, decisions about their gold, page images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import active_children
from threading import Lock

from docassay.errors import ConfigurationError, DataError, DocassayError
from docassay.viewer.build import apart, build_comparison, build_suspects
from docassay.viewer.images import Images
from docassay.viewer.index import DocumentEntry, Selection
from docassay.viewer.review import Review
from docassay.viewer.runs import ViewedRun


class NotThere(ConfigurationError):  # noqa: N818 - reads as a statement about what is asked for
    """A run or a document that nobody looks at."""


@dataclass
class Viewer:
    """What is looked at, and what may be done."""

    runs: Sequence[ViewedRun]
    review: Review
    images: Images | None = None
    gold: str | None = None
    """Where gold of the runs is now, if not where it was."""
    _by_key: Mapping[str, ViewedRun] = field(init=False)
    _lock: Lock = field(init=False, default_factory=Lock)
    _closed: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        """Name the runs."""
        self._by_key = {run.key: run for run in self.runs}

    def run(self, key: str) -> ViewedRun:
        """Return the run of a name; another is not found."""
        if key not in self._by_key:
            raise NotThere(f"there is no run {key!r}")
        return self._by_key[key]

    def entry(self, key: str, id: str) -> tuple[ViewedRun, DocumentEntry]:
        """Return a run and one of its documents; another is not found."""
        run = self.run(key)
        entry = run.index.entry(id)
        if entry is None:
            raise NotThere(f"{run.name} has no document {id!r}")
        return run, entry

    def known(self, id: str) -> str:
        """Return the id of a document that some run has; another is not found."""
        if all(run.index.entry(id) is None for run in self.runs):
            raise NotThere(f"there is no document {id!r}")
        return id

    def comparison(self) -> bytes:
        """Return how the runs compare, worked out when first asked for."""
        if len(self.runs) < 2:
            raise NotThere("there is one run, and nothing to compare it with")
        first = self.runs[0].index
        stamp = b"|".join(run.index.meta("stamp") or b"" for run in self.runs)
        with self._lock:
            if first.meta("compared") != stamp and not self._closed:
                folders = [str(run.folder) for run in self.runs]
                keys = [run.key for run in self.runs]
                apart(build_comparison, folders, keys, str(first.file))
                first.keep("compared", stamp)
        failure = first.meta("comparison failed")
        if failure:
            raise DataError(failure.decode())
        return first.meta("comparison") or b"{}"

    def close(self) -> None:
        """End what is being worked out, and begin nothing more."""
        self._closed = True
        for child in active_children():
            child.terminate()

    def prepare(self) -> None:
        """Open a document, and work out how the runs compare, before anybody asks for it.

        The first document takes longest: what reads and matches it has to be loaded. What is wrong
        is said when it is asked for.
        """
        with suppress(DocassayError, OSError, RuntimeError):
            for entry in self.runs[0].index.lines(Selection(), limit=1):
                self.review.diff(self.runs[0], entry)
            if len(self.runs) > 1:
                self.comparison()

    def suspects(self) -> None:
        """See to it that the indices know which values of gold an audit doubts."""
        stamp = b"|".join(run.index.meta("stamp") or b"" for run in self.runs)
        with self._lock:
            if self._closed or all(run.index.meta("audited") == stamp for run in self.runs):
                return
            folders = [str(run.folder) for run in self.runs]
            indices = [str(run.index.file) for run in self.runs]
            apart(build_suspects, folders, self.gold, indices)
            for run in self.runs:
                run.index.keep("audited", stamp)
