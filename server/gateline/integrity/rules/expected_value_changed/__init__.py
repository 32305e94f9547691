"""GTL605 expected-value-changed: A test expects another value, and nothing in the change says why."""

CODE = "GTL605"
