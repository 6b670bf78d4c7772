"""Tests of the kernel, in both of its forms."""
