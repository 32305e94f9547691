"""What the package of values gives out, and when."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gateline.model


def test_what_type_checkers_see_is_what_there_is() -> None:
    tree = ast.parse(Path(gateline.model.__file__).read_text(encoding="utf-8"))
    taken = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    parts = [node for node in taken if (node.module or "").startswith("gateline.model.")]
    seen = {(name.name, node.module) for node in parts for name in node.names}
    assert len(seen) > 30
    assert {name for name, _ in seen} == set(gateline.model.__all__)
    for name, module in seen:
        assert getattr(gateline.model, name) is getattr(sys.modules[module or ""], name)


def test_an_unknown_name_is_said() -> None:
    with pytest.raises(AttributeError, match=r"'gateline\.model' has no attribute 'Nothing'"):
        gateline.model.Nothing  # type: ignore[attr-defined]  # noqa: B018 - asking is all


def test_who_takes_a_document_does_not_pay_for_evaluations() -> None:
    ask = "import sys; from gateline.model import Document; print('gateline.model.evaluation' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"
