"""A value has another type than its place demands."""
