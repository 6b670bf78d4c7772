"""Aligners: which gold goes with which pred."""
