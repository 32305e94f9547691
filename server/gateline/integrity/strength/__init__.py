"""Whether the tests of now accept more than those of the base did."""
