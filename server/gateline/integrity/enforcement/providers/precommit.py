"""The checks that pre-commit calls, and which of them run by themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gateline.integrity.enforcement.commands import Call, Script, kind_of, script


def of_hooks(tree: Any) -> Script:
    """What a configuration of pre-commit calls."""
    tree = tree if isinstance(tree, dict) else {}
    hooks = [hook for repository in tree.get("repos") or [] for hook in repository.get("hooks", [])]
    given = {"stages": tree.get("default_stages"), "files": tree.get("files"), "exclude": tree.get("exclude")}
    calls = [_of_hook({**{k: v for k, v in given.items() if v is not None}, **hook}) for hook in hooks]
    return Script(tuple(call for call in calls if call.kind), frozenset())


def _of_hook(hook: Mapping[str, Any]) -> Call:
    name = str(hook.get("id"))
    command = " ".join([str(hook.get("entry") or name), *map(str, hook.get("args") or ())])
    found = script(re.sub(r"""^(ba)?sh -\w*c |['"]""", "", command)).calls
    strict = _looks_at_something(hook) and all(call.strict for call in found)
    # What it is called stays, even where its command is another one.
    does = found or not hook.get("entry")
    return Call(name, kind_of(name), strict and bool(does), command=found[0].command if found else "")


def _looks_at_something(hook: Mapping[str, Any]) -> bool:
    """Whether a hook runs by itself, and for any file."""
    is_for_none = hook.get("files") in ("^$", "$^", "(?!)") or hook.get("exclude") in (".*", "^.*$", "^")
    return hook.get("stages") != ["manual"] and not is_for_none
