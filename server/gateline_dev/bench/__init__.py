"""Measures language servers as an editor sees them: `python -m gateline_dev.bench`."""
