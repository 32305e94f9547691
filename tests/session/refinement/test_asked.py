"""Who works by which name, and which plan a client may name."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.refinement.plan_steps import names_of
from gateline.session.errors import UsageError
from gateline.session.refinement.agents import command_of
from gateline.session.refinement.requests import plan_in
from gateline.session.refinement.storage import commands_of, named

PLAN = "1. Have `a.py` right. agent: code\n2. Say so in `README.md`. Agent: `docs`\n3. Run the tests.\n"


def test_names_are_those_of_the_plan() -> None:
    names = names_of(PLAN)
    assert names == ("code", "docs")
    agents = named(["code=a --x=1", "docs=acp:b", "env V=x c", "autodebug"], names)
    assert agents == {"code": "a --x=1", "docs": "acp:b", "env V=x c": "env V=x c", "autodebug": "autodebug"}
    assert commands_of(agents.values()) == ("a --x=1", "acp:b", "env V=x c")


@pytest.mark.parametrize(
    ("agents", "names", "said"),
    [
        (
            ["VAR=x a"],
            None,
            "'VAR=x a' begins with `VAR=`: names are for the steps of a plan, and there is none",
        ),
        (["VAR=x a"], None, "a variable is set by `env VAR=... COMMAND`"),
        (["_V=x a"], None, "begins with `_V=`"),
        (["VAR=x a"], ["code", "docs"], "no step of the plan says `agent: VAR` (they say: code, docs)"),
        (["code=a"], [], "no step of the plan says `agent: code` (they say: nobody)"),
        (["code=a", "code=b"], ["code"], "another agent has the name 'code'"),
    ],
)
def test_what_is_no_name_is_told(agents: list[str], names: list[str] | None, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        named(agents, names)
    assert said in str(raised.value)


@pytest.mark.parametrize("command", ["VAR=x a", "acp:VAR=x a", "cmd VAR= a"])
def test_a_variable_before_a_command_is_told(command: str) -> None:
    with pytest.raises(
        UsageError, match="begins with a variable, and no shell reads it: begin with `env VAR="
    ):
        command_of(command)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a plan, beside one that is not in it."""
    root = tmp_path / "shop"
    (root / "plans").mkdir(parents=True)
    for file in (root / "plans" / "tax.md", tmp_path / "other.md"):
        file.write_text(PLAN)
    (root / "link.md").symlink_to(tmp_path / "other.md")
    (root / "out").symlink_to(tmp_path)
    (root / "again.md").symlink_to(root / "plans" / "tax.md")
    return root


def test_a_plan_is_named_from_the_root_or_whole(root: Path) -> None:
    plan = root / "plans" / "tax.md"
    for name in ("plans/tax.md", "./plans/../plans/tax.md", str(plan)):
        assert plan_in(root, name) == plan
    assert plan_in(root, "again.md") == plan
    (root.parent / "linked").symlink_to(root)
    assert plan_in(root, str(root.parent / "linked" / "plans" / "tax.md")) == plan, "the same folder"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../other.md", "is outside of the workspace"),
        ("/etc/hosts", "is outside of the workspace"),
        ("link.md", "is outside of the workspace"),
        ("out/other.md", "is outside of the workspace"),
        ("none.md", "is not a file of"),
        ("plans", "is not a file of"),
        ("a\0b.md", "is no path"),
        ("x" * 300, f"the plan '{'x' * 300}'"),
    ],
)
def test_another_plan_is_refused(root: Path, name: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        plan_in(root, name)
    assert said in str(raised.value)
