"""The released KIEval tool."""
