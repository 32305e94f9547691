"""The live view of an editor's documents: what is known of them, and when it is found out and shown."""
