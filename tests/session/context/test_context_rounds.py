"""Edits, failures and questions, by chance: nothing old is shown as new, and answers always come."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from gateline.services.embedding import weights
from support.context_rounds import Rounds
from support.tiny_model import tiny_model

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a full disk is a limit of Linux here")
SCRIPT = Path(__file__).with_name("scripted_embedder.py")


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-models"))
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package")
    tiny_model(tmp_path / "model")
    file = tiny_model(tmp_path / "spoilt") / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


@pytest.mark.timeout(120)
async def test_a_few_rounds_with_all_that_may_happen(workshop: Path) -> None:
    await Rounds(workshop, SCRIPT, seed=1).run(20)


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_a_thousand_rounds(workshop: Path) -> None:
    rounds = Rounds(workshop, SCRIPT, seed=2)
    await rounds.run(1_000)
    print(Counter(rounds.done))
    assert len(rounds.done) == 15, "all of it happened"
