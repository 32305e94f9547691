"""Coverage reports that somebody else made: coverage.xml, lcov, and coverage.py's JSON.

A report knows no contents, only lines. So it is believed of a file only when the file was not written
since the report was made (`usable`), and of paths that can be told which file they mean (`mapped`).
"""
