"""Bytes that are treated as text: they are decoded where they come in, once, and not at each use.

`sock.recv(1024)`, what a process printed, a file that was opened with "rb".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"a bytes-like object is required, not 'str'"
    r"|can't concat str to bytes"
    r"|can only concatenate str \(not \"bytes\"\)"
    r"|cannot use a string pattern on a bytes-like object"
    r"|argument should be integer or bytes-like object, not 'str'"
    r"|first arg must be bytes or a tuple of bytes, not str"
    r"|'bytes' object has no attribute"
)
_EDGES = frozenset(
    {
        "recv",
        "read",
        "readline",
        "read1",
        "readall",
        "read_bytes",
        "getvalue",
        "digest",
        "tobytes",
        "to_bytes",
    }
    | {"check_output", "b64decode", "b64encode", "urlsafe_b64encode", "urlsafe_b64decode", "b32encode"}
    | {
        "hexlify",
        "unhexlify",
        "b16encode",
        "decompress",
        "recv_bytes",
        "get_payload",
        "readexactly",
        "readuntil",
    }
)
"""Calls that give bytes from outside."""
_EDGE_NAMES = frozenset({"stdout", "stderr", "content", "body", "data"})
_OF_PROCESSES = frozenset({"stdout", "stderr", "check_output", "communicate", "read"})
_PROCESSES = frozenset({"run", "check_output", "Popen"})
_KEPT = frozenset(
    {"strip", "rstrip", "lstrip", "lower", "upper", "replace", "title", "removeprefix", "removesuffix"}
)
"""Methods of bytes that give bytes again."""
_BINARY = re.compile(r"[rwax]?b[rwax]?\+?")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Text and bytes meet."""
    if _TOLD.search(problem.message) is None or not any(_bytes(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "missing-decode", "str", "bytes")


def propose(question: Question) -> Iterator[Repair]:
    """Decode where the bytes come from, or read text at once."""
    found = _bytes(question.problem, question.knowledge)
    yield from cheapest(r for origin in found for r in _of(question, origin))


def _bytes(problem: Problem, knowledge: Knowledge) -> Iterator[Origin]:
    """The expressions that hold the bytes, and what these come from."""
    for spot in spots(problem, knowledge)[:1]:
        kinds = Kinds(spot.code, knowledge, spot.seen)
        for node in () if is_test(spot.code.path) else _treated_as_text(spot):
            if kinds.of(node) not in {"", "bytes"} or kinds.resolved(node):
                # A module, or a function of one.
                continue
            whole = _unwrapped(node)
            for origin in origins(knowledge, spot, whole):
                yield origin if origin.steps else Origin(spot, origin.node)


def _treated_as_text(spot: Spot) -> Iterator[ast.expr]:
    for call in spot.candidates(ast.Call):
        if isinstance(call.func, ast.Attribute):
            yield call.func.value
        if call.func is spot.node or dotted(call.func).startswith("re."):
            yield from call.args
    for compared in spot.candidates(ast.Compare):
        yield from compared.comparators
    for joined in spot.candidates(ast.BinOp):
        yield from (joined.left, joined.right)
    for changed in spot.candidates(ast.AugAssign):
        yield changed.value


def _unwrapped(node: ast.expr) -> ast.expr:
    """What is left of `data.strip()[4:]` without what changes nothing of its type."""
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEPT:
            node = node.func.value
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            node = node.value
        else:
            return node


@dataclass(frozen=True)
class _Way:
    """One way to have text."""

    title: str
    edit: Edit
    cost: float


def _of(question: Question, origin: Origin) -> Iterator[Repair]:
    for way in _ways(origin):
        cost = way.cost + prior("types.text-step") * origin.steps
        yield repair(question, way.title, [way.edit], cost)


def _ways(origin: Origin) -> Iterator[_Way]:
    code, node = origin.code, _unwrapped(origin.node)
    if isinstance(node, ast.Constant) or not isinstance(node, ast.Call | ast.Name | ast.Attribute):
        return
    name = last(node.func) if isinstance(node, ast.Call) else last(node)
    is_edge = name in (_EDGES if isinstance(node, ast.Call) else _EDGE_NAMES)
    if isinstance(getattr(node, "ctx", None), ast.Store) or (not is_edge and origin.steps):
        return
    end = code.end(node)
    yield _Way(
        f"Decode the result of {name}",
        code.edit(end, end, ".decode()"),
        prior("types.text-at-edge" if is_edge else "types.text-at-use"),
    )
    yield from _read_as_text(code, node, name)


def _read_as_text(code: Code, node: ast.expr, name: str) -> Iterator[_Way]:
    """What gives text when it is asked for."""
    if name == "read_bytes" and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        end = code.end(node.func)
        yield _Way(
            "Call read_text()",
            code.edit(end - len(name), end, "read_text"),
            prior("types.text-at-edge") + prior("types.text-read"),
        )
    function = code.function(node)
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call)] if function is not None else []
    for call in calls:
        if last(call.func) in _PROCESSES and name in _OF_PROCESSES:
            yield from _asked_for_text(code, call)
        elif last(call.func) == "open":
            yield from _opened_as_text(code, call)


def _asked_for_text(code: Code, call: ast.Call) -> Iterator[_Way]:
    """`text=True`, where a process is started."""
    if call.args and not {"text", "universal_newlines", "encoding"} & {k.arg for k in call.keywords}:
        end = code.end([*call.args, *(k.value for k in call.keywords)][-1])
        yield _Way(
            "Pass text=True",
            code.edit(end, end, ", text=True"),
            prior("types.text-at-edge") + prior("types.text-asked"),
        )


def _opened_as_text(code: Code, call: ast.Call) -> Iterator[_Way]:
    """A file without the mode that gives bytes."""
    for mode in (*call.args, *(k.value for k in call.keywords)):
        text = mode.value if isinstance(mode, ast.Constant) else None
        if isinstance(text, str) and _BINARY.fullmatch(text):
            start = code.start(mode) + 1
            edit = code.edit(start, start + len(text), text.replace("b", "") or "r")
            yield _Way(
                "Open the file in text mode", edit, prior("types.text-at-edge") + prior("types.text-opened")
            )


REPAIRER = Repairer("text at the edges", frozenset({"TypeError", "AttributeError"}), diagnose, propose)
