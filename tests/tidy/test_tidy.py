"""The repository keeps its own rules: contracts, style, types, fresh generated files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from gateline_dev.generate import render

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
METHODS = ("gateline/", "workspace/", "textDocument/")
"""How names of requests begin, which are no files."""
SOURCES = sorted((ROOT / "server").rglob("*.py"))
LONGEST = 500
"""Lines of a file: more is two files."""
MOST = 30
"""Modules side by side in a folder: more want sub-packages."""


def tool(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def beside(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def test_imports_keep_the_contracts() -> None:
    assert tool(beside("lint-imports")) == ""


@pytest.mark.parametrize("arguments", [("check",), ("format", "--check")], ids=" ".join)
def test_the_style_is_kept(arguments: tuple[str, ...]) -> None:
    assert tool(beside("ruff"), *arguments) == ""


# More than a minute of a processor without a cache; `make lint` has it, too.
@pytest.mark.deep
@pytest.mark.timeout(300)
def test_types_are_strict() -> None:
    assert tool(sys.executable, "-m", "mypy") == ""


def test_generated_files_are_fresh() -> None:
    # Rendered here, not where tests are collected: each process that runs tests would wait for it.
    stale = [path for path, text in render().items() if not _has(ROOT / path, text)]
    assert stale == [], "run `make generate`"


def _has(file: Path, text: str) -> bool:
    return file.exists() and file.read_text(encoding="utf-8") == text


def test_every_module_is_explained_and_short() -> None:
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in SOURCES}
    assert [path for path, text in texts.items() if not ast.get_docstring(ast.parse(text))] == []
    assert {path: n for path, text in texts.items() if (n := text.count("\n")) > LONGEST} == {}


def test_folders_hold_few_modules() -> None:
    counts = Counter(
        file.parent.relative_to(ROOT).as_posix()
        for folder in ("server", "tests")
        for file in (ROOT / folder).rglob("*.py")
    )
    assert {folder: n for folder, n in counts.items() if n > MOST} == {}


@pytest.mark.parametrize(
    "page", [DOCS / "architecture.md", DOCS / "truth.md", *DECISIONS], ids=lambda page: page.stem
)
def test_the_files_that_a_page_names_are_there(page: Path) -> None:
    named = set(re.findall(r"`((?:[a-z_0-9]+/)+[a-z_0-9]*(?:\.py)?)`", page.read_text(encoding="utf-8")))
    files = {name for name in named if not name.startswith(METHODS)}
    roots = (ROOT, ROOT / "server", ROOT / "server" / "gateline", ROOT / "tests")
    assert sorted(name for name in files if not any((root / name).exists() for root in roots)) == []


def test_the_order_of_packages_is_that_of_the_contracts() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    told = re.search(r"^```\n(__main__.*?)\n```$", page, re.MULTILINE | re.DOTALL)
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in layers["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    assert told is not None
    assert told[1].split(" → ") == contract["layers"]


def test_nothing_names_a_machine() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    place = re.compile(r"/(?:work|root)/")
    files = (
        ROOT / name for name in tracked.splitlines() if not name.endswith((".png", ".gif", ".safetensors"))
    )
    found = [
        f"{f}: {line}"
        for f in files
        if f.is_file()
        for line in f.read_text().splitlines()
        if place.search(line)
    ]
    assert [row for row in found if "test_tidy.py" not in row] == []


def test_the_server_starts_without_heavy_imports() -> None:
    """An editor waits for `initialize`: what is not needed for it must not be imported before it."""
    heavy = {"pydantic", "mypy", "bandit", "radon", "detect_secrets", "rich", "click", "jedi", "numpy"}
    code = "import sys, gateline.lsp.start, gateline.lsp.server; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {name.split(".")[0] for name in loaded} & heavy
