"""What a value means: readers, comparators and the types that join them."""
