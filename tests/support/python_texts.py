"""Texts for property tests: Python, nearly Python, and nothing of the kind."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

QUICK = settings(derandomize=True, deadline=None, max_examples=60)
"""The same examples in every run, few enough for a suite that is run all the time."""

_PIECES = st.sampled_from(
    [
        *[
            "\n",
            "\n    ",
            "\n\t",
            "\r",
            "\r\n",
            "\f",
            "\\\n",
            " ",
            "\t",
            "\v",
            "\u2028",
            "\xa0",
            "\x1a",
            "\0",
        ],
        *["\ufeff", "\ud800", "é", "\U0001d4d0", "\U0001f600", "\u202e", "# c", "# nosec", "# gateline: "],
        *["ignore[GTL1] x", "(", ")", "[", "]", "{", "}", ":", "=", ":=", "'", '"', "'''", 'f"', "b'", "{x}"],
        *[
            "\\x",
            "1",
            "0x",
            "1e",
            "x",
            "password",
            "'AKIAQ3EGVL7ZTPW2XMNR'",
            ";",
            ",",
            ".",
            "*",
            "@",
            "!",
            "$",
        ],
        *["def f(a, a):", "class A:", "async ", "await ", "yield ", "return ", "if x:", "else:", "match x:"],
        *[
            "case 1:",
            "lambda: ",
            "import os",
            "from . import b",
            "global x",
            "del ",
            "pass",
            "eval(x)",
            "try:",
        ],
    ]
)
TEXTS = st.lists(_PIECES, max_size=25).map("".join) | st.text(
    st.characters(blacklist_categories=()), max_size=30
)
"""Any text at all."""

_SIMPLE = st.sampled_from(
    [
        *[
            "x = 1",
            "import pickle",
            "import subprocess as s",
            "from pickle import loads",
            "import json as pickle",
        ],
        *["pickle.loads(x)", "a = loads(x); b = eval(y)", "s.call(x, shell=True)", "eval(x)  # nosec"],
        *["pickle.loads(x)  # nosec B301", "password = 'horse'", "def f(password='horse'): pass", "assert x"],
        *["'/tmp/x'", "x = '''\n/tmp\n'''", "q = 'SELECT * FROM t WHERE a = ' + x", "eval(\n  x\n)  # nosec"],
        *["from django.utils.safestring import mark_safe", "mark_safe(x)", "x = 'é'; eval(x)", "@eval('x')"],
    ]
).map(lambda text: text if not text.startswith("@") else f"{text}\ndef g(): pass")


def _indented(block: str) -> str:
    return "".join(f"    {line}\n" for line in block.splitlines())


def _compound(body: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    heads = st.sampled_from(
        ["def f(x):", "class A(B):", "if x:", "with x as y:", "async def g(self):", "for x in y:"]
    )
    bodies = st.lists(body, min_size=1, max_size=12).map("\n\n".join)
    return st.builds(lambda head, inner: f"{head}\n{_indented(inner)}".rstrip(), heads, bodies)


STATEMENTS = st.recursive(_SIMPLE, _compound, max_leaves=14)
MODULES = st.lists(STATEMENTS, max_size=10).map(lambda rows: "".join(f"{row}\n" for row in rows))
"""Valid Python, with what security tests look for."""
