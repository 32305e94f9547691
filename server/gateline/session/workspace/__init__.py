"""What is worked on: root, settings, interpreter, base, and the files that differ from it."""
