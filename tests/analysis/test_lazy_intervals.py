"""Intervals are worked out when first read: once for a metric's overall scores, once for keys."""

from __future__ import annotations

import pytest

from docassay import Scorer
from docassay.analysis import intervals as module
from docassay.analysis.aggregate import build
from docassay.model.report import LazyInterval, Score


def test_an_interval_is_worked_out_when_it_is_first_read_and_only_once() -> None:
    calls: list[int] = []

    def ends() -> tuple[float, float]:
        calls.append(1)
        return (0.25, 0.75)

    score = Score("m", "r", "", "", 0.5, 1, LazyInterval(ends))
    assert not calls
    assert (score.low, score.high) == (0.25, 0.75)
    assert len(calls) == 1
    assert score == Score("m", "r", "", "", 0.5, 1, LazyInterval.of(0.25, 0.75))
    assert hash(score) == hash(Score("m", "r", "", "", 0.5, 1, LazyInterval.of(0.25, 0.75)))


def test_a_score_without_an_interval_has_no_ends() -> None:
    score = Score("m", "r", "", "", 0.5, 1)
    assert (score.low, score.high) == (None, None)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """An entry for each time that intervals are worked out."""
    drawn: list[int] = []
    plain = module.intervals

    def counted(*given: object, **options: object) -> object:
        drawn.append(1)
        return plain(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "intervals", counted)
    return drawn


def test_a_report_draws_nothing_before_an_interval_is_read(drawn: list[int]) -> None:
    scorer = Scorer(metrics=["tree"])
    for at in range(5):
        scorer.add(f"d{at}", {"a": "some text"}, {"a": "some text"[at:]})
    report = scorer.report()
    assert not drawn
    low, high = report["tree.nted"].low, report["tree.nted"].high
    assert low is not None
    assert high is not None
    assert low <= (report["tree.nted"].value or 0) <= high
    assert len(drawn) == 1
    assert {score.interval.ends for score in report.scores if not score.key} != {None}
    assert len(drawn) == 1
    assert {score.interval.ends for score in report.scores if score.key} != {None}
    assert len(drawn) == 2


@pytest.mark.parametrize("by", [None, "type"])
def test_intervals_worked_out_together_are_those_worked_out_apart(
    by: str | None, drawn: list[int]
) -> None:
    scorer = Scorer(metrics=["entity", "kieval", "fields"])
    for at in range(12):
        gold = {"a": str(at), "b": "x" if at % 3 else None, "rows": [{"n": "1"}, {"n": str(at)}]}
        pred = {"a": str(at % 5), "b": "x", "rows": [{"n": "1"}, {"n": "7"}][: at % 3]}
        scorer.add(f"d{at}", gold, pred)
    apart, together = (build(scorer.ledger(), by=by, together=own) for own in (False, True))
    assert apart.scores == together.scores
    # of three metrics, once or twice over all documents, once over the only slice
    assert len(drawn) == (6 + 3 if by is None else 6 + 3 + 3 + 3)
    assert apart.facts == together.facts


def test_the_value_of_a_readout_by_document_is_that_of_the_documents_lines() -> None:
    scorer = Scorer(metrics=["kieval", "tree"])
    for at in range(4):
        scorer.add(f"d{at}", {"a": "1", "b": "2"}, {"a": "1", "b": str(at)})
    report = scorer.report()
    for name in ("kieval.aligned", "kieval.corrections", "tree.nted"):
        lines = [(line.id, line.scores[name]) for line in report.lines]
        assert [*report.document_values(name)] == lines
