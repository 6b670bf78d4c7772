"""From a pair of documents to a case: which values and rows belong together."""
