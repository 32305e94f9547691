"""Files that call checks, each read as the commands that it gives: pipelines, makefiles, scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from gateline.analysis.modules import Module
from gateline.integrity.enforcement.commands import Call, Script, kind_of, script
from gateline.integrity.enforcement.matrix import rolled_out
from gateline.integrity.enforcement.providers.jenkins import shell_of
from gateline.integrity.enforcement.providers.makefiles import as_run
from gateline.integrity.enforcement.providers.precommit import of_hooks
from gateline.integrity.enforcement.providers.tox import sections
from gateline.integrity.enforcement.python_scripts import commands_of
from gateline.integrity.enforcement.shell_functions import Steps, with_steps
from gateline.integrity.enforcement.task_runners import tasks_of
from gateline.integrity.enforcement.triggers import may_fail, without_held_jobs
from gateline.integrity.enforcement.variables import with_variables
from gateline.integrity.enforcement.yaml_text import tree_of
from gateline.model.document import Document
from gateline.model.source import Source

EACH_LINE = frozenset({"makefile", "gnumakefile", "justfile"})
"""Files of which each line is given to a shell of its own, that goes on after a failure."""
_NO_COMMANDS = frozenset(
    {"name", "shell", "if", "on", "env", "with", "id", "needs", "image", "key", "path", "description"}
)


def script_of(document: Document | None, *, late: bool = True) -> Script:
    """What a file calls, as far as its name tells how to read it; not what is too `late` for a change."""
    if document is None:
        return Script((), frozenset())
    name = PurePosixPath(document.path).name
    if name.endswith((".yml", ".yaml")):
        return _of_yaml(document, late=late)
    if name in ("tox.ini", "setup.cfg"):
        return _of_tox(document.text)
    if name == "pyproject.toml":
        tasks = list(_of_node(tasks_of(document.text), strict=True, pipes=True, late=False))
        return joined(tasks, document.text)
    if name.endswith((".toml", ".ini", ".cfg", ".json")) or name.startswith("."):
        return Script((), frozenset())
    return _of_shell(name, document)


def _of_shell(name: str, document: Document) -> Script:
    if name.endswith(".py"):
        return script(commands_of(Module(Source(document))))
    if name.lower() in EACH_LINE:
        return script(as_run(document.text), chained=False, pipes=False)
    if name.lower() == "jenkinsfile":
        return script(shell_of(document.text))
    shell = name.endswith((".sh", ".bash")) or document.text.startswith("#!")
    strict = not shell or re.search(r"^set\s+-\w*e|-o errexit", document.text, re.MULTILINE) is not None
    steps = with_steps(document.text)
    made = script(steps.text, strict=strict, pipes=False)
    if strict:
        return made
    # The last command's failure is the script's own, with or without `set -e`.
    last = max((call.line for call in made.calls), default=-1)
    calls = (_counting(call, last, steps) for call in made.calls)
    return Script(tuple(calls), made.delegates)


def _counting(call: Call, last: int, steps: Steps) -> Call:
    """A call of a script that goes on after a failure, and whether its own counts."""
    lines = steps.text.splitlines()
    is_end = call.line == last and not any(map(str.strip, lines[call.line + 1 :]))
    if not is_end and call.line not in steps.kept:
        return call
    alone = script(lines[call.line]).calls
    return replace(call, strict=all(one.strict for one in alone))


def _of_tox(text: str) -> Script:
    parts = []
    for section, table in sections(text).items():
        if section.startswith("testenv"):
            ignored = any((table.get(k) or "").lower() == "true" for k in ("ignore_outcome", "ignore_errors"))
            parts.append(script(table.get("commands") or "", strict=not ignored))
    return joined(parts, text)


def _of_yaml(document: Document, *, late: bool) -> Script:
    tree = tree_of(document.text)
    if "pre-commit-config" in document.path:
        return joined([of_hooks(tree)], document.text)
    tree = with_variables(rolled_out(without_held_jobs(tree)))
    # GitLab's runner asks for pipefail; GitHub's does where bash is named.
    pipes = "gitlab" in document.path or re.search(r"shell: *bash", document.text) is not None
    return joined(list(_of_node(tree, strict=True, pipes=pipes, late=late)), document.text)


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


def checks(part: Any) -> bool:
    """Whether a part of a pipeline calls a check."""
    return any(made.calls for made in _of_node(part, strict=True, pipes=True, late=False))


def _of_action(name: str, *, strict: bool) -> Script:
    if name.startswith("./"):
        return Script((), frozenset({name}))
    action = name.partition("@")[0]
    kind = kind_of(action)
    return Script((Call(action, kind, strict),) if kind else (), frozenset())


def joined(parts: Sequence[Script], text: str) -> Script:
    """All parts as one, each call on the first line that names its tool."""
    lines = text.splitlines()

    def placed(call: Call) -> Call:
        named = [n for n, row in enumerate(lines) if call.tool in row and "pip install" not in row]
        exact = [n for n in named if call.command and call.command in lines[n]]
        return replace(call, line=next(iter([*exact, *named]), 0))

    calls = tuple(placed(call) for part in parts for call in part.calls)
    return Script(calls, frozenset().union(*(part.delegates for part in parts)))
