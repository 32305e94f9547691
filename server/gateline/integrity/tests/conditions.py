"""Whether a condition asks about the machine, and whether it is a pretext: true wherever checks run."""

from __future__ import annotations

import ast
import re

from gateline.analysis.trees import is_truth, names

_MACHINE = frozenset(
    {
        "sys",
        "os",
        "platform",
        "shutil",
        "importlib",
        "which",
        "find_spec",
        "environ",
        "getenv",
        "version_info",
        "version",
        "uname",
        "getoption",
        "getvalue",
        "Version",
        "parse_version",
        "util",
        "hasattr",
        "skipif",
        "has_module",
        "config",
        "request",
        "cpu_count",
        "is_available",
    }
)
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")
_ABILITY = re.compile(
    r"(^|_)(has|have|can|supports?|supported|available|installed|requires?|windows|linux|macos|pypy|wine|wsl)(_|$)"
)
_AUTOMATIC = frozenset({"CI", "GITHUB_ACTIONS", "GITLAB_CI", "CONTINUOUS_INTEGRATION", "JENKINS_URL"})
_MORE = re.compile(
    r"(^|_)(RUN|SLOW|FULL|TESTS?|ENABLED?|ALL|LONG|NIGHTLY|FLAKY|EXTRA|FORCE|STRICT|E2E|INTEGRATION|LEGACY)(_|$)"
)
"""Variables by which somebody asks for tests that else do not run."""
_OLDEST = (3, 11)
"""Whoever runs gateline has at least this Python."""


def is_about_environment(condition: ast.expr) -> bool:
    """Whether a condition asks about the machine, its packages or how the run was started."""
    if asks_machine(condition):
        return True
    # A parameter, or a module that may be missing: `numpy is None`. What was computed would be a call.
    return not any(isinstance(node, ast.Call) for node in ast.walk(condition))


def asks_machine(condition: ast.expr) -> bool:
    """Whether a condition has a name that tells of the machine, or of a setting."""
    used = names(condition)
    return names_machine(condition) or any(_CONSTANT.fullmatch(n) or _ABILITY.search(n) for n in used)


def names_machine(condition: ast.expr) -> bool:
    """Whether a condition has a name by which the machine itself is asked."""
    return bool(names(condition) & _MACHINE)


def is_pretext(condition: ast.expr | None, *, in_doubt: bool = True) -> bool:
    """Whether a condition holds wherever tests are usually run.

    `in_doubt` is the answer for one that asks nothing about the machine.
    """
    if condition is None or is_truth(condition, of=True):
        return True
    if isinstance(condition, ast.Constant) and isinstance(condition.value, str):
        return _said_as_text(condition.value)
    if not is_about_environment(condition):
        return in_doubt
    return _is_automatic(condition) or _holds_for_every_python(condition) or _holds_on_linux(condition)


def is_of_nothing(condition: ast.expr | None) -> bool:
    """Whether a condition asks what day it is, or what code answers, and nothing of the machine."""
    return (
        condition is not None
        and not isinstance(condition, ast.Constant)
        and not is_about_environment(condition)
    )


def is_opt_in(condition: ast.expr | None) -> bool:
    """Whether a condition holds until somebody sets a variable that asks for more tests."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[ast.In()])):
            return _asks_for_more(condition) and isinstance(left, ast.Constant)
        case ast.UnaryOp(op=ast.Not()) | ast.Compare(ops=[ast.NotIn() | ast.NotEq() | ast.Is()] | [ast.Eq()]):
            return _asks_for_more(condition) and not _is_set(condition)
        case _:
            return False


def is_unset(condition: ast.expr | None) -> bool:
    """Whether a condition holds until somebody sets a variable, whatever it is called."""
    match condition:
        case ast.Compare(ops=[ast.NotIn()]) | ast.UnaryOp(op=ast.Not()) | ast.Compare(ops=[ast.Is()]):
            return bool({"environ", "getenv"} & names(condition)) and not _is_automatic(condition)
        case _:
            return False


def variable_of(condition: ast.expr | None) -> str:
    """The variable that a condition asks the environment for; "" when it asks for none, or several."""
    asked = [n for n in ast.walk(condition or ast.Constant(None)) if isinstance(n, ast.Constant)]
    said = {n.value for n in asked if isinstance(n.value, str) and _CONSTANT.fullmatch(n.value)}
    return said.pop() if len(said) == 1 else ""


def is_by_request(condition: ast.expr) -> bool:
    """Whether a condition holds nowhere until somebody sets a variable for it."""
    match condition:
        case ast.UnaryOp(op=ast.Not()) | ast.Compare(ops=[ast.NotIn() | ast.NotEq() | ast.Is()]):
            return False
        case ast.Compare(ops=[ast.Eq()]) if not _is_set(condition):
            return False
        case _:
            return bool({"environ", "getenv"} & names(condition)) and not _is_automatic(condition)


def _asks_for_more(condition: ast.expr) -> bool:
    said = (n.value for n in ast.walk(condition) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return bool({"environ", "getenv"} & names(condition)) and any(map(_MORE.search, said))


def _is_set(condition: ast.expr) -> bool:
    """Whether it holds where the variable has some value."""
    match condition:
        case ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(value=value)]):
            return value not in ("", "0", "no", "false", None)
        case _:
            return False


def _said_as_text(text: str) -> bool:
    """`skipif("sys.platform == 'win32'")`, as pytest also takes it."""
    try:
        return is_pretext(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return True


def _is_automatic(condition: ast.expr) -> bool:
    """Whether it holds where nobody looks: in continuous integration."""
    if isinstance(condition, ast.UnaryOp) or any(isinstance(n, ast.NotIn) for n in ast.walk(condition)):
        return False
    said = {n.value for n in ast.walk(condition) if isinstance(n, ast.Constant)}
    return bool(said & _AUTOMATIC)


def _holds_for_every_python(condition: ast.expr) -> bool:
    match condition:
        case ast.Compare(left=left, ops=[ast.GtE() | ast.Gt()], comparators=[ast.Tuple(elts=parts)]):
            numbers = [part.value for part in parts if isinstance(part, ast.Constant)]
            known = all(isinstance(n, int) for n in numbers) and len(numbers) == len(parts)
            return "version_info" in names(left) and known and tuple(numbers) <= _OLDEST
        case _:
            return False


def _holds_on_linux(condition: ast.expr) -> bool:
    match condition:
        case ast.Compare(
            left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=parts) | ast.List(elts=parts)]
        ):
            equal = (ast.Compare(left, [ast.Eq()], [part]) for part in parts)
            return any(map(_holds_on_linux, equal))
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=str() as name)]):
            if not {"platform", "name", "system"} & names(left):
                return False
            linux = name.lower() in ("linux", "linux2", "posix")
            return linux if isinstance(op, ast.Eq) else isinstance(op, ast.NotEq) and not linux
        case ast.Call(
            func=ast.Attribute(attr="startswith", value=value), args=[ast.Constant(value=str() as name)]
        ):
            return "platform" in names(value) and name.startswith("linux")
        case _:
            return False
