"""GTL614 of commands: one is offered that is new, and all it does is to say so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.trees import constants, is_value, unparsed
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.placeholder_body import CODE
from gateline.integrity.rules.placeholder_body.bodies import NOTHING_MEANT
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_TELLING = frozenset({"print", "echo", "secho", "write", "info", "warning", "debug", "log"})
_OFFERING = frozenset({"add_parser", "add_command", "add_argument", "option", "Option", "Choice", "command"})
_TO_TELL = re.compile(
    r"-*(version|help|about|licen[cs]e|credits|ping|hello|hi|greet|welcome|echo|say|usage|motd|info|noop|quit|exit)",
    re.IGNORECASE,
)
"""Commands that are there to tell something."""
_HARMLESS = frozenset({"str", "repr", "format", "len", "join", "style"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """The commands that are new, offered to others, and only tell something."""
    new = evidence.product.new_constants
    for module, (node, words) in new_in(
        evidence.both.product, _branches, lambda hit: (unparsed(hit[0].test),)
    ):
        named = [word for word in words if word in new and not _TO_TELL.fullmatch(word.strip("'"))]
        if named and len(named) == len(words) and any(_is_offered(word, module, evidence) for word in named):
            message = f"{', '.join(sorted(named))} is new and only prints a message"
            yield at_node(CODE, module, node.test, message, Weight.COUNTS)
    for module, function in new_in(evidence.both.product, _commands, lambda node: (node.name,)):
        yield at_node(
            CODE, module, function, f"`{function.name}` is new and only prints a message", Weight.COUNTS
        )


def _branches(module: Module) -> Iterator[tuple[ast.If, frozenset[str]]]:
    """Conditions on a word, behind which something is only told."""
    for node, _ in module.owned:
        match node:
            case ast.If(test=ast.Compare(ops=[ast.Eq() | ast.In()], comparators=[right]), body=body):
                if is_value(right) and constants(right) and _only_tells(body):
                    yield node, constants(right)


def _commands(module: Module) -> Iterator[Function]:
    for function in module.all_functions.values():
        marks = {last_name(mark) for mark in function.decorator_list}
        said = f"{function.name.replace('_', ' ')} {ast.get_docstring(function) or ''}"
        is_command = "command" in marks or "subcommand" in marks
        if not is_command or NOTHING_MEANT.search(said) or _TO_TELL.match(function.name):
            continue
        given = [a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)]
        if given and _only_tells(without_docstring(function)):
            yield function


def _only_tells(body: Sequence[ast.stmt]) -> bool:
    """Whether something is told that is written out or repeats what was given, and nothing else is done."""
    told = [node for node in body if _is_told(node)]
    rest = [node for node in body if node not in told and not isinstance(node, ast.Pass | ast.Delete)]
    return bool(told) and all(_is_end(node) for node in rest)


def _is_told(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(args=[_, *_] as args) as call) if last_name(call) in _TELLING:
            parts = [n for given in args for n in ast.walk(given)]
            made = (n for n in parts if isinstance(n, ast.Call | ast.Await) and last_name(n) not in _HARMLESS)
            # A version or a table of the module's own is an answer.
            own = (n for n in parts if isinstance(n, ast.Name) and (n.id.isupper() or n.id.startswith("__")))
            return not any(made) and not any(own) and any(isinstance(n, ast.Constant) for n in parts)
        case _:
            return False


def _is_end(node: ast.stmt) -> bool:
    match node:
        case ast.Return(value=value):
            return value is None or (isinstance(value, ast.Constant) and not value.value)
        case ast.Expr(value=ast.Call(args=args) as call) if last_name(call) == "exit":
            return all(isinstance(arg, ast.Constant) and not arg.value for arg in args)
        case _:
            return False


def _is_offered(word: str, module: Module, evidence: Evidence) -> bool:
    """Whether a word is a command or an option of the program, or a page tells of it."""
    calls = (node for node, _ in module.owned if isinstance(node, ast.Call) and last_name(node) in _OFFERING)
    plain = word.strip("'").lstrip("-")
    return any(word in constants(call) for call in calls) or evidence.product.pages.is_named(plain)
