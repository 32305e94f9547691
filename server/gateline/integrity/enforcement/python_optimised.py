"""Where a pipeline has Python leave assertions out, in a job or a script that calls a check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from gateline.integrity.enforcement.yaml_text import tree_of
from gateline.model.document import Document

_OPTIMISING = re.compile(
    r"^[^#]*(\bPYTHONOPTIMIZE(?:=|[\"'\]]*\s+=\s*|[\"']?\s*:\s*)[\"']?[1-9a-z]"
    r"|\bpython[\d.]*(?: -\w+)* -OO?\b.* -m (pytest|unittest))",
    re.MULTILINE,
)
"""Python optimises for any value but 0 and none; in a shell, a value stands right behind the sign."""
_HANDED_ON = re.compile(r"GITHUB_ENV|BASH_ENV|task\.setvariable")
"""By which a step sets something for those behind it."""
_STEPS = ("steps", "script", "commands")


def optimised(document: Document, checks: Callable[[Any], bool]) -> int | None:
    """The first line that has Python leave assertions out of a check; `checks` tells what calls one."""
    if document.path.endswith((".yml", ".yaml")) and not _in_yaml(document.text, checks):
        return None
    lines = document.text.splitlines()
    return next((n for n, line in enumerate(lines) if _OPTIMISING.search(line)), None)


def _in_yaml(text: str, checks: Callable[[Any], bool]) -> bool:
    """Whether a job that checks does, or what stands around all jobs."""
    if "PYTHONOPTIMIZE" not in text and " -O" not in text:
        return False
    tree = tree_of(text)
    jobs = list(_jobs(tree))
    if any(checks(job) and _OPTIMISING.search(_written(_heard(job, checks))) for job in jobs):
        return True
    return _OPTIMISING.search(_written(_without(tree, jobs))) is not None and checks(tree)


def _jobs(node: Any) -> Iterator[Any]:
    """What runs commands one after the other, with what it sets for them."""
    if isinstance(node, dict) and any(word in node for word in _STEPS):
        yield node
    elif isinstance(node, dict | list):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from _jobs(inner)


def _heard(job: Any, checks: Callable[[Any], bool]) -> Any:
    """A job without the steps that check nothing and set something for themselves alone."""
    steps = job.get("steps")
    own = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    alone = [step for step in own if not _HANDED_ON.search(_written(step)) and not checks(step)]
    return _without(job, alone)


def _without(node: Any, jobs: list[Any]) -> Any:
    if any(node is job for job in jobs):
        return None
    if isinstance(node, dict):
        return {key: _without(value, jobs) for key, value in node.items()}
    return [_without(item, jobs) for item in node] if isinstance(node, list) else node


def _written(tree: Any) -> str:
    """A tree as lines, commands as they were written."""
    if isinstance(tree, dict):
        return "\n".join(_row(str(key), value) for key, value in tree.items())
    return "\n".join(map(_written, tree)) if isinstance(tree, list) else str(tree)


def _row(key: str, value: Any) -> str:
    return f"{key}:\n{_written(value)}" if isinstance(value, dict | list) else f"{key}: {value}"
