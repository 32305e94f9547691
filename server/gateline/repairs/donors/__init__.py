"""From a place to the texts that may stand there."""
