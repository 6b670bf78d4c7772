"""The steps that every value of every document goes through.

These modules are plain Python, and run as such. The `.pxd` files beside them say what their names
hold, so that Cython can compile the same files where docassay is installed with a compiler at
hand: there is one statement of each rule, and both forms give the same results.
"""

from __future__ import annotations

from docassay.kernel import readings

COMPILED = not readings.__file__.endswith(".py")
"""Whether the compiled form is at work."""
