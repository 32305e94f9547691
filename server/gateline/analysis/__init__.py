"""Program analysis of Python texts, shared by all that reads them: trees, names, calls, constants."""
