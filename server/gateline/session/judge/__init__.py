"""From a change to its verdict: gather reports, look for a remembered answer, let the gates decide."""
