"""The newest trace of each test, and of which contents it speaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gateline.testing.history import History
from gateline.testing.trace import Touched, Trace, together

Key = tuple[str, str]
"""A path, and the digest of one of its contents."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A trace with the contents of all files at its time, also of those that the test did not execute."""

    trace: Trace
    contents: Mapping[str, str]
    """Digests by path; the same object for all tests of one run."""
    measured: bool = True
    """False for a test that ran and left no trace: it crashed, or there is no coverage."""
    moment: int = 0
    """Of the history of the project's files."""
    around: Mapping[str, Touched] = field(default_factory=dict)
    """What modules touched while its tests were collected, by their paths; the same object for all of a
    collection. "" has what no module did."""
    own: tuple[str, ...] = field(init=False)
    """Files that the test executed and that nobody had imported before it."""

    def __post_init__(self) -> None:
        own = tuple(path for path in self.trace.files if path not in self.contents)
        object.__setattr__(self, "own", own)


def touched_around(imported: Trace) -> Mapping[str, Touched]:
    """What was touched while collecting, by module; what is read without one counts by its content."""
    inside = together(imported.modules.values())
    outside = Touched(listed=imported.listed - inside.listed, sought=imported.sought - inside.sought)
    return {**imported.modules, "": outside}


class CoverageMap:
    """What is known of which test executes what. Only the newest run of each test counts."""

    def __init__(self) -> None:
        self._recorded: dict[str, Recorded] = {}
        self._texts: dict[Key, str] = {}
        self._used: frozenset[Key] | None = None
        """What traces speak of; None when that has to be found out again."""
        self.imported: Recorded | None = None
        """What importing and collecting executed."""
        self._around: Mapping[str, Touched] = {}
        self.history = History()
        self.libraries: frozenset[str] = frozenset()
        """Top-level modules that were loaded from elsewhere when tests were collected."""

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._recorded.values())

    def of(self, test: str) -> Recorded | None:
        """What is known of a test; None when it was never measured."""
        return self._recorded.get(test)

    def take(
        self,
        traces: Iterable[Trace],
        contents: Mapping[str, str],
        unmeasured: Iterable[str] = (),
        moment: int = 0,
    ) -> None:
        """Keep the traces of one run instead of older ones of the same tests; some tests left none."""
        self._used = None
        shared = dict(contents)
        for test in unmeasured:
            self._recorded[test] = Recorded(Trace(test), shared, False, moment, self._around)
        for trace in traces:
            if trace.test:
                self._recorded[trace.test] = Recorded(trace, shared, True, moment, self._around)
            else:
                self._around = touched_around(trace)
                self.imported = Recorded(trace, shared, True, moment, self._around)

    def keep(self, texts: Mapping[str, str], digests: Mapping[str, str]) -> None:
        """Keep texts, by path and digest, so that they can be compared later; unused ones are let go."""
        self._texts |= {(path, digest): texts[path] for path, digest in digests.items() if path in texts}
        used = self._spoken_of()
        self._texts = {key: text for key, text in self._texts.items() if key in used}

    def lines(self, path: str, digest: str) -> int:
        """The lines of one content that any test executed, as bits."""
        found = 0
        for recorded in self._recorded.values():
            executed = recorded.trace.files.get(path)
            if executed is not None and executed.digest == digest:
                found |= executed.lines
        return found

    @property
    def texts(self) -> Mapping[Key, str]:
        """All contents that are kept."""
        return self._texts

    def restore(self, recorded: Iterable[Recorded], texts: Mapping[Key, str]) -> None:
        """Take in what was kept elsewhere. Of those with equal contents, these must be one object."""
        self._recorded = {one.trace.test: one for one in recorded}
        self._texts = dict(texts)
        self._used = None

    def forget(self, tests: Iterable[str]) -> None:
        """Tests that are gone."""
        for test in tests:
            self._recorded.pop(test, None)
        self._used = None

    def paths(self) -> set[str]:
        """All files that a trace speaks of."""
        return {path for path, _ in self._spoken_of()}.union(
            *(one.trace.read for one in self._recorded.values())
        )

    def text(self, path: str, digest: str) -> str | None:
        """A content that a trace speaks of; None when nobody kept it."""
        return self._texts.get((path, digest))

    def _spoken_of(self) -> frozenset[Key]:
        if self._used is None:
            every = [*self._recorded.values(), *([self.imported] if self.imported is not None else [])]
            found: set[Key] = set()
            for contents in {id(r.contents): r.contents for r in every}.values():
                found.update(contents.items())
            for recorded in every:
                found.update((path, executed.digest) for path, executed in recorded.trace.files.items())
            self._used = frozenset(found)
        return self._used
