"""Files of tests that only the base collects; not what a change deletes or moves."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateline.testing.result import Failure, Item, Result


@dataclass(frozen=True, slots=True)
class Sides:
    """What a change does to files of tests."""

    moved: Mapping[str, str] = field(default_factory=dict)
    """New paths of renamed files, by their old ones."""
    gone: frozenset[str] = frozenset()
    """Paths of deleted files."""
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By today's path: a changed file's text at the base and now."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A file of which no test is collected any more."""

    id: str
    """Identifier of what could not be collected; the path where pytest says nothing of it."""
    path: str
    tests: int
    """How many the base collects of it; 0: it could not be collected there either."""
    failure: Failure | None = None
    """Why; None: pytest just finds nothing in it."""


def losses(
    base: Sequence[Item], now: Sequence[Item], uncollected: Iterable[Result], sides: Sides
) -> tuple[Loss, ...]:
    """What is lost between the tests of the base and those of now."""
    base, now = _where_collected(base), _where_collected(now)
    before = _by_path(base, sides)
    found = [_broken(result, before) for result in uncollected]
    broken = {path for path in before for loss in found if _covers(loss.id, path)}
    left = {item.path for item in now}
    silent = {path: items for path, items in before.items() if path not in left | broken}
    elsewhere = _gained(now, before)
    for path, items in silent.items():
        lost = _still_written(path, [i for i in items if _name(i) not in elsewhere], sides)
        if lost:
            found.append(Loss(path, path, len(lost)))
    return tuple(sorted(found, key=lambda loss: loss.id))


def _where_collected(items: Sequence[Item]) -> tuple[Item, ...]:
    """The tests, each with the file that pytest collects it in: an inherited function stands elsewhere."""
    files = {item.id: item.id.partition("::")[0] for item in items}
    # Identifiers are relative to pytest's root, paths to the workspace: one lies in the other.
    pairs = [(item.path, files[item.id]) for item in items]
    below = next((path.removesuffix(file) for path, file in pairs if path.endswith(file)), "")
    above = next((file.removesuffix(path) for path, file in pairs if file.endswith(path)), "")
    return tuple(replace(item, path=below + files[item.id].removeprefix(above)) for item in items)


def _by_path(base: Sequence[Item], sides: Sides) -> dict[str, list[Item]]:
    """The base's tests by today's path of their file; without files that the change deletes."""
    found: dict[str, list[Item]] = {}
    for item in base:
        if item.path not in sides.gone:
            found.setdefault(sides.moved.get(item.path, item.path), []).append(item)
    return found


def _broken(result: Result, before: Mapping[str, Sequence[Item]]) -> Loss:
    name = result.id.partition("::")[0]
    lost = sum(len(items) for path, items in before.items() if _covers(result.id, path))
    return Loss(result.id, place_of(name, result.failure), lost, result.failure)


def place_of(name: str, failure: Failure | None) -> str:
    """The file that stands for what could not be collected: of a folder, the one in it that raised."""
    if name.endswith(".py"):
        return name
    frames = failure.problem.frames if failure else ()
    raised = next((frame.path for frame in reversed(frames) if frame.ours), "")
    return raised or (f"{name}/__init__.py" if name not in ("", ".") else "conftest.py")


def _covers(broken: str, path: str) -> bool:
    """Whether what could not be collected holds a file: it is the file, its class, or its package."""
    name = broken.partition("::")[0].removesuffix("/__init__.py")
    return path == name or path.startswith(f"{name}/") or path.endswith(f"/{name}")


def _gained(now: Sequence[Item], before: Mapping[str, Sequence[Item]]) -> set[str]:
    """Names of tests that are collected in files where the base does not have them."""
    known = {(path, _name(item)) for path, items in before.items() for item in items}
    return {_name(item) for item in now if (item.path, _name(item)) not in known}


def _still_written(path: str, lost: Sequence[Item], sides: Sides) -> Sequence[Item]:
    """Those of lost tests whose functions the file still has, under whatever name."""
    if path not in sides.texts:
        return lost
    before, after = (_functions(text) for text in sides.texts[path])
    bodies = {body for name, body in after.items() if name not in before}
    held, classes = map(_classes, sides.texts[path])
    is_written = bool(before or held)

    def stands(item: Item) -> bool:
        leaf, holder = _leaf(item), item.function.partition(".")[0]
        inherited = leaf not in before and holder in classes
        return inherited or leaf in after or before.get(leaf) in bodies

    return [item for item in lost if stands(item) or not is_written]


def _classes(text: str) -> frozenset[str]:
    """The names of all classes; none of a text that does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _functions(text: str) -> dict[str, str]:
    """The bodies of all functions, by name; none of a text that does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    functions = (n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return {n.name: "\n".join(map(ast.dump, n.body)) for n in functions}


def _name(item: Item) -> str:
    return item.function


def _leaf(item: Item) -> str:
    return item.function.rpartition(".")[2]
