"""`python -m docassay` is the command line."""

from docassay.cli import main

main()
