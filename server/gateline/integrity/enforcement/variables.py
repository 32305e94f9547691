"""Variables that a pipeline gives values itself, put into its conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any


def with_variables(tree: Any) -> Any:
    """A pipeline whose conditions have the values that it gives variables itself."""
    if not isinstance(tree, dict):
        return tree
    given = {**_given(tree.get("variables")), **_given(tree.get("env"))}
    return _put_in(tree, given)


def _given(table: Any) -> Mapping[str, str]:
    rows = table.items() if isinstance(table, dict) else ()
    values = {name: row.get("value") if isinstance(row, dict) else row for name, row in rows}
    return {str(name): str(value) for name, value in values.items() if isinstance(value, str | int)}


def _put_in(node: Any, given: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_put_in(item, given) for item in node]
    if not isinstance(node, dict):
        return node
    own = {**given, **_given(node.get("variables")), **_given(node.get("env"))}
    if not own:
        return {key: _put_in(value, own) for key, value in node.items()}
    return {
        key: _said(value, own) if key == "if" and isinstance(value, str) else _put_in(value, own)
        for key, value in node.items()
    }


def _said(condition: str, given: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        known = given.get(found[1] or found[2] or found[3])
        return found[0] if known is None or "'" in known else f"'{known}'"

    return re.sub(r"\$\{(\w+)\}|\$(\w+)|\benv\.(\w+)", value, condition)
