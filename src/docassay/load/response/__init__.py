"""Raw model responses as records, with a name for every repair."""
