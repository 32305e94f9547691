"""Exposed secrets on changed lines, found by detect-secrets. Nothing leaves the machine, no value is tried.

Each kind has a risk: 1.0 for formats that only a real token has (keys of cloud providers, private keys),
0.7 for a literal that is assigned to a name such as `password`, 0.5 for text that merely looks random; in
tests, examples and documentation 0.4 of that. A finding of at least 0.5 is a floor, one of at least 0.3
counts, others are advice.
The document's `exposure` is the chance that at least one is real: 1 - Π(1 - risk), from 0 to 1.

The value is never shown, stored or remembered: not in the message, not in the finding's line text.
Placeholders (`changeme`, `xxxx`, `<token>`) are silent.
"""

from __future__ import annotations

import atexit
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from itertools import pairwise
from math import prod
from pathlib import PurePosixPath
from types import ModuleType

from cachetools import LRUCache

from gateline.model import (
    Analyzer,
    Dimension,
    Finding,
    Inspection,
    Level,
    Measure,
    Report,
    Source,
    Span,
    Weight,
)

CODE = "GTL310"

_CERTAIN, _NAMED, _RANDOM = 1.0, 0.7, 0.5
_HARMLESS_PLACE = 0.4
_FLOOR, _COUNTS = 0.5, 0.3
_RISKS = {
    "Secret Keyword": _NAMED,
    "Basic Auth Credentials": _NAMED,
    "Hex High Entropy String": _RANDOM,
    "Base64 High Entropy String": _RANDOM,
}
_NOT_SECRET = frozenset({"Public IP (ipv4)"})
_PLACES = frozenset({"test", "tests", "example", "examples", "doc", "docs", "fixtures"})
_PLACEHOLDER = re.compile(
    r"change[-_ ]?me|replace[-_ ]?me|your[-_ ]|example|dummy|placeholder|redacted|not[-_ ]?a[-_ ]|fake|"
    r"(?P<same>[x*.0-])(?P=same){5,}|^<.*>$|^\$?\{.*\}$|^%\(?\w*\)?s?$",
    re.IGNORECASE,
)
_ANNOTATION = re.compile(r"(?<=\w)\s*:\s*[\w.\[\]|, ]+(?==(?!=))")
"""What stands between a name and its value, and is in the way of patterns that know no types."""
_MISSES_CALLS = "detect_secrets.filters.heuristic.is_indirect_reference"
"""Passes over every line that assigns a call or an item, whatever literals stand beside it."""
_FILE = "line.py"
"""The name by which patterns are chosen that depend on the language."""
_IN_TOKEN = re.compile(r"[\w+/=~.:@%-]")
_LONGEST_LINE = 5_000
"""Longer lines are data; patterns on them would take seconds."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """A kind of secret and the columns of its value. The value itself is forgotten at once."""

    kind: str
    start: int
    end: int
    placeholder: bool = False


def inspect(inspection: Inspection) -> Report:
    """The secrets on the changed lines, and how exposed the document is by them."""
    source = inspection.source
    numbers = range(len(source.lines)) if inspection.changed is None else sorted(inspection.changed)
    found = [(n, hit) for n in numbers for hit in _hits(source.line(n))]
    share = _HARMLESS_PLACE if _is_harmless_place(source.path) else 1.0
    risks = [_risk(hit) * share for _, hit in found]
    exposure = Measure("exposure", round(1 - prod(1 - risk for risk in risks), 6))
    findings = tuple(_finding(source, n, hit, risk) for (n, hit), risk in zip(found, risks, strict=True))
    return Report(ANALYZER.name, Dimension.SECURITY, findings=findings, measures=(exposure,))


_known: LRUCache[bytes, tuple[_Hit, ...]] = LRUCache(20_000)
"""What was found, by the digest of the line: no secret stays in memory."""


def _hits(line: str) -> tuple[_Hit, ...]:
    """What is on a line."""
    if not 8 <= len(line) <= _LONGEST_LINE or not any(mark in line for mark in "'\"=:-"):
        return ()
    digest = blake2b(line.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    hits = _known.get(digest)
    if hits is None:
        hits = _known[digest] = _scan(line)
    return hits


def _scan(line: str) -> tuple[_Hit, ...]:
    """All secrets on a line; where several kinds mean the same characters, the most certain one."""
    best: dict[tuple[int, int], _Hit] = {}
    start = 0
    plain = _ANNOTATION.sub(lambda found: " " * len(found[0]), line)
    while hits := _hits_behind(plain, start):
        for hit in hits:
            place = hit.start, hit.end
            best[place] = max(best.get(place, hit), hit, key=_risk)
        # Of values that are assigned to names, the first hides the others from the patterns.
        start = hits[0].end
    real = (hit for hit in best.values() if not hit.placeholder)
    ordered = sorted(real, key=lambda hit: (hit.start, -hit.end))
    inner = {b for a, b in pairwise(ordered) if b.end <= a.end}
    return tuple(hit for hit in ordered if hit not in inner)


def _hits_behind(line: str, start: int) -> list[_Hit]:
    hits = {
        _whole(line, _Hit(kind, start + place.start(), start + place.end(), _is_placeholder(value)))
        for kind, value in _secrets(line[start:])
        for place in _places(line[start:], value)
    }
    return sorted((hit for hit in hits if hit.end > start), key=lambda hit: (hit.start, hit.end, hit.kind))


def _places(text: str, value: str) -> list[re.Match[str]]:
    """Where a value stands; between quotes, if it does at all: a name may look like it."""
    found = list(re.finditer(re.escape(value), text))
    quoted = [place for place in found if text[: place.start()].endswith(("'", '"'))]
    return quoted or found


def _risk(hit: _Hit) -> float:
    return _RISKS.get(hit.kind, _CERTAIN)


def _is_placeholder(value: str) -> bool:
    return _PLACEHOLDER.search(value) is not None


def _whole(line: str, hit: _Hit) -> _Hit:
    """The whole word around a value: some patterns only tell how a token begins."""
    start, end = hit.start, hit.end
    while start > 0 and _IN_TOKEN.match(line[start - 1]):
        start -= 1
    while end < len(line) and _IN_TOKEN.match(line[end]):
        end += 1
    return replace(hit, start=start, end=end)


def _secrets(line: str) -> list[tuple[str, str]]:
    _set_up()
    from detect_secrets.core.scan import _process_line_based_plugins
    from detect_secrets.settings import get_plugins

    # The way to the filters takes several times as long, and they only leave out what was found.
    if not any(plugin.analyze_line(_FILE, line) for plugin in get_plugins()):
        return []
    # Its public `scan_line` is for one word typed by a person: it takes every word for a secret.
    secrets = _process_line_based_plugins(lines=[(1, line)], filename=_FILE)
    found = [(s.type, s.secret_value or "") for s in secrets]
    return [(kind, value) for kind, value in found if value and kind not in _NOT_SECRET]


@lru_cache(maxsize=1)
def _set_up() -> ExitStack:
    """Its settings, for the life of the process: to make them anew takes longer than to look at a line."""
    stack = ExitStack()
    # The way back imports: too late once the interpreter goes down.
    atexit.register(stack.close)
    with _sparing_requests():
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
        from detect_secrets.settings import default_settings

        stack.enter_context(default_settings()).disable_filters(_MISSES_CALLS)
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


def _is_harmless_place(path: str) -> bool:
    parts = PurePosixPath(path)
    return not _PLACES.isdisjoint(parts.parts[:-1]) or parts.name.startswith(("test_", "conftest"))


def _finding(source: Source, number: int, hit: _Hit, risk: float) -> Finding:
    line = source.line(number)
    return Finding(
        code=CODE,
        path=source.path,
        span=Span.of(number, hit.start, number, hit.end),
        message=f"exposed secret ({hit.kind}), risk {risk:.1f}: take it out, revoke it if it was real",
        dimension=Dimension.SECURITY,
        weight=_weight(risk),
        origin=f"detect-secrets: {hit.kind}",
        symbol=source.symbol_at(number),
        line_text=without_secrets(line),
    )


def _weight(risk: float) -> Weight:
    if risk >= _FLOOR:
        return Weight.FLOOR
    return Weight.COUNTS if risk >= _COUNTS else Weight.ADVICE


def without_secrets(line: str) -> str:
    """The line with a mark in place of each of its secrets, wherever they stand."""
    covered = line
    for value in sorted({line[hit.start : hit.end] for hit in _hits(line)}, key=len, reverse=True):
        covered = covered.replace(value, "…")
    return covered


ANALYZER = Analyzer("secrets", Dimension.SECURITY, Level.MIDDLE, inspect, changed_lines_only=True)
