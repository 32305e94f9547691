"""What the project's own settings of coverage leave out is nothing that could be executed."""

from __future__ import annotations

import pytest
from runner_project import MakeRunner

from gateline.testing.outline import Outline

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
