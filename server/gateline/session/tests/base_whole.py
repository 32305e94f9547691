"""All tests of a base, run once: how they ended, what they took and what they execute; kept by its tree.

What is kept holds for one interpreter with its packages, one set of arguments and variables, and one
gateline. A run that was interrupted, did not come to its end, or could not lay all files is not kept. A test
that failed in it is run again before that is believed.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from gateline.model import Change, Document
from gateline.model.source import Source
from gateline.services.child import ChildError, last_line
from gateline.services.tests.run import Collection, Run
from gateline.session.tests.services import TestService
from gateline.session.tests.trees import Tree
from gateline.session.workspace.reading import Skipped, decode
from gateline.testing.base_coverage import BaseCoverage, measured
from gateline.testing.naming import is_tests
from gateline.testing.outline import Outline
from gateline.testing.region import regions_of
from gateline.testing.result import Ending, Result

log = logging.getLogger(__name__)

_KEPT = 20
"""Bases of one project."""
_MOST_FILES = 500
"""Files of which it is found out what can be executed; of more the coverage of the base is not known."""
_LARGEST = 2_000_000
"""Bytes of a file that is looked at."""
_ENDED = frozenset({Ending.CRASHED, Ending.TIMEOUT})
"""How a test ends that takes what others executed with it."""


@dataclass(frozen=True, slots=True)
class WholeRun:
    """What a run of all tests at one base said."""

    times: Mapping[str, Result] = field(default_factory=dict)
    """Of those that passed, by identifier."""
    failed: frozenset[str] = frozenset()
    coverage: BaseCoverage | None = None
    """None where that is not known."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The same, and what the base collects, as bytes of `BaseRun`."""

    collected: bytes
    run: WholeRun


@dataclass(frozen=True)
class KeptBases:
    """A folder with a file for each tree. Methods block."""

    folder: Path
    surroundings: Callable[[], str]
    """Names all that a result depends on beside the tree; "" where that cannot be told."""
    tree_of: Callable[[Change], str]
    """The name of the tree of a base; "" where it has none."""

    def name(self, change: Change) -> str:
        """How what is known of a base is called; "" where nothing can be kept of it."""
        tree = self.tree_of(change)
        surroundings = self.surroundings() if tree else ""
        return f"{tree}-{surroundings}" if surroundings else ""

    def read(self, name: str) -> Kept | None:
        """What was kept; None where nothing was, or it cannot be read."""
        try:
            return _from_json(json.loads((self.folder / name).read_bytes()))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.warning("what is known of the base in %s cannot be read: %r", self.folder / name, error)
            return None

    def write(self, name: str, kept: Kept) -> None:
        """Keep it. An error is logged: then its tests run again the next time."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, path = tempfile.mkstemp(dir=self.folder)
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(_to_json(kept), stream)
            Path(path).replace(self.folder / name)
            self._drop_oldest()
        except OSError as error:
            log.warning("what is known of the base could not be kept in %s: %s", self.folder, error.strerror)

    def _drop_oldest(self) -> None:
        files = sorted(self.folder.iterdir(), key=lambda file: -file.stat().st_mtime_ns)
        for file in files[_KEPT:]:
            file.unlink(missing_ok=True)


def _to_json(kept: Kept) -> dict[str, object]:
    run = kept.run
    return {
        "collected": kept.collected.decode(),
        "times": [[r.id, r.seconds, r.memory] for r in run.times.values()],
        "failed": sorted(run.failed),
        "coverage": None if run.coverage is None else run.coverage.to_json(),
    }


def _from_json(data: Mapping[str, object]) -> Kept:
    match data:
        case {"collected": str(collected), "times": list(times), "failed": list(failed), "coverage": covered}:
            passed = [Result(str(i), Ending.PASSED, float(seconds), memory) for i, seconds, memory in times]
            coverage = BaseCoverage.from_json(covered) if isinstance(covered, dict) else None
            run = WholeRun({result.id: result for result in passed}, frozenset(map(str, failed)), coverage)
            return Kept(collected.encode(), run)
    raise ValueError("the stored results have another format")


def is_settled(run: Run, tree: Tree) -> bool:
    """Whether a run came to its end, and saw what the base has."""
    return not (run.reason or run.replaced or run.left or tree.unlaid)


async def whole_run(
    service: TestService, outliner: TestService, root: Path, tree: Tree, run: Run
) -> WholeRun:
    """What a run of all tests said; `service` is the one that ran them."""
    passed = {result.id: result for result in run.results if result.ending is Ending.PASSED}
    failed = frozenset(result.id for result in run.results if result.is_bad)
    collection = service.collection
    if collection is None or not run.traces or any(r.ending in _ENDED for r in run.results):
        return WholeRun(passed, failed)
    try:
        return WholeRun(passed, failed, await _coverage(outliner, root, tree, collection, run))
    except ChildError as error:
        log.info("what tests execute of the base is not known: %s", last_line(error))
        return WholeRun(passed, failed)


async def _coverage(
    outliner: TestService, root: Path, tree: Tree, collection: Collection, run: Run
) -> BaseCoverage | None:
    traces = [collection.imported, *run.traces]
    paths = sorted({path for trace in traces for path in trace.files if not _is_left_out(path)})
    if len(paths) > _MOST_FILES:
        return None
    documents = await asyncio.to_thread(_documents, root, tree, paths)
    outlined = await outliner.outlines({path: document.text for path, document in documents.items()})
    outlines = {path: outline for path, outline in outlined.items() if isinstance(outline, Outline)}
    digests = {path: document.digest for path, document in documents.items()}
    regions = await asyncio.to_thread(
        lambda: {path: regions_of(Source(document)) for path, document in documents.items()}
    )
    return measured(traces, outlines, digests, regions)


def _documents(root: Path, tree: Tree, paths: Iterable[str]) -> dict[str, Document]:
    found = {}
    for path in paths:
        content = tree.files[path] if path in tree.files else _on_disk(root / path)
        if isinstance(content, bytes):
            document = decode(path, content, _LARGEST)
            content = None if isinstance(document, Skipped) else document.text
        if isinstance(content, str):
            found[path] = Document(path, content)
    return found


def _on_disk(file: Path) -> bytes | None:
    with suppress(OSError):
        return file.read_bytes()
    return None


def _is_left_out(path: str) -> bool:
    # What lies elsewhere has no path below the root.
    return is_tests(path) or PurePosixPath(path).is_absolute()
