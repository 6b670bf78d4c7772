"""Renderings of a report: each shows what is there and computes no score."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from docassay.errors import UnknownName
from docassay.model.report import FORMATS, Report

if TYPE_CHECKING:
    from docassay.report.screen import Screen


def render(
    report: Report, format: str, *, screen: Screen | None = None, all_fields: bool = False
) -> str:
    """Return a report as text in one of FORMATS; `screen` and `all_fields` are for tables."""
    if format not in FORMATS:
        raise UnknownName("report format", format, FORMATS)
    function: Callable[..., str] = import_module(f"docassay.report.{format}").render
    if format == "table":
        from docassay.report.screen import PLAIN

        return function(report, screen=screen or PLAIN, all_fields=all_fields)
    return function(report)
