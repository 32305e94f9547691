"""GTL606 unit-mocked: A test replaces what it tests."""

CODE = "GTL606"
