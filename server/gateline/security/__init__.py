"""What both security analyzers stand on: how secrets look, which values are none, and the marks and settings
of bandit, ruff and detect-secrets.
"""
