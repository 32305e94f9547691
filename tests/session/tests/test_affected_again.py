"""Which tests run again by themselves while somebody types, and which have said what there is to say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateline.session.tests.testing import Tested, Wanted, Which
from support.tested_shop import Shop, failing, ran

pytestmark = pytest.mark.timeout(120)
FILES = {
    "cart.py": """\
import pathlib

DATA = pathlib.Path(__file__).with_name("rates.txt").read_text()


def total():
    return DATA


def fee():
    return 1
""",
    "rates.txt": "4",
    "pytest.ini": "[pytest]\nxfail_strict = true\n",
    "test_cart.py": """\
import cart
import pytest


def test_fee():
    assert cart.fee() == 1


@pytest.mark.xfail(reason="rates are wrong")
def test_rates():
    assert cart.total() == "4"
""",
}
TYPING = Wanted(Which.AFFECTED, again=False)
CART = {"cart.py": FILES["cart.py"] + "# edited\n", "test_cart.py": FILES["test_cart.py"] + "# edited\n"}
STRICT = {"test_rates": "counts"}


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    """Where a strict test was seen to pass, twice."""
    made = Shop(tmp_path, files=FILES)
    first = await typed(made)
    assert (ran(first), failing(first)) == ({"test_fee", "test_rates"}, STRICT)
    yield made
    await made.tests.stop()


async def typed(shop: Shop, old: str = "", new: str = "") -> Tested:
    """What is said of the shop, after an edit that replaces one text by another."""
    texts = {path: text.replace(old, new) if old else text for path, text in CART.items()}
    return await shop.said(texts, TYPING)


async def test_a_strict_test_that_passes_fails_without_running_again(shop: Shop) -> None:
    same = await typed(shop)
    assert (ran(same), failing(same)) == (set(), STRICT)
    elsewhere = await typed(shop, "return 1", "return 2 - 1")
    assert (ran(elsewhere), failing(elsewhere)) == ({"test_fee"}, STRICT)


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(("return DATA", 'return DATA + "0"'), id="what it executes"),
        pytest.param(("DATA = pathlib", 'DATA = "0" + pathlib'), id="what importing executes"),
        pytest.param(('== "4"', '== "40"'), id="the test"),
        pytest.param(("reason=", "strict=False, reason="), id="its mark"),
    ],
)
async def test_it_runs_after_an_edit_of(shop: Shop, edit: tuple[str, str]) -> None:
    edited = await typed(shop, *edit)
    assert "test_rates" in ran(edited)
    assert failing(edited) == {}


@pytest.mark.parametrize(
    ("path", "text"), [("rates.txt", "5"), ("pytest.ini", "[pytest]\n"), ("pytest.ini", "")]
)
async def test_all_run_after_a_file_was_written_that_is_no_module(shop: Shop, path: str, text: str) -> None:
    (shop.root / path).write_text(text)
    shop.tests.files_changed([path])
    written = await typed(shop)
    assert ran(written) == {"test_fee", "test_rates"}
    assert failing(written) == {}
    assert ran(await typed(shop)) == set()


async def test_all_run_after_a_conftest_was_added_and_after_it_was_removed(shop: Shop) -> None:
    broken = "import pytest\n\n@pytest.fixture(autouse=True)\ndef broken():\n    raise OSError\n"
    (shop.root / "conftest.py").write_text(broken)
    shop.tests.files_changed(["conftest.py"])
    assert ran(added := await typed(shop)) == {"test_fee", "test_rates"}
    assert failing(added) == {"test_fee": "counts"}, "at the base it would fail, too"
    (shop.root / "conftest.py").unlink()
    shop.tests.files_changed(["conftest.py"])
    assert failing(await typed(shop)) == STRICT


SHARED = """\
[tool.other]
line = 1

[tool.pytest.ini_options]
xfail_strict = true

[tool.more]
line = 1
"""


async def test_of_settings_that_tools_share_those_of_pytest_count(tmp_path: Path) -> None:
    files = {path: text for path, text in FILES.items() if path != "pytest.ini"}
    shop = Shop(tmp_path, files={**files, "pyproject.toml": SHARED})
    try:
        assert failing(await typed(shop)) == STRICT
        assert ran(await settled(shop, "line = 1", "line = 2")) == {"test_rates"}, "only what was failing"
        lenient = await settled(shop, "true", "false")
        assert (ran(lenient), failing(lenient)) == ({"test_fee", "test_rates"}, {})
    finally:
        await shop.tests.stop()


async def settled(shop: Shop, old: str, new: str) -> Tested:
    """What is said after the shared settings were written."""
    (shop.root / "pyproject.toml").write_text(SHARED.replace(old, new))
    shop.tests.files_changed(["pyproject.toml"])
    return await typed(shop)
