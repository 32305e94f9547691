"""A change whose tests are timed for real, beside its base."""

from __future__ import annotations

import pytest
from type_project import Warm

from gateline.model import Dimension, Level, State
from gateline.model.evaluation import Part
from gateline.session.check import CheckResult, Selection, check
from support.repositories import Repository

QUICK = '''"""Names."""


def unique(names: list[str]) -> list[str]:
    """Each name once."""
    return list(dict.fromkeys(names))
'''
SLOW = QUICK.replace(
    "    return list(dict.fromkeys(names))\n",
    """    found: list[str] = []
    for name in names:
        if name not in found:
            found.append(name)
    return found
""",
)
OTHER = QUICK.replace("list(dict.fromkeys(names))", "[*dict.fromkeys(names)]")
TESTS = """from names import unique


def test_unique():
    assert len(unique([str(n) for n in range(3000)])) == 3000
"""


@pytest.fixture
def shop(repository: Repository, warm: Warm) -> Repository:
    warm(repository.folder)
    repository.commit(
        **{
            "names.py": QUICK,
            "tests/test_names.py": TESTS,
            "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        }
    )
    return repository


async def judged(shop: Repository, level: Level = Level.FINAL) -> CheckResult:
    overrides = {"types.enabled": False, "tests.performance-budget": 30.0}
    return await check(shop.folder, Selection(), level, overrides=overrides)


def performance(result: CheckResult) -> Part:
    parts = result.evaluation.score.parts
    return next(part for part in parts if part.dimension is Dimension.PERFORMANCE)


async def test_a_function_that_became_slow_is_seen(shop: Repository) -> None:
    shop.write("names.py", SLOW)
    result = await judged(shop)
    part = performance(result)
    assert part.state is State.MEASURED and part.value == 0
    assert part.detail.startswith("grade F: ")
    assert part.weight == 0
    (slower,) = (f for f in result.evaluation.findings if f.code == "GTL710")
    assert slower.path == "tests/test_names.py"


async def test_a_function_that_is_as_quick_has_the_best_grade(shop: Repository) -> None:
    shop.write("names.py", OTHER)
    result = await judged(shop)
    part = performance(result)
    assert part.value == 100
    assert not [f for f in result.evaluation.findings if f.code == "GTL710"]


async def test_nothing_is_timed_before_the_final_checkpoint(shop: Repository) -> None:
    shop.write("names.py", SLOW)
    result = await judged(shop, Level.MIDDLE)
    assert performance(result).state is State.NOT_DUE
    assert not [f for f in result.evaluation.findings if f.dimension is Dimension.PERFORMANCE]
