"""Metrics: pure functions from one case to statistics, and from summed statistics to scores."""
