"""A check of what differs each time, or of a text's form, that is one of a very value from now on."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable

from gateline.analysis.trees import is_literal
from gateline.integrity.tests.check import Check
from gateline.model.names import last_name

NEVER_TWICE = frozenset(
    {"now", "utcnow", "today", "time", "time_ns", "monotonic", "perf_counter", "uuid1", "uuid4"}
    | {"random", "randint", "choice", "getpid", "token_hex", "getcwd", "gethostname", "get_terminal_size"}
    | {"cpu_count", "getuser"}
)
"""Calls that answer otherwise each time, or on each machine."""
_MATCHING = frozenset({"match", "fullmatch", "search"})


def is_settled(check: Check, gained: Iterable[Check]) -> bool:
    """Whether a value is expected of the same calls, where a clock or a pattern said what may come."""
    exact = [
        other for other in gained if other.exact and other.expected is not None and is_literal(other.expected)
    ]
    if asks_moment(check.subject) or (check.expected is not None and asks_moment(check.expected)):
        return any(_asked(check) <= _asked(other) for other in exact)
    return any(_fits(check, other) and _asked(check) <= _asked(other) for other in exact)


def asks_moment(node: ast.expr) -> bool:
    """Whether a clock, chance or the machine is asked."""
    return any(isinstance(n, ast.Call) and last_name(n) in NEVER_TWICE for n in ast.walk(node))


def _asked(check: Check) -> frozenset[str]:
    """What is called of the project."""
    called = frozenset(last_name(n) for n in ast.walk(check.subject) if isinstance(n, ast.Call))
    return called - NEVER_TWICE - _MATCHING - frozenset(dir(builtins))


def _fits(check: Check, other: Check) -> bool:
    """Whether the text that is expected is one of those that a pattern let pass."""
    match check.subject, other.expected:
        case ast.Call(args=[ast.Constant(value=str() as pattern), _]) as call, ast.Constant(
            value=str() as text
        ):
            if last_name(call) not in _MATCHING or check.relation != "true":
                return False
            try:
                return re.search(pattern, text) is not None
            except re.error:
                return False
        case _:
            return False
