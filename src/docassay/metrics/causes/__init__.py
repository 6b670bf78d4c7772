"""The metric `causes`: why values are wrong, and what each cause costs."""
