"""The automation trade-off of a stored run: which values may go unreviewed."""

from docassay.automation.analysis import thresholds

__all__ = ["thresholds"]
