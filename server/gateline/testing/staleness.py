"""Which traces no longer tell what their tests would execute now, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from gateline.testing.coverage_map import CoverageMap, Recorded
from gateline.testing.difference import EVERYTHING, Body, Difference, called, difference
from gateline.testing.graph import ImportGraph
from gateline.testing.naming import CONFIGURATION
from gateline.testing.reason import Cause, Reason
from gateline.testing.touching import Changes
from gateline.testing.trace import Touched, together


@dataclass(frozen=True, slots=True)
class Now:
    """The files as they are now."""

    digests: Mapping[str, str]
    """By path: of all files that the map speaks of and that are there, and of other files that changed."""
    texts: Mapping[str, str]
    """Of Python files, at least of those that changed."""
    whole: Mapping[str, str] = field(default_factory=dict)
    """By path: digests of all that is in settings that tools share; `digests` has what concerns tests."""
    project: Mapping[str, str] | None = None
    """Digests of all files of the project, and of all that is in them; None where nobody listed them."""

    def digest(self, path: str) -> str | None:
        """Of all that is in a file; None where there is none."""
        return self.whole.get(path, self.digests.get(path))


_TOUCHED = {"reads": Cause.READS, "lists": Cause.LISTS, "seeks": Cause.SEEKS}


class Staleness:
    """Compares what traces speak of with what is there now.

    Comparing contents takes some milliseconds for each changed file; what was compared is remembered.
    """

    def __init__(self, known: CoverageMap, graph: ImportGraph, now: Now) -> None:
        self._known = known
        self._graph = graph
        self._now = now
        self._differences: dict[tuple[str, str], Difference] = {}
        self._changed: dict[int, tuple[str, ...]] = {}
        """By the identity of the contents of a run: what is not as it was then."""
        self._new: dict[int, tuple[str, ...]] = {}
        """The same: what was not there then."""
        self._for_all: dict[tuple[str, str], bool] = {}
        self._reached: dict[str, frozenset[str]] = {}
        self._called: dict[str, frozenset[str]] = {}
        self._moments: dict[int, Changes] = {}
        self._at_imports: dict[int, Mapping[str, Touched]] = {}
        """By the identity of what was touched around a collection."""
        self._imports_touched: dict[tuple[int, int], list[tuple[str, str, str]]] = {}
        """By a moment and the same: modules, how they touched what changed since, and that."""

    def reasons(self, recorded: Recorded, file: str) -> tuple[Reason, ...]:
        """Why the trace of a test that stands in `file` is stale; nothing while it holds."""
        return tuple(sorted(set(self._found(recorded, file))))

    def imports_hold(self) -> bool:
        """Whether importing and collecting would execute what it did."""
        imported = self._known.imported
        if imported is None:
            return False
        if any(self._at_import(path, imported.contents[path]) for path in self._since(imported.contents)):
            return False
        changes = self._changes_since(imported.moment)
        return not any(
            True for one in self._touched_at_imports(imported.around).values() for _ in changes.of(one)
        )

    def with_new_tests(self) -> frozenset[str]:
        """Files that seem to hold tests which were not collected yet."""
        imported = self._known.imported
        contents = imported.contents if imported is not None else {}
        return frozenset(
            path
            for path in self._since(contents)
            if any(_is_test(name) for name in self.difference(path, contents[path]).added)
        )

    def difference(self, path: str, digest: str) -> Difference:
        """From a recorded content of a file to what is there now."""
        key = (path, digest)
        if key not in self._differences:
            old, new = self._known.text(path, digest), self._now.texts.get(path)
            unknown = old is None or new is None
            self._differences[key] = EVERYTHING if unknown else difference(old or "", new or "")
        return self._differences[key]

    def kept(self, path: str, digest: str) -> Mapping[int, int] | None:
        """Where old lines of unchanged code stand now; None when the content is still the same."""
        if self._now.digests.get(path) == digest:
            return None
        return self.difference(path, digest).kept

    def _found(self, recorded: Recorded, file: str) -> Iterator[Reason]:
        yield from self._around(recorded, file)
        changes = self._changes_since(recorded.moment)
        if changes.then:
            yield from (Reason(Cause.IMPORTS, path) for path in changes.shadowing)
            yield from self._while_imported(recorded, file, changes)
        if recorded.measured:
            yield from self._executes(recorded, file)
            yield from self._touches(recorded, file, changes)
        else:
            since = (*self._since(recorded.contents), *changes.come)
            yield from (Reason(Cause.UNMEASURED, path) for path in since if file in self._reaching(path))
            yield from (Reason(Cause.MAY_READ, path) for path in changes.data[:1])

    def _executes(self, recorded: Recorded, file: str) -> Iterator[Reason]:
        """Modules that are other ones at import, and functions with other bodies."""
        trace = recorded.trace
        for path, digest in self._changes(recorded):
            if self._at_import(path, digest) and (path in trace.files or file in self._reaching(path)):
                yield Reason(Cause.IMPORTS, path)
            if path in trace.files:
                lines = trace.files[path].lines
                bodies = self.difference(path, digest).bodies
                yield from (Reason(Cause.EXECUTES, path, body.name) for body in bodies if body.lines & lines)
            if trace.programs:
                yield Reason(Cause.PROGRAMS, path)

    def _is_read_alike(self, recorded: Recorded, path: str) -> bool:
        """Whether a file holds what a test read of it."""
        known = recorded.trace.contents.get(path)
        if known is not None:
            return self._now.digest(path) == known
        return self._now.digests.get(path) == recorded.contents.get(path)

    def _touches(self, recorded: Recorded, file: str, changes: Changes) -> Iterator[Reason]:
        """What a test read, and what else it touched of what changed."""
        trace = recorded.trace
        yield from (
            Reason(Cause.READS, path) for path in trace.read if not self._is_read_alike(recorded, path)
        )
        if not changes.then:
            return
        if trace.programs:
            yield Reason(Cause.PROGRAMS, changes.changed[0])
        own = Touched(listed=trace.listed, sought=trace.sought)
        yield from (Reason(_TOUCHED[how], path) for how, path in changes.of(own))
        yield from (Reason(Cause.SEEKS, path) for path in changes.probed(trace.files, trace.read))
        for mentioning, path in changes.mentions.items():
            # Modules that a module looks for while it is imported are recorded.
            is_data = path in changes.data
            if mentioning in trace.files or (is_data and file in self._reaching(mentioning)):
                yield Reason(Cause.SEEKS, path)

    def _while_imported(self, recorded: Recorded, file: str, changes: Changes) -> Iterator[Reason]:
        """What modules touched while they were imported, for those that have them."""
        key = recorded.moment, id(recorded.around)
        if key not in self._imports_touched:
            every = self._touched_at_imports(recorded.around).items()
            found = [(module, how, path) for module, touched in every for how, path in changes.of(touched)]
            self._imports_touched[key] = [row for row in found if row[0] or row[1] != "reads"]
        for module, how, path in self._imports_touched[key]:
            if not module or module in recorded.trace.files or file in self._reaching(module):
                yield Reason(_TOUCHED[how], path)

    def _touched_at_imports(self, around: Mapping[str, Touched]) -> Mapping[str, Touched]:
        """What modules touched while they were imported: when these tests were collected, or by a test."""
        found = self._at_imports.get(id(around))
        if found is None:
            every: dict[str, list[Touched]] = {path: [touched] for path, touched in around.items()}
            for recorded in self._known:
                for path, touched in recorded.trace.modules.items():
                    every.setdefault(path, []).append(touched)
            found = {path: together(parts) for path, parts in every.items()}
            self._at_imports[id(around)] = found
        return found

    def _changes_since(self, moment: int) -> Changes:
        if moment not in self._moments:
            history = self._known.history
            files = history.now if self._now.project is None else self._now.project
            then = history.then(moment, files)
            self._moments[moment] = Changes(then, files, self._now.texts, self._known.libraries)
        return self._moments[moment]

    def _around(self, recorded: Recorded, file: str) -> Iterator[Reason]:
        """What was read while collecting, and settings and conftests that came, or that are gone."""
        for path in self._since(recorded.contents):
            if not path.endswith((".py", ".pyw")) or path in self._read_for_all():
                yield Reason(Cause.READS, path)
            elif path not in self._now.digests and _is_above(path, file):
                yield Reason(Cause.IMPORTS, path)
        for path in self._come(recorded.contents):
            if path in CONFIGURATION:
                yield Reason(Cause.READS, path)
            elif _is_above(path, file):
                yield Reason(Cause.IMPORTS, path)

    def _read_for_all(self) -> frozenset[str]:
        """Python files that were read as data while tests were collected."""
        imported = self._known.imported
        return imported.trace.read if imported is not None else frozenset()

    def _come(self, contents: Mapping[str, str]) -> tuple[str, ...]:
        """Files that the newest collection imported, and that of a run did not."""
        if id(contents) not in self._new:
            imported = self._known.imported
            self._new[id(contents)] = tuple(imported.contents.keys() - contents.keys()) if imported else ()
        return self._new[id(contents)]

    def _changes(self, recorded: Recorded) -> Iterator[tuple[str, str]]:
        """Files that are not as at the time of a trace, with the digest that it speaks of."""
        for path in self._since(recorded.contents):
            executed = recorded.trace.files.get(path)
            yield path, executed.digest if executed is not None else recorded.contents[path]
        for path in recorded.own:
            executed = recorded.trace.files[path]
            if self._now.digests.get(path) != executed.digest:
                yield path, executed.digest

    def _since(self, contents: Mapping[str, str]) -> tuple[str, ...]:
        found = self._changed.get(id(contents))
        if found is None:
            digests = self._now.digests
            found = tuple(path for path, digest in contents.items() if digests.get(path) != digest)
            self._changed[id(contents)] = found
        return found

    def _reaching(self, path: str) -> frozenset[str]:
        if path not in self._reached:
            self._reached[path] = self._graph.reaching([path])
        return self._reached[path]

    def _at_import(self, path: str, digest: str) -> bool:
        """Whether a change reaches all that import the file, and not only those who call what changed."""
        key = (path, digest)
        if key not in self._for_all:
            changed = self.difference(path, digest)
            found = any(self._is_for_all(path, digest, body) for body in changed.bodies)
            self._for_all[key] = changed.at_import or found
        return self._for_all[key]

    def _is_for_all(self, path: str, digest: str, body: Body) -> bool:
        if body.name in self._called_at_import(path) or body.name.startswith("pytest_"):
            return True
        # What pytest calls between tests is in no trace.
        return PurePosixPath(path).name == "conftest.py" and not self._known.lines(path, digest) & body.lines

    def _called_at_import(self, path: str) -> frozenset[str]:
        if path not in self._called:
            imported = self._known.imported
            executed = imported.trace.files.get(path) if imported is not None else None
            text = self._known.text(path, executed.digest) if executed is not None else None
            lines = executed.lines if executed is not None else 0
            self._called[path] = frozenset() if text is None else called(text, lines)
        return self._called[path]


def _is_above(path: str, file: str) -> bool:
    """Whether a file is a conftest that pytest imports for a file of tests."""
    conftest = PurePosixPath(path)
    return conftest.name == "conftest.py" and conftest.parent in PurePosixPath(file).parents


def _is_test(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test")
