"""GTL611 error-swallowed: The product catches errors and goes on."""

CODE = "GTL611"
