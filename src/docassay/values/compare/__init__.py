"""Comparators, one idea a module."""
