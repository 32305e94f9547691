"""GTL613 test-detected: The product asks whether it is tested."""

CODE = "GTL613"
