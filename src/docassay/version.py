"""The version of the package, in one place for signatures and files."""

VERSION = "0.1.0"
