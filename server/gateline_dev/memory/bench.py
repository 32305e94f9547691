"""How long storing and recalling take in a memory of many lessons, in one process."""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from gateline.memory.lesson import Anchor, Note
from gateline.session.memory.embedding import Maker, packed
from gateline.session.memory.memory import Memory
from gateline.session.memory.requests import Recall
from gateline_dev.memory.scoring import scratch

_ROUNDS = 100
_AT_ONCE = 64
_SEED = 7
_WORDS = """
invoice order parcel tenant token queue cache migration fixture widget ledger report session
parser client worker table index header schema loader writer filter limit cursor
rejects drops rounds retries locks splits renames caches skips sorts merges expires
"""
_THINGS, _PARTS, _DOES = (line.split() for line in _WORDS.strip().splitlines())
_WHEN = ("at night", "after a timeout", "in CI", "on Windows", "for large files", "behind the proxy")


def bench(makers: Sequence[Maker], count: int) -> Iterator[str]:
    """Figures of a memory of `count` lessons, in lines."""
    chance = random.Random(_SEED)
    with scratch(makers) as memory:
        _fill(memory, makers, count, chance)
        tiers = ", ".join(maker.tier for maker in makers)
        yield f"{memory.lessons.count()} lessons, tiers {tiers}, load {os.getloadavg()[0]:.1f}"
        memory.recall(Recall("what is slow"))
        yield _line("store", lambda: memory.remember(_note(chance)))
        yield _line("recall, counted", lambda: memory.recall(Recall(_question(chance))))
        yield _line(
            "recall of a place", lambda: memory.recall(Recall("", Anchor(f"src/{chance.randrange(500)}.py")))
        )


def _fill(memory: Memory, makers: Sequence[Maker], count: int, chance: random.Random) -> None:
    """Without being compared: to store as many would be another bench."""
    notes = [_note(chance) for _ in range(count)]
    for start in range(0, count, _AT_ONCE):
        some = notes[start : start + _AT_ONCE]
        made = {maker.name: maker.of([note.text for note in some]) for maker in makers}
        with memory.lessons.writing(durable=False) as writing:
            for place, note in enumerate(some):
                vectors = {name: packed(rows[place]) for name, rows in made.items()}
                writing.create(note, memory.clock(), vectors)


def _note(chance: random.Random) -> Note:
    thing, part, does, when = (chance.choice(words) for words in (_THINGS, _PARTS, _DOES, _WHEN))
    other, limit = chance.choice(_THINGS), chance.randrange(10_000)
    text = f"The {thing} {part} {does} each {other} above {limit} rows {when}: see {other}_{part}_{limit}"
    return Note(text, (thing,), Anchor(f"src/{chance.randrange(500)}.py"))


def _question(chance: random.Random) -> str:
    return f"why does the {chance.choice(_THINGS)} {chance.choice(_PARTS)} fail {chance.choice(_WHEN)}"


def _line(name: str, work: Callable[[], object]) -> str:
    taken, spent = [], []
    for _ in range(_ROUNDS):
        begin, used = time.perf_counter(), time.process_time()
        work()
        taken.append((time.perf_counter() - begin) * 1000)
        spent.append((time.process_time() - used) * 1000)
    return f"  {name}: {_quantiles(taken)} by the wall; {_quantiles(spent)} of processor"


def _quantiles(times: Sequence[float]) -> str:
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms"
