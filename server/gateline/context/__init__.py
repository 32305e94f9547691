"""What one needs in view: chunks of the workspace, ranked for words or for a place, packed into a budget.

Pure: texts come in, passages go out. `session/context*.py` reads files and keeps the index.
"""
