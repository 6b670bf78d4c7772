"""The registry: one shape for extensions, and no forgiveness."""

from __future__ import annotations

import shutil
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from docassay.errors import ConfigurationError, UnknownName
from docassay.load.format import FORMATS
from docassay.metrics.metric import METRICS
from docassay.registry import Extension, Registry, convert
from docassay.values.comparator import COMPARATORS, Comparator
from docassay.values.reader import READERS

ALL = [COMPARATORS, FORMATS, METRICS, READERS]


def fresh() -> Registry:
    return Registry("thing", "docassay.nothing", {})


def test_a_function_is_registered_with_its_summary_and_options() -> None:
    things = fresh()

    def within(gold: int, pred: int, *, relative: float = 0.5) -> float:
        """1 when near."""
        return 1.0

    things.add(Comparator("within", within, binary=True))
    entry = things.get("within")
    assert entry.summary == "1 when near."
    assert dict(entry.options) == {"relative": 0.5}
    assert entry.binary is True


def test_a_taken_name_is_refused() -> None:
    things = fresh()

    def one() -> None:
        """One."""

    things.add(Extension("one", one))
    with pytest.raises(ConfigurationError, match="already registered"):
        things.add(Extension("one", one))


def test_a_built_in_name_cannot_be_taken_before_it_is_imported() -> None:
    def same(gold: object, pred: object) -> float:
        """Mine."""
        return 1.0

    with pytest.raises(ConfigurationError, match="already registered"):
        COMPARATORS.add(Comparator("same", same))


def test_a_function_without_docstring_or_default_is_refused() -> None:
    def silent() -> None: ...

    def strict(*, option: int) -> None:
        """Needs an option."""

    with pytest.raises(ConfigurationError, match="no docstring"):
        fresh().add(Extension("silent", silent))
    with pytest.raises(ConfigurationError, match="has no default"):
        fresh().add(Extension("strict", strict))


@pytest.mark.parametrize("registry", ALL, ids=lambda one: one.kind)
def test_an_unknown_name_is_answered_with_what_exists(registry: Registry) -> None:
    name = registry.names()[0]
    with pytest.raises(UnknownName) as caught:
        registry.get(name + "x")
    assert f"did you mean {name!r}" in str(caught.value)


@pytest.mark.parametrize("registry", ALL, ids=lambda one: one.kind)
def test_every_entry_has_a_sentence_of_its_own(registry: Registry) -> None:
    for entry in registry.entries():
        assert entry.summary.endswith("."), entry.name
        assert len(entry.summary) < 200, entry.name


def test_an_unknown_option_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'flatten'"):
        METRICS.get("kieval").check({"flaten": "true"})


@pytest.mark.parametrize(
    ("given", "default", "expected"),
    [
        ("true", False, True),
        ("off", True, False),
        ("3", 1, 3),
        ("0.5", 1.0, 0.5),
        ("0.01", Decimal(0), Decimal("0.01")),
        ("a, b", (), ("a", "b")),
        (["a"], (), ("a",)),
        ("x", None, "x"),
    ],
)
def test_an_option_takes_the_kind_of_its_default(
    given: object, default: object, expected: object
) -> None:
    assert convert(given, default, "m.o") == expected


@pytest.mark.parametrize(
    ("given", "default"), [("maybe", False), ("x", 1), ("x", Decimal(0)), ({}, ())]
)
def test_an_option_of_another_kind_is_an_error(given: object, default: object) -> None:
    with pytest.raises(ConfigurationError, match=r"option m\.o"):
        convert(given, default, "m.o")


def offer(folder: Path, name: str, lines: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(lines)


def test_packages_that_offer_nothing_are_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, "other", "[console_scripts]\ndocassay = other:main\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    assert Registry("thing", "docassay.nothing", {"own": "own"}).names() == ("own",)


def test_a_package_is_found_wherever_the_path_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    things = Registry("thing", "docassay.nothing", {})
    assert things.names() == ()
    offer(tmp_path / "folder", "mine", "[docassay.nothing]\nmine = mine:thing\n")
    offer(tmp_path / "packed", "zipped", "[docassay.nothing]\nzipped = zipped:thing\n")
    shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "packed")
    monkeypatch.syspath_prepend(str(tmp_path / "folder"))
    assert things.names() == ("mine",)
    monkeypatch.syspath_prepend(str(tmp_path / "packed.zip"))
    assert things.names() == ("mine", "zipped")
