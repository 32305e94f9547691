"""Type checkers as long-lived child processes."""
