"""Renderings of a report: each shows what is there and computes no score."""
