"""Tests on real clusters of this machine, bound to 127.0.0.1: `make test-cluster`."""
