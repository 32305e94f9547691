"""Answers about what is there and what is not written yet: of which content, and how fresh."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from type_project import Warm

from gateline.model import Level, Progress
from gateline.session.check import Selection, check
from gateline.session.checks.checks import Answer, Question
from gateline.session.checks.proposal import Proposal
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.judge.wire import canonical_json
from gateline.session.live.options import SessionOptions
from gateline.session.selection import Which
from gateline.session.session import Session
from support.repositories import Repository

BASE = '"""A shop."""\n\n\ndef price(name: str) -> int:\n    """The price."""\n    return len(name)\n'
WRONG = BASE.replace("return len(name)", "return name")
USER = '"""Uses it."""\n\nfrom shop import price\n\nTOTAL: int = price("tea")\n'
PATIENCE = 60.0


@pytest.fixture
def shop(repository: Repository, warm: Warm) -> Repository:
    warm(repository.folder)
    repository.commit("base", **{"shop.py": BASE, "user.py": USER})
    return repository


@pytest.fixture
async def session(shop: Repository) -> AsyncIterator[Session]:
    made = Session(
        shop.folder, publish=lambda _: None, status=lambda _: None, options=SessionOptions(trusted=True)
    )
    await made.start()
    yield made
    await made.stop()


def codes(answer: Answer) -> list[tuple[str, str, str]]:
    assert answer.judged is not None
    return [(f.path, f.code, str(f.novelty)) for f in answer.judged.evaluation.findings]


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


async def test_what_is_written_what_is_typed_and_what_is_proposed(session: Session, shop: Repository) -> None:
    clean = await session.checks.ask(Question(), PATIENCE)
    assert clean.fresh and codes(clean) == [] and clean.judged and clean.judged.content.files == ()

    proposed = Question(proposal=Proposal((("shop.py", WRONG),)))
    thought = await session.checks.ask(proposed, PATIENCE)
    assert thought.fresh and codes(thought) == [("shop.py", "GTL110", "new")]
    assert (shop.folder / "shop.py").read_text() == BASE
    assert session.verdicts.current is not None and not session.verdicts.current.findings

    shop.write("shop.py", WRONG)
    written = await session.checks.ask(Question(), PATIENCE)
    assert codes(written) == codes(thought) and written.fresh
    assert written.judged and thought.judged and written.judged.content == thought.judged.content
    assert written.judged.content.files == (("shop.py", digest(WRONG)),)
    assert canonical_json(written.judged.evaluation) == canonical_json(thought.judged.evaluation)

    fixed = await session.checks.ask(Question(proposal=Proposal((("shop.py", BASE),))), PATIENCE)
    assert codes(fixed) == [] and fixed.judged and fixed.judged.content.files == ()

    session.open("shop.py", WRONG, 1)
    session.change("shop.py", [(None, BASE)], 2)
    typed = await session.checks.ask(Question(), PATIENCE)
    assert typed.fresh and codes(typed) == []


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [("logo.png", "\0one", "\0two"), ("large.py", "# 1\n" * 900_000, "# 2\n" * 900_000)],
    ids=["binary", "too large"],
)
async def test_another_content_of_a_file_without_a_text_is_another_content(
    session: Session, shop: Repository, path: str, one: str, other: str
) -> None:
    shop.write(path, one)
    first = await session.checks.ask(Question(), PATIENCE)
    shop.write(path, other)
    second = await session.checks.ask(Question(), PATIENCE)
    assert first.fresh and second.fresh and first.judged and second.judged
    assert first.judged.content.hash != second.judged.content.hash
    known = await session.checks.known()
    shop.write(path, one)
    stale = await session.checks.known()
    assert known.fresh and not stale.fresh


async def test_what_a_proposal_breaks_elsewhere_is_told(session: Session) -> None:
    renamed = BASE.replace("def price(", "def cost(")
    answer = await session.checks.ask(Question(proposal=Proposal((("shop.py", renamed),))), PATIENCE)
    assert ("user.py", "GTL110", "new") in codes(answer)
    gone = await session.checks.ask(Question(proposal=Proposal((("shop.py", None),))), PATIENCE)
    assert ("user.py", "GTL110", "new") in codes(gone)
    broken = await session.checks.ask(Question(proposal=Proposal((("shop.py", "def ("),))), PATIENCE)
    assert {path for path, _, _ in codes(broken)} == {"shop.py"}


async def test_who_stops_waiting_for_a_proposal_stops_nobody_else(session: Session) -> None:
    proposal = Proposal((("shop.py", WRONG), ("user.py", None)))
    waiting = [asyncio.create_task(session.checks.proposed(proposal)) for _ in range(2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    evaluation, texts = await waiting[1]
    assert [f.path for f in evaluation.findings] == ["shop.py"]
    assert waiting[0].cancelled() and texts == {"shop.py": WRONG, "user.py": None}


async def test_only_some_paths(session: Session, shop: Repository) -> None:
    shop.write("shop.py", WRONG)
    shop.write("other.py", '"""Another."""\n\nVALUE: int = ""\n')
    answer = await session.checks.ask(Question(paths=("other.py",)), PATIENCE)
    assert {path for path, _, _ in codes(answer)} == {"other.py"}
    whole = await session.checks.ask(Question(), PATIENCE)
    assert {path for path, _, _ in codes(whole)} == {"other.py", "shop.py"}


async def test_without_time_there_is_a_handle(session: Session, shop: Repository) -> None:
    shop.write("shop.py", WRONG)
    soon = await session.checks.ask(Question(), 0.0)
    assert soon.judged is None and not soon.fresh and soon.running
    assert (await session.checks.ask(Question(), 0.0)).handle == soon.handle
    then = await session.checks.poll(soon.handle, PATIENCE)
    assert then.fresh and codes(then) == [("shop.py", "GTL110", "new")]
    shop.write("shop.py", BASE)
    assert not (await session.checks.poll(soon.handle, PATIENCE)).fresh
    with pytest.raises(UsageError, match="unknown or expired"):
        await session.checks.poll("0123456789ab", 0.0)


async def test_the_final_one_is_the_command_lines(session: Session, shop: Repository) -> None:
    question = Question(Level.FINAL, Progress.SAID, proposal=Proposal((("shop.py", WRONG),)))
    thought = await session.checks.ask(question, PATIENCE)
    shop.write("shop.py", WRONG)
    written = await session.checks.ask(Question(Level.FINAL, Progress.SAID), PATIENCE)
    told = await check(shop.folder, Selection(), Level.FINAL, which=Which.AFFECTED)
    assert written.judged and thought.judged
    assert canonical_json(written.judged.evaluation) == canonical_json(told.evaluation)
    assert canonical_json(thought.judged.evaluation) == canonical_json(told.evaluation)


@pytest.mark.parametrize(
    "path",
    [
        "../shop.py",
        "/etc/passwd",
        "a/../../b.py",
        ".git/hooks/pre-commit",
        "sub/.GIT/config",
        "",
        "out/b.py",
        "l.py",
    ],
)
async def test_paths_outside_are_refused(session: Session, shop: Repository, path: str) -> None:
    (shop.folder / "out").symlink_to(shop.folder.parent)
    (shop.folder / "l.py").symlink_to(shop.folder / "shop.py")
    with pytest.raises(UsageError, match="path "):
        await session.checks.ask(Question(proposal=Proposal(((path, "x = 1\n"),))), PATIENCE)


async def test_without_git_nothing_is_judged(tmp_path: Path) -> None:
    """Only what is open has a base there: what an agent writes would pass unseen."""
    (tmp_path / "shop.py").write_text(BASE)
    session = Session(tmp_path, publish=lambda _: None, status=lambda _: None, options=SessionOptions())
    await session.start()
    (tmp_path / "shop.py").write_text(WRONG)
    with pytest.raises(
        UndecidedError,
        match="is not in a git repository, so new findings cannot be distinguished from old ones",
    ):
        await session.checks.ask(Question(level=Level.FINAL), PATIENCE)
    with pytest.raises(UndecidedError, match="git init"):
        await session.checks.known()
    await session.stop()


async def test_a_path_with_a_typing_error_is_refused_and_passes_nothing(session: Session) -> None:
    with pytest.raises(
        UsageError, match=r"path 'shpo\.py' is not in .*, and the change deletes no such file"
    ):
        await session.checks.ask(Question(paths=("shpo.py",)), PATIENCE)


async def test_texts_that_are_too_large_are_refused(session: Session, shop: Repository) -> None:
    for text in ("#" * 9_000_000, "#" * 4_000_000):
        with pytest.raises(UsageError, match="MB"):
            await session.checks.ask(Question(proposal=Proposal((("a.py", text),))), PATIENCE)
    shop.commit("ignore", **{".gitignore": "built/\n"})
    with pytest.raises(UsageError, match="ignored by git"):
        await session.checks.ask(Question(proposal=Proposal((("built/a.py", ""),))), PATIENCE)


async def test_what_another_commit_brings_counts_though_nobody_told(
    session: Session, shop: Repository
) -> None:
    shop.write("user.py", USER + "MORE: int = TOTAL\n")
    assert codes(await session.checks.ask(Question(), PATIENCE)) == []
    # Written and committed between two questions: it is in no change that was ever looked at.
    shop.git("stash", "--quiet")
    shop.commit("other", **{"shop.py": BASE.replace("name: str", "name: bytes")})
    shop.git("stash", "pop", "--quiet")
    answer = await session.checks.ask(Question(), PATIENCE)
    assert answer.fresh and {(path, code) for path, code, _ in codes(answer)} == {("user.py", "GTL110")}
