"""What users call: one function behind every command."""
