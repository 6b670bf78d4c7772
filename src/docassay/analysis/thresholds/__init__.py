"""The automation trade-off of a stored run: which values may go unreviewed."""
