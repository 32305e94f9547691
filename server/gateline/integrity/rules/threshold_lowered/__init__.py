"""GTL631 threshold-lowered: A number that a change must reach asks for less."""

CODE = "GTL631"
