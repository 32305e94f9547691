"""GTL632 check-switched-off: A checker was told to look for less."""

CODE = "GTL632"
