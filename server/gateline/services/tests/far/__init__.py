"""The far side of the test runner: runs in the project's own interpreter, beside its own pytest and coverage.

Standard library only, valid from Python 3.8 on, and nothing here imports gateline: `start.py` loads
this folder under a name of its own, so that no import of the user's code can find it by accident.
"""
