"""Python files that call checks, as noxfile.py does, read as the commands that they run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from gateline.integrity.forgiven import forgiven
from gateline.integrity.module import Function, Module
from gateline.integrity.text import Known, dotted, is_truth, last_name, names, put_in

_FILES = frozenset({"noxfile.py", "tasks.py", "fabfile.py", "dodo.py", "duties.py", "runtests.py"})
_FOLDERS = frozenset({"scripts", "script", "tools", "ci", ".ci", "dev", "bin", ".github"})
_RUNNING = frozenset({"run", "run_always", "call", "check_call", "check_output", "system", "sudo", "sh"})
_ANSWERING = frozenset({"run", "call", "system"})
"""Those that only answer a status, if they belong to the standard library."""
_LIBRARY = frozenset({"subprocess", "os"})


def is_scripted(path: str) -> bool:
    """Whether a Python file is there to call the checks."""
    parts = PurePosixPath(path)
    return parts.suffix == ".py" and (parts.name in _FILES or not _FOLDERS.isdisjoint(parts.parts[:1]))


def commands_of(module: Module, within: ast.AST | None = None) -> str:
    """The commands of a file, or of a part of it, each on its own line; with a dash those that may fail."""
    tree = within or module.source.tree
    if tree is None:
        return ""
    ignored = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    lenient = {id(node) for node in forgiven(tree)}
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    rows: dict[int, str] = {}
    for node in calls:
        if command := _command(node, id(node) in ignored, module.constants):
            command = f"-{command}" if id(node) in lenient and command[0] != "-" else command
            rows[node.lineno] = f"{rows[node.lineno]}; {command}" if node.lineno in rows else command
    return "\n".join(rows.get(line, "") for line in range(1, max(rows, default=0) + 1))


def _command(call: ast.Call, alone: bool, known: Known) -> str:
    words = list(_words(call.args, known))
    if dotted(call.func) == "pytest.main":
        return _line(["pytest", *words], may_fail=alone)
    if last_name(call) not in _RUNNING or not words:
        return ""
    return _line(words, may_fail=_may_fail(call, alone))


def _line(words: list[str], *, may_fail: bool) -> str:
    # A word with spaces in it is one argument, unless it is a whole command.
    quoted = (f"'{word}'" if " " in word and "'" not in word else word for word in words[1:])
    return f"{'-' if may_fail else ''}{' '.join([words[0], *quoted])}"


def _may_fail(call: ast.Call, alone: bool) -> bool:
    given = {k.arg: k.value for k in call.keywords}
    if "warn" in given and is_truth(given["warn"], of=True):
        return True
    of_library = dotted(call.func).partition(".")[0] in _LIBRARY and last_name(call) in _ANSWERING
    return of_library and alone and not ("check" in given and is_truth(given["check"], of=True))


def _words(arguments: list[ast.expr], known: Known) -> Iterator[str]:
    for argument in arguments:
        match put_in(argument, known):
            case ast.Constant(value=value):
                yield str(value)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                yield from _words(items, known)
            case ast.JoinedStr(values=parts):
                yield "".join(_part(part, known) for part in parts)
            case ast.Attribute(attr="executable"):
                yield "python"
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                yield from _words([left, right], known)


def _part(part: ast.expr, known: Known) -> str:
    return " ".join(_words([part.value if isinstance(part, ast.FormattedValue) else part], known))


def by_themselves(module: Module) -> list[Function]:
    """The sessions of a noxfile that run when nobody names one."""
    sessions = {node.name: node for node in module.functions.values() if _session(node) is not None}
    chosen = _chosen(module)
    if chosen is not None:
        return [sessions[name.replace("-", "_")] for name in chosen if name.replace("-", "_") in sessions]
    return [node for node in sessions.values() if not _is_for_whoever_asks(node)]


def _session(node: Function) -> ast.expr | None:
    return next((d for d in node.decorator_list if last_name(d) == "session"), None)


def _is_for_whoever_asks(node: Function) -> bool:
    decorator = _session(node)
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(k.arg == "default" and is_truth(k.value, of=False) for k in given)


def _chosen(module: Module) -> list[str] | None:
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Attribute(attr="sessions") as target], value=value):
                if "options" in names(target):
                    return list(_words([value], module.constants))
    return None


def accepted_codes(module: Module) -> Iterator[ast.AST]:
    """`success_codes=[0, 1]` in a noxfile."""
    if PurePosixPath(module.source.path).name != "noxfile.py":
        return
    for node in ast.walk(module.source.tree or ast.Module([], [])):
        if isinstance(node, ast.Call) and last_name(node) == "run":
            for keyword in node.keywords:
                codes = keyword.value.elts if isinstance(keyword.value, ast.List | ast.Tuple) else []
                if keyword.arg == "success_codes" and not all(is_truth(code, of=False) for code in codes):
                    yield node
