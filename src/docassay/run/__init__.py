"""Runners: scoring every case of a pairing, in this process or elsewhere."""
