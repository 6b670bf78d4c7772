"""What the rules of a gate are checked on: scores, comparisons and values by document.

All of it is worked out once, as far as rules ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from docassay.analysis.aggregate import build
from docassay.analysis.compare import compare_runs
from docassay.analysis.gate_rules import GateRule
from docassay.analysis.intervals import MOST_COMPARED, DocumentSample
from docassay.analysis.paired import PAIRED_DRAWS
from docassay.analysis.power import AGAIN
from docassay.analysis.require import is_like, is_pattern, matching, parts_of
from docassay.errors import DataError, UnknownName
from docassay.metrics.metric import Context
from docassay.model.comparison import BROKEN, ComparedScore, Comparison
from docassay.model.report import LOWER, Report, Score
from docassay.run.ledger import Ledger
from docassay.run.plan import bind
from docassay.run.reopen import NamedRun
from docassay.run.totals import UNTAGGED, slice_of

DRAWS = PAIRED_DRAWS
BASELINE, RUN = 0, 1
"""The places of the two runs in a comparison."""


def newly_broken(comparison: Comparison) -> Iterator[str]:
    """Yield the documents that were fully correct in the baseline and are not in the run."""
    for document in comparison.documents:
        if document.states and document.states[RUN] == BROKEN:
            yield document.id


class GateEvidence:
    """What rules are checked on, worked out as far as they ask for it."""

    def __init__(
        self,
        run: NamedRun,
        baseline: NamedRun | None,
        rules: Sequence[GateRule],
        seed: int,
        explain: Callable[[str], str] | None,
    ) -> None:
        self._explain = explain
        self._run = run
        self._baseline = baseline
        self._seed = seed
        self._reports: dict[tuple[bool, str], Report] = {}
        self._comparisons: dict[str, Comparison] = {}
        self._values: dict[tuple[bool, str, str], Mapping[tuple[str, str], _Values]] = {}
        addresses = [address for rule in rules if rule.compares for address in rule.scores]
        parts = [parts_of(self.report.whole(address)) for address in addresses]
        tags = [part.slice.partition("=")[0] for part in parts if part and part.slice]
        self._tags = (*dict.fromkeys(tags),)

    @property
    def report(self) -> Report:
        """The report of the run."""
        return self._report(of_run=True)

    def _report(self, *, of_run: bool, part: str = "") -> Report:
        if (of_run, part) not in self._reports:
            ledger = self._ledger(of_run=of_run, part=part)
            self._reports[of_run, part] = build(ledger, seed=self._seed)
        return self._reports[of_run, part]

    def _ledger(self, *, of_run: bool, part: str = "") -> Ledger:
        """Return the ledger of a run, or of those of its documents that are in a slice."""
        named = self._run if of_run else self._baseline
        assert named is not None  # rules that compare were refused without a baseline
        if not part:
            return named.ledger
        tag = part.partition("=")[0]
        rows = tuple(row for row in named.ledger.rows if slice_of(row, tag) == part)
        return named.ledger._replace(rows=rows)

    def targets(self, address: str, *, both: bool) -> list[Score]:
        """Return the scores of an address; for a pattern those that either run has."""
        parts = parts_of(self.report.whole(address))
        slices = [""] if parts is None or not parts.slice else self._slices(parts.slice, address)
        start = address if not slices[0] else address[: address.rindex("[")]
        scores: dict[str, Score] = {}
        for part in slices:
            for of_run in (True, False) if both and is_pattern(start) else (True,):
                report = self._report(of_run=of_run, part=part)
                for score in matching(report, start):
                    own = score._replace(slice=part)
                    scores.setdefault(own.address, own)
        return [*scores.values()]

    def _slices(self, pattern: str, address: str) -> list[str]:
        """Return the slices of the run that are like a pattern such as `type=*`."""
        tag, _, value = pattern.partition("=")
        rows = self._run.ledger.rows
        slices = sorted({slice_of(row, tag) for row in rows})
        if {*slices} <= {f"{tag}={UNTAGGED}"}:
            tags = {name for row in rows for name in row.tags}
            typed = {"type"} if any(row.type for row in rows) else set()
            raise UnknownName("tag of documents", tag, tags | typed)
        chosen = [part for part in slices if is_like(part, pattern)]
        if not chosen:
            raise UnknownName(f"slice by {tag}", value, [part.partition("=")[2] for part in slices])
        return chosen

    @property
    def whole(self) -> Comparison:
        """The comparison of all documents, with slices by the tags that rules name."""
        return self._comparison()

    def _comparison(self, part: str = "") -> Comparison:
        if part not in self._comparisons:
            assert self._baseline is not None
            runs = (
                self._baseline._replace(ledger=self._ledger(of_run=False, part=part)),
                self._run._replace(ledger=self._ledger(of_run=True, part=part)),
            )
            by = () if part else self._tags
            try:
                self._comparisons[part] = compare_runs(
                    runs, against=BASELINE, by=by, seed=self._seed, draws=DRAWS
                )
            except DataError as error:
                raise DataError(error.what, where=error.where, hint=AGAIN) from None
        return self._comparisons[part]

    def compared(self, score: Score) -> ComparedScore | None:
        """Return a score of both runs, None where it was not compared.

        Slices are tested together with the slices of the same score, as a comparison does. Fields
        within a slice are tested together with each other.
        """
        if score.slice and score.key:
            comparison = self._comparison(score.slice)
            address = score._replace(slice="").address
        else:
            comparison = self.whole
            address = score.address
        entries = (entry for entry in comparison.scores if entry.score.address == address)
        return next(entries, None)

    @cached_property
    def tells_exact(self) -> bool:
        """Whether both runs say of documents that they are fully correct."""
        return all(
            any(line.exact is not None for line in self._report(of_run=of_run).lines)
            for of_run in (True, False)
        )

    def documents_with(self, score: Score) -> int | None:
        """Return in how many documents a score finds something in either run."""
        run, baseline = (self._by_document(score, of_run=of_run) for of_run in (True, False))
        if run is None and baseline is None:
            return None
        return len({**(run or {}), **(baseline or {})})

    def worst(self, score: Score) -> tuple[str, str]:
        """Return the document that a score blames most, with the command that explains it.

        With a baseline it is the one that has become worse most, a newly broken one first.
        """
        values = self._by_document(score, of_run=True)
        if not values:
            return self._first_broken()
        sign = 1 if self.report.specs[score.name].better == LOWER else -1
        earlier = (None if self._baseline is None else self._by_document(score, of_run=False)) or {}
        losses = {id: sign * (value - earlier.get(id, 0.0)) for id, value in values.items()}
        broken = {*newly_broken(self.whole)} if self._comparisons else set()
        id = min(losses, key=lambda name: (-losses[name], name not in broken, name))
        return id, self.explaining(id)

    def _first_broken(self) -> tuple[str, str]:
        id = next(newly_broken(self.whole), "") if self._comparisons else ""
        return id, self.explaining(id) if id else ""

    def explaining(self, id: str) -> str:
        """Return the command that explains a document of the run, "" where there is none."""
        if self._run.folder is not None:
            return self._run.explaining(id)
        return "" if self._explain is None else self._explain(id)

    def _by_document(self, score: Score, *, of_run: bool) -> _Values | None:
        """Return the value of a score in each document that has one, None where it is not known."""
        place = (of_run, score.metric, score.slice)
        if place not in self._values:
            ledger = self._ledger(of_run=of_run, part=score.slice)
            self._values[place] = values_by_document(ledger, score.metric)
        return self._values[place].get((score.readout, score.key))


_Values = Mapping[str, float]


def values_by_document(
    ledger: Ledger, metric: str
) -> Mapping[tuple[str, str], Mapping[str, float]]:
    """Return the defined values of a metric's readouts by document, by name and key.

    Only those that can be resampled; of very many documents, none.
    """
    bound = bind(ledger.header.plan)
    own = next((each for each in bound.metrics if each.name == metric), None)
    if own is None or not ledger.rows:
        return {}
    context = Context(len(ledger.rows), bound.plan.schema, own.options)
    sample = DocumentSample(own, ledger.rows, context, most=MOST_COMPARED)
    if len(sample.counts) != len(ledger.rows):
        return {}
    values = sample.values(sample.counts)
    ids = [row.id for row in ledger.rows]
    return {
        (formula.name, formula.key): {
            ids[row]: float(values[row, at]) for row in np.flatnonzero(~np.isnan(values[:, at]))
        }
        for at, formula in enumerate(sample.formulas)
    }
