"""The nouns of docassay: documents, schemas, statistics and reports; no input, output, scoring."""
