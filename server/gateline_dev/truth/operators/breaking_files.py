"""Changes of what stands beside the code after which tests may fail, or not even start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from random import Random

from gateline_dev.truth.operators import Operator, breaking
from gateline_dev.truth.operators.sites import after_head, inserted
from gateline_dev.truth.tree import Edit, Tree

Apply = Callable[[Tree, Random], Edit | None]


def _folder(path: str) -> str:
    folder = PurePosixPath(path).parent.as_posix()
    return "" if folder == "." else f"{folder}/"


def _tests_folder(tree: Tree, dice: Random) -> str:
    return _folder(dice.choice(tree.tests))


def _conftest(addition: str, about: str) -> Apply:
    """Something is added to a conftest, which is new where there was none."""

    def apply(tree: Tree, dice: Random) -> Edit | None:
        known = [path for path in tree.python if path.endswith("conftest.py")]
        path = dice.choice(known) if known else f"{_tests_folder(tree, dice)}conftest.py"
        before = tree.text(path) if known else ""
        at = after_head(tree.module(path)) if known else 0
        return Edit.text(path, inserted(before, at, f"{addition}\n"), f"{path} {about}")

    return apply


def delete_conftest(tree: Tree, dice: Random) -> Edit | None:
    """A conftest is deleted."""
    known = [path for path in tree.python if path.endswith("conftest.py")]
    return Edit({(path := dice.choice(known)): None}, f"{path} deleted") if known else None


def delete_helper(tree: Tree, dice: Random) -> Edit | None:
    """A helper of tests is deleted."""
    known = [path for path in tree.helpers if tree.files[path].strip()]
    return Edit({(path := dice.choice(known)): None}, f"{path} deleted") if known else None


def delete_data(tree: Tree, dice: Random) -> Edit | None:
    """A file that tests or code may read is deleted."""
    return Edit({(path := dice.choice(tree.data)): None}, f"{path} deleted") if tree.data else None


def break_data(tree: Tree, dice: Random) -> Edit | None:
    """The second half of a file that tests or code may read is lost."""
    if not tree.data:
        return None
    path = dice.choice(tree.data)
    whole = tree.files[path]
    return Edit({path: whole[: len(whole) // 2]}, f"{path} cut in half")


def change_data(tree: Tree, dice: Random) -> Edit | None:
    """A digit or letter of a file that tests or code may read becomes another."""
    if not tree.data:
        return None
    path = dice.choice(tree.data)
    content = bytearray(tree.files[path])
    places = [n for n, byte in enumerate(content) if chr(byte).isalnum()]
    if not places:
        return None
    for place in dice.sample(places, min(len(places), 5)):
        content[place] = ord("7") if content[place] != ord("7") else ord("3")
    return Edit({path: bytes(content)}, f"five characters of {path} changed")


def _configuration(line: str) -> Apply:
    """A new `pytest.ini`, which counts more than what other files say."""

    def apply(tree: Tree, dice: Random) -> Edit | None:
        return Edit.text("pytest.ini", f"[pytest]\n{line}\n", f"a new pytest.ini: {line}")

    return apply


def _existing_configuration(line: str, table: dict[str, str]) -> Apply:
    """A line in the table of pytest that the project has."""

    def apply(tree: Tree, dice: Random) -> Edit | None:
        for path, head in table.items():
            if path in tree.files and head in (text := tree.text(path)):
                key = line.split("=")[0].strip()
                kept = text.replace(f"\n{key} =", f"\n# {key} =").replace(f"\n{key}=", f"\n# {key}=")
                shown = line if path != "pyproject.toml" else _quoted(line)
                return Edit.text(path, kept.replace(head, f"{head}\n{shown}", 1), f"{line} in {path}")
        return None

    return apply


def _quoted(line: str) -> str:
    key, _, value = line.partition(" = ")
    return f'{key} = "{value}"'


_TABLES = {
    "pytest.ini": "[pytest]",
    "pyproject.toml": "[tool.pytest.ini_options]",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}


def shadow_module(tree: Tree, dice: Random) -> Edit | None:
    """A new file has the name of a module of the standard library, in a folder that is searched first."""
    if not tree.imported_standard:
        return None
    name = dice.choice(tree.imported_standard)
    folder = dice.choice([f"{tree.source}/" if tree.source else "", _tests_folder(tree, dice)])
    path = f"{folder}{name}.py"
    return Edit.text(path, '"""A note to myself."""\n', f"a new {path}") if path not in tree.files else None


def delete_package_file(tree: Tree, dice: Random) -> Edit | None:
    """The `__init__.py` of a package is deleted."""
    known = [path for path in tree.sources if path.endswith("/__init__.py")]
    return Edit({(path := dice.choice(known)): None}, f"{path} deleted") if known else None


def _in_test_module(line: str) -> Apply:
    def apply(tree: Tree, dice: Random) -> Edit | None:
        path = dice.choice(tree.tests)
        text = inserted(tree.text(path), after_head(tree.module(path)), f"{line}\n")
        return Edit.text(path, text, f"`{line}` in {path}")

    return apply


def forget_module(tree: Tree, dice: Random) -> Edit | None:
    """A source uses a new module that was not written yet."""
    path = dice.choice(tree.sources)
    line = "import not_written_yet\n"
    text = inserted(tree.text(path), after_head(tree.module(path)), line)
    return Edit.text(path, text, f"{path} imports what is not there")


def empty_module(tree: Tree, dice: Random) -> Edit | None:
    """A source loses all that it has."""
    known = [path for path in tree.sources if len(tree.files[path]) > 200]
    return Edit({(path := dice.choice(known)): b""}, f"{path} emptied") if known else None


def commented_out(tree: Tree, dice: Random) -> Edit | None:
    """All that a source has becomes a comment."""
    path = dice.choice([path for path in tree.sources if len(tree.files[path]) > 200] or tree.sources)
    text = "".join(f"# {line}" for line in tree.text(path).splitlines(keepends=True))
    return Edit.text(path, text, f"{path} commented out")


OPERATORS: tuple[Operator, ...] = (
    breaking("delete-conftest", delete_conftest),
    breaking("break-conftest", _conftest('raise RuntimeError("not today")', "raises")),
    breaking("exit-in-conftest", _conftest("raise SystemExit(0)", "exits")),
    breaking("ignore-in-conftest", _conftest('collect_ignore_glob = ["*"]', "ignores every test")),
    breaking("delete-helper", delete_helper),
    breaking("delete-data", delete_data),
    breaking("break-data", break_data),
    breaking("change-data", change_data),
    breaking("unknown-option", _configuration("addopts = --no-such-option")),
    breaking("unknown-option-beside", _existing_configuration("addopts = --no-such-option", _TABLES)),
    breaking("select-nothing", _existing_configuration("python_files = nothing_*.py", _TABLES)),
    breaking("select-nothing-anew", _configuration("addopts = -k no_such_test")),
    breaking("missing-plugin", _configuration("required_plugins = pytest-nowhere")),
    breaking("shadow-module", shadow_module),
    breaking("delete-package-file", delete_package_file),
    breaking("import-error-in-test", _in_test_module("import not_written_yet")),
    breaking("syntax-error-in-test", _in_test_module("def (:")),
    breaking("exit-in-test", _in_test_module("raise SystemExit(0)")),
    breaking("forgotten-module", forget_module),
    breaking("emptied-module", empty_module),
    breaking("commented-out", commented_out),
)
