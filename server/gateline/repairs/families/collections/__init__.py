"""A collection is filled, combined or taken apart the wrong way."""
