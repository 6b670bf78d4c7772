"""Suspect gold: which values of gold are probably wrong, and why."""
