"""What a candidate breaks for those that use its packages."""

import pytest

from gateline.session.compare.api import breakages

pytest.importorskip("griffe")
BASE = """\
__all__ = ["f", "g", "C"]
def f(x, y=1): return x
async def g(x): return x
class C:
    @staticmethod
    def s(a): return a
    def kept(self): return 1
def _own(a): return a
"""


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("def f(x, y=1)", "def f(x)", ("shop.cart.f: Parameter was removed",)),
        ("async def g", "def g", ("shop.cart.g: was async, is plain",)),
        ("    @staticmethod\n    def s(a)", "    def s(self, a)", None),
        ('"g", "C"]', '"C"]', ("shop.cart.g: no longer in __all__",)),
        ("    def kept(self): return 1\n", "", ("shop.cart.C.kept: Public object was removed",)),
        ("def _own(a)", "def _own(a, b)", ()),
        ("return x\nasync", "return x + 1\nasync", ()),
    ],
)
def test_breakages_are_named(tmp_path, before, after, told):
    for name, text in (("base", BASE), ("candidate", BASE.replace(before, after))):
        folder = tmp_path / name / "src" / "shop"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "cart.py").write_text(text)
    found = breakages(tmp_path / "base", tmp_path / "candidate", ["src/shop/cart.py", "README.md"])
    assert found is not None
    assert found == told if told is not None else "shop.cart.C.s: was staticmethod, is plain" in found


def test_a_single_module_and_new_files(tmp_path):
    for name, text in (("base", "def f(x): return x\n"), ("candidate", "def f(): return 1\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.py").write_text(text)
    (tmp_path / "candidate" / "new.py").write_text("X = 1\n")
    found = breakages(tmp_path / "base", tmp_path / "candidate", ["one.py", "new.py"])
    assert found == ("one.f: Parameter was removed",)
