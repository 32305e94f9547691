"""Checks that an agent asks for: of what is written, and of texts that are not."""
