"""GTL633 coverage-omitted: Code is left out of the coverage."""

CODE = "GTL633"
