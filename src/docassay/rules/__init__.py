"""Rules: what must hold inside one document, checked on gold and pred alike without comparing them.

An expression is parsed by a grammar of our own into a small tree, its kinds are checked against the
schema before a document is read, and it is evaluated on what a document says. Nothing is ever run
as code.
"""

from docassay.rules.check import BROKEN, HOLDS, SKIPPED, BoundRules, Outcome, bind_rules, sheets

__all__ = ["BROKEN", "HOLDS", "SKIPPED", "BoundRules", "Outcome", "bind_rules", "sheets"]
