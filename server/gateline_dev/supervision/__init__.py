"""Validates the supervision of agents: scripted agents of known kinds in the product's own loop."""
