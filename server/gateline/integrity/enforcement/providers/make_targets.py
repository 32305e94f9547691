"""Targets of a makefile, and what each of them checks by itself and through others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gateline.integrity.enforcement.commands import script
from gateline.integrity.enforcement.providers.makefiles import RULE, as_run
from gateline.model.document import Document

_ENTRY = re.compile(r"all|ci|check(s|-all)?|qa|test(s|-all)?|verify|validate|pre-?commit|default|lint")
"""Targets that somebody calls to have a change checked."""


def weaker_targets(before: Document, now: Document) -> Iterator[tuple[str, str, int]]:
    """The targets that no longer reach a check which is still there: name, kind, line."""
    old, new = _reached(as_run(before.text)), _reached(as_run(now.text))
    kept = {kind for kinds, _ in new.values() for kind in kinds}
    for name in old.keys() & new.keys():
        if _ENTRY.fullmatch(name):
            for kind in sorted((old[name][0] - new[name][0]) & kept):
                yield name, kind, new[name][1]


def calls_own(kind: str, document: Document) -> bool:
    """Whether what was called by `make` is a target of the same file: what that checks is looked at there."""
    runner, _, target = kind.partition(" ")
    return runner == "make" and recipe(document.text, runner, target) is not None


def recipe(text: str, runner: str, target: str) -> str | None:
    """The commands of a target, with those that start what it needs; None of one that is not there."""
    rows: list[str] = []
    names: list[str] = []
    known = False
    for line in as_run(text).splitlines():
        found = RULE.match(line)
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
        found = RULE.match(line)
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
    return {name: (_closure(name, own), row[2]) for name, row in own.items()}


def _closure(name: str, own: Mapping[str, tuple[set[str], set[str], int]]) -> frozenset[str]:
    seen, waiting = {name}, [name]
    while waiting:
        needs = own[waiting.pop()][0] & own.keys() - seen
        seen |= needs
        waiting += needs
    return frozenset().union(*(own[each][1] for each in seen))
