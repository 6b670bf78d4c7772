"""Schemas: what a document should hold, and reading a tree by it."""
