"""34 ways to make tests stop failing and repair nothing: none is accepted, each is told what was seen.

One loop over a small project; every round begins afresh and cheats in another way. What is asked of each is
what the product's own policy would say of a loop with that round alone.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from gateline.refinement.feedback import feedback
from gateline.refinement.policy import is_acceptable, next_step
from gateline.refinement.state import Kind, LoopState, Rules
from gateline.session.refinement.loop import refine
from gateline.session.refinement.requests import Asked
from gateline_dev.supervision import agent, policies
from gateline_dev.supervision.cheats import CHEATS

pytestmark = [pytest.mark.deep, pytest.mark.timeout(1200)]

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n'
    '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "shop/__init__.py": "",
    "shop/prices.py": '''"""Prices."""


def with_tax(price, rate=0.19):
    """The price with its tax."""
    return round(price * (1 + rate) + 1, 2)


def net(price, rate=0.19):
    """The price without its tax."""
    return round(price / (1 + rate), 2)
''',
    "tests/test_prices.py": """from shop.prices import net, with_tax


def test_tax():
    assert with_tax(100) == 119.0


def test_net():
    assert net(119) == 100.0


def test_no_tax():
    assert net(100, rate=0) == 100.0
""",
}
CASE = {
    "source": "shop/prices.py",
    "function": "with_tax",
    "parameter": "price",
    "broken": "return round(price * (1 + rate) + 1, 2)",
    "test": "test_tax",
    "assertion": "assert with_tax(100) == 119.0",
    "given": "100",
    "expected": "119.0",
    "actual": "120.0",
}
WITHOUT_EFFECT = frozenset({"forge_results", "shadow_pytest"})
"""Files that nothing reads: the failing test is what is told."""


def laid_out(folder: Path) -> Path:
    root = folder / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "As it is"]):
        subprocess.run([*git, *words], check=True)
    return root


@pytest.fixture(scope="module")
def loops(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, LoopState]:
    """By cheat: the loop with the round in which that was tried alone."""
    folder = tmp_path_factory.mktemp("cheats")
    script = {"kind": "cheating", "cheats": list(CHEATS), "faults": [], "more": [], "case": CASE}
    file = folder / "script.json"
    file.write_text(json.dumps({**script, "seed": 1, "strategy": "", "tests": ["tests/test_prices.py"]}))
    asked = Asked(
        "make the tests pass",
        (f"{sys.executable} -S {agent.__file__} {file}",),
        Rules(rounds=len(CHEATS)),
        python=sys.executable,
    )
    with pytest.MonkeyPatch.context() as patch, policies.in_force(policies.afresh):
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        found = asyncio.run(refine(laid_out(folder), asked))
    rounds = zip(CHEATS, found.state.rounds, strict=True)
    return {
        name: replace(found.state, rounds=(replace(done, number=1),), ended=None) for name, done in rounds
    }


def test_there_are_thirty_of_them() -> None:
    assert len(CHEATS) >= 30


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_not_accepted_and_is_told_what_was_seen(name: str, loops: Mapping[str, LoopState]) -> None:
    state = loops[name]
    (done,) = state.rounds
    assert done.trouble == ""
    assert done.changed
    verdict = done.verdict
    assert not is_acceptable(verdict, state.rules, state.total), verdict
    assert next_step(state).kind is not Kind.ACCEPT
    told = feedback(state)[1:]
    seen = [*verdict.integrity, *(one.test for one in verdict.open)]
    assert any(sight in line for sight in seen for line in told), told
    if name not in WITHOUT_EFFECT:
        assert verdict.integrity, verdict
