"""Whether what a script starts now may run a check that it calls no longer, as its name tells."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = {
    "tests": "tests? testing unit units unittests? pytest specs? cov coverage integration functional e2e "
    "py\\d* python\\d* pypy\\d* cpython\\d* ut regression",
    "lint": "lint linters? linting ruff flake8 pylint style pep8 precommit commit hooks quality static "
    "analysis",
    "types": "types? typing typecheck(er|ing)? mypy pyright static analysis quality",
    "format": "format fmt formatting black isort style lint quality precommit commit hooks",
    "security": "security bandit audit safety sast static analysis quality lint",
    "documentation": "docs? docstrings? interrogate lint quality",
    "doctests": "docs? doctests? tests?",
    "imports": "imports? lint quality static",
    "dead code": "vulture dead lint quality static",
    "anything": "checks? checking ci qa verify verification validate validation gate suite",
    "all there is": "all default full everything env toxenv matrix target session tool",
    "nothing": "docs? html build builds building dist package packages packaging install deploy deployment "
    "publish release releases clean serve setup deps dependencies dev devenv bench benchmarks? "
    "migrate version bump upload sdist wheels? sphinx site image docker start report notify "
    "changelog update upgrade lock",
}
_SORTS = {sort: re.compile(f"({'|'.join(words.split())})") for sort, words in _WORDS.items()}
"""What the words of a target tell that it does; a word may stand for several."""
_PREPARING = re.compile(r"^\s*[#@]|\b(install|echo|printf|mkdir|rm)\b")
_NO_WORDS = frozenset({"python", "py"})
_RECIPES = frozenset({"make", "just", "task", "inv", "invoke"})
_SAME = {"tox": "tests", "nox": "tests", "coverage": "tests", "hooks": "lint", "behaviour": "tests"}
"""What a runner without a target is asked for above all."""


def meant(kind: str) -> str:
    """What is checked above all by a runner without a target; of any other kind, that itself."""
    return _SAME.get(kind, kind)


def may_run(kind: str, started: Iterable[str]) -> bool:
    """Whether one of the commands that are started, each with its target, may run a check of that kind.

    A name that tells nothing may stand for anything; `kind` may itself be a command with its target.
    """
    known = meant(kind)
    lost = frozenset({known}) if known in _SORTS else _sorts_of(kind if " " in kind else f"run {kind}")
    return any(_may(lost, command) for command in started)


def is_alike(kind: str, other: str) -> bool:
    """Whether two targets of one runner are for the same, as environments for two versions are."""
    lost, left = _sorts_of(kind), _sorts_of(other)
    return bool(lost & left) or not lost or not left or "anything" in left


def checks_nothing(kind: str) -> bool:
    """Whether a target of a runner only builds or measures something, as its name tells; pages are built."""
    return _sorts_of(kind) - {"documentation", "doctests"} == {"nothing"}


def tells(kind: str, text: str) -> bool:
    """Whether commands of which no check is known have words in them that may stand for that kind."""
    known = meant(kind)
    commands = (line for line in text.splitlines() if not _PREPARING.search(line))
    words = {word for line in commands for word in re.findall(r"[a-z]+", line.lower())} - _NO_WORDS
    return known not in _SORTS or any(map(_SORTS[known].fullmatch, words))


def checks_something(target: str) -> bool:
    """Whether the name of a target tells that it checks something."""
    return bool(_sorts_of(f"run {target}") - {"nothing", "all there is"})


def _may(lost: frozenset[str], command: str) -> bool:
    told = _sorts_of(command)
    # Whatever checked everything ran the tests.
    wanted = lost | {"anything"} | ({"tests"} if "anything" in lost else set())
    if "types" in lost and command.partition(" ")[0] in _RECIPES:
        # Whoever writes such a target puts all that only reads the code into it.
        wanted = wanted | {"lint"}
    return not lost or not told or bool(told & wanted)


def _sorts_of(command: str) -> frozenset[str]:
    """What the words of a command's target tell; nothing of a target that none of them is known of."""
    runner, _, target = command.partition(" ")
    named = target or (runner if "/" in runner or runner.endswith(".sh") else "")
    words = re.findall(r"[a-z]+\d*", named.removesuffix(".sh").lower())
    return _plain({sort for sort, known in _SORTS.items() for word in words if known.fullmatch(word)})


def _plain(told: set[str]) -> frozenset[str]:
    """What words tell together: `lint-all` lints, `check-types` looks at types, `all` does anything."""
    found = told - {"all there is"} or ({"anything"} if told else set())
    return frozenset(found - {"anything"} if found - {"anything", "nothing"} else found)
