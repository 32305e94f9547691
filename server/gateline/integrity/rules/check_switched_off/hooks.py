"""GTL632 of hooks: a check of pre-commit looks at fewer files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gateline.integrity.enforcement.changed_settings import is_beside
from gateline.integrity.enforcement.commands import kind_of
from gateline.integrity.enforcement.settings import document_of
from gateline.integrity.enforcement.yaml_text import tree_of
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_line
from gateline.integrity.rules.check_switched_off import CODE
from gateline.model.document import Document
from gateline.model.finding import Finding, Weight

_LONGEST = 1000
"""Signs of a pattern that is still tried on paths."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The hooks that pass over files of the product from now on."""
    paths = [pair.path for pair in evidence.both.product if not is_beside(pair.path)]
    for row in evidence.both.others:
        if "pre-commit-config" not in row.path or row.base is None or row.current is None:
            continue
        before, now = _hooks(row.base), _hooks(row.current)
        for name in before.keys() & now.keys():
            if how := _narrowed(before[name], now[name], paths):
                line = next((n for n, text in enumerate(row.current.text.splitlines()) if name in text), 0)
                text = document_of(row).text
                yield at_line(CODE, row.path, text, line, f"`{name}` {how}", Weight.COUNTS)


_Patterns = tuple[str, str]
"""What a hook looks at, and what it passes over."""


def _hooks(document: Document) -> Mapping[str, _Patterns]:
    tree = tree_of(document.text)
    tree = tree if isinstance(tree, dict) else {}
    hooks = [hook for repository in tree.get("repos") or [] for hook in repository.get("hooks") or []]
    given = {
        str(hook.get("id")): (_pattern("files", hook, tree), _pattern("exclude", hook, tree))
        for hook in hooks
    }
    return {name: patterns for name, patterns in given.items() if kind_of(name)}


def _pattern(key: str, hook: Mapping[str, Any], tree: Mapping[str, Any]) -> str:
    """Of patterns for all hooks and for one both hold; to pass over a file either is enough."""
    both = [str(table[key]) for table in (tree, hook) if isinstance(table.get(key), str)]
    return "|".join(both) if key == "exclude" else both[-1] if both else ""


def _narrowed(old: _Patterns, new: _Patterns, paths: list[str]) -> str:
    if lost := [path for path in paths if _is_seen(path, old) and not _is_seen(path, new)]:
        return f"now skips {', '.join(lost)}"
    known = _alternatives(old[1])
    added = [one for one in _alternatives(new[1]) if one not in known and not is_beside(one)]
    # A path with an ending, or a folder: not `^$` and the like.
    if added := [one for one in added if re.search(r"\w{2}", one) and re.search(r"/|\.py", one)]:
        return f"now skips {', '.join(added)}"
    return f"now checks only {new[0]}" if old[0] != new[0] and new[0].startswith(old[0] or "\0") else ""


def _alternatives(pattern: str) -> list[str]:
    # In its verbose form each stands on a line of its own.
    plain = re.sub(r"\(\?\w*:?|[()^$\\]", "", pattern)
    return [part.strip() for part in re.split(r"\||\n", plain) if part.strip()]


def _is_seen(path: str, patterns: _Patterns) -> bool:
    files, exclude = patterns
    try:
        return bool(re.search(files[:_LONGEST], path)) and not (
            exclude and re.search(exclude[:_LONGEST], path)
        )
    except re.error:
        return True
