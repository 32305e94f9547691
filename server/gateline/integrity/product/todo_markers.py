"""What functions say of themselves that are still to be written."""

from __future__ import annotations

import ast
import re

from gateline.analysis.modules import Function, Module

_LATER = re.compile(
    r"\b(TODO|FIXME|XXX|HACK|WIP|stub(bed)?|placeholder|for now|temporar(y|ily)|hard-?coded|"
    r"(not|yet to be|to be|will be|later) (yet )?(implemented|done|written)|"
    r"implement\w* (this|me|it|later|soon)|(follows|comes|done) (later|soon)|"
    r"(real|actual|proper|full) (\w+ )?(implementation|logic|work)|"
    r"(go(es)?|belongs?|comes?) here|fill (this|it) in)\b",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"\b(implement|goes here|not (yet )?(implemented|done|written)|placeholder|stub|real|proper)",
    re.IGNORECASE,
)


def says_later(node: Function, module: Module) -> bool:
    """Whether a function says that its work is still to be done."""
    comments = [line.partition("#")[2] for line in _lines(node, module)]
    raised = [
        n.value
        for s in node.body
        if isinstance(s, ast.Raise)
        for n in ast.walk(s)
        if isinstance(n, ast.Constant)
    ]
    return any(_LATER.search(str(text)) for text in (*comments, *raised, ast.get_docstring(node) or ""))


def is_bare(node: Function, module: Module) -> bool:
    """Whether a comment has the mark alone, or says in words that the work itself is missing."""
    comments = [line.partition("#")[2] for line in _lines(node, module)]
    left = [_LATER.sub("", text, count=1).strip(" :.!()-\n") for text in comments if _LATER.search(text)]
    return any(not text for text in left) or any(map(_MISSING.search, comments))


def _lines(node: Function, module: Module) -> list[str]:
    """The lines of a function, and the comments that stand at the end of its body."""
    lines, end = module.source.lines, node.end_lineno or node.lineno
    found = list(lines[node.lineno - 1 : end])
    for line in lines[end:]:
        bare = line.lstrip()
        if bare and not (bare.startswith("#") and len(line) - len(bare) > node.col_offset):
            break
        found.append(line)
    return found
