"""Renderings of a report: each shows what is there and computes no score."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from docassay.errors import UnknownName
from docassay.model.report import FORMATS, PAGE, Report

if TYPE_CHECKING:
    from docassay.report.screen import Screen


def render(
    report: Report,
    format: str,
    *,
    screen: Screen | None = None,
    all_fields: bool = False,
    name: str = "",
) -> str:
    """Return a report as text in one of FORMATS, or as a page that bears the name of the run.

    `screen` and `all_fields` are for tables.
    """
    if format not in (*FORMATS, PAGE):
        raise UnknownName("report format", format, (*FORMATS, PAGE))
    function: Callable[..., str] = import_module(f"docassay.report.{format}").render
    if format == "table":
        from docassay.report.screen import PLAIN

        return function(report, screen=screen or PLAIN, all_fields=all_fields)
    if format == PAGE:
        return function(report, name=name)
    return function(report)
