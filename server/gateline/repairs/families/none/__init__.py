"""A value is None: tests, defaults and exits that were lost."""
