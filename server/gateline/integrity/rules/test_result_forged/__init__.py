"""GTL607 test-result-forged: The result of a test is set by hand."""

CODE = "GTL607"
