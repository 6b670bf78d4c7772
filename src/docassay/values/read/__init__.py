"""Readers, one value type a module."""
