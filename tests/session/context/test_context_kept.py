"""What context keeps on the disk: taken up another day, damaged, and where the disk takes nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from gateline.context.values import Question
from gateline.session.context import service as context_service
from gateline.session.context.vectors import FILE, Vectors
from support.context_bench import MODEL, Bench, asked, ready, standing

pytestmark = pytest.mark.timeout(120)


async def test_another_day_nothing_is_embedded_again(bench: Bench) -> None:
    first = await bench.opened(MODEL)
    await ready(first)
    await first.stop()
    before = bench.embedded
    second = await bench.opened(MODEL)
    await ready(second)
    assert bench.embedded == before
    assert "semantic" in (await asked(second)).tiers


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
