"""The coverage of a base is known where its tests ran on it, and is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.model import Dimension, Report
from gateline.session.tests.covering_base import BaseCoverageFiles, CoveringBase
from gateline.session.tests.testing import Tested, Wanted, Which
from gateline.testing.base_coverage import BaseCoverage, Counted
from support.tested_shop import AFFECTED, BASE, Shop, change, numbers

pytestmark = pytest.mark.timeout(120)

GUARDED = {"cart.py": BASE["cart.py"].replace("return weight * 2", "return weight and weight * 2")}
RATES = {"cart.py": BASE["cart.py"] + "\n\ndef more(x):\n    if x:\n        return 1\n    return 2\n"}


def opened(shop: Shop, kept: BaseCoverageFiles) -> None:
    """A session of its own, with this memory of bases."""
    shop.tests = shop.opened()
    assert shop.tests.service is not None and shop.tests.selecting is not None
    base = shop.tests._base.overlay
    shop.tests._at_base = CoveringBase(shop.tests.service, shop.tests.selecting, kept, base)


def of_base(tested: Tested) -> Report | None:
    found = (r for r in tested.base.get("cart.py", ()) if r.dimension is Dimension.COVERAGE)
    return next(found, None)


async def test_the_book_tells_of_a_base_that_was_measured_and_it_is_kept(tmp_path: Path) -> None:
    shop, kept = Shop(tmp_path), BaseCoverageFiles(tmp_path / "bases")
    everything = change(dict(BASE))
    await shop.tests.of_change(everything, {}, Wanted(Which.ALL))
    await shop.tests.stop()
    opened(shop, kept)
    first = of_base(await shop.said(RATES))
    assert first is not None
    # 9 statements, of which the body of `unused` is never executed.
    assert numbers(first) == {"executable": 9, "covered": 8}
    assert {m.subject: m.value for m in first.measures if m.subject}["unused"] == 0
    await shop.tests.stop()
    opened(shop, kept)
    assert of_base(await shop.said(RATES, AFFECTED)) == first, "although the book speaks of the change now"
    await shop.tests.stop()


async def test_what_was_never_measured_is_not_known(tmp_path: Path) -> None:
    shop, kept = Shop(tmp_path), BaseCoverageFiles(tmp_path / "bases")
    opened(shop, kept)
    for _ in range(2):
        assert of_base(await shop.said(GUARDED)) is None
    await shop.tests.stop()


def test_a_kept_base_that_cannot_be_read_is_not_known(tmp_path: Path) -> None:
    kept = BaseCoverageFiles(tmp_path)
    kept.keep("a", BaseCoverage())
    assert kept.of_tree("a") == BaseCoverage() and kept.of_tree("b") is None
    (tmp_path / "a.json").write_text("[")
    assert kept.of_tree("a") is None
    assert BaseCoverage(whole=False).total == Counted()
