"""What costs much when it is traced and never runs anything of the project's: compiling regular expressions.

The standard library does that in Python, for every test that is the first to need a pattern.
"""

from __future__ import annotations

import re
import sys
from typing import Any

_COMPILER: Any = getattr(re, "_compiler", None) or getattr(re, "sre_compile", None)
"""By the name that `re` knows it by."""


def compile_untraced(tracer: Any) -> None:
    """From now on this tracer does not follow it. Of a run that ends with its process."""
    if _COMPILER is None:
        return
    ordinary = _COMPILER.compile

    def untraced(pattern: Any, flags: int = 0) -> Any:
        # Other kinds of text may be the project's own.
        if type(pattern) not in (str, bytes) or sys.gettrace() is not tracer:
            return ordinary(pattern, flags)
        sys.settrace(None)
        try:
            return ordinary(pattern, flags)
        finally:
            sys.settrace(tracer)

    _COMPILER.compile = untraced
