"""Studies of the metrics themselves."""
