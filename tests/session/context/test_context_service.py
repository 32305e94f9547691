"""The context of a workspace with its child processes: what is missing is said, the rest still comes."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import pytest

from gateline.context.values import Question
from gateline.session.context import embedding as context_embedding
from gateline.session.context.service import LIMIT
from support.context_bench import CODE, MODEL, Bench, asked, ready, standing, until

pytestmark = pytest.mark.timeout(120)


async def test_words_are_answered_with_the_semantic_tier(bench: Bench) -> None:
    service = await bench.opened(MODEL)
    await ready(service)
    answer = await asked(service, "count parcels")
    assert "semantic" in answer.tiers
    assert not answer.degraded
    assert len(bench.embedded) == len(set(bench.embedded)) == (await standing(service)).tiers["semantic"]
    engine, _, weights = service.embedding.state.detail.partition("; ")
    assert engine.startswith(("numpy", "onnxruntime")) and weights.endswith("(context.model)")


async def test_signatures_of_like_length_are_embedded_together(bench: Bench) -> None:
    await ready(await bench.opened(MODEL))
    lengths = [len(text) for text in bench.embedded]
    assert lengths == sorted(lengths)


async def test_a_killed_embedder_goes_on_where_it_was(bench: Bench) -> None:
    service = await bench.opened(MODEL, seconds=0.3)
    await asked(service)
    await until(lambda: service.embedding.state.done >= 32)
    kept = bench.embedded[: service.embedding.state.done]
    killed = service.embedding.child.pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    await ready(service)
    assert all(bench.embedded.count(text) == 1 for text in kept)
    assert (await standing(service)).tiers["semantic"] == len(set(bench.embedded))


async def test_a_killed_index_costs_no_embedding(bench: Bench) -> None:
    service = await bench.opened(MODEL, seconds=0.3)
    await asked(service)
    await until(lambda: service.embedding.state.done >= 32)
    kept = bench.embedded[: service.embedding.state.done]
    killed = service.process.child.pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    await ready(service)
    assert all(bench.embedded.count(text) == 1 for text in kept)
    assert "semantic" in (await asked(service)).tiers


async def test_an_edit_embeds_what_is_new_and_nothing_else(bench: Bench) -> None:
    service = await bench.opened(MODEL)
    await ready(service)
    before, names = len(bench.embedded), [f"weigh_{letter}" for letter in "abcdefghijkl"]
    more = "".join(f"\n\ndef {name}(given):\n    return given\n" for name in names)
    (bench.root / "shop.py").write_text(CODE + more)
    service.written(["shop.py"])
    await until(lambda: len(bench.embedded) >= before + len(names))
    wanted = sorted(f"shop weigh {name[-1]} def weigh {name[-1]} given" for name in names)
    assert sorted(bench.embedded[before:]) == wanted


async def test_the_few_of_an_edit_wait_for_no_other_process(bench: Bench) -> None:
    service = await bench.opened(MODEL)
    await ready(service)
    known, before = (await standing(service)).tiers["semantic"], len(bench.embedded)
    (bench.root / "shop.py").write_text(CODE + "\n\ndef weigh_pallet(given):\n    return given\n")
    service.written(["shop.py"])
    while (await standing(service)).tiers["semantic"] == known:
        await asyncio.sleep(0.01)
    assert (await standing(service)).tiers["semantic"] == known + 1
    assert len(bench.embedded) == before


async def test_of_two_servers_one_embeds(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_embedding, "_ELSEWHERE", 0.2)
    first, second = await bench.opened(MODEL, seconds=0.2), await bench.opened(MODEL, seconds=0.2)
    await asyncio.gather(ready(first), ready(second))
    assert len(bench.embedded) == len(set(bench.embedded))
    assert "semantic" in (await asked(second)).tiers


async def test_two_seconds_are_the_end(bench: Bench) -> None:
    service = await bench.opened('semantic = "off"')
    await asked(service)
    stopped = service.process.child.pid
    assert stopped is not None
    os.kill(stopped, signal.SIGSTOP)
    try:
        began = time.monotonic()
        answer = await service.search(Question("invoice"), 2000)
        assert LIMIT - 0.1 <= time.monotonic() - began < 5 * LIMIT
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert (answer.passages, answer.degraded) == ((), {"index": "no answer within 2 s"})
    assert (await asked(service)).passages
    assert service.process.child.pid == stopped


async def test_a_question_that_is_too_late_for_its_vector_is_answered_without(bench: Bench) -> None:
    service = await bench.opened(MODEL)
    await ready(service)
    answer = await service.search(Question("a question that nobody asked before"), 2000, 0.0)
    assert "semantic" not in answer.tiers
    assert answer.degraded["semantic"] == "the question had no vector after 0 ms"
    again = await asked(service, "a question that nobody asked before")
    assert "semantic" in again.tiers
