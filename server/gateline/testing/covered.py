"""Which changed lines and branches tests execute, as far as that is still true for the newest text.

A trace is believed only while nothing that its test executes has changed: an edit elsewhere can turn the
test away from a line that was not touched itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from gateline.testing.base_coverage import FileCoverage, counted_file
from gateline.testing.coverage_map import CoverageMap
from gateline.testing.graph import ImportGraph
from gateline.testing.outline import Exit, Outline
from gateline.testing.region import Region
from gateline.testing.result import Item
from gateline.testing.staleness import Staleness
from gateline.testing.trace import Arc, Executed, Trace, lines_of


@dataclass(frozen=True, slots=True)
class Covered:
    """The changed lines of one file. All lines are zero-based and first lines of statements."""

    executed: frozenset[int]
    missed: frozenset[int]
    """No test executes them, and all that could have been measured again."""
    stale: frozenset[int]
    """Not known: tests that may execute them have not run since something changed."""
    taken: tuple[Exit, ...] = ()
    untaken: tuple[Exit, ...] = ()
    """Branches of executed lines that no test takes."""
    unreached: tuple[Exit, ...] = ()
    """Branches of missed lines: no test can take them."""
    unclear: tuple[Exit, ...] = ()
    """Branches of which is not known whether a test takes them."""
    blind: tuple[str, ...] = ()
    """Tests that would tell of unclear branches: they ran before anybody asked for those."""
    file: FileCoverage | None = None
    """What is known of all lines of the file and of its functions; None while that is not certain."""

    @property
    def measured(self) -> int:
        """How many lines and branches are known to be covered or not."""
        branches = len(self.taken) + len(self.untaken) + len(self.unreached)
        return len(self.executed) + len(self.missed) + branches

    @property
    def covered(self) -> int:
        """How many lines and branches are covered."""
        return len(self.executed) + len(self.taken)


class Coverage:
    """What all tests together execute of the newest texts."""

    def __init__(
        self,
        known: CoverageMap,
        staleness: Staleness,
        graph: ImportGraph,
        items: Iterable[Item],
        waiting: Iterable[str],
    ) -> None:
        """`waiting` are the tests that must run before anything is certain: those that selection chose."""
        self._known = known
        self._staleness = staleness
        self._graph = graph
        self._files = {item.id: item.path for item in items}
        self._waiting = {test: self._files[test] for test in waiting if test in self._files}

    def of(
        self,
        path: str,
        outline: Outline,
        changed: Iterable[int],
        digest: str = "",
        regions: Iterable[Region] = (),
    ) -> Covered:
        """The changed lines of one file, which has this outline now; and all of it, by these functions."""
        lines, arcs, unseen = self._measured(path)
        measured = _Measured(
            outline.executed(lines), outline.taken(arcs), outline.executed(unseen), not self._waits(path)
        )
        found = measured.of(outline, frozenset(outline.first.get(line, line) for line in changed))
        blind = self._blind(path, outline, frozenset(way.arc[0] for way in found.unclear))
        return replace(found, blind=blind, file=measured.file(outline, digest, regions))

    def _waits(self, path: str) -> bool:
        """Whether a test that may execute this file has not run since something changed."""
        if not self._staleness.imports_hold():
            return True
        reaching = self._graph.reaching([path])
        if reaching & self._staleness.with_new_tests():
            return True
        if any(file in reaching or self._executes(test, path) for test, file in self._waiting.items()):
            return True
        unmeasured = (one.trace.test for one in self._known if not one.measured)
        return any(self._files.get(test, "") in reaching for test in unmeasured)

    def _executes(self, test: str, path: str) -> bool:
        recorded = self._known.of(test)
        return recorded is not None and path in recorded.trace.files

    def _blind(self, path: str, outline: Outline, lines: frozenset[int]) -> tuple[str, ...]:
        """Tests that execute one of these lines, and of whose branches was not told."""
        if not lines:
            return ()
        tests = [recorded.trace for recorded in self._known if self._is_believed(recorded.trace, path)]
        unseen = ((trace.test, trace.files[path]) for trace in tests if trace.files[path].arcs is None)
        return tuple(
            test
            for test, executed in unseen
            if outline.executed(self._lines(path, executed.digest, executed.lines)) & lines
        )

    def _measured(self, path: str) -> tuple[set[int], set[Arc], set[int]]:
        """What certainly is executed of the newest text; and lines whose branches were not asked for."""
        bits: dict[str, int] = {}
        steps: dict[str, set[Arc]] = {}
        unseen: dict[str, int] = {}
        for executed in self._believed(path):
            digest = executed.digest
            bits[digest] = bits.get(digest, 0) | executed.lines
            if executed.arcs is None:
                unseen[digest] = unseen.get(digest, 0) | executed.lines
            else:
                steps.setdefault(digest, set()).update(executed.arcs)
        lines = {line for digest, found in bits.items() for line in self._lines(path, digest, found)}
        blind = {line for digest, found in unseen.items() for line in self._lines(path, digest, found)}
        arcs = {arc for digest, found in steps.items() for arc in self._arcs(path, digest, found)}
        return lines, arcs, blind

    def _believed(self, path: str) -> Iterator[Executed]:
        imported = self._known.imported
        if imported is not None and self._staleness.imports_hold() and path in imported.trace.files:
            # Branches at import are rare, and another collection measures them anew.
            yield imported.trace.files[path]
        for recorded in self._known:
            if self._is_believed(recorded.trace, path):
                yield recorded.trace.files[path]

    def _is_believed(self, trace: Trace, path: str) -> bool:
        return trace.test in self._files and trace.test not in self._waiting and path in trace.files

    def _lines(self, path: str, digest: str, bits: int) -> Iterator[int]:
        kept = self._staleness.kept(path, digest)
        for line in lines_of(bits):
            moved = line if kept is None else kept.get(line)
            if moved is not None:
                yield moved

    def _arcs(self, path: str, digest: str, arcs: Iterable[Arc]) -> Iterator[Arc]:
        kept = self._staleness.kept(path, digest)
        for arc in arcs:
            before, after = (_end(line, kept) for line in arc)
            if before is not None and after is not None:
                yield before, after


@dataclass(frozen=True, slots=True)
class _Measured:
    """What is known of one file."""

    executed: frozenset[int]
    taken: frozenset[Arc]
    unseen: frozenset[int]
    """Lines whose branches were not asked for when they were executed."""
    certain: bool
    """Whether what was not executed then is not executed now either."""

    def of(self, outline: Outline, lines: frozenset[int]) -> Covered:
        """Of some lines, which are first lines of statements."""
        statements = outline.statements & lines
        executed = statements & self.executed
        exits = [(way, self._is_taken(outline, way)) for way in outline.exits_of(lines)]
        left = [way for way, taken in exits if taken is False]
        return Covered(
            executed=executed,
            missed=statements - executed if self.certain else frozenset(),
            stale=frozenset() if self.certain else statements - executed,
            taken=tuple(way for way, taken in exits if taken),
            untaken=tuple(way for way in left if way.arc[0] in self.executed),
            unreached=tuple(way for way in left if way.arc[0] not in self.executed),
            unclear=tuple(way for way, taken in exits if taken is None and way.arc[0] in self.executed),
        )

    def file(self, outline: Outline, digest: str, regions: Iterable[Region]) -> FileCoverage | None:
        """Of all lines; None while that is not certain."""
        if not self.certain and outline.statements - self.executed:
            return None
        known = {way.arc: self._is_taken(outline, way) for way in outline.exits}
        exits = {arc: taken for arc, taken in known.items() if taken is not None}
        return counted_file(digest, outline, self.executed, exits, regions)

    def _is_taken(self, outline: Outline, way: Exit) -> bool | None:
        """Whether any test takes a branch; None: not known."""
        if way.arc in self.taken or way.arc[0] in outline.partial:
            return True
        return False if self.certain and way.arc[0] not in self.unseen else None


def _end(line: int, kept: Mapping[int, int] | None) -> int | None:
    """One end of a step in the newest text. The outside of code is counted from 1, as a negative number."""
    if kept is None:
        return line
    if line >= 0:
        return kept.get(line)
    moved = kept.get(-1 - line)
    return None if moved is None else -1 - moved
