"""Scores the strategies of `gateline.ranking` on a corpus of candidate solutions with known answers.

`python -m gateline_dev.ranking --corpus FOLDER` prints, for each file, how often each strategy picks a right
candidate, how well the confidence is calibrated, and what auto-acceptance would have let through.
"""
