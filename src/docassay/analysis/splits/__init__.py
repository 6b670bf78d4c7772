"""Few-shot splits: files, making them, finding leaks."""
