"""Repairs of texts that do not parse: edits of tokens are searched for, and the grammar is the judge."""
