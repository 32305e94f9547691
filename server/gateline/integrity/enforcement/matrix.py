"""The values of a pipeline's matrix, put into the commands that name them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NAMED = re.compile(r"\$\{\{\s*matrix(?:\.|\[')(\w+)(?:'\])?\s*\}\}")
_RULES = frozenset({"include", "exclude"})
_WORD = re.compile(r"[a-z][\w.-]*")


def rolled_out(tree: Any) -> Any:
    """A pipeline of GitHub's in which commands name all the values at once that a word of a matrix has."""
    jobs = tree.get("jobs") if isinstance(tree, dict) else None
    if not isinstance(jobs, dict):
        return tree
    made = {name: _put_in(job, _values(job)) for name, job in jobs.items()}
    return {**tree, "jobs": made}


def _values(job: Any) -> Mapping[str, str]:
    """By key, the words of a matrix; not numbers, which are versions."""
    strategy = job.get("strategy") if isinstance(job, dict) else None
    matrix = strategy.get("matrix") if isinstance(strategy, dict) else None
    rows = matrix.items() if isinstance(matrix, dict) else ()
    found = {str(key): [*map(str, value)] for key, value in rows if isinstance(value, list)}
    for row in _rows(matrix, "include"):
        for key, one in row.items():
            found.setdefault(key, []).append(one)
    for row in _rows(matrix, "exclude"):
        for key, one in row.items() if len(row) == 1 else ():
            found[key] = [value for value in found.get(key, ()) if value != one]
    words = {key: dict.fromkeys(given) for key, given in found.items() if key not in _RULES}
    return {key: ",".join(given) for key, given in words.items() if all(map(_WORD.fullmatch, given))}


def _rows(matrix: Any, rule: str) -> list[dict[str, str]]:
    """The combinations that are added, or left out."""
    rows = matrix.get(rule) if isinstance(matrix, dict) else None
    tables = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [{str(key): str(value) for key, value in row.items()} for row in tables]


def _put_in(node: Any, values: Mapping[str, str]) -> Any:
    if not values:
        return node
    if isinstance(node, dict):
        return {key: _put_in(value, values) for key, value in node.items()}
    if isinstance(node, list):
        return [_put_in(item, values) for item in node]
    if isinstance(node, str):
        return _NAMED.sub(lambda found: values.get(found[1], found[0]), node)
    return node
