"""The checks that a line of a script calls, and whether their failure counts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateline.integrity.enforcement.providers.makefiles import calls_forgiving

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
_OPTION_WITH_VALUE = (
    r"(?:--(?:group|only-group|no-group|with|with-requirements|with-editable|extra|python|project|"
    r"package|directory|env-file|from|index|spec|name|prefix|env|"
    r"source|source-pkgs|source-dirs|include|omit|rcfile|data-file|context|concurrency)|-[pnCPe])[ =](?!-)\S"
)
# No option may be read in two ways: each would double the time of a line with many.
_OPTIONS = rf"(?: {_OPTION_WITH_VALUE}\S*(?!\S)| (?!{_OPTION_WITH_VALUE})-\S+)*"
"""What stands between a runner and the command that it runs."""
_PYTHON = r"[\"']?(?:\S*/)?(?:python|pypy)[\d.]*[\"']?|py|\{envpython\}|[\"']?\$[({]*\w*PY\w*[)}]*[\"']?"
_OF_PYTHON = r"(?: -[WX] ?(?!-)\S+| -(?![WXm]|\S*m$)\S+)*"
"""What stands between Python and `-m`: `-W error`, `-X dev`, `-Werror`, `-bb`, of the launcher `-3.12`."""
_WRAPPING = (
    r"(?:sudo|time|env|exec|nice|ionice|stdbuf|chronic|unbuffer|xvfb-run|command)"
    r"(?: -[nucg] (?!-)\S+| -(?![nucg] )\S+)*|timeout(?: -[ks] (?!-)\S+| -(?![ks] )\S+)* \d\S*"
)
_VALUED = r"(?:[vewupf] |-(?:volume|env|workdir|user|entrypoint|network|name|platform|env-file|mount)[= ])"
_CONTAINER = (
    r"(?:docker|podman)(?:-compose| compose)? (?:run|exec)"
    rf"(?: -{_VALUED}\S+| -(?!{_VALUED})\S+)* [a-z]\S*"
)
"""A command in a container: behind the options stands the image, or the service."""
_RUNNING = re.compile(
    r"(?:(?:\w+=(?:\"[^\"]*\"|'[^']*'|[^\s\"'])*|"
    rf"{_WRAPPING}|{_CONTAINER}|(?:ba|z)?sh -\w*c|then|else|do|!|"
    rf"(?:poetry|pdm|hatch|rye|pipenv|uv|conda|micromamba|coverage|pipx){_OPTIONS}(?: tool)? run{_OPTIONS}|"
    rf"uvx{_OPTIONS}|npx|"
    rf"(?:{_PYTHON}){_OF_PYTHON} -[A-Za-z]*m|-m)\s+[\"']?)*"
)
_DELEGATES = re.compile(
    r"(make|just|task|invoke|inv|poe|doit|hatch|nox|tox|pre-commit|bash|sh|\./\S+|\S+\.sh)\b"
)
_CHECKING = re.compile(r"(unit-?)?tests?|test-all|checks?|lint|types|typecheck|mypy|ci|qa|coverage|verify")
"""Targets by which something else is told to run checks."""
_OF_HATCH = re.compile(rf"^hatch run (?!-)({_CHECKING.pattern})$")
"""A command that a project names for hatch, and none of the shell's."""
_NAMED = re.compile(r"[\w-]+(:[\w-]+)+")
_HARMLESS = re.compile(r"\s*(true|:|exit\s+0|echo\b.*|printf\b.*)\s*")
_FAILING = re.compile(
    r"\b(exit(\s+[1-9$\"]|\s*($|[;}]))|return\s+[1-9$]|false\b|kill\b|die\b|fail\b|error\b)"
)
"""What fails in its turn."""
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
"""What a pipeline works out: signs in it are none of the shell's."""
_SUBSTITUTION = re.compile(r"\$\([^()\n]*\)")
_VALUES_OF_MAKE = re.compile(
    r" (?:-[CfIoW]|--(?:directory|file|makefile|include-dir|old-file|assume-old|what-if|new-file))[ =]\S+"
)
"""Options of make whose next word is no target."""
_FORGIVING = re.compile(r"--(exit-zero|suppress-tests-failed|suppress-no-test-exit-code)")
_CLOSING = re.compile(r"\s*(fi|done|esac|else|\}|\)|then|;)?\s*")
_STATUS = re.compile(r"\b(\w+)=(?:\$\?|1)(?s:.*)\bexit\s+[\"']?\$\{?\1\b")
"""That the status of a command is kept, and is that of the whole."""
_ENVIRONMENT = {
    tool: re.compile(rf"\S+(?: (?!-- )\S+)*? (?:-[a-z]*?{short}[ =]?|--(?:{long})[ =])[\"']?([^\s\"']+)")
    for tool, short, long in (("tox", "e", "env"), ("nox", "[es]", "sessions?"))
}
"""How runners are told which of their environments to run: the name, or the variable that holds it."""
_NEVER = re.compile(r"(?!)")
_PREPARING = {"tox": re.compile(r" --notest\b"), "nox": re.compile(r" --install-only\b")}
"""How runners are told to make ready for a run, and to run nothing."""
_NAME = re.compile(r"\w[\w.-]*")
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


def script(
    text: str, *, strict: bool = True, first_line: int = 0, pipes: bool = True, chained: bool = True
) -> Script:
    """The checks that a shell script calls; behind `set +e` or without `strict` no failure counts.

    `pipes`: whether a failure counts that is not in the last command of a pipe, as with `pipefail`;
    `chained`: whether one counts that other commands follow on its line.
    """
    text = _SUBSTITUTION.sub(_as_one_command, _EXPRESSION.sub(_as_one_word, text))
    pipes = pipes or "pipefail" in text
    keeps_status = _STATUS.search(text) is not None
    strict = strict or keeps_status
    calls: list[Call] = []
    delegates: set[str] = set()
    for number, line in _logical_lines(text):
        if re.match(r"\s*set\s+\+e", line):
            strict = keeps_status
        elif re.match(r"\s*set\s+-\w*e", line):
            strict = True
        chained = chained or keeps_status
        for command, counts in _commands(line, pipes=pipes, chained=chained, keeps_status=keeps_status):
            place = first_line + number
            calls += [Call(tool, kind, strict and counts, place, command) for tool, kind in _check(command)]
            word = command.partition(" ")[0]
            if _NAMED.fullmatch(word) and any(map(_CHECKING.fullmatch, word.split(":"))):
                # A named command of an environment: `hatch run test:all`.
                calls.append(Call(word, word, strict and counts, place))
            if found := _DELEGATES.match(command):
                name = f"{found[0]} {_target(command)}"
                delegates.add(name)
                if _CHECKING.fullmatch(_stem(_target(command) or found[0])):
                    calls.append(Call(name, name, strict and counts, place))
    return Script(tuple(calls), frozenset(delegates))


def _as_one_command(found: re.Match[str]) -> str:
    """What is worked out for a command, as a part of it, unless a check is called there."""
    inside = _SIMPLE.split(found[0][2:-1])
    called = any(True for part in inside for _ in _check(_RUNNING.sub("", part.strip(), count=1)))
    return found[0] if called else found[0].replace("|", " ")


def _as_one_word(found: re.Match[str]) -> str:
    return "${{" + re.sub(r"[^\w.]+", "_", found[1]) + "}}"


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


def _commands(line: str, *, pipes: bool, chained: bool, keeps_status: bool) -> Iterator[tuple[str, bool]]:
    """The simple commands of a line, and whether the failure of each counts."""
    parts = _SIMPLE.split(line)
    signs = [*_SIMPLE.findall(line), ""]
    for place, part in enumerate(parts):
        command = part.strip()
        counts = (pipes or signs[place] != "|") and not command.endswith(" &")
        # What fails skips all that `&&` joins to it.
        end = next(n for n in range(place, len(signs)) if signs[n] not in ("|", "&&"))
        rest = parts[end + 1 :]
        if signs[end] == "||":
            counts = counts and (keeps_status or _fails(rest))
        elif signs[end] == ";":
            counts = counts and not _is_forgotten(rest, chained=chained)
        # Makefiles and tox say with a dash that the failure of a command does not count.
        if re.match(r"[@+]*-[@+\s]*[\w$./{(]", command):
            counts = False
        command = command.lstrip("@-+ ")
        if _FORGIVING.search(command) or calls_forgiving(command):
            counts = False
        yield _RUNNING.sub("", _OF_HATCH.sub(r"hatch \1", command), count=1), counts


def _fails(rest: Sequence[str]) -> bool:
    """Whether what is done instead fails, too: it says so, or is a check itself."""
    if _FAILING.search("; ".join(rest)):
        return True
    return any(True for _ in _check(_RUNNING.sub("", rest[0].strip(), count=1)))


def _is_forgotten(rest: Sequence[str], *, chained: bool) -> bool:
    """Whether the commands that follow on the line decide instead."""
    left = [part for part in rest if not _CLOSING.fullmatch(part)]
    if not left:
        return False
    return (len(left) == 1 and _HARMLESS.fullmatch(left[0]) is not None) if chained else True


def _check(command: str) -> Iterator[tuple[str, str]]:
    word = command.split(maxsplit=1)[0] if command.split() else ""
    tool = word.rpartition("/")[2].strip("\"'")
    if tool == "coverage" and re.match(r"\S+ run\b", command):
        return
    if tool == "ruff" and re.match(r"\S+ format\b", command):
        tool = "ruff-format"
    if tool in _CHECKS and not _PREPARING.get(tool, _NEVER).search(command):
        # What one environment checks, another one does not.
        for name in _environments(tool, command) or [""]:
            yield tool, f"{_CHECKS[tool]} {name}".strip()


def _environments(tool: str, command: str) -> list[str]:
    """What a runner is told to run: `a` and `b` of `tox -e a,b` and of `nox -s a b`."""
    named = _ENVIRONMENT[tool].match(command) if tool in _ENVIRONMENT else None
    if named is None:
        return []
    more = itertools.takewhile(_NAME.fullmatch, command[named.end() :].split()) if tool == "nox" else ()
    return [*_names(named[1]), *more]


def _names(text: str) -> list[str]:
    """Names with commas between them; braces, which tell several at once, are kept as they are."""
    return [text] if "{" in text else [name for name in text.split(",") if name]


def _target(command: str) -> str:
    runner = command.partition(" ")[0]
    if runner in _ENVIRONMENT:
        return ",".join(_environments(runner, command))
    given = _VALUES_OF_MAKE.sub(" ", command) if runner == "make" else command
    words = [word for word in given.split()[1:] if not word.startswith("-") and "=" not in word]
    return words[0] if words else ""


def _stem(target: str) -> str:
    """A target, or the name of a script without its folder and ending."""
    return (
        target.rpartition("/")[2].removesuffix(".sh") if "/" in target or target.endswith(".sh") else target
    )


def kind_of(name: str) -> str:
    """What a tool, a hook or an action checks, by its name; "" when it is no check."""
    if name in _CHECKS:
        return _CHECKS[name]
    words = [*name.lower().split("/"), *re.split(r"[^a-z0-9]+", name.lower())]
    return next(
        (_CHECKS[word] for word in words if word in _CHECKS and word not in ("coverage", "safety")), ""
    )
