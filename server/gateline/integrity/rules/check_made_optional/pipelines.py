"""GTL634: a check is no longer called, or its failure no longer counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.integrity.enforcement.call_targets import Destinations, starts_by_itself
from gateline.integrity.enforcement.commands import Call, Script, script
from gateline.integrity.enforcement.providers.make_targets import calls_own, weaker_targets
from gateline.integrity.enforcement.providers.tox import listed, sections
from gateline.integrity.enforcement.python_optimised import optimised
from gateline.integrity.enforcement.python_scripts import (
    accepted_codes,
    by_themselves,
    commands_of,
    is_scripted,
)
from gateline.integrity.enforcement.replacements import checks_nothing, is_alike
from gateline.integrity.enforcement.scripts import EACH_LINE, checks, script_of
from gateline.integrity.enforcement.settings import Tables, both_tables, document_of
from gateline.integrity.enforcement.triggers import looks_before
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_line, at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.check_made_optional import CODE
from gateline.integrity.rules.check_switched_off.settings import checked_by_ruff
from gateline.model.change import FileChange
from gateline.model.document import Document
from gateline.model.finding import Finding, Weight
from gateline.model.source import Source

_RUNNERS = frozenset({"tox", "nox", "hooks"})


@dataclass(frozen=True, slots=True)
class _File:
    """A changed file on both sides, as what it calls."""

    row: FileChange
    before: Script
    now: Script


def find(evidence: Evidence) -> Iterator[Finding]:
    """The checks that count no longer."""
    rows = [
        *evidence.both.pipelines,
        *(r for r in evidence.both.configuration if r not in evidence.both.pipelines),
        *(r for r in evidence.both.change.files if is_scripted(r.path)),
    ]
    files = [_File(row, script_of(row.base), script_of(row.current)) for row in rows]
    before, now = both_tables(evidence.both)
    by_ruff = _by_ruff([f.now for f in files], now) - _by_ruff([f.before for f in files], before)
    leading = Destinations([file.row.current for file in files if file.row.current is not None])
    for file in files:
        gained = by_ruff | _gained(files, file, leading)
        found = list(_of_file(file, gained, leading))
        # What ran only afterwards on both sides may not even do that any more.
        yield from found or _of_file(_afterwards(file), gained, leading)
        yield from _unlisted(file, files)
        yield from _not_reached(file, files, leading)
    prints = lambda node: (unparsed(node),)  # noqa: E731
    for module, node in new_in(evidence.both.files, accepted_codes, prints):
        yield at_node(CODE, module, node, "a failure of a command is ignored", Weight.FLOOR)


def calls_of(document: Document | None) -> tuple[Call, ...]:
    """The checks that a file calls, in order."""
    return script_of(document).calls


def _of_file(file: _File, gained: frozenset[str], leading: Destinations) -> Iterator[Finding]:
    lost = _lost(file)
    for kind, call in {call.kind: call for call in lost}.items():
        kept = [now for now in file.now.calls if now.kind == kind]
        if kept:
            yield _at(file.row, kept[0].line, f"a failure of `{kept[0].tool}` is now ignored")
        elif not _is_called_elsewhere(kind, file, gained, leading) and not _is_of_many(call, file.now):
            yield _at(file.row, 0, f"`{call.tool}` is no longer called")
            if file.row.current is None:
                return
    if lost or file.row.current is None or file.row.base is None:
        return
    line = optimised(file.row.current, checks) if file.now.calls else None
    if line is not None and optimised(file.row.base, checks) is None:
        yield _at(file.row, line, "assertions do not run: Python is started with -O or PYTHONOPTIMIZE")
    checked = file.before.calls or file.before.delegates
    if checked and looks_before(file.row.base) and looks_before(file.row.current) is False:
        yield _at(file.row, _line(file.row.current, r"on:"), "this pipeline no longer runs automatically")


def _lost(file: _File) -> list[Call]:
    """The calls that counted, and of whose kind none counts any more."""
    strict = _kinds(file.now, file.before)
    lost = [call for call in file.before.calls if call.strict and call.kind not in strict]
    if file.row.current is None or PurePosixPath(file.row.path).name.lower() not in EACH_LINE:
        return lost
    called = {call.kind for call in file.now.calls}
    return [call for call in lost if call.kind in called or not calls_own(call.kind, file.row.current)]


def _unlisted(file: _File, files: Sequence[_File]) -> Iterator[Finding]:
    """An environment of tox that is still there, and is none of those that run by themselves any more."""
    if file.row.base is None or file.row.current is None or PurePosixPath(file.row.path).name != "tox.ini":
        return
    started = " ".join(_started(files))
    now = sections(file.row.current.text)
    for name in listed(sections(file.row.base.text)) - listed(now):
        commands = now.get(f"testenv:{name}", {}).get("commands") or ""
        calls = [call for call in script(commands).calls if call.strict]
        if calls and name not in started:
            message = f"`{name}`, which calls `{calls[0].tool}`, no longer runs automatically"
            yield _at(file.row, _line(file.row.current, r"env_?list"), message)


def _not_reached(file: _File, files: Sequence[_File], leading: Destinations) -> Iterator[Finding]:
    """A check that is still there, and that the usual target or session does not reach any more."""
    before, now = file.row.base, file.row.current
    if before is None or now is None:
        return
    name = PurePosixPath(now.path).name
    started = _started(files)
    if name.lower() in EACH_LINE:
        for target, kind, line in weaker_targets(before, now):
            if not leading.may_run(kind, started):
                yield _at(file.row, line, f"`{target}` no longer calls {kind}")
    elif name == "noxfile.py":
        old, new = (_kinds_by_themselves(side) for side in (before, now))
        for kind in sorted(old - new & {call.kind for call in file.now.calls}):
            if not leading.may_run(kind, started):
                message = f"{kind} no longer run automatically"
                yield _at(file.row, _line(now, r"nox\.options\.sessions"), message)


def _started(files: Sequence[_File]) -> frozenset[str]:
    """What is started from now on that may run checks in its turn."""
    return frozenset().union(*(file.now.delegates - file.before.delegates for file in files))


def _kinds_by_themselves(document: Document) -> frozenset[str]:
    module = Module(Source(document))
    texts = (commands_of(module, session) for session in by_themselves(module))
    return frozenset(call.kind for text in texts for call in script(text).calls if call.strict)


def _gained(files: Sequence[_File], lost: _File, leading: Destinations) -> frozenset[str]:
    """What is checked strictly in a file in which it was not before.

    Of what a pipeline loses only in one that is started, too; how others are started is not known.
    """
    found: set[str] = set()
    for file in files:
        if file.row.current is None or (
            starts_by_itself(lost.row.path) and file is not lost and not leading.lead_to(file.row.current)
        ):
            continue
        before, now = (_kinds(made, lost.before) for made in (file.before, file.now))
        found |= now - before
    return frozenset(found)


def _kinds(made: Script, before: Script) -> set[str]:
    """What is checked strictly; a plug-in of pytest reports the coverage, and asks for some if it is told."""
    strict = [call for call in made.calls if call.strict]
    asked = any(call.tool == "coverage" and "--fail-under" in call.command for call in before.calls)
    option = " --cov-fail-under" if asked else " --cov"
    measured = any(call.kind == "tests" and option in call.command for call in strict)
    return {call.kind for call in strict} | ({"coverage"} if measured else set())


def _is_of_many(call: Call, now: Script) -> bool:
    """Whether it was an environment of a runner that is still called for others: versions come and go."""
    if " " not in call.kind:
        return False
    left = (c.kind for c in now.calls if c.strict and c.tool == call.tool)
    return checks_nothing(call.kind) or any(is_alike(call.kind, kind) for kind in left)


def _by_ruff(scripts: Sequence[Script], tables: Tables) -> frozenset[str]:
    """What ruff checks beside lint, if a check calls it."""
    called = any(call.strict and call.tool == "ruff" for made in scripts for call in made.calls)
    return checked_by_ruff(tables) if called else frozenset()


def _is_called_elsewhere(kind: str, file: _File, gained: frozenset[str], leading: Destinations) -> bool:
    if kind in gained:
        return True
    # A runner of several checks, called more strictly than before, may do it now.
    runners = {name for name in gained if name.partition(" ")[0] in _RUNNERS and name != kind}
    # In place of a target its commands are called.
    commands = {f"run {name}" for name in gained | _more_often(file)} if " " in kind else set()
    return leading.may_run(kind, {*runners, *commands, *(file.now.delegates - file.before.delegates)})


def _more_often(file: _File) -> frozenset[str]:
    """What a file checks strictly at more places than before."""
    before, now = (
        Counter(call.kind for call in made.calls if call.strict) for made in (file.before, file.now)
    )
    return frozenset(now - before)


def _at(row: FileChange, line: int, message: str) -> Finding:
    return at_line(CODE, row.path, document_of(row).text, line, message, Weight.FLOOR)


def _line(document: Document, pattern: str) -> int:
    lines = document.text.splitlines()
    return next((n for n, line in enumerate(lines) if re.match(pattern, line.strip("'\" "))), 0)


def _afterwards(file: _File) -> _File:
    """The file as what it calls at all, be it too late for a change."""
    if not file.row.path.endswith((".yml", ".yaml")):
        return file
    return _File(file.row, script_of(file.row.base, late=False), script_of(file.row.current, late=False))
