"""What is said to agents. Texts of the workspace are data in it: one line each, and not long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_MOST = 10
"""Findings that are told; the rest is counted."""
_LONGEST = 300
"""Characters of one line."""
_NOTE = 2_200
"""Characters of one lesson with its place: they are bound by tokens already."""


_FIX = "Fix the code instead. If the person wants this edit, ask them: only a person can accept it."
_FINISH = "Fix these, then finish. `gateline check` shows everything."
UNDECIDED = -32001
"""The code of a refusal where nothing can be judged, as without git."""


def of_git(path: str) -> str:
    """Why a file of git's own is not to be written."""
    return (
        f"gateline: {_line(path)} belongs to git and is not judged. Use git commands instead of editing it."
    )


def of_hooks(path: str) -> str:
    """Why an agent is not to take out the hooks that judge it."""
    return (
        f"gateline: this edit would remove gateline's hooks from {_line(path)}. "
        "Only a person may remove them: `gateline hooks uninstall`."
    )


def of_lessons(lessons: Sequence[str]) -> str:
    """What was learned earlier of what is at hand."""
    head = "gateline: lessons recorded in this workspace:"
    return "\n".join([head, *(f"- {_line(text, _NOTE)}" for text in lessons)])


def of_edit(findings: Sequence[dict[str, Any]]) -> str:
    """What an edit made new."""
    count = _counted(len(findings), "new finding")
    return "\n".join([f"gateline: {count} since the last check:", *_lines(findings)])


def refusal(findings: Sequence[dict[str, Any]]) -> str:
    """Why an edit is not to be made."""
    return "\n".join(
        [
            "gateline: this edit was not made. It would weaken how the change is judged:",
            *_lines(findings),
            _FIX,
        ]
    )


def of_gate(evaluation: dict[str, Any]) -> str:
    """What is missing for the final gate."""
    decision = evaluation["decision"]
    actions = decision["requiredActions"]
    needed = [action for action in actions if action.get("must")] or actions
    return "\n".join(
        [
            f"gateline: the change does not pass the final gate: {_line('; '.join(decision['reasons']))}",
            *(f"{number}. {_action(action)}" for number, action in enumerate(needed[:_MOST], 1)),
            *_rest(len(needed)),
            _FINISH,
        ]
    )


def gave_up(evaluation: dict[str, Any], blocks: int) -> str:
    """That the agent is let go although the gate does not pass."""
    reasons = _line("; ".join(evaluation["decision"]["reasons"]))
    times = "once" if blocks == 1 else f"{blocks} times"
    return (
        f"gateline: the final gate is still not passed ({reasons}); blocked {times}, so this stop is allowed."
    )


def undecided(evaluation: dict[str, Any]) -> str:
    """That the gate could not decide."""
    reasons = _line("; ".join(evaluation["decision"]["reasons"]))
    return f"gateline: the final gate could not decide: {reasons}"


def failed(reason: str) -> str:
    """That gateline could not do its work, which stops nobody."""
    return f"gateline did not check this: {_line(reason)}"


def content(reason: str) -> str:
    """What of it counts toward the bound of a task: not the sentence that says how to go on, as over MCP."""
    return "\n".join(line for line in reason.splitlines() if line not in (_FIX, _FINISH))


def bounded(reason: str, warning: str) -> str:
    """The same with what is to be said of the task's bound."""
    return f"{reason}\ngateline: this task was handed {warning}." if warning else reason


def _lines(findings: Sequence[dict[str, Any]]) -> list[str]:
    told = [
        _line(f"{row['path']}:{row['span']['start']['line'] + 1}: {row['code']} {row['message']}")
        for row in findings[:_MOST]
    ]
    return [f"- {line}" for line in told] + _rest(len(findings))


def _rest(count: int) -> list[str]:
    return [f"- and {count - _MOST} more: `gateline check`"] if count > _MOST else []


def _action(action: dict[str, Any]) -> str:
    place = f"{action['path']}:{action['line'] + 1}: " if action.get("path") else ""
    text = str(action["text"])
    return _line(text if action.get("path", "") in text else f"{place}{text}")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _line(text: str, longest: int = _LONGEST) -> str:
    """One line without control characters, cut where it is long."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"
