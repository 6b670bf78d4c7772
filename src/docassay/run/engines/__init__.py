"""Engines, each a way to score many cases."""
