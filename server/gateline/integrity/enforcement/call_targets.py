"""Where commands lead that start something else, as far as the changed files tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.analysis.modules import Module
from gateline.integrity.enforcement.commands import Script, script
from gateline.integrity.enforcement.providers.make_targets import recipe
from gateline.integrity.enforcement.providers.tox import sections
from gateline.integrity.enforcement.python_scripts import commands_of
from gateline.integrity.enforcement.replacements import may_run, meant, tells
from gateline.integrity.enforcement.scripts import EACH_LINE, script_of
from gateline.integrity.enforcement.task_runners import task
from gateline.model.document import Document
from gateline.model.source import Source

_SHELLS = frozenset({"bash", "sh"})
_TASKS = frozenset({"poe", "hatch", "pdm", "rye", "task"})
_STARTERS = {
    "makefile": "make",
    "gnumakefile": "make",
    "justfile": "just",
    "taskfile.yml": "task",
    "taskfile.yaml": "task",
    "tox.ini": "tox",
    "setup.cfg": "tox",
    "noxfile.py": "nox",
    "tasks.py": "inv",
    "pyproject.toml": "hatch|pdm|poe|rye|task|tox",
}
"""By what the commands of a file are started."""


@dataclass(frozen=True, slots=True)
class Destinations:
    """The changed files that call something, as they are now."""

    documents: Sequence[Document]

    def may_run(self, kind: str, started: Iterable[str]) -> bool:
        """Whether one of the commands that are started may run a check of that kind.

        What is found in the changed files tells it; of what is not, its name.
        """
        seen: set[str] = set()
        return any(self._may(kind, command, seen) for command in started)

    def lead_to(self, document: Document) -> bool:
        """Whether a file starts by itself, or another one names what starts it."""
        if starts_by_itself(document.path):
            return True
        parts = PurePosixPath(document.path)
        own = parts.parent.name if parts.stem == "action" else parts.name
        word = _STARTERS.get(parts.name.lower(), re.escape(own))
        return any(
            re.search(rf"(?<![\w-])({word})(?![\w-])", other.text)
            for other in self.documents
            if other is not document
        )

    def _may(self, kind: str, command: str, seen: set[str]) -> bool:
        """`seen` are those that were asked already: none of them did, or nobody would ask on."""
        if command in seen:
            return False
        seen.add(command)
        found = self._found(command)
        if found is None:
            return may_run(kind, {command})
        made, text = found
        kinds = {call.kind for call in made.calls if call.strict}
        if meant(kind) in kinds or (kinds and " " in kind):
            return True
        further = made.delegates - {command}
        if not made.calls and not further and tells(kind, text):
            return True
        return any(self._may(kind, name, seen) for name in further)

    def _found(self, command: str) -> tuple[Script, str] | None:
        """What a command does, with its text; None where no changed file tells."""
        runner, _, target = command.partition(" ")
        path = target if runner in _SHELLS else runner if "/" in runner or runner.endswith(".sh") else ""
        if path:
            return next(((script_of(file), file.text) for file in self._at(path)), None)
        text = next((t for file in self.documents if (t := _told(file, runner, target)) is not None), None)
        return None if text is None else (script(text, chained=runner != "make", pipes=False), text)

    def _at(self, path: str) -> Iterator[Document]:
        wanted = path.removeprefix("./")
        named = {wanted, f"{wanted}/action.yml", f"{wanted}/action.yaml"}
        return (file for file in self.documents if file.path in named)


def starts_by_itself(path: str) -> bool:
    """Whether a file is a pipeline, that a server reads, and no part of one."""
    parts = PurePosixPath(path)
    whole = parts.suffix in (".yml", ".yaml") and parts.stem not in ("action", "Taskfile", "taskfile")
    return whole or parts.name.lower() == "jenkinsfile"


def _told(file: Document, runner: str, target: str) -> str | None:
    """The commands that a runner's file has for a target."""
    name = PurePosixPath(file.path).name.lower()
    if re.fullmatch(_STARTERS.get(name, ""), runner) is None:
        return None
    if name in EACH_LINE:
        return recipe(file.text, runner, target)
    if name in ("tox.ini", "setup.cfg") and runner == "tox":
        return _of_tox(file.text, target)
    if name in ("noxfile.py", "tasks.py"):
        return _of_python(file, target)
    return task(file.text, target) if name == "pyproject.toml" and runner in _TASKS else None


def _of_tox(text: str, target: str) -> str | None:
    table = sections(text).get(f"testenv:{target}")
    return None if table is None else table.get("commands")


def _of_python(file: Document, target: str) -> str | None:
    module = Module(Source(file))
    node = module.functions.get(target.replace("-", "_"))
    return None if node is None else commands_of(module, node)
