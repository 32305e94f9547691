"""Coverage of files in declared encodings is measured as that of others, saved or not."""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from gateline.model import State
from gateline.session.tests.testing import Wanted, Which
from support.tested_shop import AFFECTED, BASE, Shop, coverage, numbers, ran

pytestmark = pytest.mark.timeout(90)

ALL = Wanted(Which.ALL)
BODY = BASE["cart.py"].replace("return 1", "return 'é'")
GUARDED = "    if weight > 9:\n        return 'é'\n    return weight * 2"
LONGER = BODY.replace("    return weight * 2", GUARDED)
ENCODINGS = {
    "latin-1": ("# coding: latin-1\n", "latin-1"),
    "cp1252 in the second line": ("#!/usr/bin/python\n# -*- coding: cp1252 -*-\n", "cp1252"),
    "shift_jisx0213": ("# vim: set fileencoding=shift_jisx0213 :\n", "shift_jisx0213"),
    "utf-8": ("# coding: utf-8\n", "utf-8"),
    "a byte order mark": ("", "utf-8-sig"),
    "nothing": ("", "utf-8"),
}


@pytest_asyncio.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    one = Shop(tmp_path)
    yield one
    await one.tests.stop()


CRLF = ("latin-1", "a byte order mark")
"""The encodings that are looked at with both line ends here; the others are deep."""


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        *((name, "\n") for name in ENCODINGS),
        *(pytest.param(n, "\r\n", marks=[] if n in CRLF else pytest.mark.deep) for n in ENCODINGS),
    ],
)
async def test_an_encoding_changes_nothing(shop: Shop, name: str, ends: str) -> None:
    head, encoding = ENCODINGS[name]
    text, longer = ((head + body).replace("\n", ends) for body in (BODY, LONGER))
    (shop.root / "cart.py").write_bytes(text.encode(encoding))
    (shop.root / "test_cart.py").write_bytes(codecs.BOM_UTF8 + BASE["test_cart.py"].encode())
    first = await shop.said({"cart.py": text}, ALL)
    assert coverage(first).state is State.MEASURED
    assert ran(await shop.said({"cart.py": text})) <= {"test_wrong_before"}, "nothing changed since"
    # Unsaved, and then saved: it is the same text.
    unsaved = await shop.said({"cart.py": longer})
    assert coverage(unsaved).state is State.MEASURED
    assert [f.code for f in coverage(unsaved).findings if "jump" in f.message] == ["GTL210"]
    (shop.root / "cart.py").write_bytes(longer.encode(encoding))
    saved = await shop.said({"cart.py": longer}, AFFECTED)
    assert ran(saved) <= {"test_wrong_before"}
    assert numbers(coverage(saved)) == numbers(coverage(unsaved))
