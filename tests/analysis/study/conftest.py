"""A metric that minds order, for the time of a test, and runs of a generated corpus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docassay.api.score import score_run
from docassay.metrics.metric import METRICS
from tests.analysis.study.study_corpus import register_places, write_synth


@pytest.fixture
def places() -> Iterator[None]:
    """The metric `places`, forgotten after the test."""
    register_places()
    yield
    METRICS._entries.pop("places")


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three stored runs of one generated corpus."""
    folder = tmp_path_factory.mktemp("runs")
    gold, preds, schema = write_synth(folder)
    found = []
    for name, pred, told in (("a", preds[0], schema), ("b", preds[1], schema), ("c", gold, schema)):
        score_run(gold, pred, schema=told, out=folder / name, verdicts="none")
        found.append(str(folder / name))
    return found
