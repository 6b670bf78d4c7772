"""Running a plan: opening inputs, scoring cases, keeping the ledger."""
