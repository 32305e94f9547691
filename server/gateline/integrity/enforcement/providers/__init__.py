"""Files of tools and services that start checks."""
