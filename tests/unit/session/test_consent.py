"""What a person said of running tests is remembered for one workspace and one command."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateline.session.tests.consent import Answer, Consent, Consents

WHEN = datetime(2026, 11, 22, 12, 30, tzinfo=UTC)
PYTEST = ("/usr/bin/python3", "-m", "pytest")
SHOP, OTHER = Path("/home/me/shop"), Path("/home/me/other")


@pytest.fixture
def consents(tmp_path: Path) -> Consents:
    return Consents(tmp_path / "consent")


def test_nothing_is_allowed_that_nobody_was_asked_about(consents: Consents) -> None:
    assert consents.of(SHOP) is None
    assert not consents.allows(SHOP, PYTEST)
    assert not consents.forbids(SHOP)


def test_an_answer_counts_for_its_workspace_and_command_alone(consents: Consents) -> None:
    consents.remember(SHOP, PYTEST, Answer.ALLOWED, WHEN)
    assert consents.allows(SHOP, PYTEST)
    assert not consents.allows(SHOP, (*PYTEST, "--cov"))
    assert not consents.allows(OTHER, PYTEST)
    assert consents.of(SHOP) == Consent(Answer.ALLOWED, PYTEST, "2026-11-22T12:30:00+00:00")


def test_agents_are_allowed_where_tests_are_and_for_as_long(consents: Consents) -> None:
    with pytest.raises(ValueError, match="running tests here has no consent"):
        consents.allow_agent(SHOP, "my-agent")
    consents.remember(SHOP, PYTEST, Answer.ALLOWED, WHEN)
    consents.allow_agent(SHOP, "my-agent")
    consents.remember(SHOP, (*PYTEST, "-q"), Answer.ALLOWED, WHEN)
    consents.allow_agent(SHOP, "acp:other")
    consents.allow_agent(SHOP, "acp:other")
    known = consents.of(SHOP)
    assert known is not None and known.agents == ("my-agent", "acp:other")
    assert consents.allows(SHOP, (*PYTEST, "-q")) and consents.of(OTHER) is None
    consents.remember(SHOP, PYTEST, Answer.NEVER, WHEN)
    consents.remember(SHOP, PYTEST, Answer.ALLOWED, WHEN)
    again = consents.of(SHOP)
    assert again is not None and again.agents == ()


def test_never_holds_for_every_command(consents: Consents) -> None:
    consents.remember(SHOP, PYTEST, Answer.NEVER, WHEN)
    assert consents.forbids(SHOP)
    assert not consents.allows(SHOP, PYTEST)


def test_the_last_answer_counts_and_can_be_taken_back(consents: Consents) -> None:
    consents.remember(SHOP, PYTEST, Answer.NEVER, WHEN)
    consents.remember(SHOP, PYTEST, Answer.ALLOWED, WHEN)
    assert consents.allows(SHOP, PYTEST)
    consents.forget(SHOP)
    consents.forget(SHOP)
    assert consents.of(SHOP) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"null",
        b'{"answer": "allowed"}',
        b'{"answer": "perhaps", "command": [], "given": ""}',
    ],
)
def test_what_cannot_be_read_allows_nothing(consents: Consents, tmp_path: Path, content: bytes) -> None:
    consents.remember(SHOP, PYTEST, Answer.ALLOWED, WHEN)
    (file,) = (tmp_path / "consent").iterdir()
    file.write_bytes(content)
    assert consents.of(SHOP) is None
    assert not consents.allows(SHOP, PYTEST)
    consents.remember(SHOP, PYTEST, Answer.ALLOWED, WHEN)
    assert consents.allows(SHOP, PYTEST)


def test_a_symbolic_link_is_the_workspace_it_leads_to(consents: Consents, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    consents.remember(tmp_path / "link", PYTEST, Answer.ALLOWED, WHEN)
    assert consents.allows(tmp_path / "real", PYTEST)


def test_an_answer_that_cannot_be_written_leaves_the_old_one(
    consents: Consents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    consents.remember(SHOP, PYTEST, Answer.NEVER, WHEN)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        consents.remember(SHOP, PYTEST, Answer.ALLOWED, WHEN)
    assert consents.forbids(SHOP)
    assert len([*(tmp_path / "consent").iterdir()]) == 1
