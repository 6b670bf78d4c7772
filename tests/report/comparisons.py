"""Comparisons made by hand, for tests of what people see of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docassay.model.comparison import (
    BROKEN,
    TIED,
    WORSE,
    ComparedCause,
    ComparedDocument,
    ComparedRun,
    ComparedScore,
    Comparison,
    LeaderboardPlace,
    RunDifference,
)
from docassay.model.report import (
    COUNT,
    FIELD,
    HIGHER,
    LOWER,
    OVERALL,
    LazyInterval,
    ReadoutSpec,
    Score,
)

ALIGNED, CORRECTIONS = "kieval.aligned", "kieval.corrections"
ODD = "=1+1 $x^2$ <b>&|`*[y]\x1b[31m@all"
SPECS: Mapping[str, ReadoutSpec] = {
    ALIGNED: ReadoutSpec("aligned", FIELD, better=HIGHER, column=10, short="aligned"),
    CORRECTIONS: ReadoutSpec("corrections", FIELD, COUNT, LOWER, short="corrections"),
}


def score(name: str, value: float | int | None, key: str = "", part: str = "") -> Score:
    metric, _, readout = name.partition(".")
    interval = LazyInterval(lambda: None)
    if isinstance(value, float):
        interval = LazyInterval.of(value - 0.02, value + 0.01)
    return Score(metric, readout, key, part, value, 10, interval, FIELD if key else OVERALL)


def difference(
    run: int, value: float | None, verdict: str | None = TIED, p: float = 0.0004
) -> RunDifference:
    if value is None:
        return RunDifference(run, None, None, None, None, None, None)
    return RunDifference(run, value, value - 0.02, value + 0.03, p, p, verdict)


def compared(
    name: str,
    values: Sequence[float | int | None],
    verdicts: Sequence[str | None],
    *,
    key: str = "",
    part: str = "",
    against: int = 0,
    p: float = 0.0004,
) -> ComparedScore:
    """Return a score of runs; verdicts are those of the runs that are not compared with."""
    others = [at for at in range(len(values)) if at != against]
    differences = []
    for at, verdict in zip(others, verdicts, strict=True):
        before, after = values[against], values[at]
        change = None if before is None or after is None else after - before
        differences.append(difference(at, change, verdict, p))
    return ComparedScore(
        tuple(None if value is None else score(name, value, key, part) for value in values),
        tuple(differences),
    )


def comparison(
    *names: str,
    verdict: str | None = WORSE,
    fields: int = 8,
    against: int = 0,
    documents: int = 5,
    spreads: Mapping[str, Mapping[str, float]] | None = None,
    facts: Mapping[str, object] | None = None,
    id: str = "doc",
) -> Comparison:
    """Return runs of which each is worse than the first by 0.083 more than the one before."""
    runs = names or ("careful", "hasty")
    falls = [round(0.972 - 0.083 * at, 3) for at in range(len(runs))]
    others = [at for at in range(len(runs)) if at != against]
    verdicts = [verdict] * len(others)
    by_field = [
        compared(
            ALIGNED,
            [0.9 if at == 0 else 0.9 - 0.01 * number * at for at in range(len(runs))],
            [WORSE if number > 4 else TIED] * len(others),
            key=f"field_{number}",
            against=against,
        )
        for number in range(fields)
    ]
    return Comparison(
        tuple(ComparedRun(name, f"signature {name}", 100, spreads or {}) for name in runs),
        against,
        100,
        (
            compared(ALIGNED, falls, verdicts, against=against),
            compared(
                CORRECTIONS, [70 + 211 * at for at in range(len(runs))], verdicts, against=against
            ),
            *by_field,
        ),
        ALIGNED,
        standings=tuple(
            LeaderboardPlace(at + 1, at, score(ALIGNED, value)) for at, value in enumerate(falls)
        ),
        documents=tuple(
            ComparedDocument(
                f"{id}-{number}",
                "invoice",
                tuple(1.0 if at == against else 0.5 + number / 100 for at in range(len(runs))),
                -0.5 + number / 100,
                tuple("" if at == against else BROKEN for at in range(len(runs))),
                tuple(f"docassay explain {name} {id}-{number}" for name in runs),
            )
            for number in range(documents)
        ),
        causes=(
            ComparedCause(
                "missing row",
                tuple(4 + 36 * at for at in range(len(runs))),
                tuple(0.01 * at for at in range(len(runs))),
                tuple(-0.05 for _ in others),
            ),
            ComparedCause(
                "other", tuple(1 for _ in runs), tuple(0.0 for _ in runs), (-0.033,) * len(others)
            ),
        ),
        leading=(ALIGNED, CORRECTIONS),
        specs=SPECS,
        facts=facts or {},
    )


SPREADS = {
    "timing": {"documents": 100, "mean": 1.25, "median": 1.0, "p95": 3.0, "total": 125.0},
    "cost": {"documents": 100, "mean": 0.0021, "median": 0.002, "p95": 0.004, "total": 0.21},
}
