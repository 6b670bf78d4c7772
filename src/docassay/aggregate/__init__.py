"""From a ledger to a report: folding statistics and asking metrics for their readouts."""
