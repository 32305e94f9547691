"""The checks that a line of a script calls, and whether their failure counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CHECKS = {
    "pytest": "tests",
    "py.test": "tests",
    "unittest": "tests",
    "nosetests": "tests",
    "nose2": "tests",
    "trial": "tests",
    "ward": "tests",
    "behave": "behaviour",
    "doctest": "doctests",
    "tox": "tox",
    "nox": "nox",
    "mypy": "types",
    "dmypy": "types",
    "pyright": "types",
    "basedpyright": "types",
    "pyre": "types",
    "ty": "types",
    "ruff": "lint",
    "flake8": "lint",
    "pylint": "lint",
    "pycodestyle": "lint",
    "pyflakes": "lint",
    "pydocstyle": "lint",
    "black": "format",
    "isort": "format",
    "ruff-format": "format",
    "bandit": "security",
    "pip-audit": "security",
    "safety": "security",
    "semgrep": "security",
    "coverage": "coverage",
    "diff-cover": "coverage",
    "interrogate": "documentation",
    "vulture": "dead code",
    "gateline": "gate",
    "pre-commit": "hooks",
    "lint-imports": "imports",
}
"""What each tool checks: one takes the place of another of its kind."""
_RUNNING = re.compile(
    r"(?:(?:\w+=\S*|sudo|time|env|exec|nice|xvfb-run(?: -a)?|timeout \S+|command|then|else|do|!|"
    r"(?:poetry|pdm|hatch|rye|pipenv|uv|conda|micromamba|coverage|pipx)(?: --?\S+)* run(?: --?\S+)*|uvx|npx|"
    r"(?:\S*/)?python[\d.]*(?: -[A-Zbdqsu]\S*)* -m|\{envpython\} -m|-m|\$\(?\{?\w*PY\w*\}?\)? -m)\s+)*"
)
_DELEGATES = re.compile(
    r"(make|just|task|invoke|inv|poe|doit|hatch|nox|tox|pre-commit|bash|sh|\./\S+|\S+\.sh)\b"
)
_CHECKING = re.compile(r"(unit-?)?tests?|test-all|checks?|lint|types|typecheck|mypy|ci|qa|coverage|verify")
"""Targets by which something else is told to run checks."""
_HARMLESS = re.compile(r"\s*(true|:|exit\s+0|echo\b.*|printf\b.*)\s*")
_SIMPLE = re.compile(r"\|\||&&|;|\n|(?<!\|)\|(?!\|)")


@dataclass(frozen=True, slots=True)
class Call:
    """One check that is called. `kind` is what it checks."""

    tool: str
    kind: str
    strict: bool
    """Whether its failure fails the whole."""
    line: int = 0
    command: str = ""
    """As it is written, from the tool's name on."""


@dataclass(frozen=True, slots=True)
class Script:
    """What a script calls."""

    calls: tuple[Call, ...]
    delegates: frozenset[str]
    """What else it starts that may run checks in its turn."""


def script(text: str, *, strict: bool = True, first_line: int = 0, pipes: bool = True) -> Script:
    """The checks that a shell script calls; behind `set +e` or without `strict` no failure counts.

    `pipes`: whether a failure counts that is not in the last command of a pipe, as with `pipefail`.
    """
    pipes = pipes or "pipefail" in text
    calls: list[Call] = []
    delegates: set[str] = set()
    for number, line in _logical_lines(text):
        if re.match(r"\s*set\s+\+e", line):
            strict = False
        elif re.match(r"\s*set\s+-\w*e", line):
            strict = True
        for command, counts in _commands(line, pipes=pipes):
            place = first_line + number
            calls += [Call(tool, kind, strict and counts, place, command) for tool, kind in _check(command)]
            if found := _DELEGATES.match(command):
                name = f"{found[0]} {_target(command)}"
                delegates.add(name)
                if _CHECKING.fullmatch(_target(command)):
                    calls.append(Call(name, name, strict and counts, place))
    return Script(tuple(calls), frozenset(delegates))


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines, with those that a backslash continues, and the number of the first of them."""
    held, start = "", 0
    for number, line in enumerate(text.splitlines()):
        start = start if held else number
        held += line.split(" #")[0] if not line.lstrip().startswith("#") else ""
        if held.endswith("\\"):
            held = f"{held[:-1]} "
            continue
        yield start, held
        held = ""
    if held:
        yield start, held


def _commands(line: str, *, pipes: bool) -> Iterator[tuple[str, bool]]:
    """The simple commands of a line, and whether the failure of each counts."""
    parts = _SIMPLE.split(line)
    signs = [*_SIMPLE.findall(line), ""]
    for place, part in enumerate(parts):
        command, counts = part.strip(), True
        if signs[place] == "|" and not pipes:
            counts = False
        end = next(n for n in range(place, len(signs)) if signs[n] != "|")
        rest = parts[end + 1] if end + 1 < len(parts) else ""
        if signs[end] == "||" and _HARMLESS.fullmatch(rest):
            counts = False
        if signs[end] == ";" and _HARMLESS.fullmatch(rest) and end + 2 == len(parts):
            counts = False
        # Makefiles and tox say with a dash that the failure of a command does not count.
        if re.match(r"@?-\s*\w", command):
            counts = False
        command = command.lstrip("@-+ ")
        if "--exit-zero" in command or "--suppress-tests-failed" in command:
            counts = False
        yield _RUNNING.sub("", command, count=1), counts


def _check(command: str) -> Iterator[tuple[str, str]]:
    word = command.split(maxsplit=1)[0] if command.split() else ""
    tool = word.rpartition("/")[2].strip("\"'")
    if tool == "coverage" and re.match(r"\S+ run\b", command):
        return
    if tool == "ruff" and re.match(r"\S+ format\b", command):
        tool = "ruff-format"
    if tool in _CHECKS:
        yield tool, _CHECKS[tool]


def _target(command: str) -> str:
    words = [word for word in command.split()[1:] if not word.startswith("-")]
    return words[0] if words else ""


def kind_of(name: str) -> str:
    """What a tool, a hook or an action checks, by its name; "" when it is no check."""
    if name in _CHECKS:
        return _CHECKS[name]
    words = re.split(r"[^a-z0-9]+", name.lower())
    return next(
        (_CHECKS[word] for word in words if word in _CHECKS and word not in ("coverage", "safety")), ""
    )
