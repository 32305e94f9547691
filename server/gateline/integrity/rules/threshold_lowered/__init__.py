"""GTL631 threshold-lowered: A required threshold was lowered."""

CODE = "GTL631"
