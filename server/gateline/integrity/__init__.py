"""Whether a change games its gate: rules that compare both sides of the whole change. Pure.

A rule is one file with a function `find`; `inspect` asks all of them. What the tests of both sides say
is worked out once (`flow`, `check`, `losses`) and compared, so a test that is rewritten, moved, split or
parametrised is the same as before, and one that says less is not.
"""
