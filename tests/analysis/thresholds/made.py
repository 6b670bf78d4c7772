"""Outcomes made by hand, for tests of thresholds."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

import docassay as da
from docassay.analysis.thresholds.outcomes import Outcomes, Told, gather
from docassay.matching.confidences import DELETED, RIGHT, SUBSTITUTED
from docassay.run.ledger import Ledger

R, S, D = RIGHT, SUBSTITUTED, DELETED

CONFIDENCES = st.sampled_from([0.0, 0.2, 0.5, 0.5, 0.7, 0.9, 0.99, 1.0])
PLACES = 4
TOLD = st.lists(
    st.tuples(
        st.integers(0, PLACES - 1),
        st.sampled_from(["a", "b", "c.d"]),
        st.sampled_from([R, R, S, D, None]),
        st.one_of(CONFIDENCES, st.none()),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=25,
)


def made(told: Iterable[Told], documents: int = PLACES) -> Outcomes:
    return gather(iter(told), tuple(f"doc-{at}" for at in range(documents)))


def one_field(values: Iterable[tuple[float | None, int]]) -> Outcomes:
    """A field `f` with one value a document."""
    told = [(at, "f", outcome, sure, 1) for at, (sure, outcome) in enumerate(values)]
    return made(told, len(told))


def leaf(value: str, confidence: float | None) -> object:
    return value if confidence is None else {"value": value, "confidence": confidence}


def ledger_of(
    documents: Iterable[tuple[dict[str, object], dict[str, object]]], **options: object
) -> Ledger:
    scorer = da.Scorer(metrics=["kieval"], **options)  # type: ignore[arg-type]
    for number, (gold, pred) in enumerate(documents):
        scorer.add(f"doc-{number}", gold, pred)
    return scorer.ledger()
