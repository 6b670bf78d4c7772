"""What a gate says of a run: rules, the scores they are about, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from docassay.errors import RequirementError
from docassay.model.words import count, number, visible
from docassay.version import VERSION

PASSED, FAILED, UNTESTED = "passed", "failed", "untested"


class GateCheck(NamedTuple):
    """What became of one score under a rule."""

    address: str
    state: str
    """One of PASSED, FAILED, UNTESTED."""
    why: str
    """What it is, or why it fails, in words."""
    value: float | int | None = None
    baseline: float | int | None = None
    difference: float | None = None
    """The run's value less that of the baseline."""
    low: float | None = None
    high: float | None = None
    """A 95 % interval: of the difference where two runs are compared, else of the value."""
    p: float | None = None
    p_adjusted: float | None = None
    document: str = ""
    """The document that has become worse most, and what explains it."""
    explain: str = ""

    @property
    def sentence(self) -> str:
        """The check in one line."""
        return f"{self.address}: {self.why}"


class GateResult(NamedTuple):
    """What became of a rule: one check for each score that it is about."""

    rule: str
    kind: str
    where: str | None
    checks: tuple[GateCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed, and one could be made."""
        return not any(check.state == FAILED for check in self.checks)

    def of(self, state: str) -> tuple[GateCheck, ...]:
        """Return the checks that ended in a state."""
        return tuple(check for check in self.checks if check.state == state)


class GatedRun(NamedTuple):
    """One of the runs that a gate has looked at."""

    name: str
    signature: str
    documents: int


@dataclass(frozen=True, repr=False)
class Gate:
    """What rules say of a run. True where all of them hold."""

    run: GatedRun
    baseline: GatedRun | None
    documents_compared: int | None
    results: tuple[GateResult, ...]
    newly_broken: tuple[str, ...] = ()
    """Documents that were fully correct in the baseline and are not in the run, the worst first."""
    source: str = ""
    """Where the rules come from, in words."""
    notes: tuple[str, ...] = ()
    version: str = VERSION

    @property
    def passed(self) -> bool:
        """Whether every rule holds."""
        return all(result.passed for result in self.results)

    def __bool__(self) -> bool:
        return self.passed

    @property
    def failures(self) -> tuple[GateCheck, ...]:
        """The checks that failed, of all rules."""
        return tuple(check for result in self.results for check in result.of(FAILED))

    @property
    def headline(self) -> str:
        """What it comes to, in a line."""
        broken = sum(not result.passed for result in self.results)
        if not broken:
            return f"passed: {count(len(self.results), 'rule holds', 'rules hold')}"
        many = count(len(self.results), "rule")
        return f"failed: {number(broken)} of {many} {'does' if broken == 1 else 'do'} not hold"

    def __repr__(self) -> str:
        return "\n".join(map(visible, (f"gate {self.headline}", *self._lines())))

    def _lines(self) -> Iterator[str]:
        """Yield the rules that do not hold with what failed, for an assertion or a log."""
        for result in self.results:
            if result.passed:
                continue
            yield f"  {result.rule}"
            for check in result.of(FAILED):
                yield f"    {check.sentence}"
                if check.explain:
                    yield f"      {check.explain}"

    def raise_if_failed(self) -> Gate:
        """Raise RequirementError with all that failed; return the gate when it passes."""
        __tracebackhide__ = True  # of pytest: a failure is shown at the line that asks for it
        if not self.passed:
            raise RequirementError(repr(self))
        return self
