"""GTL633: code is left out of the coverage that is measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch

from gateline.integrity.enforcement.changed_settings import at_key, is_beside
from gateline.integrity.enforcement.settings import Tables, both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.rules.coverage_omitted import CODE
from gateline.integrity.rules.threshold_lowered.settings import options
from gateline.model.change import FileStatus
from gateline.model.finding import Finding, Weight

_UNREACHED = re.compile(
    r"pragma|TYPE_CHECKING|__main__|NotImplemented|abstractmethod|overload|Protocol|assert_never|__repr__|__str__|"
    r"AssertionError|\\?\.\\?\.\\?\.|sys\\?\.(platform|version)|if (False|0)|typing|deprecated|unreachable",
    re.IGNORECASE,
)
"""Lines that no test can reach, or not on every machine."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The keys of coverage by which less is measured."""
    before, now = both_tables(evidence.both)
    if how := _less_measured(before, now):
        yield at_key(CODE, evidence.both, ("pytest", "addopts"), before, now, how, Weight.FLOOR)
    if "coverage" not in now.tools():
        # Without any settings everything that is imported is measured.
        return
    for key, how in _narrowed(before, now, evidence):
        yield at_key(CODE, evidence.both, ("coverage", key), before, now, how, Weight.FLOOR)


def _less_measured(before: Tables, now: Tables) -> str:
    """What `--cov` among pytest's options names no more, though it names something."""
    old, new = (
        [o.removeprefix("--cov=") for o in options(t.get("pytest", "addopts")) if o.startswith("--cov=")]
        for t in (before, now)
    )
    lost = [path for path in old if not any(_is_within(path, other) for other in new)]
    return f"`--cov` now measures {', '.join(new)} instead of {', '.join(lost)}" if lost and new else ""


def _narrowed(before: Tables, now: Tables, evidence: Evidence) -> Iterator[tuple[str, str]]:
    for key in ("run.omit", "report.omit"):
        added = [p for p in _added(key, before, now) if not is_beside(p) and not _is_renamed(p, evidence)]
        if added:
            yield key, f"`omit` now excludes {', '.join(added)} from coverage"
    for key in ("report.exclude_lines", "report.exclude_also"):
        added = [line for line in _added(key, before, now) if not _UNREACHED.search(line)]
        if added:
            yield key, f"`{key}` now excludes lines like `{added[0]}`"
    for key in ("run.source", "run.source_pkgs", "run.include", "report.include"):
        old, new = before.items("coverage", key), now.items("coverage", key)
        lost = [p for p in old if not any(_is_within(p, other) for other in new) and not is_beside(p)]
        if lost and new and not any(_is_renamed(p, evidence) for p in new):
            yield key, f"`{key}` no longer lists {', '.join(lost)}"
    yield from _only(before, now)
    if before.get("coverage", "run.branch") is True and now.get("coverage", "run.branch") is not True:
        yield "run.branch", "branches are no longer measured"


def _only(before: Tables, now: Tables) -> Iterator[tuple[str, str]]:
    """Files that are named one by one, where all were measured."""
    for key in ("run.include", "report.include"):
        named = [path for path in now.items("coverage", key) if "*" not in path]
        if named and not before.items("coverage", key) and "coverage" in before.tools():
            yield key, f"only {', '.join(named)} is measured"


def _added(key: str, before: Tables, now: Tables) -> list[str]:
    known = before.items("coverage", key)
    return [item for item in now.items("coverage", key) if item not in known]


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}/", f"{other}.")) or other in (".", "*")


def _is_renamed(pattern: str, evidence: Evidence) -> bool:
    """Whether a pattern is about a file that the change renames, so that it had to be named anew."""
    for row in evidence.both.change.files:
        fits = (
            fnmatch(row.path, pattern)
            or fnmatch(row.path, f"*/{pattern}")
            or row.path.startswith(f"{pattern}/")
        )
        if fits and row.status is FileStatus.RENAMED:
            return True
    return False
