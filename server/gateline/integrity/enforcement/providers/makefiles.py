"""A makefile as it runs: simple variables put in, and failures that are told elsewhere to be forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

RULE = re.compile(r"^(?P<names>[\w.%/ -]+?)(?: [\w+]+=\S+)*::?(?!=)(?P<needs>[^=#\n]*)(#.*)?$")

_BEFORE = r"^(?:(?:export|override)[ \t]+|[^\s:=#][^:=#\n]*:[ \t]*)*"
"""What may stand before a variable: that it is exported, or the target that it is given for."""
_IGNORED = re.compile(r"^\.IGNORE\s*:(?P<names>[^:=#\n]*)", re.MULTILINE)
_FLAGS = re.compile(rf"{_BEFORE}(?:GNU)?MAKEFLAGS\s*[+:?]*=(?P<words>[^#\n]*)", re.MULTILINE)
_SHELL = re.compile(
    rf"{_BEFORE}(?:SHELL\s*[:?]*=.*\btrue\s*$|\.SHELLFLAGS\s*[+:?]*=.*(?:\|\||;)\s*(?:true|:|exit 0)\b)",
    re.MULTILINE,
)
"""A shell for which every command has succeeded."""
_BUNDLED = r"[bmBdeknpqrRsStvwL]*i\w*"
"""Options of one letter that take no value, up to the one by which failures are ignored."""
_FORGIVING = re.compile(rf"--ignore-errors|-{_BUNDLED}")
_GIVEN = re.compile(
    r"^(?:(?:export|override) +)*(?P<name>[A-Za-z_]\w*) *(?P<sign>[?:+]?|::|:::)= *(?P<value>[^#\n]*)"
)
_CONDITION = re.compile(
    r" *(?P<word>ifn?(?:def|eq))\s*(?:(?P<name>\w+)\s*(?:#.*)?$|\(\s*(?P<left>[^,]*?)\s*,(?P<right>[^)$]*)\))"
)
_AUTOMATIC = re.compile(r"CI|GITHUB_\w+|GITLAB_\w+|\w+_CI|OS|MAKE\w*|COMSPEC|HOME|PATH|SHELL|VIRTUAL_ENV")
"""Variables that machines set by themselves."""
_SOFT = re.compile(r"-|.*(?:\|\||;)")
"""What, put into a command, makes its failure count for nothing."""
_USED = re.compile(r"(?<!\$)\$(?:\((\w+)\)|\{(\w+)\})")
_DEPTH = 4
"""How many variables may stand in one another."""
_LONGEST = 400
"""Characters of a value that is put in."""


def as_run(text: str) -> str:
    """A makefile of as many lines, in which each recipe says by itself what is run, and what may fail."""
    values = _values(text)
    named = [name for found in _IGNORED.finditer(text) for name in found["names"].split() or ["*"]]
    if any(map(forgives, _flags(text))) or _SHELL.search(text):
        named.append("*")
    rows, ignored = [], False
    for line, is_asked_for in _with_conditions(text, values):
        found = RULE.match(line)
        if found is not None and not line.startswith("."):
            ignored = "*" in named or not {*found["names"].split()}.isdisjoint(named)
        if line[:1] in "\t " and line.strip():
            dash = "-" if ignored or is_asked_for else ""
            line = f"{line[:1]}{dash}{_put_in(line.strip(), values)}"
        rows.append(line)
    return "\n".join(rows)


def _with_conditions(text: str, values: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is left out unless somebody asks for more."""
    held: list[bool | None] = []
    for line in text.splitlines():
        word = line.partition("#")[0].strip()
        if made := _CONDITION.match(line):
            held.append(_holds(made, values))
        elif held and word == "endif":
            held.pop()
        elif held and word == "else":
            held[-1] = None if held[-1] is None else not held[-1]
        yield line, False in held


def _holds(made: re.Match[str], values: Mapping[str, str]) -> bool | None:
    """Whether a condition holds where nobody gives a variable; None where that is not known."""
    if made["name"]:
        name, said = made["name"], bool(values.get(made["name"]))
        known = name in values or not _AUTOMATIC.fullmatch(name)
    else:
        name = (_USED.findall(made["left"]) or [("", "")])[0][0]
        value = values.get(name, "")
        known = bool(_USED.fullmatch(made["left"])) and not _AUTOMATIC.fullmatch(name) and "$" not in value
        said = value == made["right"].strip()
    return said != made["word"].startswith("ifn") if known else None


def forgives(flags: str) -> bool:
    """Whether options of make tell it to take every failure for none."""
    words = flags.split()
    # The first word may hold options of one letter without a dash.
    bundled = bool(words) and re.fullmatch(_BUNDLED, words[0]) is not None
    return bundled or any(map(_FORGIVING.fullmatch, words))


def calls_forgiving(command: str) -> bool:
    """Whether a command starts make so that it takes every failure for none."""
    made = re.match(r"(?:(?P<before>.*) )?g?make(?!\S)(?P<words>.*)", command)
    if made is None:
        return False
    told = re.findall(r"\b(?:GNU)?MAKEFLAGS=(['\"]?)(.*?)\1(?= |$)", made["before"] or "")
    return any(forgives(flags) for _, flags in told) or any(map(_FORGIVING.fullmatch, made["words"].split()))


def _flags(text: str) -> Iterator[str]:
    return (found["words"] for found in _FLAGS.finditer(text))


def _values(text: str) -> Mapping[str, str]:
    """By name: what variables stand for; of several texts one that forgives failures, or the last."""
    found = {"MAKE": "make"}
    for made in filter(None, map(_GIVEN.match, text.splitlines())):
        name, value = made["name"], made["value"].strip()
        if made["sign"] == "+":
            value = f"{found.get(name, '')} {value}".strip()
        if not _SOFT.match(found.get(name, "")) and len(value) <= _LONGEST:
            found[name] = value
    return found


def _put_in(command: str, values: Mapping[str, str]) -> str:
    for _ in range(_DEPTH):
        put = _USED.sub(lambda found: values.get(found[1] or found[2], found[0]), command)
        if put == command or len(put) > _DEPTH * _LONGEST:
            break
        command = put
    return command
