"""The tier of a change, and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.worklog.task import Tier
from gateline.worklog.tier import ChangedFile, tier_of


def files(*rows: str) -> list[ChangedFile]:
    """Each row is a path, a number of lines, and what else is to be said of it."""
    made = []
    for row in rows:
        path, lines, *marks = row.split()
        made.append(
            ChangedFile(
                path,
                int(lines),
                only_comments="comments" in marks,
                generated="generated" in marks,
                public=("price",) if "public" in marks else (),
                gate_settings="gate" in marks,
            )
        )
    return made


CASES = [
    ([], "EXEMPT nothing changed"),
    (["shop/cart.py 3 comments"], "EXEMPT only comments"),
    (["docs/guide.md 900"], "EXEMPT only docs"),
    (["poetry.lock 2000", "README.rst 1"], "EXEMPT only docs and lock files"),
    (["shop/schema_pb2.py 700 generated"], "EXEMPT only generated files"),
    (["shop/cart.py 20"], "LIGHT 20 changed lines in 1 file"),
    (["shop/cart.py 1", "CHANGES.md 300"], "LIGHT 1 changed line in 1 file"),
    (["shop/cart.py 21"], "STANDARD 21 changed lines in 1 file"),
    (["shop/cart.py 2", "shop/till.py 2"], "STANDARD 4 changed lines in 2 files"),
    (["requirements.txt 2", "shop/cart.py 1"], "STANDARD 3 changed lines in 2 files"),
    (["shop/cart.py 1 public"], "STRICT public API: price of shop/cart.py"),
    (["shop/cart.py 400"], "STANDARD 400 changed lines in 1 file"),
    (["shop/cart.py 401"], "STRICT 401 changed lines"),
    ([f"shop/part{n}.py 1" for n in range(10)], "STANDARD 10 changed lines in 10 files"),
    ([f"shop/part{n}.py 1" for n in range(11)], "STRICT 11 files"),
    (["shop/auth.py 1"], "STRICT authentication: shop/auth.py"),
    (["shop/login/views.py 1"], "STRICT authentication: shop/login/views.py"),
    (["shop/author.py 1"], "LIGHT 1 changed line in 1 file"),
    (["shop/crypto_box.py 1"], "STRICT cryptography: shop/crypto_box.py"),
    (["shop/monkeys.py 1"], "LIGHT 1 changed line in 1 file"),
    (["shop/migrations/0002_price.py 1"], "STRICT migrations: shop/migrations/0002_price.py"),
    ([".github/workflows/test.yml 1"], "STRICT CI settings: .github/workflows/test.yml"),
    (["gateline.toml 1"], "STRICT gate settings: gateline.toml"),
    (["pyproject.toml 1 gate"], "STRICT gate settings: pyproject.toml"),
    (["pyproject.toml 1"], "LIGHT 1 changed line in 1 file"),
    (["docs/auth.md 5"], "EXEMPT only docs"),
]


@pytest.mark.parametrize(("rows", "expected"), CASES, ids=[e for _, e in CASES])
def test_the_tier_and_its_reason(rows: list[str], expected: str) -> None:
    found = tier_of(files(*rows))
    assert f"{found.tier} {found.reason}" == expected


def test_a_tier_by_path_wins_and_the_highest_of_several() -> None:
    by_path = {"shop/*": Tier.LIGHT, "*/legal.py": Tier.STRICT}
    assert tier_of(files("shop/cart.py 300"), by_path).tier is Tier.LIGHT
    found = tier_of(files("shop/cart.py 300", "shop/legal.py 1"), by_path)
    assert (found.tier, found.reason) == (Tier.STRICT, "shop/legal.py matches '*/legal.py' of the settings")


@given(st.lists(st.integers(1, 300), min_size=1, max_size=14), st.integers(1, 300))
def test_more_change_is_never_a_lower_tier(sizes: list[int], more: int) -> None:
    rows = [f"shop/part{n}.py {lines}" for n, lines in enumerate(sizes)]
    order = list(Tier)
    less, now = tier_of(files(*rows)).tier, tier_of(files(*rows, f"shop/other.py {more}")).tier
    assert order.index(now) >= order.index(less)
