"""GTL602 test-skipped: A test that ran no longer does, or may fail."""

CODE = "GTL602"
