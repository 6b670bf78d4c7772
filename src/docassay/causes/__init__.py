"""Causes: why each correction is needed, by fixed rules (docs/explanation/loss.md)."""
