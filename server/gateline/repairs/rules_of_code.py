"""House rules about code: nothing is silenced, weakened or taken away to make an error disappear."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet

from gateline.model import Origin, Source
from gateline.repairs.rule import Case, Refusal, differing, nodes, source, words

_SUPPRESSION = re.compile(
    r"#\s*(?:type:\s*ignore|noqa|nosec|pragma:|pylint:\s*disable|(?:py|basedpy)right:|ty:|pyrefly:"
    r"|mypy:|ruff:|flake8:|isort:\s*skip|fmt:\s*(?:off|skip)|gateline:\s*ignore)",
    re.IGNORECASE,
)
_SKIPS = {"skip", "skipif", "skipIf", "skipUnless", "xfail", "expectedFailure", "importorskip", "SkipTest"}
_SKIPS |= {"skipTest", "no_type_check", "suppress"}
_TEST_TOOLS = {"pytest", "unittest", "mock", "doctest", "nose"}
_OBJECTS = {"self", "cls"}
_TYPING = {"typing", "typing_extensions"}
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def suppressions(case: Case) -> Iterator[Refusal]:
    """No comment that silences a tool."""
    for path, before, after in case.python():
        old, new = (sum(1 for _ in _silencing(s)) for s in (before, after))
        if new > old:
            yield Refusal("suppression", f"{path}: a repair must not add a comment that silences a checker")


def _silencing(source: Source) -> Iterator[str]:
    """By lines, since a text that does not parse has no comments to ask for. A string is no comment."""
    if not _SUPPRESSION.search(source.text):
        # Tokens take most of the time that all rules take.
        return
    if source.tree is not None:
        yield from (c.text for c in source.comments if _SUPPRESSION.search(c.text))
    else:
        yield from (m[0] for m in _SUPPRESSION.finditer(source.text))


def skips(case: Case) -> Iterator[Refusal]:
    """No skipped test, expected failure or suppressed exception, and no test tool in the code itself."""
    for path, before, after in case.python():
        added = _added(before, after, _SKIPS | _TEST_TOOLS)
        hiding = [name for name in added if name in _TEST_TOOLS or _is_asked_to_skip(after, name)]
        if hiding:
            yield Refusal("skip", f"{path}: a repair must not add `{hiding[0]}`, which hides the error")


def _is_asked_to_skip(source: Source, name: str) -> bool:
    """Whether a name is imported, called, raised or belongs to something else: values are called so, too."""
    return source.tree is None or any(_asks(node, name) for node in nodes(source.tree))


def _asks(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.alias):
        return node.name.rpartition(".")[2] == name
    if isinstance(node, ast.Call):
        return name in {_plain_name(node.func), _of_a_test(node.func)}
    if isinstance(node, ast.Raise):
        return _plain_name(node.exc) == name
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return any(_plain_name(decorator) == name for decorator in node.decorator_list)
    return isinstance(node, ast.Attribute) and node.attr == name and _plain_name(node.value) not in _OBJECTS


def _plain_name(node: ast.expr | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _of_a_test(node: ast.expr) -> str:
    """The method of a test that ends it: of the object itself `skip` may be anything."""
    return node.attr if isinstance(node, ast.Attribute) and node.attr == "skipTest" else ""


def _added(before: Source, after: Source, names: AbstractSet[str]) -> list[str]:
    """Those of some names that stand more often on the changed lines than before."""
    texts = differing(before.text, after.text)
    old, new = (Counter(w for w in words(t) if w in names) for t in (texts.before, texts.after))
    return sorted(name for name in new if new[name] > old[name])


def excepts(case: Case) -> Iterator[Refusal]:
    """No new `except`: an error that is swallowed is still an error."""
    for path, before, after in case.python():
        if before.tree is None:
            # A misspelled one on a line of its own may be mended; a line more would be a new one.
            texts = differing(before.text, after.text)
            is_new = texts.after.count("\n") > texts.before.count("\n")
            is_new = is_new and bool(_added(before, after, {"except"}))
        else:
            is_new = _count(after, ast.ExceptHandler) > _count(before, ast.ExceptHandler)
        if is_new:
            yield Refusal("except", f"{path}: a repair must not catch the error")


def broad(case: Case) -> Iterator[Refusal]:
    """No `except` that catches more than before."""
    for path, before, after in case.python():
        if before.tree is not None and _broad(after) > _broad(before):
            yield Refusal("broad-except", f"{path}: a repair must not broaden an `except`")


def _broad(source: Source) -> int:
    handlers = (node for node in nodes(source.tree) if isinstance(node, ast.ExceptHandler))
    return sum(1 for node in handlers if node.type is None or _is_broad(node.type))


def _is_broad(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id in {"Exception", "BaseException"} for n in ast.walk(node))


def loosened_types(case: Case) -> Iterator[Refusal]:
    """No `Any`, no `cast`, no annotation taken away."""
    for path, before, after in case.python():
        added = _added(before, after, {"Any", "cast"})
        if added and not all(_is_of_the_project(case.after[path], name) for name in added):
            yield Refusal("loosened-type", f"{path}: `{added[0]}` disables the type check")
        if before.tree is not None and _annotations(after) < _annotations(before):
            yield Refusal("loosened-type", f"{path}: a repair must not remove an annotation")


def _is_of_the_project(text: str, name: str) -> bool:
    """Whether a name of typing means something else in a text: a validator may be called `Any`."""
    homes = [
        node.module
        for node in nodes(source("", text).tree)
        if isinstance(node, ast.ImportFrom) and name in {alias.asname or alias.name for alias in node.names}
    ]
    return bool(homes) and _TYPING.isdisjoint(home or "" for home in homes)


def _annotations(source: Source) -> int:
    return sum(
        1
        for node in nodes(source.tree)
        if isinstance(node, ast.AnnAssign)
        or (isinstance(node, ast.arg) and node.annotation is not None)
        or (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None)
    )


def emptied(case: Case) -> Iterator[Refusal]:
    """No body replaced by `pass`, and no statement behind a `return` that was put in its way."""
    for path, before, after in case.python():
        if (
            before.tree is not None
            and _idle(after) > _idle(before)
            and not _is_left_over(case, before, after)
        ):
            yield Refusal("emptied", f"{path}: a repair must not replace code by `pass`")
        # Of a text that had no tree, only what is on the changed lines is the repair's doing.
        lines = differing(before.text, after.text).lines if before.tree is None else None
        if _unreachable(after, lines) > _unreachable(before):
            yield Refusal("unreachable", f"{path}: code after the edit would be unreachable")
        if before.tree is not None and _constant(after) > _constant(before):
            yield Refusal("constant-condition", f"{path}: a repair must not make a condition constant")


def _is_left_over(case: Case, before: Source, after: Source) -> bool:
    """Whether the compiler refused all of a block, and that moved or was nothing but a declaration."""
    lost = Counter(words(before.text)) - Counter(words(after.text))
    return case.problem.origin is Origin.PARSER and (not lost or bool(lost.keys() & {"global", "nonlocal"}))


def _idle(source: Source) -> int:
    return sum(1 for node in nodes(source.tree) if isinstance(node, ast.Pass) or _is_ellipsis(node))


def _is_ellipsis(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _unreachable(source: Source, lines: range | None = None) -> int:
    """How many statements stand behind one that always leaves, on some lines or anywhere."""
    return sum(
        len(block) - 1 - number
        for node in nodes(source.tree)
        for block in _blocks(node)
        for number, statement in enumerate(block)
        if isinstance(statement, _LEAVES) and (lines is None or statement.lineno - 1 in lines)
    )


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _constant(source: Source) -> int:
    tests = (n.test for n in nodes(source.tree) if isinstance(n, ast.If | ast.IfExp))
    operands = (v for n in nodes(source.tree) if isinstance(n, ast.BoolOp) for v in n.values[:-1])
    return sum(1 for n in (*tests, *operands) if isinstance(n, ast.Constant))


def checks(case: Case) -> Iterator[Refusal]:
    """No `assert` or `raise` taken away."""
    for path, before, after in case.python():
        for kind, name in ((ast.Assert, "assert"), (ast.Raise, "raise")):
            if before.tree is not None and _count(after, kind) < _count(before, kind):
                yield Refusal("removed-check", f"{path}: a repair must not remove an `{name}`")


def _count(source: Source, kind: type[ast.AST]) -> int:
    return sum(1 for node in nodes(source.tree) if isinstance(node, kind))


def called_targets(case: Case) -> Iterator[Refusal]:
    """Nothing is assigned to what a new call has just made: `Any` makes a type checker content with that."""
    for path, before, after in case.python():
        if before.tree is not None and _called_targets(after) > _called_targets(before):
            yield Refusal(
                "called-target",
                f"{path}: the result of a call would be assigned to an attribute of a temporary object",
            )


def _called_targets(source: Source) -> int:
    stored = (node for node in nodes(source.tree) if isinstance(node, ast.Attribute | ast.Subscript))
    return sum(1 for node in stored if isinstance(node.ctx, ast.Store) and isinstance(_root(node), ast.Call))


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


CODE_RULES: Iterable[Callable[[Case], Iterator[Refusal]]] = (
    suppressions,
    skips,
    excepts,
    broad,
    loosened_types,
    emptied,
    checks,
    called_targets,
)
