"""What statements refer to: names, calls, literals and paths in code spans, and words."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.refinement.verifier.documents import Kind, Statement
from gateline.refinement.verifier.vocabulary import ADDED, ADDS, NEW, SUFFIXES, singular, words

_REACH = 5
"""So many words after "add" it is still said what is added."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call as a statement shows it."""

    name: str
    positional: int
    keywords: tuple[str, ...]
    text: str
    """The whole call in one form, so that equal calls have equal texts."""
    closed: bool
    """Whether its arguments are values: nothing of it depends on what stands around it."""
    awaited: bool = False


@dataclass(frozen=True, slots=True)
class Named:
    """The names and calls of one code span."""

    names: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    literals: tuple[str, ...] = ()
    bare: bool = False
    """The span is one name and nothing else."""


def named(code: str) -> Named:
    """What a code span names; nothing when it is no Python, as a command."""
    tree = parsed(code)
    if tree is None:
        return Named()
    if isinstance(tree, ast.Name | ast.Attribute):
        dotted = _dotted(tree)
        return Named((dotted,) if dotted else (), bare=True)
    names: list[str] = []
    calls: list[Call] = []
    awaited = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Await)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (dotted := _dotted(node.func)):
            names.append(dotted)
            calls.append(_call(node, dotted, awaited=id(node) in awaited))
    literals = tuple(ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Constant))
    return Named(tuple(names), tuple(calls), literals)


def parsed(code: str) -> ast.expr | None:
    """The expression of a code span; None when it is none."""
    # `class Voucher` and `def rate_of(country)` name what a definition names.
    for word in ("async def ", "def ", "class "):
        code = code.removeprefix(word)
    try:
        return ast.parse(code.strip().rstrip(":"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_literal(code: str) -> bool:
    """Whether a code span is a value: a number, a text, a display of such."""
    try:
        ast.literal_eval(code.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def paths(statement: Statement) -> Iterator[str]:
    """The files and folders that a statement names, in code, as links and in plain words."""
    for code in statement.codes:
        if statement.kind is not Kind.CODE and is_path(code):
            yield code.strip()
    yield from (link.partition("#")[0] for link in statement.links if is_path(link.partition("#")[0]))
    for word in statement.prose.split():
        bare = word.strip("()[],;:!?\"'*").removesuffix(".")
        # In prose `and/or` is no path, and `e.g.` no file.
        if is_path(bare) and PurePosixPath(bare).suffix in SUFFIXES and "://" not in bare:
            yield bare


def is_path(text: str) -> bool:
    """Whether a text without spaces is a file or a folder by its form."""
    text = text.strip()
    if (
        not text
        or any(c.isspace() or c in "()<>{}=\"'*|`" for c in text)
        or "://" in text
        or text.startswith("-")
    ):
        return False
    return PurePosixPath(text).suffix in SUFFIXES or (text.endswith("/") and len(text) > 1)


def is_about_new(statement: Statement) -> bool:
    """Whether a statement says that something is made that was not there."""
    said = words(statement.prose)
    if NEW & set(said):
        return True
    return any(
        word in ADDS and ADDED & {singular(w) for w in said[place + 1 : place + 1 + _REACH]}
        for place, word in enumerate(said)
    )


def new_names(statements: Iterable[Statement]) -> frozenset[str]:
    """The names, keywords and paths of statements that say that these are new, each by its last part."""
    found: set[str] = set()
    for statement in statements:
        for code in statement.codes:
            inner = named(code)
            found |= {name.rpartition(".")[2] for name in inner.names}
            found |= {keyword for call in inner.calls for keyword in call.keywords}
            found |= {arg for call in inner.calls for arg in _arguments(call)}
        found |= set(paths(statement))
    return frozenset(found)


def _arguments(call: Call) -> Iterator[str]:
    tree = parsed(call.text)
    if isinstance(tree, ast.Call):
        yield from (arg.id for arg in tree.args if isinstance(arg, ast.Name))


def _call(node: ast.Call, dotted: str, *, awaited: bool) -> Call:
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return Call(
        dotted,
        len(node.args),
        tuple(keyword.arg for keyword in node.keywords if keyword.arg),
        ast.unparse(node),
        all(is_literal(ast.unparse(one)) for one in given),
        awaited,
    )


def _dotted(node: ast.expr) -> str:
    """`a.b.c`, also of `A().b`; empty for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Call(func=inner), attr=name) | ast.Attribute(value=inner, attr=name):
            before = _dotted(inner)
            return f"{before}.{name}" if before else ""
        case _:
            return ""
