"""The warm test runner against plain pytest, on real projects: `python -m gateline_dev.runner`."""
