"""The texts that the project's modules are made from, and how they are laid, compared and compiled."""
