"""What is known of each document now, by analyzer, and whether it changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from gateline.model import Finding, Span
from gateline.model.shift import shift

CLOSED = "closed"
"""As if of an analyzer: what a verdict found in a file that was not open. What others say, too, is theirs."""


class Board:
    """The newest findings of every document. An analyzer's answer replaces only its own last one."""

    def __init__(self) -> None:
        self._findings: dict[str, dict[str, tuple[Finding, ...]]] = defaultdict(dict)

    def put(self, path: str, analyzer: str, findings: Sequence[Finding]) -> bool:
        """Replace an analyzer's findings of a document; whether anything changed."""
        before = self._findings[path].get(analyzer, ())
        self._findings[path][analyzer] = tuple(findings)
        return before != tuple(findings)

    def has(self, path: str, analyzer: str) -> bool:
        """Whether an analyzer was heard about a document."""
        return analyzer in self._findings.get(path, {})

    def of(self, path: str, analyzer: str) -> tuple[Finding, ...]:
        """What an analyzer found in a document."""
        return self._findings.get(path, {}).get(analyzer, ())

    def edited(self, path: str, edits: Sequence[tuple[Span | None, str]]) -> None:
        """Move what is known along with an edit."""
        known = self._findings.get(path, {})
        for analyzer, findings in known.items():
            known[analyzer] = shift(findings, edits)

    def put_everywhere(self, analyzer: str, found: Mapping[str, Sequence[Finding]]) -> list[str]:
        """Replace an analyzer's findings in all documents; the paths that changed."""
        paths = list(dict.fromkeys((*self._findings, *found)))
        return [path for path in paths if self.put(path, analyzer, found.get(path, ()))]

    def merged(self, path: str) -> tuple[Finding, ...]:
        """All findings of a document, sorted."""
        known = self._findings.get(path, {})
        found = [f for name, findings in known.items() if name != CLOSED for f in findings]
        told = {finding.identity for finding in found}
        found += (f for f in known.get(CLOSED, ()) if f.identity not in told)
        return tuple(sorted(found, key=lambda f: f.sort_key))

    def remove(self, path: str, *, but: Collection[str] = ()) -> None:
        """Forget a document, but for what some said of it."""
        known = self._findings.pop(path, {})
        if kept := {name: found for name, found in known.items() if name in but}:
            self._findings[path] = kept

    def paths(self) -> tuple[str, ...]:
        """The documents that have findings."""
        return tuple(path for path, known in self._findings.items() if any(known.values()))
