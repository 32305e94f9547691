"""GTL613: the product asks whether it is being tested."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.analysis.modules import Module, given_by
from gateline.analysis.trees import Known, names, put_in, unparsed
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.test_detected import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import dotted, last_name

_RUNNERS = re.compile(r"_?py\.?test|_pytest|unittest|nose2?|pytest_.*|.*[/\\]?pytest(/__main__\.py)?")
_VARIABLES = re.compile(
    r"PYTEST_\w+|(IS_|IN_|UNDER_|RUNNING_|_)*(UNIT_?)?TEST(S|ING)?(_MODE|_RUN|_ENV)?(_ACTIVE)?|.*_UNDER_TEST|RUNNING_TESTS?"
    r"|(?!AB_)\w+_(TESTING|TEST_(MODE|RUN|ENV)|IN_TESTS?)"
)
_FLAG = re.compile(
    r"_*(IS_|IN_|UNDER_|RUNNING_)*(UNIT_?)?TEST(S|ING)?(_MODE|_RUN)?|_*(is_|in_|under_)?testing|(is|in|under)_test"
)
_MOCK = re.compile(r"(Magic|Async|NonCallable)?Mock|assert_called.*|mock_calls|_mock_\w+")
_STAND_IN = re.compile(r"_?(Fake|Stub|Dummy|Spy|Mock)[A-Z]\w*")
"""Names of classes that tests write in the place of others."""
_FRAMES = frozenset({"stack", "currentframe", "_getframe", "getouterframes", "extract_stack", "f_back"})
_PROCESS = frozenset({"argv", "orig_argv", "executable"})
_TEST = re.compile(r"(unit)?-?test(s|ing)?", re.IGNORECASE)
_ORIGIN = frozenset({"__module__", "__qualname__", "co_filename", "getcwd", "getsourcefile", "getfile"})
_TESTING = re.compile(r"(^|[^a-z])_?test(s|_|\b)|pytest|unittest|conftest", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """A node that asks whether tests run, and by what."""

    node: ast.AST
    by: str
    function: str


def find(evidence: Evidence) -> Iterator[Finding]:
    """The questions that are new."""
    files = [pair for pair in evidence.both.product if not _knows_pytest(pair.now)]
    prints = lambda hit: (f"{hit.function} {unparsed(hit.node)}", unparsed(hit.node))  # noqa: E731
    for module, hit in new_in(files, _questions, prints):
        yield at_node(
            CODE, module, hit.node, f"product code checks {hit.by} to detect a test run", Weight.FLOOR
        )


def _knows_pytest(module: Module | None) -> bool:
    """Whether a file is made for a test runner: it imports one, or is named for it."""
    if module is None:
        return True
    heads = {whole.partition(".")[0] for whole in module.imports.values()}
    return bool(heads & {"pytest", "_pytest", "pluggy", "unittest"}) or "pytest" in module.source.path


def _questions(module: Module) -> Iterator[Question]:
    origins = _origins(module)
    everywhere = {**_words(module), **origins.get("", {})}
    known = {inside: {**everywhere, **own} for inside, own in origins.items()}
    asked: set[int] = set()
    for node, inside in module.owned:
        if id(node) in asked:
            continue
        if by := _asked(node) or _asked_of_origin(node, known.get(inside, everywhere)):
            # What stands inside asks the same.
            asked.update(map(id, ast.walk(node.test if isinstance(node, ast.If) else node)))
            yield Question(node, by, inside)


def _asked_of_origin(node: ast.AST, known: Known) -> str:
    is_asking = isinstance(node, ast.Compare | ast.Call | ast.Subscript)
    return _asked(put_in(node, known)) if known and is_asking else ""


def _words(module: Module) -> dict[str, ast.expr]:
    """The names of a file that stand for a variable of a test runner."""
    return {
        name: value
        for name, value in module.constants.items()
        if isinstance(value, ast.Constant)
        and isinstance(value.value, str)
        and _VARIABLES.fullmatch(value.value)
    }


def _origins(module: Module) -> dict[str, dict[str, ast.expr]]:
    """By function: the names that keep who called, or where something comes from."""
    found: dict[str, dict[str, ast.expr]] = {}
    for node, inside in module.owned:
        for name, value in given_by(node) if isinstance(node, ast.Assign | ast.AnnAssign) else ():
            if (_FRAMES | _ORIGIN | _PROCESS) & names(value):
                found.setdefault(inside, {})[name] = value
    return found


def _asked(node: ast.AST) -> str:
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            return _compared([left, right], of_any=not _is_word(left) and not _is_word(right))
        case ast.Compare(
            left=left,
            ops=[ast.In() | ast.NotIn()],
            comparators=[ast.Tuple(elts=words) | ast.List(elts=words) | ast.Set(elts=words)],
        ):
            return _compared([left, *words], of_any=not all(map(_is_word, words)))
        case ast.Compare(left=left, comparators=[*others]):
            return _compared([left, *others])
        case ast.Call():
            return _called(node)
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as name)):
            return (
                "the environment" if dotted(value).endswith("environ") and _VARIABLES.fullmatch(name) else ""
            )
        case ast.If(test=test) | ast.IfExp(test=test):
            return _by_flag(test)
        case _:
            return ""


def _called(node: ast.Call) -> str:
    match node:
        case ast.Call(
            func=ast.Attribute(value=value, attr="get" | "startswith" | "endswith" as asks), args=args
        ) if by := _compared([value, *args], of_any=asks != "get"):
            return by
        case ast.Call(func=func, args=[ast.Constant(value=str() as name), *_]):
            return "the environment" if _asks_environment(dotted(func)) and _VARIABLES.fullmatch(name) else ""
        case ast.Call(
            func=ast.Name(id="hasattr" | "getattr"), args=[_, ast.Constant(value=str() as name), *_]
        ):
            mocked = _MOCK.fullmatch(name) is not None
            return (
                f"the attribute `{name}`" if mocked or "pytest" in name or "called_from_test" in name else ""
            )
        case ast.Call(func=ast.Name(id="any" | "all"), args=[ast.GeneratorExp() | ast.ListComp() as inner]):
            return _by_frames(inner)
        case _:
            return ""


def _by_flag(test: ast.expr) -> str:
    """By a variable of its own that says so."""
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    asked = [part.operand if isinstance(part, ast.UnaryOp) else part for part in parts]
    named = (last_name(one) for one in asked if isinstance(one, ast.Name | ast.Attribute))
    return next((f"the flag `{name}`" for name in named if _FLAG.fullmatch(name)), "")


def _asks_environment(written: str) -> bool:
    return written.endswith(("environ.get", "getenv", "environ.pop"))


def _compared(parts: list[ast.expr], *, of_any: bool = True) -> str:
    """By what is asked; a runner's name counts in what is `of_any` kind, not in a choice among words."""
    used = frozenset().union(*(names(part) for part in parts))
    said = [
        n.value
        for p in parts
        for n in ast.walk(p)
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]
    if "modules" in used and any(_RUNNERS.fullmatch(text.partition(".")[0]) for text in said):
        return "`sys.modules`"
    if any(map(_MOCK.fullmatch, said)):
        return "for mocks"
    if _PROCESS & used and any("pytest" in s or "unittest" in s for s in said):
        return "`sys.argv`"
    if {"environ", "getenv"} & used and any(_VARIABLES.fullmatch(t) or _TEST.fullmatch(t) for t in said):
        return "the environment"
    if _FRAMES & used and any(map(_TESTING.search, said)):
        return "the stack"
    if _ORIGIN & used and any(map(_TESTING.search, said)):
        return "the origin of an object"
    if "__name__" in used and any(map(_STAND_IN.fullmatch, said)):
        return "for test doubles"
    return "for a test runner" if of_any and any("pytest" in text.lower() for text in said) else ""


def _is_word(node: ast.expr) -> bool:
    """Whether something is the plain name of a tool, as one that handles several asks for it."""
    return isinstance(node, ast.Constant) and node.value in ("pytest", "unittest", "py.test", "nose")


def _by_frames(node: ast.AST) -> str:
    said = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    if "modules" in names(node) and any("test" in text for text in said):
        return "`sys.modules`"
    return "the stack" if _FRAMES & names(node) and any(map(_TESTING.search, said)) else ""
