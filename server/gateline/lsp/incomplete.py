"""What is said when gateline is not installed as it should be, at every door."""


def incomplete(error: ImportError) -> str:
    """What is missing, and what to do."""
    return f"gateline cannot start: {error}. Install it again: pip install --force-reinstall gateline"
