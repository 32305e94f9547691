"""Passages as text for a person, Markdown to paste, or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from gateline.cli import terminal
from gateline.context.values import Answer, Passage

_LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".toml": "toml",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".md": "markdown",
}
_SHOWN = 12
"""Lines of a passage that a person sees; JSON and Markdown have all."""


def as_text(answer: Answer) -> str:
    """A few lines for each passage."""
    if not answer.passages:
        return "nothing was found\n" + _missing(answer)
    return "".join(_told(passage) for passage in answer.passages) + _missing(answer)


def _told(passage: Passage) -> str:
    place = f"{passage.path}:{passage.span.start.line + 1}"
    lines = passage.text.splitlines()
    shown = [f"    {terminal.harmless(line)}" for line in lines[:_SHOWN]]
    more = [f"    … {len(lines) - _SHOWN} more lines"] if len(lines) > _SHOWN else []
    why = f"  why: {'; '.join(passage.why)}"
    return "\n".join(
        [terminal.harmless(f"{place} {passage.name}"), terminal.harmless(why), *shown, *more, "", ""]
    )


def _missing(answer: Answer) -> str:
    return "".join(f"without {tier}: {reason}\n" for tier, reason in answer.degraded.items())


def as_markdown(answer: Answer) -> str:
    """One block of code for each passage, to be pasted."""
    return "\n".join(_block(passage) for passage in answer.passages)


def _block(passage: Passage) -> str:
    first, last = passage.span.start.line + 1, passage.span.end.line + 1
    fence = "```"
    while fence in passage.text:
        fence += "`"
    language = _LANGUAGES.get(PurePosixPath(passage.path).suffix, "")
    head = f"`{passage.path}:{first}-{last}` {passage.name} ({'; '.join(passage.why)})"
    return f"{head}\n\n{fence}{language}\n{passage.text}\n{fence}\n"


def as_json(answer: Answer) -> str:
    """Everything. Lines are counted from 1, both ends included."""
    content = {
        "tiers": list(answer.tiers),
        "degraded": dict(answer.degraded),
        "tokens": answer.tokens,
        "leftOut": answer.left_out,
        "passages": [_row(passage) for passage in answer.passages],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _row(passage: Passage) -> dict[str, object]:
    return {
        "path": passage.path,
        "kind": passage.kind.label,
        "name": passage.name,
        "first": passage.span.start.line + 1,
        "last": passage.span.end.line + 1,
        "score": passage.score,
        "why": list(passage.why),
        "hash": passage.hash,
        "tokens": passage.tokens,
        "shortened": passage.shortened,
        "text": passage.text,
    }


FORMATS: Mapping[str, Callable[[Answer], str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}
