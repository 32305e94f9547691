"""GTL612 input-special-cased: The product has hard-coded results for the inputs of tests."""

CODE = "GTL612"
