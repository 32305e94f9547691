"""What the project's own settings of coverage leave out is nothing that could be executed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from runner_project import MakeRunner

from gateline.model import State
from gateline.testing.outline import NoOutline, Outline, Outlined

TEXT = "def add(a, b):\n    return a + b\n"
PATHS = ("src/shop/cart.py", "src/shop/old/cart.py", "src/shopping.py", "tools/shop.py", "shop/__init__.py")


@pytest.mark.parametrize(
    ("settings", "counted"),
    [
        ("", "src/shop/cart.py src/shop/old/cart.py src/shopping.py tools/shop.py shop/__init__.py"),
        ("[run]\nomit = */old/*\n", "src/shop/cart.py src/shopping.py tools/shop.py shop/__init__.py"),
        ("[report]\nomit = src/*\n", "tools/shop.py shop/__init__.py"),
        ("[run]\ninclude = */shop/*\n", "src/shop/cart.py src/shop/old/cart.py shop/__init__.py"),
        ("[run]\nsource = tools\n", "tools/shop.py"),
        (
            "[run]\nsource = .\nomit = tools/*\n",
            "src/shop/cart.py src/shop/old/cart.py src/shopping.py shop/__init__.py",
        ),
        ("[run]\nsource_pkgs = shop.old\n", "src/shop/old/cart.py"),
        ("[run]\nsource_pkgs = shopping\n", "src/shopping.py"),
        ("[run]\nsource = tools\nsource_pkgs = shopping\n", "src/shopping.py tools/shop.py"),
    ],
)
async def test_files_that_are_left_out_have_nothing_to_execute(
    make: MakeRunner, settings: str, counted: str
) -> None:
    project = make({".coveragerc": settings, **dict.fromkeys(PATHS, TEXT)})
    outlines = await project.runner.outlines(dict.fromkeys(PATHS, TEXT))
    assert [
        path for path, outline in outlines.items() if isinstance(outline, Outline) and outline.statements
    ] == counted.split()


@pytest.mark.parametrize("name", [".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml"])
async def test_the_settings_of_the_base_hold(make: MakeRunner, name: str) -> None:
    lines = 'omit = ["shop.py"]' if name == "pyproject.toml" else "omit = shop.py"
    table = {".coveragerc": "run", "pyproject.toml": "tool.coverage.run"}.get(name, "coverage:run")
    omitting = f"[{table}]\n{lines}\n"
    edited = make({name: omitting, "shop.py": TEXT}, coverage_settings=((name, None),))
    assert counts(await edited.runner.outlines({"shop.py": TEXT})) == ["shop.py"]
    as_it_was = make({"shop.py": TEXT}, coverage_settings=((name, omitting),))
    assert counts(await as_it_was.runner.outlines({"shop.py": TEXT})) == []
    untouched = make({name: omitting, "shop.py": TEXT}, coverage_settings=((".other", None),))
    assert counts(await untouched.runner.outlines({"shop.py": TEXT})) == []


async def test_one_text_that_cannot_be_read_costs_itself(make: MakeRunner) -> None:
    texts = {
        "empty.py": "",
        "mark.py": "\ufeff",
        "comment.py": "# nothing",
        "broken.py": "def f(:\n",
        "outside.py": "return 1\n",
        "deep.py": "(" * 5000 + ")" * 5000,
        "null.py": "a = 1\0\n",
        "ends.py": "if a:\r\n    b = 1\rc = 2",
        "shop.py": TEXT,
    }
    outlines = await make({}).runner.outlines(texts)
    assert set(outlines) == set(texts)
    assert counts(outlines) == ["ends.py", "shop.py"]
    ends = outlines["ends.py"]
    assert isinstance(ends, Outline) and ends.statements == {0, 1, 2}
    known = {path for path, outline in outlines.items() if isinstance(outline, Outline)}
    assert {"empty.py", "mark.py", "comment.py"} <= known
    assert known.isdisjoint({"broken.py", "outside.py", "deep.py", "null.py"})


async def test_a_text_that_ends_the_process_costs_itself(make: MakeRunner) -> None:
    # The interpreter of the project dies of one text, as of a file that is too much for its memory.
    dying = """
        import os, sys
        import coverage.parser
        ordinary = coverage.parser.PythonParser.parse_source
        def parse_source(self):
            if "DEADLY" in self.text:
                os._exit(9)
            return ordinary(self)
        coverage.parser.PythonParser.parse_source = parse_source
        """
    project = make({"sitecustomize.py": dying})
    # Python would keep the compiled hook in the project.
    project.runner._outliner.env.update(PYTHONPATH=str(project.root), PYTHONDONTWRITEBYTECODE="1")
    texts = {"a.py": TEXT, "deadly.py": "DEADLY = 1\n", "b.py": TEXT}
    outlines = await project.runner.outlines(texts)
    assert counts(outlines) == ["a.py", "b.py"]
    deadly = outlines["deadly.py"]
    assert isinstance(deadly, NoOutline) and deadly.state is State.FAILED


def counts(outlines: Mapping[str, Outlined]) -> list[str]:
    """The files in which something can be executed."""
    return sorted(path for path, o in outlines.items() if isinstance(o, Outline) and o.statements)
