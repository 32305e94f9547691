"""An import fails, or is missing."""
