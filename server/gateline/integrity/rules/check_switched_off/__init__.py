"""GTL632 check-switched-off: A checker looks for less."""

CODE = "GTL632"
