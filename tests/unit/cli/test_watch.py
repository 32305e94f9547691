"""What `gateline watch` waits for."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

from gateline.cli.watch import Watcher
from gateline.model import Level
from gateline.session.check import Selection


def watcher() -> Watcher:
    return Watcher(Selection(None), Level.EARLY, {}, "never")


def test_news_end_the_wait(tmp_path: Path) -> None:
    written: SimpleQueue[object] = SimpleQueue()
    written.put({("modified", str(tmp_path / "a.py"))})
    watcher().wait(written)  # type: ignore[arg-type]
    assert written.empty()


def test_a_file_whose_news_was_lost_is_seen_all_the_same(tmp_path: Path) -> None:
    file, written, one = tmp_path / "a.py", SimpleQueue[object](), watcher()
    for content in (None, "x = 1\n", "x = 10\n", None):
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_text(content)
        if content is None and not one._written:
            written.put({("deleted", str(file))})
        one.wait(written, look=0.001)  # type: ignore[arg-type]
