"""An agent's settings, before and after: what was there stays, twice is once, and out is out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.hooks.agents import NAMES, agent
from gateline.hooks.installation import (
    SHAPES,
    SettingsError,
    events_of,
    installed,
    uninstalled,
    unknown_events,
    wanted_events,
)

THEIRS = """{
    "$schema": "https://json.schemastore.org/claude-code-settings.json",
    "permissions": {"allow": ["Bash(make:*)"]},
    "hooks": {
        "PostToolUse": [
            {"matcher": "Edit", "hooks": [{"type": "command", "command": "ruff format"}], "extra": 1}
        ],
        "Notification": [{"hooks": [{"type": "command", "command": "say done"}]}]
    },
    "model": "opus"
}
"""


def test_what_is_written_for_claude() -> None:
    assert json.loads(installed("claude", "", "gateline")) == {
        "hooks": {
            event: [
                {
                    **matcher,
                    "hooks": [
                        {
                            "type": "command",
                            "command": f"gateline hook --agent claude --event {event}",
                            "timeout": seconds,
                        }
                    ],
                }
            ]
            for event, matcher, seconds in (
                ("PreToolUse", {"matcher": "Edit|MultiEdit|Write"}, 10),
                ("PostToolUse", {"matcher": "Edit|MultiEdit|Write"}, 10),
                ("Stop", {}, 150),
                ("UserPromptSubmit", {}, 10),
            )
        }
    }


def test_the_persons_own_settings_stay() -> None:
    now = installed("claude", THEIRS, "gateline")
    tree, theirs = json.loads(now), json.loads(THEIRS)
    assert list(tree) == list(theirs)
    assert tree["hooks"]["PostToolUse"][0] == theirs["hooks"]["PostToolUse"][0]
    assert now.startswith('{\n    "$schema"')
    assert json.loads(uninstalled("claude", now)) == theirs


@pytest.mark.parametrize("name", NAMES)
def test_twice_is_once_and_out_is_out(name: str) -> None:
    once = installed(name, "", "gateline")
    assert installed(name, once, "gateline") == once
    assert events_of(name, once) == wanted_events(name) <= agent(name).events.keys()
    assert unknown_events(name, once) == []
    assert uninstalled(name, once) == ""
    assert uninstalled(name, '{"hooks": {}}') == '{"hooks": {}}'


@pytest.mark.parametrize("name", NAMES)
def test_another_command_replaces_the_old_one(name: str) -> None:
    old = installed(name, "", "'/opt/my tools/bin/gateline'")
    new = installed(name, old, "gateline")
    assert new == installed(name, "", "gateline") and "/opt" in old


def test_calls_of_another_agent_are_not_ours() -> None:
    other = json.dumps({"hooks": {"Stop": [{"hooks": [{"command": "gateline hook --agent codex"}]}]}})
    assert events_of("claude", other) == frozenset()
    assert uninstalled("claude", other) == other


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n  // mine\n  "a": 1}', "not plain JSON"),
        ('{"a": 1, "a": 2}', "duplicate key"),
        ("[]", "must be an object"),
        ('{"hooks": []}', "must be an object with a list"),
        ('{"hooks": {"Stop": {}}}', "must be an object with a list"),
    ],
)
def test_what_cannot_be_added_to_without_loss_is_left_alone(text: str, reason: str) -> None:
    with pytest.raises(SettingsError, match=reason):
        installed("claude", text, "gateline")


def test_names_that_are_no_event_are_told() -> None:
    assert unknown_events("claude", '{"hooks": {"PostToolUsed": [], "Stop": []}}') == ["PostToolUsed"]


ROWS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(NAMES),
    st.dictionaries(st.sampled_from(["a", "version", "model"]), ROWS),
    st.dictionaries(
        st.sampled_from(["Stop", "stop", "PostToolUse", "x"]), st.lists(ROWS, min_size=1, max_size=3)
    ),
)
def test_any_settings_are_the_same_after_both(name: str, tree: dict[str, Any], hooks: dict[str, Any]) -> None:
    before = {**tree, "hooks": hooks} if hooks else tree
    back = uninstalled(name, installed(name, json.dumps(before), "gateline"))
    expected = {**SHAPES[name].head, **before}
    assert json.loads(back) == expected if back else not before.keys() - SHAPES[name].head.keys()
