"""GTL601 test-removed: A test, or a case of one, is gone although what it tested is still there."""

CODE = "GTL601"
