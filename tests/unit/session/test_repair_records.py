"""What became of repairs is kept in a small file, by any number of servers, and changes what is preferred."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from gateline.model import Document, Edit, Proof, Span, digest_of
from gateline.session.repairs.all_offers import together
from gateline.session.repairs.offer import Offer, Watch
from gateline.session.repairs.records import Happened, RepairRecords

DAY = date(2024, 5, 17)


def records(folder: Path) -> RepairRecords:
    return RepairRecords(folder, lambda: DAY)


def test_what_is_noted_is_counted_by_everybody(tmp_path: Path) -> None:
    one, other = records(tmp_path), records(tmp_path)
    assert other.tally().success is None
    one.note(Happened.FOUND)
    other.note(Happened.MISSED)
    one.note(Happened.FOUND)
    assert one.tally().success == other.tally().success == pytest.approx(2 / 3)


def test_two_servers_lose_nothing(tmp_path: Path) -> None:
    servers = [records(tmp_path) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for server in servers:
            for _ in range(200):
                pool.submit(server.note, Happened.OFFERED, "name/typo")
    assert servers[0].tally().of(Happened.OFFERED, "name/typo") == 800


@pytest.mark.parametrize(
    ("used", "undone", "trusted"),
    [(9, 9, True), (10, 2, True), (10, 3, False), (50, 10, True), (50, 11, False)],
)
def test_a_pattern_that_is_often_taken_back_is_not_preferred(
    tmp_path: Path, used: int, undone: int, trusted: bool
) -> None:
    kept = records(tmp_path)
    for what, times in ((Happened.ACCEPTED, used), (Happened.UNDONE, undone)):
        for _ in range(times):
            kept.note(what, "name/typo")
    assert kept.tally().is_trusted("name/typo") is trusted
    assert kept.tally().is_trusted("name/other")


def test_the_file_stays_small_and_is_the_persons_own(tmp_path: Path) -> None:
    kept = records(tmp_path)
    file = tmp_path / "repairs.jsonl"
    kept.note(Happened.FOUND)
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(file.read_text() * 10_000)
    kept.note(Happened.MISSED)
    assert (file.stat().st_size < 100, kept.tally().of(Happened.FOUND)) == (True, 10_000)


def test_what_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "repairs.jsonl").write_text('{"what": "found"}\nno\n[]\n{"what": "x", "pattern": "y"}\n\xff')
    kept = records(tmp_path)
    kept.note(Happened.FOUND)
    assert kept.tally().of(Happened.FOUND) == 1


def test_without_a_folder_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = records(tmp_path / "file")
    kept.note(Happened.FOUND)
    assert kept.tally().success is None


TEXT = "a = 1\nb = 2\nc = 3\n"


def offer(line: int, text: str, *, preferred: bool = True, alone: bool = True, path: str = "a.py") -> Offer:
    before = (("a.py", digest_of(TEXT)),) if path == "a.py" else ((path, "0"),)
    edit = Edit(path, Span.of(line, 4, line, 5), text)
    after = TEXT.splitlines(keepends=True)
    after[line] = after[line][:4] + text + "\n"
    repaired = ((path, digest_of("".join(after))),)
    return Offer(f"Write {text}", "name/typo", Proof.V1, (edit,), preferred, alone, before, repaired)


def test_what_was_taken_and_taken_back_is_seen_in_the_text() -> None:
    watch, one = Watch(), offer(1, "5")
    assert not watch.watches("a.py")
    assert (watch.offered(one), watch.offered(one), watch.watches("a.py")) == (True, False, True)
    other, repaired = digest_of("b"), one.repaired[0][1]
    assert list(watch.changed("a.py", other)) == []
    assert list(watch.changed("a.py", repaired)) == [(Happened.ACCEPTED, "name/typo")]
    assert list(watch.changed("a.py", other)) == []
    assert list(watch.changed("a.py", digest_of(TEXT))) == [(Happened.UNDONE, "name/typo")]
    assert list(watch.changed("a.py", digest_of(TEXT))) == []


def test_together_go_those_that_are_sure_and_apart() -> None:
    document = Document("a.py", TEXT, 1)
    found = [
        offer(0, "5"),
        offer(1, "6", preferred=False),
        offer(1, "7", alone=False),
        offer(2, "8", path="b.py"),
        offer(0, "9"),
        offer(2, "4"),
    ]
    both, texts = together(document, found)
    assert both is not None
    assert (both.title, texts) == ("Repair 2 errors", {"a.py": "a = 5\nb = 2\nc = 4\n"})
    assert together(document, found[1:4]) == (None, {})
