"""The secrets on one line: where each stands, and how certain it is. Values are forgotten at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from hashlib import blake2b, sha1
from itertools import pairwise
from pathlib import PurePosixPath

from cachetools import LRUCache

from gateline.security import makers, words
from gateline.security.detectors import detected

KEYWORD = "Secret Keyword"
LOGIN = "Basic Auth Credentials"
PRIVATE_KEY = "Private Key"
RANDOM = frozenset({"Hex High Entropy String", "Base64 High Entropy String"})
_LONGEST_LINE = 5_000
"""In longer lines, which are data, only what has its own form is looked for."""
_AROUND = 300
_FILES = {
    ".yaml": "line.yaml",
    ".yml": "line.yaml",
    ".toml": "line.toml",
    ".ini": "line.ini",
    ".cfg": "line.ini",
    ".conf": "line.ini",
    ".properties": "line.properties",
    ".env": "line.ini",
}
"""The names by which detect-secrets chooses patterns that depend on the language, by a file's suffix."""
_PYTHON = "line.py"
_ANNOTATION = re.compile(r"(?<=\w)\s*:\s*[\w.\[\]|, ]+(?==(?!=))")
"""What stands between a name and its value, and is in the way of patterns that know no types."""
_ESCAPED = re.compile(r'\\"([^"\\]*)\\"')
"""A string within a string, as code stands in notebooks."""
_NAME = re.compile(
    r"(?:(?P<name>[\w.$-]+)['\"`\]\)]*\s*(?:[:=!]=?=?|=>|,|\(|\s)\s*@?[rbufRBUF]{0,2}|<(?P<tag>[\w.-]+)[^<>]*>\s*)"
    r"['\"`]{0,3}$"
)
_BARE = re.compile(
    r"^\s*(?:export\s+|ENV\s+|ARG\s+|set\s+|-\s+)*['\"]?(?P<name>[A-Za-z_][\w.-]*)['\"]?\s*[:=]\s*"
    r"(?P<quote>['\"]?)(?P<value>[^\s'\"#,;]{6,}|(?<=['\"])[^'\"]{6,})(?P=quote)\s*[,;]?\s*(?:#.*)?$"
)
"""A name and its value, alone on a line, as files of settings have them."""
_PAIR = re.compile(
    r"(?P<name>[A-Za-z_][\w.-]*)['\"`\])]*\s*(?:[:=!]=?|=>|\()\s*"
    r"(?!(?:-?[0-9.]+(?:e-?[0-9]+)?|true|false|null|none)\s*(?:[,;}\])]|$))(?=['\"]?[^\s'\"])",
    re.IGNORECASE,
)
"""A name with a value that may be a secret: no number, and not nothing."""
_WEB_TOKEN = "eyJ"
_URL = re.compile(
    r"://(?P<user>[^\s:/@'\"]*):(?P<password>[^\s/@'\"]+)@(?P<host>\[[^\]]*\]|[^\s:/@'\"?#)>,]*)"
)
_IN_TOKEN = re.compile(r"[\w+/=~.:@%-]")
_QUOTES = ("'", '"', "`")


class Certainty(IntEnum):
    """How sure it is that something is a secret."""

    DOUBTFUL = 1
    """It only looks random, or is a plain word under the name of a secret."""
    LIKELY = 2
    """A name or an address says so."""
    CERTAIN = 3
    """It has the form of a known maker's token, or is a private key."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A kind of secret, the columns of its value, how certain it is, and detect-secrets' own hash of it."""

    kind: str
    start: int
    end: int
    certainty: Certainty
    hashes: tuple[str, ...] = ()
    """Of the value as detect-secrets has it, and of the whole word around it."""


_known: LRUCache[bytes, tuple[Hit, ...]] = LRUCache(20_000)
"""What was found, by the digest of the line: no secret stays in memory."""


def hits(line: str, path: str = "", *, quick: bool = False) -> tuple[Hit, ...]:
    """What is on a line of the file at `path`, which says its language.

    `quick`: only what has a form of its own.
    """
    if len(line) < 8 or not any(mark in line for mark in "'\"=:-_@.A"):
        return ()
    if quick or len(line) > _LONGEST_LINE:
        return tuple(_tokens(line))
    file = language(path)
    digest = blake2b(f"{file}\0{line}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
    found = _known.get(digest)
    if found is None:
        found = _known[digest] = _scan(line, file)
    return found


def without_secrets(line: str, path: str = "") -> str:
    """The line with a mark in place of each of its secrets, wherever they stand."""
    covered = line
    for value in sorted({line[hit.start : hit.end] for hit in hits(line, path)}, key=len, reverse=True):
        covered = covered.replace(value, "…")
    return covered


@lru_cache(maxsize=1_000)
def language(path: str) -> str:
    """The name by which patterns are chosen; "" for a language in which values stand between quotes."""
    parts = PurePosixPath(path)
    if not path or parts.suffix in (".py", ".pyi", ".pyw"):
        return _PYTHON
    if (
        parts.name.startswith((".env", "Dockerfile", "Containerfile"))
        or not {*parts.suffixes}.isdisjoint((".env", ".Dockerfile", ".dockerfile"))
        or parts.name in (".netrc", ".pypirc", ".npmrc")
    ):
        return _FILES[".env"]
    return _FILES.get(parts.suffix.lower(), "line.txt" if parts.suffix != ".sh" else "line.sh")


def needs_detectors(line: str, path: str) -> bool:
    """Whether the detectors of detect-secrets are asked about a line. Each takes a while.

    Where values only look random, nothing is said outside of Python: data are full of such.
    """
    if language(path) == _PYTHON or _WEB_TOKEN in line:
        return True
    return any(words.names_secret(found["name"]) for found in _PAIR.finditer(line[:_LONGEST_LINE]))


def _scan(line: str, file: str) -> tuple[Hit, ...]:
    """All secrets on a line; where several kinds mean the same characters, the most certain one."""
    plain = _without_annotations(line) if file == _PYTHON else _ESCAPED.sub(r' "\1" ', line)
    best: dict[tuple[int, int], Hit] = {}
    asked = _detected(plain, file) if file == _PYTHON or needs_detectors(plain, file) else ()
    for hit in (*_tokens(plain), *_logins(plain), *_bare(plain, file), *asked):
        place = hit.start, hit.end
        best[place] = max(best.get(place, hit), hit, key=lambda one: one.certainty)
    return _outermost(best.values())


def _without_annotations(line: str) -> str:
    return _ANNOTATION.sub(lambda found: " " * len(found[0]), line)


def _outermost(found: Collection[Hit]) -> tuple[Hit, ...]:
    """Without what lies in another that is as certain; what is certain hides what is around it."""
    certain = [hit for hit in found if hit.certainty is Certainty.CERTAIN]
    others = [hit for hit in found if hit not in certain and not any(_touch(hit, c) for c in certain)]
    ordered = sorted((*others, *certain), key=lambda hit: (hit.start, -hit.end, -hit.certainty))
    inner = {b for a, b in pairwise(ordered) if b.end <= a.end}
    return tuple(hit for hit in ordered if hit not in inner)


def _touch(one: Hit, other: Hit) -> bool:
    return one.start < other.end and other.start < one.end


def _tokens(line: str) -> Iterator[Hit]:
    for kind, start, end in makers.tokens(line):
        if not words.is_placeholder(line[start:end]):
            yield Hit(kind, start, end, Certainty.CERTAIN, _hashes(line[start:end]))


def _logins(line: str) -> Iterator[Hit]:
    """Addresses with a password."""
    for found in _URL.finditer(line):
        user, password, host = found["user"], found["password"], found["host"]
        if words.is_sample_login(user, password, host):
            continue
        start, end = _whole(line, LOGIN, *found.span())
        local = words.is_reserved(host) or not words.is_strong(password)
        certainty = Certainty.DOUBTFUL if local else Certainty.LIKELY
        yield Hit(LOGIN, start, end, certainty, _hashes(password, line[start:end]))


def _bare(line: str, file: str) -> Iterator[Hit]:
    """A value under the name of a secret, alone on its line; unquoted only where settings are written so."""
    found = _BARE.match(line)
    if found is None or not words.names_secret(found["name"]):
        return
    if not found["quote"] and file in (_PYTHON, "line.txt"):
        return
    yield from _judged(KEYWORD, line, *found.span("value"))


def _detected(line: str, file: str) -> Iterator[Hit]:
    start = 0
    while hits := [hit for hit in _behind(line, file, start) if hit[2] > start]:
        for kind, first, last, value in hits:
            yield from _judged(kind, line, first, last, value)
        # Of values that are assigned to names, the first hides the others from the patterns.
        start = min(last for _, _, last, _ in hits)


def _behind(line: str, file: str, start: int) -> list[tuple[str, int, int, str]]:
    found = [
        (kind, *_whole(line, kind, start + place.start(), start + place.end()), value)
        for kind, value in detected(line[start:], file)
        for place in _places(line[start:], value)
    ]
    return sorted(set(found), key=lambda hit: (hit[1], hit[2], hit[0]))


def _places(text: str, value: str) -> list[re.Match[str]]:
    """Where a value stands; between quotes, if it does at all: a name may look like it."""
    found = list(re.finditer(re.escape(value), text))
    quoted = [place for place in found if text[: place.start()].endswith(("'", '"'))]
    return quoted or found


def _whole(line: str, kind: str, start: int, end: int) -> tuple[int, int]:
    """The whole word around a value: some patterns only tell how a token begins."""
    if kind == KEYWORD and start > 0 and line[start - 1] in _QUOTES:
        return start, end
    while (
        start > 0 and _IN_TOKEN.match(line[start - 1]) and not (kind == KEYWORD and line[start - 1] in "=:")
    ):
        start -= 1
    while end < len(line) and _IN_TOKEN.match(line[end]):
        end += 1
    return start, end


def _judged(kind: str, line: str, start: int, end: int, found: str = "") -> Iterator[Hit]:
    """The hit, unless its value is plainly none."""
    value, name = line[start:end], _name_before(line, start)
    certainty = _certainty(kind, name, found or value, value, line[:start])
    if certainty is not None:
        named = "AWS Secret Key" if certainty is Certainty.CERTAIN else kind
        yield Hit(named, start, end, certainty, _hashes(found, value))


def _certainty(kind: str, name: str, found: str, value: str, before: str) -> Certainty | None:
    if kind in (PRIVATE_KEY, LOGIN):
        # A key is told from its lines, not from its head; logins are looked for on their own.
        return None
    if words.is_harmless(name, found) or words.is_harmless(name, value):
        return None
    if "aws" in words.words(name) and makers.is_aws_secret(value):
        return Certainty.CERTAIN
    if kind in RANDOM:
        if words.is_ordinary_random(name, found, before):
            return None
        return Certainty.LIKELY if words.names_secret(name) else Certainty.DOUBTFUL
    if kind == KEYWORD:
        return Certainty.LIKELY if words.is_strong(value) else Certainty.DOUBTFUL
    return Certainty.LIKELY


def _name_before(line: str, start: int) -> str:
    found = _NAME.search(line[max(0, start - _AROUND) : start])
    return (found["name"] or found["tag"] or "") if found else ""


def _hashes(*values: str) -> tuple[str, ...]:
    """As a baseline of detect-secrets has them."""
    return tuple(dict.fromkeys(_sha1(value) for value in values if value))


def _sha1(value: str) -> str:
    return sha1(value.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
