"""From a problem to the places in the code that it concerns."""
