"""The test runner: pytest in the project's own interpreter, kept warm."""
