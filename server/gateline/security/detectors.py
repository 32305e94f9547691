"""detect-secrets as a function of one line. Nothing leaves the machine, no value is tried."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

_NOT_SECRET = frozenset({"Public IP (ipv4)"})
_OFF = (
    "detect_secrets.filters.heuristic.is_indirect_reference",
    "detect_secrets.filters.allowlist.is_line_allowlisted",
)
"""The first passes over every line that assigns a call, whatever literals stand beside it. Marks are looked
at where it is known which of them the change itself adds."""


@cache
def require() -> None:
    """Raise ModuleNotFoundError without detect-secrets: no text is clean then, also one it need not see."""
    if find_spec("detect_secrets") is None:
        raise ModuleNotFoundError("No module named 'detect_secrets'", name="detect_secrets")


def detected(line: str, file: str) -> list[tuple[str, str]]:
    """The kind and value of what detect-secrets finds on a line. `file` names the language."""
    _set_up()
    from detect_secrets.core.scan import _process_line_based_plugins
    from detect_secrets.settings import get_plugins

    # The way to the filters takes several times as long, and they only leave out what was found.
    if not any(plugin.analyze_line(file, line) for plugin in get_plugins()):
        return []
    # Its public `scan_line` is for one word typed by a person: it takes every word for a secret.
    secrets = _process_line_based_plugins(lines=[(1, line)], filename=file)
    found = [(s.type, s.secret_value or "") for s in secrets]
    return [(kind, value) for kind, value in found if value and kind not in _NOT_SECRET]


def entropy(kind: str, value: str) -> float:
    """Shannon's entropy of a value, as the detector of that kind reckons it."""
    _set_up()
    from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString, HexHighEntropyString

    detector = HexHighEntropyString() if kind.startswith("Hex") else Base64HighEntropyString()
    return float(detector.calculate_shannon_entropy(value))


@lru_cache(maxsize=1)
def _set_up() -> ExitStack:
    """Its settings, for the life of the process: to make them anew takes longer than to look at a line."""
    stack = ExitStack()
    # The way back imports: too late once the interpreter goes down.
    atexit.register(stack.close)
    with _sparing_requests():
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
        from detect_secrets.settings import default_settings

        stack.enter_context(default_settings()).disable_filters(*_OFF)
        get_mapping_from_secret_type_to_class()
    return stack


class _Spared(ModuleType):
    """Stands for requests, of which an annotation is wanted while detect-secrets is imported."""

    def __getattr__(self, name: str) -> object:
        """Whoever wants more gets the real one."""
        return object if name == "Response" else getattr(import_module("requests"), name)


@contextmanager
def _sparing_requests() -> Iterator[None]:
    """Requests takes longer to import than all of detect-secrets, and is only there to try values out.

    A lazy loader does not do: the second import statement asks such a module for its state, which loads it.
    """
    if "requests" in sys.modules:
        yield
        return
    sys.modules["requests"] = _Spared("requests")
    try:
        yield
    finally:
        del sys.modules["requests"]
