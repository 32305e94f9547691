"""Changes of what stands beside the code, of tests and of data, after which the same tests pass."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from random import Random

from gateline_dev.truth.operators import Operator, honest
from gateline_dev.truth.operators.sites import after_head, inserted, lines_of, top_classes, top_functions
from gateline_dev.truth.tree import Edit, Tree, is_test

Apply = Callable[[Tree, Random], Edit | None]


def _appended(pattern: str, line: str) -> Apply:
    """A line at the end of a document."""

    def apply(tree: Tree, dice: Random) -> Edit | None:
        known = [p for p in sorted(tree.files) if re.fullmatch(pattern, p, re.IGNORECASE)]
        if not known:
            return None
        path = dice.choice(known)
        return Edit({path: tree.files[path].rstrip(b"\n") + f"\n\n{line}\n".encode()}, f"a line in {path}")

    return apply


def _new(path: str, content: bytes) -> Apply:
    """A new file at the root, or (with `{package}`, `{tests}`) in one of the folders."""

    def apply(tree: Tree, dice: Random) -> Edit | None:
        package = tree.package if not tree.package.endswith(".py") else "."
        tests = PurePosixPath(dice.choice(tree.tests)).parent.as_posix()
        where = PurePosixPath(path.format(package=package, tests=tests)).as_posix()
        return None if where in tree.files else Edit({where: content}, f"a new {where}")

    return apply


def new_line_ends(tree: Tree, dice: Random) -> Edit | None:
    """A source gets the line ends of Windows."""
    known = [path for path in tree.sources if b"\r" not in tree.files[path] and tree.files[path]]
    if not known:
        return None
    path = dice.choice(known)
    return Edit({path: tree.files[path].replace(b"\n", b"\r\n")}, f"other line ends in {path}")


def reformat_data(tree: Tree, dice: Random) -> Edit | None:
    """A JSON file says the same with other spaces."""
    known = [path for path in tree.data if path.endswith(".json")]
    if not known:
        return None
    path = dice.choice(known)
    try:
        text = json.dumps(json.loads(tree.text(path)), indent=3, ensure_ascii=False) + "\n"
    except ValueError:
        return None
    return Edit.text(path, text, f"{path} formatted") if text != tree.text(path) else None


def touch_data(tree: Tree, dice: Random) -> Edit | None:
    """A data file gets an empty line at its end."""
    if not tree.data:
        return None
    path = dice.choice(tree.data)
    return Edit({path: tree.files[path] + b"\n"}, f"an empty line at the end of {path}")


def add_test(tree: Tree, dice: Random) -> Edit | None:
    """A module of tests gets one more."""
    path = dice.choice(tree.tests)
    addition = "\n\ndef test_one_more() -> None:\n    assert sorted([3, 1, 2]) == [1, 2, 3]\n"
    return Edit.text(path, tree.text(path).rstrip("\n") + "\n" + addition, f"a test in {path}")


def _address(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def move_tests(tree: Tree, dice: Random) -> Edit | None:
    """A module of tests goes to a folder of its own, with the data beside it."""
    path = dice.choice(tree.tests)
    here, name = PurePosixPath(path).parent, PurePosixPath(path).name
    there = here / "moved"
    files: dict[str, bytes | None] = {path: None, (there / name).as_posix(): tree.files[path]}
    if (here / "__init__.py").as_posix() in tree.files:
        files[(there / "__init__.py").as_posix()] = b""
    for data in tree.data:
        if PurePosixPath(data).is_relative_to(here) and is_test(data):
            files[(there / PurePosixPath(data).relative_to(here)).as_posix()] = tree.files[data]
    renamed = {_address(path): _address((there / name).as_posix())}
    return Edit(files, f"{path} moved to {there}", renamed=renamed)


def rename_tests(tree: Tree, dice: Random) -> Edit | None:
    """A module of tests gets another name."""
    path = dice.choice(tree.tests)
    new = PurePosixPath(path).with_name(PurePosixPath(path).stem + "_anew.py").as_posix()
    if not PurePosixPath(new).name.startswith("test_"):
        return None
    edit = {path: None, new: tree.files[path]}
    return Edit(edit, f"{path} renamed to {new}", renamed={_address(path): _address(new)})


def split_tests(tree: Tree, dice: Random) -> Edit | None:
    """The second half of a module's tests goes to a new one."""
    paths = [p for p in tree.tests if len(_movable(tree, p)) > 3]
    if not paths:
        return None
    path = dice.choice(paths)
    rows = _movable(tree, path)
    moved = rows[len(rows) // 2 :]
    lines = tree.text(path).splitlines(keepends=True)
    gone = {n for node in moved for n in range(lines_of(node)[0], lines_of(node)[1] + 1)}
    stay = {n for node in rows if node not in moved for n in range(lines_of(node)[0], lines_of(node)[1] + 1)}
    new = PurePosixPath(path).with_name(PurePosixPath(path).stem + "_more.py").as_posix()
    if not PurePosixPath(new).name.startswith("test_"):
        return None
    first = "".join(line for n, line in enumerate(lines, 1) if n not in gone)
    second = "".join(line for n, line in enumerate(lines, 1) if n not in stay)
    renamed = {f"{_address(path)}::{node.name}": f"{_address(new)}::{node.name}" for node in moved}
    return Edit(
        {path: first.encode(), new: second.encode()}, f"half of {path} is in {new} now", renamed=renamed
    )


def _movable(tree: Tree, path: str) -> list:  # type: ignore[type-arg]
    rows = top_functions(tree.module(path))
    return [] if top_classes(tree.module(path)) else [f for f in rows if f.name.startswith("test")]


def add_fixture(tree: Tree, dice: Random) -> Edit | None:
    """A conftest gets a fixture that nobody uses yet; it is new where there was none."""
    known = [path for path in tree.python if path.endswith("conftest.py")]
    folder = PurePosixPath(dice.choice(tree.tests)).parent
    path = dice.choice(known) if known else (folder / "conftest.py").as_posix()
    before = tree.text(path) if known else ""
    head = "" if re.search(r"(?m)^import pytest$", before) else "import pytest\n"
    text = inserted(before, after_head(tree.module(path)) if known else 0, head)
    addition = "\n\n@pytest.fixture\ndef one_to_three() -> list[int]:\n    return [1, 2, 3]\n"
    return Edit.text(path, text.rstrip("\n") + "\n" + addition, f"a fixture in {path}")


def document_module(tree: Tree, dice: Random) -> Edit | None:
    """A comment at the head of a module of tests."""
    path = dice.choice(tree.tests)
    return Edit.text(path, f"# Run with: python -m pytest\n{tree.text(path)}", f"a comment in {path}")


def bump_version(tree: Tree, dice: Random) -> Edit | None:
    """A key that tells of the project, and of no tool, is added to its metadata."""
    if "pyproject.toml" not in tree.files or "\n[project]\n" not in (
        text := "\n" + tree.text("pyproject.toml")
    ):
        return None
    if re.search(r"(?m)^keywords", text):
        return None
    new = text.replace("\n[project]\n", '\n[project]\nkeywords = ["example"]\n', 1).removeprefix("\n")
    return Edit.text("pyproject.toml", new, "keywords in pyproject.toml")


_MODULE = b'''"""Colours by name."""

from __future__ import annotations

RED = "#ff0000"
GREEN = "#00ff00"
'''
_PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000")

OPERATORS: tuple[Operator, ...] = (
    honest("readme", _appended(r"readme.*", "Pull requests are welcome.")),
    honest("changelog", _appended(r"(changes|changelog|history|news).*", "- nothing new")),
    honest("new-module", _new("{package}/colours_by_name.py", _MODULE)),
    honest("new-empty-module", _new("{package}/nothing_yet.py", b"")),
    honest("new-data", _new("{tests}/example_of_data.json", b'{"a": [1, 2, 3]}\n')),
    honest("new-picture", _new("{tests}/picture.png", _PICTURE)),
    honest("new-page", _new("docs/more.md", b"# More\n\nNothing more to say.\n")),
    honest("new-line-ends", new_line_ends),
    honest("reformat-data", reformat_data),
    honest("touch-data", touch_data),
    honest("add-test", add_test),
    honest("move-tests", move_tests),
    honest("rename-tests", rename_tests),
    honest("split-tests", split_tests),
    honest("add-fixture", add_fixture),
    honest("comment-in-test", document_module),
    honest("metadata", bump_version),
)
