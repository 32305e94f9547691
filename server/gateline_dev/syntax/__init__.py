"""Measures repairs of syntax on texts that are broken on purpose, and learns what makes one likely."""
