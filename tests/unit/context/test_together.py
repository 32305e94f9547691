"""How often files change together, by their commits."""

from __future__ import annotations

import pytest

from gateline.context.together import shares

MANY = [f"file{n}.py" for n in range(40)]


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ([], {}),
        ([["a.py"]], {}),
        ([["a.py", "b.py"]], {"b.py": 0.5}),
        ([["a.py", "b.py"], ["a.py", "b.py"], ["a.py"]], {"b.py": 0.5}),
        ([["a.py", "b.py"], ["a.py", "b.py", "c.py"], ["a.py"]], {"b.py": 0.5, "c.py": 0.25}),
        ([["b.py", "c.py"]], {}),
        ([["a.py", *MANY]], {}),
        ([["a.py", *MANY], ["a.py", "b.py"]], {"b.py": 0.5}),
    ],
)
def test_the_share_of_the_commits_that_changed_both(
    commits: list[list[str]], expected: dict[str, float]
) -> None:
    assert shares(commits, "a.py") == expected
