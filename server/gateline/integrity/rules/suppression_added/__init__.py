"""GTL621 suppression-added: A comment that silences a checker is new."""

CODE = "GTL621"
