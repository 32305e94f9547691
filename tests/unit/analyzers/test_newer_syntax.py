"""A text of a newer Python than ours: no error where the project runs on that, and an error where not."""

from __future__ import annotations

import pytest

from gateline.analyzers import syntax
from gateline.analyzers.documentation import inspect as documentation
from gateline.model import Document, Inspection, Source, State
from gateline.model.newer_syntax import NEWEST, OWN, Version, needed_version

NEWER = {
    "type parameters": ("def first[T](rows: list[T]) -> T:\n    return rows[0]\n", (3, 12)),
    "of a class": ("class Box[T]:\n    pass\n", (3, 12)),
    "a type": ("type Row = dict[str, int]\n", (3, 12)),
    "quotes in quotes": ('row = {}\nprint(f"{row["name"]}")\n', (3, 12)),
    "a backslash in braces": ("print(f\"{'\\n'.join('ab')}\")\n", (3, 12)),
    "lines in braces": ('print(f"{\n    1\n}")\n', (3, 12)),
    "a default": ("type Row[T = int] = list[T]\n", (3, 13)),
    "a default of a bound": ("def f[\n    T: list[int] = list[int],\n](row: T): ...\n", (3, 13)),
    "a template": ('print(t"{1}")\n', (3, 14)),
    "types without brackets": ("try:\n    pass\nexcept ValueError, TypeError:\n    pass\n", (3, 14)),
    "rows unpacked": ("rows = [*row for row in [[1]]]\n", (3, 15)),
}
OLD = {
    "valid": "def f(x):\n    return x\n",
    "an open bracket": "def f(x:\n    return x\n",
    "half a line of newer syntax": "def f[T(x): pass\n",
    "only the compiler": "return 1\n",
    "Python 2": "print 'x'\n",
    "a format that never was": "f'{lambda x: 1}'\n",
}


def found(text: str, target: Version) -> list[str]:
    inspection = Inspection(Source(Document("a.py", text)), options={"target": target})
    return [finding.message for finding in syntax.inspect(inspection).findings]


@pytest.mark.parametrize(("text", "version"), NEWER.values(), ids=NEWER)
class TestNewer:
    def test_the_version_is_known(self, text: str, version: Version) -> None:
        assert needed_version(text) == (version if version > OWN else None)

    def test_it_is_no_error_where_the_project_runs_on_it(self, text: str, version: Version) -> None:
        assert found(text, version) == [] == found(text, NEWEST)

    def test_it_is_one_where_the_project_does_not(self, text: str, version: Version) -> None:
        assert bool(found(text, OWN)) == (version > OWN)

    def test_what_needs_a_tree_says_why_there_is_none(self, text: str, version: Version) -> None:
        report = documentation(Inspection(Source(Document("a.py", text))))
        if version > OWN:
            assert report.state is State.NO_DATA
            assert "install gateline with Python {}.{}".format(*version) in report.reason


@pytest.mark.parametrize("text", OLD.values(), ids=OLD)
def test_what_no_python_accepts_is_an_error_for_every_target(text: str) -> None:
    assert bool(found(text, NEWEST)) == bool(found(text, OWN)) == (text != OLD["valid"])
