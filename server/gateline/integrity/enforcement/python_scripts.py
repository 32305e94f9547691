"""Python files that call checks, as noxfile.py does, read as the commands that they run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import Known, is_truth, names, put_in
from gateline.integrity.enforcement.exit_status import Minding, holds
from gateline.integrity.enforcement.python_exit import forgiven
from gateline.integrity.enforcement.subprocess_calls import Run, Runs
from gateline.model.names import dotted, last_name

_FILES = frozenset({"noxfile.py", "tasks.py", "fabfile.py", "dodo.py", "duties.py", "runtests.py"})
_NAMED = re.compile(r"(run_?)?(all_?)?(checks?|tests?|ci|gate|qa|lint|verify|validate)\.py")
_FOLDERS = frozenset({"scripts", "script", "tools", "ci", ".ci", "dev", "bin", ".github"})
_ANSWERING = frozenset(
    {"run", "call", "system", "Popen", "main", "create_subprocess_exec", "create_subprocess_shell"}
)
"""Those that only answer a status, if they belong to one of these libraries."""
_RUNNING = _ANSWERING - {"main"} | {"run_always", "check_call", "check_output", "sudo", "sh"}
_LIBRARY = frozenset({"subprocess", "os", "asyncio", "pytest"})
_SPLITTING = frozenset({"split", "list", "tuple", "str"})


def is_scripted(path: str) -> bool:
    """Whether a Python file is there to call the checks."""
    parts = PurePosixPath(path)
    at_top = len(parts.parts) == 1 and _NAMED.fullmatch(parts.name) is not None
    return parts.suffix == ".py" and (
        parts.name in _FILES or at_top or not _FOLDERS.isdisjoint(parts.parts[:1])
    )


def commands_of(module: Module, within: ast.AST | None = None) -> str:
    """The commands of a file, or of a part of it, each on its own line; with a dash those that may fail."""
    tree = within or module.source.tree
    if tree is None:
        return ""
    minding = Minding(Runs(module))
    lenient = {id(node) for node in forgiven(tree)}
    rows: dict[int, list[str]] = {}
    for run in _reached(tree, minding):
        if command := _command(run, minding):
            caught = (one for one in _with_outer(run) if id(one.node) in lenient)
            is_lenient = any(not minding.answers(one) for one in caught)
            command = f"-{command}" if is_lenient and command[0] != "-" else command
            rows.setdefault(run.line, []).append(command)
    return "\n".join("; ".join(rows.get(line, ())) for line in range(1, max(rows, default=0) + 1))


def _reached(tree: ast.AST, minding: Minding) -> list[Run]:
    """The commands that are run, each in its contexts, but not again the calls of helpers that run them."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_running(node)]
    runs = [run for node in calls for run in minding.runs.contexts(node) if minding.is_reached(run)]
    told = [run for run in runs if any(_words(run.node.args, run.known))]
    inner = {id(outer.node) for run in told for outer in _with_outer(run.outer)}
    return [run for run in told if id(run.node) not in inner]


def _with_outer(run: Run | None) -> Iterator[Run]:
    while run is not None:
        yield run
        run = run.outer


def _is_running(call: ast.Call) -> bool:
    return dotted(call.func) == "pytest.main" or last_name(call) in _RUNNING


def _command(run: Run, minding: Minding) -> str:
    words = [word for word in _words(run.node.args, run.known) if word]
    if dotted(run.node.func) == "pytest.main":
        words = ["pytest", *words]
    return _line(words, may_fail=_may_fail(run, minding)) if words else ""


def _line(words: list[str], *, may_fail: bool) -> str:
    # A word with spaces in it is one argument, unless it is a whole command.
    quoted = (f"'{word}'" if " " in word and "'" not in word else word for word in words[1:])
    return f"{'-' if may_fail else ''}{' '.join([words[0], *quoted])}"


def _may_fail(run: Run, minding: Minding) -> bool:
    call = run.node
    given = {k.arg: k.value for k in call.keywords}
    if "warn" in given and is_truth(given["warn"], of=True):
        return True
    name = dotted(call.func)
    whole = minding.runs.module.imports.get(name, name)
    answers = whole.partition(".")[0] in _LIBRARY and last_name(call) in _ANSWERING
    if not answers or ("check" in given and holds(given["check"], run.known) is True):
        return False
    return not minding.counts(run)


def _words(arguments: list[ast.expr], known: Known) -> Iterator[str]:
    for argument in arguments:
        match _unwrapped(put_in(argument, known)):
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


def _unwrapped(node: ast.expr) -> ast.expr:
    """What is spread, or split into words: those are told as they stand."""
    match node:
        case (
            ast.Starred(value=inner)
            | ast.Call(func=ast.Attribute(value=ast.Constant() as inner, attr="split"))
        ):
            return _unwrapped(inner)
        case ast.Call(args=[inner, *_]) if last_name(node) in _SPLITTING:
            return _unwrapped(inner)
        case _:
            return node


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
