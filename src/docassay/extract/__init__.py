"""From documents to records: pages, text recognition, prompts, models and rules."""
