"""What an audit finds: suspect values of gold, each with its evidence, and what they change."""

from __future__ import annotations

from typing import NamedTuple

from docassay.load.patch import GoldDecision
from docassay.model.words import count, cut, listed

LONGEST = 60
"""Characters of a value in the short form."""


class EvidenceKind(NamedTuple):
    """One thing that speaks against a value of gold."""

    kind: str
    """models, absent, rule, format, duplicate, elsewhere or source."""
    words: str


class Suspect(NamedTuple):
    """A value or row of gold that is probably wrong, or that gold probably lacks."""

    document: str
    path: str
    """Where it stands, or should stand, in gold's tree."""
    field: str
    gold: str | None
    """As found, None where gold has nothing."""
    proposed: str | None
    """What it may have to be, None for nothing."""
    score: float
    """How probable it is that gold is wrong, by the evidence, 0 to 1."""
    evidence: tuple[EvidenceKind, ...]
    models: tuple[str, ...]
    """The runs that have the proposed value."""
    decision: GoldDecision | None
    """What would correct gold, None where there is no proposal."""


class DuplicateDocuments(NamedTuple):
    """Two documents of gold with the same record, or nearly so."""

    first: str
    second: str
    values: int
    """How many both have."""
    differing: int


class AuditedScore(NamedTuple):
    """A score of a run as it is, and with suspect values left out on both sides."""

    run: str
    score: str
    value: float | int | None
    without: float | int | None


class Audit(NamedTuple):
    """Suspect gold, the most suspicious first."""

    version: str
    runs: tuple[str, ...]
    signatures: tuple[str, ...]
    documents: int
    values: int
    """Values of gold that were looked at."""
    min_score: float
    suspects: tuple[Suspect, ...]
    duplicates: tuple[DuplicateDocuments, ...]
    scores: tuple[AuditedScore, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return how many values are suspect, and the first of them."""
        suspects = count(len(self.suspects), "suspect value")
        lines = [
            f"{each.score:.3f} {each.document} {each.path}: "
            f"gold {_short(each.gold)}, proposed {_short(each.proposed)}"
            for each in self.suspects
        ]
        return listed(f"{suspects} of gold in {count(self.documents, 'document')}", lines)


def _short(text: str | None) -> str:
    return "nothing" if text is None else repr(cut(text, LONGEST))
