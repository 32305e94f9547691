"""The rules: one module or package for each code, named as the code."""
