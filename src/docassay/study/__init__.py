"""Studies of the metrics themselves: reading order, what goes together, and thresholds."""

from docassay.model.study import (
    Correlation,
    CorrelationStudy,
    Movement,
    ShuffleStudy,
    SweepPoint,
    SweepStudy,
)
from docassay.study.correlation import correlation_study
from docassay.study.shuffle import shuffle_study
from docassay.study.sweep import sweep_study

__all__ = [
    "Correlation",
    "CorrelationStudy",
    "Movement",
    "ShuffleStudy",
    "SweepPoint",
    "SweepStudy",
    "correlation_study",
    "shuffle_study",
    "sweep_study",
]
