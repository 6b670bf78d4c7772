"""The metric `causes`: why values are wrong, and what each cause costs.

The causes as reports call them stand here. Each correction has exactly one.
"""

from __future__ import annotations

UNPARSED = "unparsed response"
DOCUMENT_TYPE = "wrong document type"
FORMATTING = "formatting only"
SIGN = "sign"
SPLIT = "split or merged row"
MISSING_ROW = "missing row"
HALLUCINATED_ROW = "hallucinated row"
WRONG_ROW = "wrong row"
WRONG_FIELD = "wrong field"
FACTOR = "factor of ten or separator"
TRANSPOSED = "digit transposed"
LOOK_ALIKE = "OCR look-alike"
TRUNCATED = "truncated"
EXTRA = "extra text"
MISSING = "missing value"
HALLUCINATED = "hallucinated value"
OTHER = "other"

ALL = "all"
"""Stands for every cause of a field."""
CAUSES = (
    *(UNPARSED, DOCUMENT_TYPE, FORMATTING, SIGN, SPLIT, WRONG_ROW, MISSING_ROW, HALLUCINATED_ROW),
    *(WRONG_FIELD, FACTOR, TRANSPOSED, LOOK_ALIKE, TRUNCATED, EXTRA),
    *(MISSING, HALLUCINATED, OTHER),
)
"""All of them, in the order in which they are asked about."""
