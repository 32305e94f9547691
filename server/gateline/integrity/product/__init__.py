"""The product on both sides of a change: what it does, documents, and gets out to."""
