"""House rules about what others call: public names and signatures stay, unless the error is in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gateline.model import Problem, Source
from gateline.model.document import split_lines
from gateline.model.interface import is_public, offered
from gateline.repairs.rule import Case, Refusal
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.tokens import Kind

_HEADER = re.compile(
    r"[ \t]*(?:(?:\"{3}|'{3})[ \t]*)?(?:async[ \t]+)?(?P<kind>def|class)[ \t]+(?P<name>[A-Za-z_]\w*)"
)
Signature = tuple[str, ...]


def interface(case: Case) -> Iterator[Refusal]:
    """Every public name is still there, and is called as before."""
    for path, before, after in case.python():
        if before.tree is None:
            yield from _still_defined(path, case.problem, before, after)
            continue
        if after.tree is None:
            continue
        old, new = public(before.tree), public(after.tree)
        touched = _around(case.problem, path, before.tree)
        for name, signature in old.items():
            if name not in new:
                if not _came_home(name, before.tree, new):
                    yield Refusal("public-name", f"{path}: the public name `{name}` would be removed")
            elif new[name] != signature and not (
                name in touched or _lacked_self(case.problem, name, signature, new[name])
            ):
                yield Refusal(
                    "public-signature", f"{path}: the signature of the public `{name}` would change"
                )


def _came_home(name: str, tree: ast.Module, new: Iterable[str]) -> bool:
    """Whether a function that takes `self`, which nobody can call as it stands, is a method now."""
    functions = (n for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    takes_self = any(f.name == name and f.args.args[:1] and f.args.args[0].arg == "self" for f in functions)
    return takes_self and any(other.endswith(f".{name}") for other in new)


def _still_defined(path: str, problem: Problem, before: Source, after: Source) -> Iterator[Refusal]:
    """A text that does not parse has no interface to compare; the headers in it are still read."""
    if after.tree is None:
        return
    names = public(after.tree)
    last = {name.rpartition(".")[2] for name in names}
    hidden = {node.name for node in ast.walk(after.tree) if isinstance(node, _DEFINITIONS)} - last
    kept = set(after.text.splitlines())
    for header in headers(before.text):
        own = header.name.rpartition(".")[2]
        if header.line == problem.line and not header.is_quoted:
            # The name itself may be what is wrong.
            is_there = own not in hidden
        elif header.text in kept and not header.is_quoted:
            is_there = header.name in names
        else:
            # One that is moved may come to stand in a class, or go out of one.
            is_there = own in last
        if not is_there:
            yield Refusal("public-name", f"{path}: the public name `{header.name}` would be removed")


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Header(NamedTuple):
    """The line of a text, which need not parse, on which something public is defined."""

    line: int
    name: str
    """With the classes it stands in, as far as the indentation tells."""
    text: str

    @property
    def is_quoted(self) -> bool:
        """Whether it stands behind three quotes."""
        return self.text.lstrip().startswith(('"' * 3, "'" * 3))


def headers(text: str) -> Iterator[Header]:
    """The headers of public functions and classes outside of functions; what is in a string is none."""
    inside = _string_lines(text)
    stack: list[tuple[int, str]] = []
    """The blocks around a line: their indentation, and the qualified name of a public class or nothing."""
    for number, line in enumerate(split_lines(text)):
        bare = line.strip()
        if not bare or bare[0] in "#)]}" or number in inside:
            continue
        width = len(line) - len(line.lstrip())
        while stack and stack[-1][0] >= width:
            stack.pop()
        match = _HEADER.match(line)
        around = stack[-1][1] if stack else ""
        if match and (not width or around):
            name = around + match["name"]
            if is_public(match["name"]):
                yield Header(number, name, line.rstrip("\r\n"))
            is_class = match["kind"] == "class" and is_public(match["name"])
            stack.append((width, f"{name}." if is_class else ""))
        elif bare.endswith(":"):
            stack.append((width, ""))


def _string_lines(text: str) -> set[int]:
    """The lines that begin inside of a string, as far as one can tell: not where quotes are out of step."""
    layout = layout_of(text)
    if layout.is_out_of_step:
        return set()
    strings = (t for t in layout.tokens if t.kind is Kind.STRING)
    return {n for t in strings for n in range(t.line + 1, t.line + 1 + t.text.count("\n"))}


def public(tree: ast.Module) -> dict[str, Signature]:
    """What others may use of a module, by qualified name, with the way it is called."""
    return {name: _called(node) for name, node in offered(tree).items()}


def _called(node: ast.AST) -> Signature:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return _signature(node)
    return ("class",) if isinstance(node, ast.ClassDef) else ("name",)


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature:
    """Names, order and kinds of parameters, and how many have a default; annotations may be mended."""
    given = node.args
    rows = [*(f"{a.arg}/" for a in given.posonlyargs), *(a.arg for a in given.args)]
    rows.append(f"={len(given.defaults)}")
    rows += [f"*{given.vararg.arg}"] if given.vararg else []
    defaults = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    rows += [f"{a.arg}{'' if d is None else '='}*" for a, d in defaults]
    rows += [f"**{given.kwarg.arg}"] if given.kwarg else []
    return tuple(rows)


def _around(problem: Problem, path: str, tree: ast.Module) -> set[str]:
    """The names of those functions whose header holds the problem."""
    places = {(problem.path, problem.line)} if problem.span else set()
    return {
        name for name, node in _headers(tree, "") for line in _header_lines(node) if (path, line) in places
    }


def _headers(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _headers(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _headers(child, prefix)


def _lacked_self(problem: Problem, name: str, old: Signature, new: Signature) -> bool:
    """A method without `self`, in an error that says so: every call of it fails today."""
    named = re.search(rf"\b{re.escape(name.rpartition('.')[2])}\(\)|name '(?:self|cls)' is", problem.message)
    return named is not None and new[:1] in {("self",), ("cls",)} and new[1:] == old


def _header_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> range:
    return range(node.lineno - 1, max(node.lineno, node.body[0].lineno - 1))


INTERFACE_RULES: Iterable[Callable[[Case], Iterator[Refusal]]] = (interface,)
