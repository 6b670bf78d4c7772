"""Metrics that equal another tool's numbers, quirks and all: one module a tool."""
