"""GTL608 test-selection-changed: Fewer tests are collected or run."""

CODE = "GTL608"
