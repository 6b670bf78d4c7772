"""What may become of a raw model response, from best to worst."""

from __future__ import annotations

CLEAN, REPAIRED, PARTIAL, UNPARSEABLE = "clean", "repaired", "partial", "unparseable"
OUTCOMES = (CLEAN, REPAIRED, PARTIAL, UNPARSEABLE)
