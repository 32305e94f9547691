"""Type checking in a session: what is shown, and what a verdict is made of."""
