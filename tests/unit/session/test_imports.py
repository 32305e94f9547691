"""Which files import a changed one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model.imports import imported_names, module_names
from gateline.session.workspace.imports import Imports


@pytest.mark.parametrize(
    ("path", "source", "names"),
    [
        ("a.py", "import os.path as p, sys\n", {"os", "os.path", "sys"}),
        (
            "a.py",
            "from pkg.mod import (\n    one,\n    two as three,\n)\n",
            {"pkg", "pkg.mod", "pkg.mod.one", "pkg.mod.two"},
        ),
        ("pkg/sub/a.py", "from . import b\n", {"pkg", "pkg.sub", "pkg.sub.b"}),
        ("pkg/sub/a.py", "from ..c import d\n", {"pkg", "pkg.c", "pkg.c.d"}),
        ("a.py", "if x:\n    import late\n", {"late"}),
        ("a.py", "# import nothing\nx = 'import no'\n", set()),
    ],
)
def test_imported_names(path: str, source: str, names: set[str]) -> None:
    assert set(imported_names(path, source.encode())) == names


def test_a_module_has_a_name_from_every_folder_above() -> None:
    assert module_names("src/pkg/mod.py") == {"src.pkg.mod", "pkg.mod", "mod"}
    assert module_names("src/pkg/__init__.py") == {"src.pkg", "pkg"}


def test_importers_are_found_through_a_package(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from pkg.price import price\n",
        "pkg/price.py": "def price() -> int: ...\n",
        "shop.py": "from pkg import price\n",
        "other.py": "import json\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    found = Imports(tmp_path, 1000).importers(["pkg/price.py"], sorted(files))
    assert [document.path for document in found] == ["pkg/__init__.py", "shop.py"]


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    assert all(isinstance(name, str) for name in imported_names("a/b.py", data))
