"""The metric `fields`: one score a field and document, by six methods."""
