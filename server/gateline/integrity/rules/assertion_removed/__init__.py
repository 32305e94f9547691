"""GTL603 assertion-removed: A test asserts less than before, or something that cannot fail."""

CODE = "GTL603"
