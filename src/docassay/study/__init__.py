"""Studies of the metrics themselves: what reading order does to them, and which go together."""

from docassay.model.study import Correlation, CorrelationStudy, Movement, ShuffleStudy
from docassay.study.correlation import correlation_study
from docassay.study.shuffle import shuffle_study

__all__ = [
    "Correlation",
    "CorrelationStudy",
    "Movement",
    "ShuffleStudy",
    "correlation_study",
    "shuffle_study",
]
