"""Writes everything that is made from the code: `make generate`."""

from __future__ import annotations

from pathlib import Path

from gateline_dev import (
    generate_decisions,
    generate_evaluation,
    generate_messages,
    generate_protocol,
    generate_settings,
)

ROOT = Path(__file__).parents[2]


def render() -> dict[str, str]:
    """All generated texts by their paths in the repository."""
    return {
        **generate_settings.render(),
        **generate_protocol.render(),
        **generate_evaluation.render(),
        **generate_messages.render(),
        **generate_decisions.render(),
    }


def main() -> None:
    """Write what differs, and say it."""
    for path, text in render().items():
        file = ROOT / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            print(f"written: {path}")


if __name__ == "__main__":
    main()
