"""Tests that import a module only when they run, and find that it is broken or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.session.tests.testing import Wanted, Which
from support.tested_shop import Shop, failing, ran

pytestmark = pytest.mark.timeout(120)
FILES = {
    "cart.py": "def total():\n    from late import price\n\n    return price()\n",
    "late.py": """\
def price():
    found = 0

    def more():
        nonlocal found
        found += 1

    more()
    return found
""",
    "test_cart.py": "import cart\n\n\ndef test_total():\n    assert cart.total() == 1\n",
}
TYPING = Wanted(Which.AFFECTED, again=False)
BROKEN = FILES["late.py"].replace("    found = 0\n", "    pass\n")


@pytest.mark.parametrize("broken", [BROKEN, FILES["late.py"].replace("def price():", "def price(:")])
async def test_one_that_does_not_compile_is_run_again_when_it_does(tmp_path: Path, broken: str) -> None:
    shop = Shop(tmp_path, files=FILES)
    try:
        edited = {"cart.py": FILES["cart.py"] + "# edited\n"}
        await shop.said(edited, TYPING)
        for _ in range(2):
            lost = await shop.said({**edited, "late.py": broken}, TYPING)
            assert failing(lost) == {"test_total": "floor"}
        fixed = await shop.said(edited, TYPING)
        assert (ran(fixed), failing(fixed)) == ({"test_total"}, {})
    finally:
        await shop.tests.stop()


async def test_one_that_is_missing_is_run_again_when_it_comes(tmp_path: Path) -> None:
    shop = Shop(tmp_path, files={path: text for path, text in FILES.items() if path != "late.py"})
    try:
        edited = {"cart.py": FILES["cart.py"] + "# edited\n"}
        for _ in range(2):
            assert "test_total" in failing(await shop.said(edited, TYPING))
        (shop.root / "late.py").write_text(FILES["late.py"])
        shop.tests.files_changed(["late.py"])
        come = await shop.said(edited, TYPING)
        assert (ran(come), failing(come)) == ({"test_total"}, {})
    finally:
        await shop.tests.stop()
