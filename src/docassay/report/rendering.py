"""Renderings of a report: each shows what is there and computes no score."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from docassay.errors import UnknownName
from docassay.model.report import Report

FORMATS = ("table", "json", "csv", "markdown")


def render(report: Report, format: str) -> str:
    """Return a report as text in one of FORMATS, without colours."""
    if format not in FORMATS:
        raise UnknownName("report format", format, FORMATS)
    function: Callable[[Report], str] = import_module(f"docassay.report.{format}").render
    return function(report)
