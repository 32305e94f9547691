"""Affected tests against the truth, on real projects: `python -m gateline_dev.affected`."""
