"""Imported by every Python that starts with this folder on PYTHONPATH: makes modules and functions fail.

`PLANNED_FAULTS` is a JSON list of rules: `module`, `do` (missing, raise, exit, sleep, none, first, set,
default), and for what is done inside a module `name`, with `needle`: only for calls that mention it. Imports
nothing of gateline, and runs in the project's interpreter as well.
"""

from __future__ import annotations

import importlib.machinery
import json
import os
import sys
import time
from typing import Any

_RULES = json.loads(os.environ.get("PLANNED_FAULTS", "[]"))
_FOREVER = 3600.0


def _fail(kind: str) -> Any:
    if kind == "exit":
        os._exit(9)
    if kind == "sleep":
        time.sleep(_FOREVER)
    raise RuntimeError("a planned fault")


def _failing(rule: dict[str, Any], before: Any) -> Any:
    def call(*args: Any, **named: Any) -> Any:
        if not _mentions(args, named, rule.get("needle", "")):
            return before(*args, **named)
        if rule["do"] == "none":
            return None
        if rule["do"] == "first":
            return before(rule["value"], *args[1:], **named)
        return _fail(rule["do"])

    return call


def _mentions(args: Any, named: Any, needle: str) -> bool:
    document = getattr(getattr(args[0] if args else None, "source", None), "document", None)
    return not needle or needle in repr((args, named)) or needle in getattr(document, "path", "")


def _default(rule: dict[str, Any], function: Any) -> None:
    """Another default of a parameter."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = list(function.__defaults__)
    defaults[names.index(rule["parameter"]) - len(names)] = rule["value"]
    function.__defaults__ = tuple(defaults)


def _change(module: Any, rule: dict[str, Any]) -> None:
    *above, last = rule["name"].split(".")
    owner = module
    for name in above:
        owner = getattr(owner, name)
    if rule["do"] == "set":
        new = rule["value"]
    elif rule["do"] == "default":
        _default(rule, getattr(owner, last))
        return
    else:
        new = _failing(rule, getattr(owner, last))
    if isinstance(owner, (type, type(sys))):
        setattr(owner, last, new)
    else:
        object.__setattr__(owner, last, new)


class _Finder:
    """Finds what others find, and wraps it."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        """The spec of a module that a rule names; None for all others."""
        rules = [rule for rule in _RULES if name == rule["module"] or name.startswith(rule["module"] + ".")]
        if any(rule["do"] == "missing" for rule in rules):
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
        rules = [rule for rule in rules if name == rule["module"]]
        spec = importlib.machinery.PathFinder.find_spec(name, path) if rules else None
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def executed(module: Any) -> None:
            for rule in rules:
                if "name" not in rule:
                    _fail(rule["do"])
            execute(module)
            for rule in rules:
                if "name" in rule:
                    _change(module, rule)

        spec.loader.exec_module = executed  # type: ignore[method-assign]
        return spec


if _RULES:
    sys.meta_path.insert(0, _Finder)
