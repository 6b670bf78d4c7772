"""Questions asked of ledgers."""
