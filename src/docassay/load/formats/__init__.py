"""File formats, one a module."""
