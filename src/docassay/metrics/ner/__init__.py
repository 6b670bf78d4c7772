"""The metric `ner`: entities in running text, in and out of reading order."""
