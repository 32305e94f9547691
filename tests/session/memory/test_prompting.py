"""Lessons before prompts: about files at hand, within bounds, each once a conversation."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.memory.lesson import Anchor, Note
from gateline.session.memory.memory import memory_of
from gateline.session.memory.prompting import PromptLessons


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    place = tmp_path / "shop"
    (place / "bank").mkdir(parents=True)
    for name in ("cart.py", "bank/transfer.py", "other.py"):
        (place / name).write_text("x = 1\n")
    return place


def remember(root: Path, *lessons: tuple[str, str]) -> None:
    with memory_of(root, ()) as memory:
        for text, file in lessons:
            memory.remember(Note(text, anchor=Anchor(file)))


def before(prompts: PromptLessons, prompt: str, *changed: str, asker: str = "a") -> list[str]:
    found = prompts.before(prompt, changed, asker, batching=True)
    return [text.partition(":")[0] for text in found]


def test_files_that_a_prompt_names_or_that_changed_are_at_hand(root: Path) -> None:
    remember(root, ("Never sum twice", "cart.py"), ("Ask for status", "bank/transfer.py"), ("No", "other.py"))
    prompts = PromptLessons(root)
    assert before(prompts, "Mend `cart.py`, please.") == ["cart.py"]
    assert before(prompts, "and ../shop/other.py", "bank/transfer.py") == ["bank/transfer.py"]
    assert before(prompts, "cart.py again", "bank/transfer.py") == []
    assert before(prompts, "cart.py", asker="b") == ["cart.py"]


def test_at_most_five_are_told_and_the_rest_with_the_next_prompt(root: Path) -> None:
    words = ("rounding", "currency", "discount", "locking", "timeout", "logging", "caching")
    remember(root, *((f"Mind the {word}", "cart.py") for word in words))
    prompts = PromptLessons(root)
    assert len(before(prompts, "cart.py")) == 5
    assert len(before(prompts, "cart.py")) == 2


def test_what_does_not_fit_the_tokens_is_not_told(root: Path) -> None:
    remember(root, ("word " * 350, "cart.py"))
    assert before(PromptLessons(root), "cart.py") == []


def test_the_oldest_conversation_is_forgotten_and_told_again(root: Path) -> None:
    remember(root, ("Never sum twice", "cart.py"))
    prompts = PromptLessons(root)
    for number in range(65):
        assert before(prompts, "cart.py", asker=str(number)) == ["cart.py"]
    assert before(prompts, "cart.py", asker="64") == []
    assert before(prompts, "cart.py", asker="0") == ["cart.py"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "prompt",
    [
        "./cart.py",
        "bank/../cart.py",
        "(/cart.py)",
        f"{'x' * 300}.py, cart.py",
        f"{'x' * 100_000} cart.py",
        f"{'x/' * 50_000} cart.py",
    ],
    ids=["here", "around", "of the root", "too long for a file", "a long word", "a long path"],
)
def test_a_file_is_found_however_it_is_named_and_whatever_is_beside(root: Path, prompt: str) -> None:
    remember(root, ("Never sum twice", "cart.py"))
    assert before(PromptLessons(root), prompt) == ["cart.py"]
