"""The commands of memory and of evals."""
