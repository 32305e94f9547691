"""What nobody writes on purpose, whatever the error says."""
