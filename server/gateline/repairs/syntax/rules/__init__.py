"""The rules that propose changes where a text fails, a file for each kind of mistake."""
