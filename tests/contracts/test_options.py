"""Every option of everything registered: a value that cannot work is refused, never a traceback."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest

from docassay.errors import ConfigurationError, DocassayError
from docassay.load.format import FORMATS
from docassay.metrics.metric import METRICS
from docassay.registry import Extension
from docassay.run.plan import bind, make_plan
from docassay.run.score import score_trees
from docassay.values.comparator import COMPARATORS
from docassay.values.reader import READERS

ENTRIES = [
    entry for registry in (METRICS, FORMATS, COMPARATORS, READERS) for entry in registry.entries()
]
NUMBERS = [
    pytest.param(entry, option, id=f"{entry.name}.{option}")
    for entry in ENTRIES
    for option, default in entry.options.items()
    if isinstance(default, int | float | Decimal) and not isinstance(default, bool)
]
SETTINGS = [
    pytest.param(entry, option, id=f"{entry.name}.{option}")
    for entry in [*METRICS.entries(), *FORMATS.entries()]
    for option in entry.options
]
HOSTILE = ["nan", "inf", "-inf", "-1", "0", "1" + "0" * 400, "1e999", "", "a\0b", "9" * 5000]
TREE = {"a": "1", "rows": [{"b": "x y"}, {"b": "z"}]}


@pytest.mark.parametrize("value", ["nan", "NaN", "inf", "-inf", "Infinity", "1e999999999"])
@pytest.mark.parametrize(("entry", "option"), NUMBERS)
def test_a_number_is_finite(entry: Extension, option: str, value: str) -> None:
    if value.startswith("1e") and isinstance(entry.options[option], Decimal):
        pytest.skip("a decimal has no largest exponent worth speaking of")
    with pytest.raises(ConfigurationError, match=f"{entry.name}.{option}: '{value}' is not"):
        entry.check({option: value})


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value[:6]))
@pytest.mark.parametrize(("entry", "option"), SETTINGS)
def test_a_setting_works_or_is_refused(entry: Extension, option: str, value: str) -> None:
    metrics = [entry.name] if entry in METRICS.entries() else ["entity"]
    with suppress(DocassayError):
        bound = bind(make_plan(metrics=metrics, settings={f"{entry.name}.{option}": value}))
        score_trees("d", TREE, TREE, bound, tags={})


@pytest.mark.parametrize(("entry", "option"), [one for one in NUMBERS if "max_" in str(one.id)])
def test_a_limit_is_not_negative(entry: Extension, option: str) -> None:
    with pytest.raises(ConfigurationError, match=r"-5 is below zero \(a limit is 0 or more\)"):
        entry.check({option: "-5"})
    assert entry.check({option: "0"})[option] == 0
