"""Vectors of texts from a sentence transformer: where its weights are, and the engines that run it."""
