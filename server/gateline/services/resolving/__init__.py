"""Which definition a name means, by jedi: in a process of its own, and without running the project's code."""
