"""The nouns of docassay: documents, schemas, statistics and reports. No input, output or scoring."""
