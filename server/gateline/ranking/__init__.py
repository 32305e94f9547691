"""Ranking of candidate solutions: criteria → categories → order, with confidence and acceptance.

Pure: what was found out about the candidates is an argument, and the same input gives the same ranking, byte
for byte, in whatever order the candidates come.
"""
