"""Which lines of a text may hold a secret: a quick search of the whole text, that passes over none."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from gateline.security.makers import BEGINNINGS

_NAMES = ("api", "auth", "cred", "key", "pass", "pwd", "secret", "token", "contrase", "bearer", "jwt")
"""What is in the name of a secret: its value stands between quotes, or is long."""
_MARKS = ("-----begin", "private key", "putty-", "_authtoken", "eyj", "xox", "hooks.slack", "cloudant")
"""What tells a secret by itself."""
_VALUE = re.compile(r"['\"`]|[A-Za-z0-9+/=_-]{24}|[:=]\s*[^\s'\"#,;]{6}")
_RUN = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
_OTHER_BRAND = re.compile(r"(?<![a-zA-Z0-9])A(?:KC|P[\dA-F])[a-zA-Z0-9]{8}")
"""How tokens begin that may be without any digit, and are no known maker's for certain."""
_QUOTED = re.compile(r"['\"](?:[A-Za-z0-9+/=_-]{20,}|[0-9A-Fa-f]{9,})['\"]")
"""What may look random: of fewer characters none does."""
_LOGIN = re.compile(r"://[^/\s]*:[^/\s]*@")
_DIGIT = re.compile(r"[0-9]")
_END = re.compile(r"\n")


_NAMED = re.compile(
    r"passw|passphrase|passcode|(?<![a-z])pass(?![a-z])|pwd|secret|token|apikey|cred|bearer|jwt|contrase|"
    r"(?:api|access|private|auth|signing|encryption|master|account|client|service|priv|db|database)"
    r"[-_. ]?key",
    re.IGNORECASE,
)
"""What names a secret, where text that merely looks random is none."""


def named_suspects(text: str) -> set[int]:
    """The same where nothing is said of text that merely looks random: of data few lines are left."""
    low = text.lower() if text.isascii() else text
    places = [place for mark in _MARKS for place in _places(low, mark)]
    places += [found.start() for pattern in (BEGINNINGS, _LOGIN) for found in pattern.finditer(text)]
    named = [found.start() for found in _NAMED.finditer(text)]
    if not places and not named:
        return set()
    starts = [0, *(end.end() for end in _END.finditer(text)), len(text) + 1]
    found = {bisect_right(starts, place) - 1 for place in places}
    also = {bisect_right(starts, place) - 1 for place in named}
    return found | {n for n in also - found if _VALUE.search(text, starts[n], starts[n + 1])}


def suspects(text: str) -> set[int]:
    """The lines of a text that have what every kind of secret has.

    Most lines have nothing of it, and the analyzer takes a while for each. The whole text is searched at
    once: to look at one line after the other takes much longer.
    """
    low = text.lower()
    if len(low) != len(text):
        # Of a few letters the small form is two characters; places are to be the same.
        low = "".join(one.lower()[0] for one in text)
    places = [place for mark in _MARKS for place in _places(low, mark)]
    places += [run.start() for run in _RUN.finditer(text) if _DIGIT.search(run[0])]
    patterns = (BEGINNINGS, _OTHER_BRAND, _QUOTED, _LOGIN)
    places += [found.start() for pattern in patterns for found in pattern.finditer(text)]
    starts = [0, *(end.end() for end in _END.finditer(text)), len(text) + 1]
    found = {bisect_right(starts, place) - 1 for place in places}
    named = {bisect_right(starts, place) - 1 for name in _NAMES for place in _places(low, name)}
    return found | {n for n in named - found if _VALUE.search(text, starts[n], starts[n + 1])}


def _places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)
