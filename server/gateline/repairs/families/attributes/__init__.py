"""An attribute is missing, or cannot be set."""
