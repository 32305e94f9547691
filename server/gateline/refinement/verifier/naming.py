"""What a text names that the project does not have, and what it says of names that is otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gateline.refinement.verifier.codebase import Codebase, Symbol, SymbolKind
from gateline.refinement.verifier.documents import Kind, Mark, Piece, Statement
from gateline.refinement.verifier.references import Call, is_about_new, is_path, named, paths
from gateline.refinement.verifier.vocabulary import ASYNC, BECOMES, NOW, words

_ALIKE, _SOMEWHAT = 0.87, 0.75
"""How alike a name alone must be to one of the project's to be a slip of the pen, and one that is called."""


def unknown_names(
    statements: Iterable[Statement], code: Codebase, new: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """Names that should be the project's and are not there, and that nobody says are new."""
    told: set[str] = set()
    for statement in statements:
        if statement.kind is Kind.CODE:
            continue
        for name, is_bare in (
            found for text in statement.codes if not is_path(text) for found in _checked(text)
        ):
            if name in told or name.rpartition(".")[2] in new or name.split(".")[0] in new:
                continue
            if not code.missing(name) or code.has_file(name):
                continue
            near = code.near(name, _ALIKE if is_bare else _SOMEWHAT)
            if near or not is_bare:
                told.add(name)
                meant = f"did you mean `{near}`?" if near else "say that it is new, or name what is meant"
                yield f"`{name}` is not in the project: {meant}", statement.line


def unknown_paths(
    statements: Iterable[Statement], code: Codebase, new: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """Files in folders of the project that are not there, and that nobody says are new.

    What lies outside cannot be looked at, and a name without a folder may be an example's.
    """
    told: set[str] = set()
    for statement in statements:
        for path in paths(statement):
            first, slash, _ = path.removeprefix("./").partition("/")
            is_ours = bool(slash) and code.has_file(f"{first}/")
            if path not in told and path not in new and is_ours and not code.has_file(path):
                told.add(path)
                yield (
                    f"`{path}` is not in the project; say so if it is new, or name what is meant",
                    statement.line,
                )


def _checked(text: str) -> Iterator[tuple[str, bool]]:
    """The names of a span, and whether it is one name alone: it may be another tool's setting."""
    inner = named(text)
    for name in inner.names:
        spelt = "_" in name.strip("_") or (name[:1].isupper() and not name.isupper())
        if not inner.bare or spelt or "." in name:
            yield name, inner.bare and "." not in name


# What is said of a name


def disagreements(
    statements: Sequence[Statement], code: Codebase, new: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """What statements say of the code as it is, and the code says otherwise."""
    for statement in statements:
        if statement.kind is Kind.CODE:
            continue
        yield from ((text, statement.line) for text in _signatures(statement, code, new))
        yield from ((text, statement.line) for text in _places(statement, code, new))
        yield from ((text, statement.line) for text in _values(statement, code))
        yield from ((text, statement.line) for text in _coroutines(statement, code))


def _signatures(statement: Statement, code: Codebase, new: frozenset[str]) -> Iterator[str]:
    """Calls that the function as it is does not take."""
    if is_about_new(statement) or "TypeError" in statement.text:
        return
    for text in statement.codes:
        for call in named(text).calls:
            callees = [s for s in code.named(call.name) if s.kind is not SymbolKind.VALUE]
            wrong = [_refused(call, callee, new) for callee in callees]
            if wrong and all(wrong):
                yield wrong[0]


def _refused(call: Call, callee: Symbol, new: frozenset[str]) -> str:
    """Why a function does not take a call; empty when it does."""
    if callee.keywords is not None:
        for keyword in call.keywords:
            if keyword not in callee.keywords and keyword not in new:
                has = ", ".join(f"`{one}`" for one in sorted(callee.keywords)) or "none"
                return f"`{call.name}` has no parameter `{keyword}` (it has {has}); say so if it is new"
    if callee.positional is not None and call.positional > callee.positional:
        return (
            f"`{call.name}` takes {callee.positional} positional arguments and is given {call.positional}: "
            "say which one is new"
        )
    return ""


def _places(statement: Statement, code: Codebase, new: frozenset[str]) -> Iterator[str]:
    """`name` in `file`, where the file has no such name and another one has."""
    pieces = [p for p in statement.pieces if p.mark is not Mark.LINK]
    for (first, between), (_, last) in pairwise(pairwise(pieces)):
        if first.mark is not Mark.CODE or last.mark is not Mark.CODE or not _is_within(between):
            continue
        for name in named(first.content).names:
            homes = {symbol.path for symbol in code.named(name)}
            if homes and name not in new and _is_elsewhere(last.content, homes, code):
                yield f"`{name}` is not in `{last.content}` but in `{min(homes)}`: name the right file"


def _is_within(between: Piece) -> bool:
    return between.mark is Mark.TEXT and between.content.strip().lower() in ("in", "from", "of", "(in")


def _is_elsewhere(path: str, homes: set[str], code: Codebase) -> bool:
    known = is_path(path) and path.endswith(".py") and code.has_file(path)
    return known and not any(home == path or home.endswith(f"/{path}") for home in homes)


def _values(statement: Statement, code: Codebase) -> Iterator[str]:
    """What a constant is said to be today."""
    if not NOW & set(words(statement.prose)):
        return
    for first, second in pairwise(statement.pieces):
        if first.mark is not Mark.CODE or second.mark is not Mark.TEXT:
            continue
        said = second.content.split()
        if len(said) < 2 or said[0] not in ("is", "=", "equals"):
            continue
        claimed = said[1].rstrip(".,;:")
        for symbol in code.named(first.content):
            if symbol.value is not None and _is_number(claimed) and float(claimed) != _number(symbol.value):
                held = f"{symbol.value} in `{symbol.path}`"
                yield f"`{symbol.name}` is {held}, not {claimed}: correct one of them"


def _coroutines(statement: Statement, code: Codebase) -> Iterator[str]:
    """Functions that are awaited, or called coroutines, and are none."""
    said = set(words(statement.prose))
    if said & BECOMES or is_about_new(statement):
        return
    awaited = [c.name for text in statement.codes for c in named(text).calls if c.awaited]
    if said & ASYNC:
        awaited += [name for text in statement.codes for name in named(text).names][:1]
    for name in awaited:
        found = [s for s in code.named(name) if s.kind is SymbolKind.FUNCTION]
        if found and not any(symbol.is_async for symbol in found):
            yield f"`{name}` is no coroutine function in `{found[0].path}`: say that it becomes one"
            return


def _is_number(text: str) -> bool:
    return _number(text) is not None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
