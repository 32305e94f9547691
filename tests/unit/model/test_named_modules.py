"""Modules that a text names in order to import them."""

from __future__ import annotations

import pytest

from gateline.model.imports import named_modules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('views = importlib.import_module("shop.views")', ["shop", "shop.views"]),
        ("shop = pytest.importorskip( 'shop' )", ["shop"]),
        ('__import__("shop")', ["shop"]),
        ('pytest_plugins = ["one", "two.fixtures"]', ["one", "two", "two.fixtures"]),
        ('pytest_plugins: list[str] = (\n    "one",\n    "two",\n)', ["one", "two"]),
        ('pytest_plugins = "one"', ["one"]),
        ("import_module(name)", []),
        ('print("shop.views")', []),
        ('import_module(".views", __package__)', []),
    ],
)
def test_named_modules(text: str, expected: list[str]) -> None:
    found = [name for name in named_modules(text.encode()) if not name.startswith(".") and name]
    assert found == expected
