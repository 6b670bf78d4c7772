"""The metric `tree`: normalised tree edit distance and ANLS*."""
