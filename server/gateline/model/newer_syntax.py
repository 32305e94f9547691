"""Syntax that is newer than the Python that gateline runs on: which version a text needs.

CPython's parser says no, and where. What stands there tells whether it is a feature of a later version.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from functools import lru_cache

Version = tuple[int, int]
"""Major and minor."""
OWN: Version = sys.version_info[:2]
NEWEST: Version = (3, 15)
"""The newest that parsers know."""

_TYPE_PARAMETERS = re.compile(r"\s*(?:@|async\s+def|def|class|type)\b\s*\w+\s*\[")
_DEFAULT = re.compile(
    r"\s*(?:async\s+def|def|class|type)\s+\w+\s*\[[^\[\]=]*(?:\[[^\[\]]*\][^\[\]=]*)*=(?!=)"
)
_ALIAS = re.compile(r"\s*type\s+\w+\s*=")
_UNPACKED = re.compile(r"[\[{(]\s*\*{1,2}[^\[\]{}()]*\sfor\s")
_HANDLER = re.compile(r"\s*except\b\*?\s*[^\s(:][^:]*,")
_TEMPLATE = re.compile(r"(?<!\w)(?:t|tr|rt)[\"']", re.IGNORECASE)
_FORMATTED = re.compile(r"(?<!\w)(?:f|fr|rf)[\"']", re.IGNORECASE)


def needed_version(code: str) -> Version | None:
    """The Python that a text is for, when it is newer than ours and our parser refuses it for that.

    None where our parser accepts the text, or refuses it for something else. What only another parser can
    tell is not asked here: whether the text is whole otherwise.
    """
    return _needed(code)


@lru_cache(64)
def _needed(code: str) -> Version | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(code)
        except SyntaxError as error:
            version = _version(code, error)
            return version if version is not None and version > OWN else None
        except (ValueError, RecursionError, MemoryError):
            return None
    return None


def _version(code: str, error: SyntaxError) -> Version | None:
    lines = code.split("\n")
    number = (error.lineno or 1) - 1
    line = lines[number] if 0 <= number < len(lines) else ""
    if (error.msg or "").startswith("f-string"):  # its line may be counted from the string's beginning
        return 3, 12
    if _HANDLER.match(line) or _TEMPLATE.search(line):
        return 3, 14
    if _UNPACKED.search(line):
        return 3, 15
    if _TYPE_PARAMETERS.match(line) or _ALIAS.match(line):
        return (3, 13) if _DEFAULT.match("\n".join(lines[number:])) else (3, 12)
    return (3, 12) if _FORMATTED.search(line) else None


def why_no_tree(code: str) -> str:
    """Why a text has no tree, and what to do, for people."""
    version = needed_version(code)
    return "the text does not parse" if version is None else told(version)


def told(version: Version) -> str:
    """What a text that needs a newer Python is not looked at for, and what to do."""
    needs, own = ("{}.{}".format(*v) for v in (version, OWN))
    return f"this text needs Python {needs}, and gateline runs on {own}: install gateline with Python {needs}"
