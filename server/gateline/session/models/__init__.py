"""The model that a person named: where it is, and asking it within the tokens of one command."""
