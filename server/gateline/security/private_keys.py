"""Private keys: a head with what belongs to a key behind it. The head alone, as code names it, is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEAD = re.compile(
    r"-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|SSH2 ENCRYPTED|ANY) )?PRIVATE KEY(?: BLOCK)?-----|"
    r"-----BEGIN PGP PRIVATE KEY BLOCK-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|"
    r"PuTTY-User-Key-File-[0-9]"
)
_TAIL = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY|Private-MAC:")
_BODY = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{12,}={0,2}")
_LINE = re.compile(r"[\s>#*]*(?:[rbf]{0,2}['\"]{1,3})?[A-Za-z0-9+/]{8,}={0,2}(?:\\+[nr])*['\"\s\\,+).;]*$")
"""One line of a key, also between the quotes of a program."""
_BETWEEN = re.compile(r"[\s'\"\\>#*]*$|\s*['\"]?[A-Z][A-Za-z-]+: ")
"""What may stand between the head and the key: nothing, or `DEK-Info: …`."""
_LONGEST = 200
"""Lines of the longest key."""


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """The lines of a key, zero-based and from its head to its last, and the columns of the head."""

    first: int
    last: int
    start: int
    end: int


def private_keys(lines: Sequence[str]) -> Iterator[PrivateKey]:
    """The keys in a text."""
    for number, line in enumerate(lines):
        for head in _HEAD.finditer(line) if "-" in line else ():
            last = _last(lines, number, head.end())
            if last is not None:
                yield PrivateKey(number, last, *head.span())


def _last(lines: Sequence[str], first: int, column: int) -> int | None:
    """The last line of the key whose head ends at a column; None where nothing of a key follows."""
    if _is_body(_before_tail(lines[first][column:])):
        return first
    if _TAIL.search(lines[first], column):
        return None
    body = False
    for number in range(first + 1, min(first + _LONGEST, len(lines))):
        if _TAIL.search(lines[number]):
            return number if body or _is_body(_before_tail(lines[number])) else None
        if _LINE.match(lines[number]):
            body = body or _is_body(lines[number])
        elif body or not _BETWEEN.match(lines[number]):
            break
    return first if body else None


def _before_tail(text: str) -> str:
    found = _TAIL.search(text)
    return text[: found.start()] if found else text


def _is_body(text: str) -> bool:
    """Whether a text holds base64 that is no word: it has large letters and small ones or digits, mixed."""
    for found in _BODY.finditer(text):
        run = found[0]
        kinds = any(map(str.isupper, run)) + any(map(str.islower, run)) + any(map(str.isdigit, run))
        if kinds >= 2 and len(set(run)) > 4 and not re.search(r"(?i)example|x{6}|\.\.\.|your", run):
            return True
    return False
