"""Targets of a makefile, and what each of them checks by itself and through others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gateline.integrity.commands import script
from gateline.model.document import Document

_RULE = re.compile(r"^(?P<names>[\w.%/ -]+?)(?: [\w+]+=\S+)*::?(?!=)(?P<needs>[^=#\n]*)(#.*)?$")
_ENTRY = re.compile(r"all|ci|check(s|-all)?|qa|test(s|-all)?|verify|validate|pre-?commit|default|lint")
"""Targets that somebody calls to have a change checked."""


_IGNORED = re.compile(r"^\.IGNORE\s*:(?P<names>[^:=#\n]*)", re.MULTILINE)
_FLAGS = re.compile(r"^(?:override\s+)?MAKEFLAGS\s*[+:?]*=(?P<words>[^#\n]*)", re.MULTILINE)
_FORGIVING_SHELL = re.compile(r"^SHELL\s*[:?]*=.*\btrue\s*$", re.MULTILINE)
_FORGIVING = re.compile(r"--ignore-errors|-[a-zA-Z]*i[a-zA-Z]*")
_BUNDLED = re.compile(r"[BdeiknpqrRsStvw]*i[BdeiknpqrRsStvw]*")
"""Options of one letter, as the first word holds them without a dash."""


def with_ignored(text: str) -> str:
    """A makefile in which each command has a dash whose failure is told elsewhere not to count."""
    named = [name for found in _IGNORED.finditer(text) for name in found["names"].split() or ["*"]]
    if _forgives(text):
        named.append("*")
    if not named:
        return text
    rows, ignored = [], False
    for line in text.splitlines():
        found = _RULE.match(line)
        if found is not None and not line.startswith("."):
            ignored = "*" in named or not {*found["names"].split()}.isdisjoint(named)
        recipe_line = ignored and line[:1] in "\t " and line.strip()
        rows.append(f"{line[:1]}-{line.strip()}" if recipe_line else line)
    return "\n".join(rows)


def _forgives(text: str) -> bool:
    """Whether `make` is told to take every failure for none."""
    flags = [found["words"].split() for found in _FLAGS.finditer(text)]
    told = any(_FORGIVING.fullmatch(word) for words in flags for word in words)
    bundled = any(words and _BUNDLED.fullmatch(words[0]) for words in flags)
    return told or bundled or _FORGIVING_SHELL.search(text) is not None


def weaker_targets(before: Document, now: Document) -> Iterator[tuple[str, str, int]]:
    """The targets that no longer reach a check which is still there: name, kind, line."""
    old, new = _reached(with_ignored(before.text)), _reached(with_ignored(now.text))
    kept = {kind for kinds, _ in new.values() for kind in kinds}
    for name in old.keys() & new.keys():
        if _ENTRY.fullmatch(name):
            for kind in sorted((old[name][0] - new[name][0]) & kept):
                yield name, kind, new[name][1]


def recipe(text: str, runner: str, target: str) -> str | None:
    """The commands of a target, with those that start what it needs; None of one that is not there."""
    rows: list[str] = []
    names: list[str] = []
    known = False
    for line in with_ignored(text).splitlines():
        found = _RULE.match(line)
        if found is not None and not line.startswith("."):
            names = found["names"].split()
            target = target or names[0]
            if target in names:
                known = True
                rows += [f"{runner} {need}" for need in found["needs"].split()]
        elif line[:1] in "\t " and line.strip() and target in names:
            rows.append(line.strip())
    return "\n".join(rows) if known else None


def _reached(text: str) -> Mapping[str, tuple[frozenset[str], int]]:
    """By name of a target: the kinds of checks whose failure fails it, and its line."""
    own: dict[str, tuple[set[str], set[str], int]] = {}
    names: list[str] = []
    for number, line in enumerate(text.splitlines()):
        found = _RULE.match(line)
        if found is not None and not line.startswith("."):
            names = found["names"].split()
            for name in names:
                row = own.setdefault(name, (set(), set(), number))
                row[0].update(re.findall(r"[\w./-]+", found["needs"]))
        elif line[:1] in "\t " and line.strip():
            made = script(line, chained=False, pipes="pipefail" in text)
            for name in names:
                own[name][1].update(call.kind for call in made.calls if call.strict)
                own[name][0].update(word for told in made.delegates for word in told.split()[1:])
    return {name: (_closure(name, own, frozenset()), row[2]) for name, row in own.items()}


def _closure(
    name: str, own: Mapping[str, tuple[set[str], set[str], int]], seen: frozenset[str]
) -> frozenset[str]:
    if name not in own or name in seen:
        return frozenset()
    needs, kinds, _ = own[name]
    return frozenset(kinds).union(*(_closure(need, own, seen | {name}) for need in needs))
