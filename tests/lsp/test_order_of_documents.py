"""Which documents are open, and in which order they came and went, does not matter."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import Editor, capable
from own_server import client as client
from real_project import committed

from support.repositories import Repository

CART = '''"""A cart."""


def total(prices: list[int]) -> int:
    """Add up."""
    return sum(prices)
'''
CHANGED = CART.replace("-> int", "-> str").replace("return sum(prices)", "return str(sum(prices))")
SHOP = '"""A shop."""\n\nfrom cart import total\n\nSUM: int = total([1])\n'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "shop").mkdir()
    shop = committed(tmp_path / "shop", {"cart.py": CART, "shop.py": SHOP})
    shop.write("cart.py", CHANGED)
    return shop.folder


def drawn(editor: Editor) -> dict[str, list[str]]:
    newest = {pushed.uri: pushed.diagnostics for pushed in editor.pushed}
    return {uri.rsplit("/", 1)[-1]: [str(d.code) for d in found] for uri, found in newest.items() if found}


@pytest.mark.parametrize("order", [("shop.py", "cart.py"), ("cart.py", "shop.py")], ids=["user", "module"])
async def test_an_importer_that_a_change_breaks_is_drawn_and_counted(
    editor: Editor, order: tuple[str, str]
) -> None:
    texts = {"cart.py": CHANGED, "shop.py": SHOP}
    await editor.start(capable("visual-studio-code"), options={"trusted": True})

    def is_told() -> bool:
        newest = editor.status[-1] if editor.status else None
        return bool(newest and newest.label == "GL 90") and drawn(editor) == {"shop.py": ["GTL110"]}

    for name in order:
        editor.open(name, texts[name])
    await editor.until(is_told)
    for name in order:
        editor.close(editor.uri(name))
        await editor.barrier()
        await editor.until(is_told)
    editor.open("cart.py", CHANGED)
    await editor.until(is_told)
    editor.edit(editor.uri("cart.py"), 2, (None, CART))
    await editor.until(lambda: editor.status[-1].label == "GL –" and drawn(editor) == {})


async def test_what_an_importer_had_before_is_neither(editor: Editor, root: Path) -> None:
    old = SHOP + 'OLD: int = "old"\n'
    Repository(root).commit(**{"cart.py": CART, "shop.py": old})
    (root / "cart.py").write_text(CHANGED)
    await editor.start(capable("visual-studio-code"), options={"trusted": True})
    editor.open("cart.py", CHANGED)
    await editor.until(lambda: editor.status and editor.status[-1].label == "GL 90")
    await editor.until(lambda: drawn(editor) == {"shop.py": ["GTL110"]})
