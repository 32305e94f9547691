"""The rules: one package for each code, named as the code; its `rule.py` declares it."""
