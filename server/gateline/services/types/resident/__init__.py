"""mypy's fine-grained engine, resident over unsaved texts: built, fed, renewed."""
