"""Lists the messages that a user can see, as they stand in the code, so that they can be read in one page.

Found are messages of findings, of errors that are raised, the meanings of codes, why something was not
measured, titles of actions, notes beside results, and the help of commands. Settings have a page of their
own. What is put in at run time stands in braces. A sentence
that is put together of several functions shows as its parts; one that has a name of its own in capitals is
listed where it is written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

PAGE = "docs/messages.md"
_PACKAGE = Path(__file__).parents[1] / "gateline"
_MAKERS = frozenset(
    {
        *("at_node", "at_line", "at_span", "echo", "ClickException", "BadParameter", "Code"),
        *("absent", "all_absent", "no_data", "NoOutline", "Report", "TestRun", "_unrun"),
        *("CodeAction", "Command", "ShowMessageParams", "repair", "Repair", "_repair"),
        *("Slip", "_Sign", "_Way", "Explanation", "Table", "Refusal"),
    }
)
"""Functions that are given a message."""
_NAMES = frozenset(
    {"message", "reason", "title", "label", "note", "step", "next_step", "limit", "why", "help"}
)
"""What a message is bound to, or given as."""
_ANSWERS = re.compile(r"(^|_)(why|reason|refusal|refused|problem|title)(_|$)")
"""Functions that return a message, by a part of their name."""
_COMMANDS = frozenset({"command", "group"})
"""Decorators of click that make a command of a function."""
_TITLE = re.compile(r"[A-Z][a-z]+ \S")
"""How the title of an action begins, which is yielded together with its edits."""
_LONGEST = 40
"""Letters of an expression that is shown whole."""
_HEAD = """# Messages

<!-- Written by `make generate`. -->
What users can read in editors, terminals and reports, by the module that says it: findings, errors, meanings
of codes, help of commands. Settings are in [settings.md](settings.md). Braces hold
what is put in. A message says what was found, where, and what to do (`docs/style.md`).
"""


def render() -> dict[str, str]:
    """The page, by its path in the repository."""
    files = {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(_PACKAGE.rglob("*.py"))}
    named = frozenset(name for tree in files.values() for name in _constants_given(tree))
    parts = [_HEAD]
    for file, tree in files.items():
        rows = list(dict.fromkeys(messages(tree, named)))
        if rows:
            listed = "\n".join(f"- {_quoted(row)}" for row in rows)
            parts.append(f"## {file.relative_to(_PACKAGE).as_posix()}\n\n{listed}\n")
    return {PAGE: "\n".join(parts)}


def messages(tree: ast.Module, named: Collection[str] = ()) -> Iterator[str]:
    """The messages of a module, each as a template on one line; also its texts that are `named` so."""
    for given in (*_constants(tree, named), *(given for node in ast.walk(tree) for given in _given(node))):
        text = _template(given)
        # One word is a name or a key, and no sentence.
        if text and " " in text.strip():
            yield " ".join(text.split())


def _constants(tree: ast.Module, named: Collection[str]) -> Iterator[ast.expr]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(values=values)) if name in named:
                yield from values
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in named:
                yield value


def _constants_given(tree: ast.Module) -> Iterator[str]:
    """The names in capitals that stand where a message is expected."""
    for node in ast.walk(tree):
        for given in _given(node):
            for part in ast.walk(given):
                if isinstance(part, ast.Name) and part.id.isupper():
                    yield part.id


def _given(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions at a node that are a message."""
    match node:
        case ast.Assign(targets=[target], value=value):
            yield from _bound(target, value)
        case ast.Raise(exc=ast.Call(args=args)):
            yield from args
        case ast.Call(func=func, args=args, keywords=keywords):
            name = _called(func)
            yield from args if name in _MAKERS else ()
            yield from (k.value for k in keywords if k.arg in _NAMES)
        case ast.Yield(value=ast.Tuple(elts=[first, *_])) if _TITLE.match(_template(first)):
            yield first
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if _ANSWERS.search(name):
            yield from _returned(node)
        case ast.FunctionDef(decorator_list=[*made], body=[ast.Expr(value=text), *_]) if _is_command(made):
            yield text


def _is_command(decorators: Sequence[ast.expr]) -> bool:
    """Whether a function is a command, whose docstring is its help."""
    called = (_called(one.func) for one in decorators if isinstance(one, ast.Call))
    return not _COMMANDS.isdisjoint(called)


def _called(func: ast.expr) -> str:
    """The last name of what is called, as of `Table[Check](…)`; "" for another expression."""
    match func:
        case ast.Subscript(value=value):
            return _called(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _bound(target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    match target, value:
        case ast.Name(id=name), _ if name in _NAMES:
            yield value
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for one, other in zip(targets, values, strict=True):
                yield from _bound(one, other)


def _returned(function: ast.AST) -> Iterator[ast.expr]:
    """What a function returns or yields, but not what one inside of it does."""
    for node in ast.iter_child_nodes(function):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.ClassDef():
                continue
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                yield value
        yield from _returned(node)


def _template(node: ast.expr) -> str:
    """A text with what is put in in braces; "" for an expression that is no text."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(_part, values))
        case ast.IfExp(body=one, orelse=other):
            return " / ".join(filter(None, (_template(one), _template(other))))
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _template(left) + _template(right)
        case _:
            return ""


def _part(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.FormattedValue(value=value):
            shown = ast.unparse(value)
            return f"{{{shown if len(shown) <= _LONGEST else '…'}}}"
        case _:
            return ""


def _quoted(text: str) -> str:
    """As code in Markdown, whatever marks are inside."""
    fence = "``" if "`" in text else "`"
    inner = f" {text} " if text.startswith("`") or text.endswith("`") else text
    return f"{fence}{inner}{fence}"
