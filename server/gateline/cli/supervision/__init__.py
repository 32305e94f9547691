"""The commands of supervision: whether a step of a task is sufficient, and how tasks went."""
