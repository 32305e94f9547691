"""Cuts files in a process of its own: to read and cut them takes as long as to index what was cut."""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from gateline.context.chunking.cutting import cut
from gateline.context.values import Cut
from gateline.services.spawning import command_of
from gateline.session.context.files import ContextFiles, Stamp
from gateline.session.workspace.listing import Listing

Read = tuple[str, Cut | None, Stamp | None]
"""A path, what stands there, and what tells whether it is written later; None twice where nothing is."""


class Cutter:
    """The near side. It ends when its answers were taken, and with whoever began it."""

    def __init__(self, files: ContextFiles, batches: Sequence[Sequence[str]]) -> None:
        """Raises OSError."""
        request = pickle.dumps((files.root, files.max_size, batches))
        # What it complains of goes where this process complains: the server logs it.
        self._process = subprocess.Popen(command_of(__name__), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # A pipe does not hold a long list: it is read when the other process has imported everything.
        self._asking = Thread(target=self._ask, args=(request,), daemon=True)
        self._asking.start()

    def is_ready(self) -> bool:
        """Whether the next batch is there, or nearly. Where pipes cannot be asked, it is said to be."""
        if sys.platform == "win32":
            return True
        assert self._process.stdout is not None, "piped"
        return bool(select.select([self._process.stdout], [], [], 0)[0])

    def next(self) -> list[Read] | None:
        """The next batch; None when there is none, for whatever reason."""
        assert self._process.stdout is not None, "piped"
        try:
            found: list[Read] = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            # Imported here: who asks first would wait for it.
            import logging

            logging.getLogger(__name__).warning(
                "files are cut without a second process, which ended: %r", error
            )
            return None
        return found

    def close(self) -> None:
        """End it, if it has not ended."""
        self._process.kill()
        assert self._process.stdout is not None, "piped"
        self._process.stdout.close()
        self._process.wait()
        self._asking.join()

    def _ask(self, request: bytes) -> None:
        assert self._process.stdin is not None, "piped"
        # A process that ended is noticed where its answer is missing.
        with suppress(OSError), self._process.stdin as requests:
            requests.write(request)


def cut_files(files: ContextFiles, paths: Sequence[str]) -> Iterator[Read]:
    """Files as they stand there now."""
    for path in paths:
        document, stamp = files.settled(path)
        yield path, None if document is None else cut(document), stamp


def main() -> None:
    """Answer one request, and nothing else on the same stream."""
    # Whoever began it may end before it has all.
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "wb") as replies:
        os.dup2(2, 1)
        root, max_size, batches = pickle.load(sys.stdin.buffer)
        files = ContextFiles(Path(root), Listing(Path(root), None), max_size)
        for batch in batches:
            pickle.dump(list(cut_files(files, batch)), replies, pickle.HIGHEST_PROTOCOL)
            replies.flush()


if __name__ == "__main__":
    main()
