"""Measures repairs on a corpus of broken programs. Nothing here is part of the product."""
