"""The small project that faults are tried on, with an honest change of it and a breaking one."""

from __future__ import annotations

import shutil
import site
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path

from gateline_dev.truth.subjects import Subject
from gateline_dev.truth.tree import Edit
from gateline_dev.truth.workbench import Workbench

_CART = '''"""Prices of a cart."""

from __future__ import annotations

from pathlib import Path


def rate() -> float:
    """Return the tax rate that is kept beside this module."""
    return float(Path(__file__).with_name("rate.txt").read_text(encoding="utf-8"))


def total(prices: list[float]) -> float:
    """Return the sum with tax."""
    return round(sum(prices) * (1 + rate()), 2)
'''
_TESTS = '''"""Tests of the cart."""

from __future__ import annotations

from cart import rate, total


def test_total() -> None:
    """Two prices."""
    assert total([10.0, 20.0]) == 36.0


def test_of_nothing() -> None:
    """No price."""
    assert total([]) == 0.0


def test_rate() -> None:
    """As it is kept."""
    assert rate() == 0.2
'''
_CHEAPEST = '''

def cheapest(prices: list[float]) -> float:
    """Return the lowest price, 0 of none."""
    return min(prices, default=0.0)
'''
_CHEAPEST_TEST = '''"""Tests of the lowest price."""

from __future__ import annotations

from cart import cheapest


def test_cheapest() -> None:
    """The lowest one, and none."""
    assert cheapest([3.0, 2.0]) == 2.0
    assert cheapest([]) == 0.0
'''
_SETTINGS = '[project]\nname = "shop"\nversion = "1.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'

FILES: Mapping[str, str] = {
    "cart.py": _CART,
    "rate.txt": "0.20\n",
    "tests/test_cart.py": _TESTS,
    "pyproject.toml": _SETTINGS,
    "README.md": "# shop\n",
}
HONEST = Edit(
    {"cart.py": (_CART + _CHEAPEST).encode(), "tests/test_cheapest.py": _CHEAPEST_TEST.encode()},
    "a new function with a test",
)
BREAKING = Edit(
    {"cart.py": (_CART.replace("1 + rate()", "2 + rate()") + _CHEAPEST).encode()}, "the total is wrong"
)
_NEEDED = ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments", "coverage")


def laid_out(folder: Path, extra: Mapping[str, str], without: Iterable[str] = ()) -> Workbench:
    """The project as a repository, its interpreter with the packages of its tests, but some."""
    template = folder / "template"
    for path, text in {**FILES, **extra}.items():
        file = template / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    bench = Workbench(Subject("shop", "cart.py", folder=template), folder)
    bench.prepare(packages(folder / "packages", without))
    shutil.rmtree(template)
    return bench


def packages(folder: Path, without: Iterable[str] = ()) -> Path:
    """What tests need, linked from the environment that this runs in: nothing is fetched."""
    folder.mkdir(parents=True)
    ours = [Path(sysconfig.get_path("purelib")), *map(Path, site.getsitepackages())]
    for name in _NEEDED:
        if name in without:
            continue
        for found in dict.fromkeys(p for place in ours for p in place.glob(f"{name}*")):
            link = folder / found.name
            is_its = found.name == name or found.name.startswith((f"{name}-", f"{name}."))
            if is_its and not link.exists():
                link.symlink_to(found)
    return folder
