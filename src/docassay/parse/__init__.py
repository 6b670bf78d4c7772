"""Raw model responses, made records: one form a module, and a name for every repair."""

from docassay.model.outcome import OUTCOMES
from docassay.parse.response import Response, parse_response

__all__ = ["OUTCOMES", "Response", "parse_response"]
