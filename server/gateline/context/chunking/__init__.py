"""From a file to its chunks, by kind of file."""
