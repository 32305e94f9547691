"""Messages that the product says already, in files that a change leaves alone."""

from __future__ import annotations

import re

from gateline.integrity.change_view import Both
from gateline.integrity.file_roles import is_product
from gateline.integrity.tests.check import Check

_WORD = re.compile(r"[^\W\d_]{2,}")
_FEW = 3
"""Fewer words stand anywhere."""


def is_said_before(before: Check, after: Check, both: Both) -> bool:
    """Whether all that is expected newly is a message of the product as it was, and the old one is none."""
    gone, come = before.constants - after.constants, after.constants - before.constants
    if not come or not all(map(_is_message, (*gone, *come))):
        return False
    files = [text.text for path, text in both.around.items() if is_product(path)]
    return all(_stands(text, files) for text in come) and not any(_stands(text, files) for text in gone)


def _is_message(literal: str) -> bool:
    return len(_WORD.findall(literal)) >= _FEW and literal.removeprefix("b")[:1] in ("'", '"')


def _stands(literal: str, files: list[str]) -> bool:
    text = literal.removeprefix("b")[1:-1]
    return any(text in file for file in files)
