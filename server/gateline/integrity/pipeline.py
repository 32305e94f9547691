"""GTL634: a check is no longer called, or its failure no longer counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from gateline.integrity.commands import Call, Script, kind_of, script
from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_line, at_node
from gateline.integrity.hooks import of_hooks
from gateline.integrity.jenkins import shell_of
from gateline.integrity.module import Module
from gateline.integrity.new import new_in
from gateline.integrity.optimising import optimised
from gateline.integrity.scripted import accepted_codes, by_themselves, commands_of, is_scripted
from gateline.integrity.switched_off import checked_by_ruff
from gateline.integrity.tables import Tables, both_tables, document_of
from gateline.integrity.taking_over import checks_nothing, is_alike, may_run
from gateline.integrity.targets import weaker_targets
from gateline.integrity.tasks import tasks_of
from gateline.integrity.text import unparsed
from gateline.integrity.tox_settings import listed, sections
from gateline.integrity.triggers import looks_before, may_fail, without_held_jobs
from gateline.integrity.yaml_text import tree_of
from gateline.model.change import FileChange
from gateline.model.document import Document
from gateline.model.finding import Finding, Weight
from gateline.model.source import Source

CODE = "GTL634"

_EACH_LINE = frozenset({"makefile", "gnumakefile", "justfile"})
"""Files of which each line is given to a shell of its own, that goes on after a failure."""
_NO_COMMANDS = frozenset(
    {"name", "if", "on", "env", "with", "id", "needs", "image", "key", "path", "description"}
)
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
    files = [_File(row, _script(row.base), _script(row.current)) for row in rows]
    gained = _gained(files)
    before, now = both_tables(evidence.both)
    gained |= _by_ruff([f.now for f in files], now) - _by_ruff([f.before for f in files], before)
    for file in files:
        found = list(_of_file(file, gained))
        # What ran only afterwards on both sides may not even do that any more.
        yield from found or _of_file(_afterwards(file), gained)
        yield from _unlisted(file, files)
        yield from _not_reached(file, files)
    prints = lambda node: (unparsed(node),)  # noqa: E731
    for module, node in new_in(evidence.both.files, accepted_codes, prints):
        yield at_node(CODE, module, node, "a failed command is taken for a good one", Weight.FLOOR)


def calls_of(document: Document | None) -> tuple[Call, ...]:
    """The checks that a file calls, in order."""
    return _script(document).calls


def _of_file(file: _File, gained: frozenset[str]) -> Iterator[Finding]:
    strict = {call.kind for call in file.now.calls if call.strict}
    lost = [call for call in file.before.calls if call.strict and call.kind not in strict]
    for kind, call in {call.kind: call for call in lost}.items():
        kept = [now for now in file.now.calls if now.kind == kind]
        if kept:
            yield _at(file.row, kept[0].line, f"the failure of `{kept[0].tool}` no longer counts")
        elif not _is_called_elsewhere(kind, file, gained) and not _is_of_many(call, file.now):
            yield _at(file.row, 0, f"`{call.tool}` is no longer called")
            if file.row.current is None:
                return
    if lost or file.row.current is None or file.row.base is None:
        return
    line = optimised(file.row.current, _checks) if file.now.calls else None
    if line is not None and optimised(file.row.base, _checks) is None:
        yield _at(file.row, line, "no assertion is run where Python optimises")
    if looks_before(file.row.base) and looks_before(file.row.current) is False:
        yield _at(file.row, _line(file.row.current, r"on:"), "this no longer runs by itself")


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
            message = f"`{name}`, which calls `{calls[0].tool}`, no longer runs by itself"
            yield _at(file.row, _line(file.row.current, r"env_?list"), message)


def _not_reached(file: _File, files: Sequence[_File]) -> Iterator[Finding]:
    """A check that is still there, and that the usual target or session does not reach any more."""
    before, now = file.row.base, file.row.current
    if before is None or now is None:
        return
    name = PurePosixPath(now.path).name
    started = _started(files)
    if name.lower() in _EACH_LINE:
        for target, kind, line in weaker_targets(before, now):
            if not may_run(kind, started):
                yield _at(file.row, line, f"`{target}` no longer calls {kind}")
    elif name == "noxfile.py":
        old, new = (_kinds_by_themselves(side) for side in (before, now))
        for kind in sorted(old - new & {call.kind for call in file.now.calls}):
            if not may_run(kind, started):
                message = f"{kind} no longer run by themselves"
                yield _at(file.row, _line(now, r"nox\.options\.sessions"), message)


def _started(files: Sequence[_File]) -> frozenset[str]:
    """What is started from now on that may run checks in its turn."""
    return frozenset().union(*(file.now.delegates - file.before.delegates for file in files))


def _kinds_by_themselves(document: Document) -> frozenset[str]:
    module = Module(Source(document))
    texts = (commands_of(module, session) for session in by_themselves(module))
    return frozenset(call.kind for text in texts for call in script(text).calls if call.strict)


def _gained(files: Sequence[_File]) -> frozenset[str]:
    """What is checked strictly in a file in which it was not before."""
    found: set[str] = set()
    for file in files:
        before = {call.kind for call in file.before.calls if call.strict}
        found |= {call.kind for call in file.now.calls if call.strict} - before
    return frozenset(found)


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


def _is_called_elsewhere(kind: str, file: _File, gained: frozenset[str]) -> bool:
    if kind in gained:
        return True
    # A runner of several checks, called more strictly than before, may do it now.
    runners = {name for name in gained if name.partition(" ")[0] in _RUNNERS and name != kind}
    # In place of a target its commands are called.
    commands = {f"run {name}" for name in gained} if " " in kind else set()
    return may_run(kind, {*runners, *commands, *(file.now.delegates - file.before.delegates)})


def _at(row: FileChange, line: int, message: str) -> Finding:
    return at_line(CODE, row.path, document_of(row).text, line, message, Weight.FLOOR)


def _line(document: Document, pattern: str) -> int:
    lines = document.text.splitlines()
    return next((n for n, line in enumerate(lines) if re.match(pattern, line.strip("'\" "))), 0)


def _afterwards(file: _File) -> _File:
    """The file as what it calls at all, be it too late for a change."""
    if not file.row.path.endswith((".yml", ".yaml")):
        return file
    return _File(file.row, _script(file.row.base, late=False), _script(file.row.current, late=False))


def _script(document: Document | None, *, late: bool = True) -> Script:
    if document is None:
        return Script((), frozenset())
    name = PurePosixPath(document.path).name
    if name.endswith((".yml", ".yaml")):
        return _of_yaml(document, late=late)
    if name in ("tox.ini", "setup.cfg"):
        return _of_tox(document.text)
    if name == "pyproject.toml":
        tasks = list(_of_node(tasks_of(document.text), strict=True, pipes=True, late=False))
        return _joined(tasks, document.text)
    if name.endswith((".toml", ".ini", ".cfg", ".json")) or name.startswith("."):
        return Script((), frozenset())
    return _of_shell(name, document)


def _of_shell(name: str, document: Document) -> Script:
    if name.endswith(".py"):
        return script(commands_of(Module(Source(document))))
    if name.lower() in _EACH_LINE:
        return script(document.text, chained=False, pipes=False)
    if name.lower() == "jenkinsfile":
        return script(shell_of(document.text))
    shell = name.endswith((".sh", ".bash")) or document.text.startswith("#!")
    strict = not shell or re.search(r"^set\s+-\w*e|-o errexit", document.text, re.MULTILINE) is not None
    made = script(document.text, strict=strict, pipes=False)
    # The last command's failure is the script's own, with or without `set -e`.
    last = max((call.line for call in made.calls), default=-1)
    return (
        made
        if strict
        else Script(tuple(_last(call, last, document.text) for call in made.calls), made.delegates)
    )


def _last(call: Call, last: int, text: str) -> Call:
    rest = [line for line in text.splitlines()[call.line + 1 :] if line.strip()]
    if call.line != last or rest:
        return call
    alone = script(text.splitlines()[call.line]).calls
    return replace(call, strict=all(one.strict for one in alone))


def _of_tox(text: str) -> Script:
    parts = []
    for section, table in sections(text).items():
        if section.startswith("testenv"):
            ignored = any((table.get(k) or "").lower() == "true" for k in ("ignore_outcome", "ignore_errors"))
            parts.append(script(table.get("commands") or "", strict=not ignored))
    return _joined(parts, text)


def _of_yaml(document: Document, *, late: bool) -> Script:
    tree = tree_of(document.text)
    if "pre-commit-config" in document.path:
        return _joined([of_hooks(tree)], document.text)
    tree = without_held_jobs(tree)
    # GitLab's runner asks for pipefail; GitHub's does where bash is named.
    pipes = "gitlab" in document.path or re.search(r"shell: *bash", document.text) is not None
    return _joined(list(_of_node(tree, strict=True, pipes=pipes, late=late)), document.text)


def _of_node(node: Any, *, strict: bool, pipes: bool, late: bool) -> Iterator[Script]:
    if isinstance(node, dict):
        counts = strict and not may_fail(node, late=late)
        for name, value in node.items():
            if name == "uses" and isinstance(value, str):
                yield _of_action(value, strict=counts)
            elif name not in _NO_COMMANDS and name is not True:
                # What stands there is chosen by a person.
                runs = counts and name != "custom"
                yield from _of_node(value, strict=runs, pipes=pipes, late=late)
    elif isinstance(node, list):
        for item in node:
            yield from _of_node(item, strict=strict, pipes=pipes, late=late)
    elif isinstance(node, str):
        yield script(node, strict=strict, pipes=pipes)


def _checks(part: Any) -> bool:
    return any(made.calls for made in _of_node(part, strict=True, pipes=True, late=False))


def _of_action(name: str, *, strict: bool) -> Script:
    if name.startswith("./"):
        return Script((), frozenset({name}))
    action = name.partition("@")[0]
    kind = kind_of(action)
    return Script((Call(action, kind, strict),) if kind else (), frozenset())


def _joined(parts: Sequence[Script], text: str) -> Script:
    """All parts as one, each call on the first line that names its tool."""
    lines = text.splitlines()

    def placed(call: Call) -> Call:
        named = [n for n, row in enumerate(lines) if call.tool in row and "pip install" not in row]
        exact = [n for n in named if call.command and call.command in lines[n]]
        return replace(call, line=next(iter([*exact, *named]), 0))

    calls = tuple(placed(call) for part in parts for call in part.calls)
    return Script(calls, frozenset().union(*(part.delegates for part in parts)))
