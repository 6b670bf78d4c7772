"""The viewer: a local server for looking at runs and deciding about gold."""
