"""The agents whose hooks gateline answers, one file each."""

from __future__ import annotations

from importlib import import_module

from gateline.hooks.occasion import Agent

NAMES = ("claude", "codex", "gemini", "cursor", "copilot")


def agent(name: str) -> Agent:
    """The contract of an agent; the others are not imported."""
    found: Agent = import_module(f"gateline.hooks.agents.{name}").AGENT
    return found
