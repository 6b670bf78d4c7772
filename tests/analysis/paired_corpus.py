"""Small runs over the same documents, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docassay.api.score import Scorer
from docassay.run.ledger import Ledger
from docassay.run.reopen import NamedRun

FIELDS = ("a", "b", "c", "d")


def gold(number: int) -> dict[str, str]:
    return {field: f"{field}{number}" for field in FIELDS}


def pred(number: int, wrong: str) -> dict[str, str]:
    """Return a prediction in which the fields named by letters are wrong.

    "+" adds a field that gold does not have, and "-" stands for no answer at all.
    """
    tree = {field: "?" if field in wrong else value for field, value in gold(number).items()}
    if "+" in wrong:
        tree["e"] = "!"
    return {} if wrong == "-" else tree


def ledger(
    answers: Sequence[str],
    *,
    metrics: Sequence[str] | None = ("kieval",),
    types: str = "text",
    tags: Sequence[Mapping[str, str]] = (),
    settings: Mapping[str, object] | None = None,
) -> Ledger:
    """Return the run of a model: for each document the letters of the fields that it gets wrong."""
    scorer = Scorer(types=types, metrics=metrics, settings=settings)
    for number, wrong in enumerate(answers):
        own = tags[number] if tags else {}
        scorer.add(f"d{number:03}", gold(number), pred(number, wrong), tags=own)
    return scorer.ledger()


def named(*runs: Ledger, names: Sequence[str] = "ABCDEFGH") -> list[NamedRun]:
    return [NamedRun(name, run) for name, run in zip(names, runs, strict=False)]
