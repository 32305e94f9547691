"""Evals: how runs of a suite are scored, and when one is a regression."""
