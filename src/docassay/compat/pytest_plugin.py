"""The fixture `docassay` for pytest: score in a test, and fail with what is weakest.

pytest finds this module by its entry point, so it imports nothing of docassay until it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from docassay.analysis.gate_rules import GivenRule
    from docassay.api.score import Diff, ScoredReport
    from docassay.model.gate import Gate
    from docassay.run.options import Data, ReadingArgs, RunArgs


class DocumentChecks:
    """Scores predictions in a test, which fails when a requirement is not met."""

    def score(
        self,
        gold: Data,
        pred: Data,
        *,
        require: str | Sequence[str] = (),
        **options: Unpack[RunArgs],
    ) -> ScoredReport:
        """Return the report; fail unless each requirement holds, such as "aligned >= 0.95"."""
        __tracebackhide__ = True
        from docassay.api.score import score
        from docassay.errors import DocassayError

        try:
            return score(gold, pred, require=require, **options)
        except DocassayError as error:  # which says all there is to say
            raise error.with_traceback(None) from None

    __call__ = score

    def explain(
        self, gold: Data, pred: Data, id: str | int | None = None, **options: Unpack[ReadingArgs]
    ) -> Diff:
        """Return one document as a diff."""
        from docassay.api.score import explain

        return explain(gold, pred, id, **options)

    def check(
        self, gold: Data, pred: Data, *requirements: str, **options: Unpack[RunArgs]
    ) -> ScoredReport:
        """Do the same with requirements in a row; without any, nothing may need correcting."""
        __tracebackhide__ = True
        from docassay.report.notebook import CORRECTIONS

        return self.score(gold, pred, require=requirements or f"{CORRECTIONS} == 0", **options)

    def gate(
        self,
        run: str | Path | ScoredReport,
        *,
        baseline: str | Path | ScoredReport | None = None,
        rules: str | Path | GivenRule | Sequence[GivenRule] | None = None,
    ) -> Gate:
        """Return what rules say of a run; fail with all that does not hold."""
        __tracebackhide__ = True
        from docassay.api.decide import gate
        from docassay.errors import DocassayError

        try:
            return gate(run, baseline=baseline, rules=rules).raise_if_failed()
        except DocassayError as error:
            raise error.with_traceback(None) from None


@pytest.fixture(scope="session")
def docassay() -> DocumentChecks:
    """Score documents: `docassay.score(gold, pred, require="aligned >= 0.95")`."""
    return DocumentChecks()
