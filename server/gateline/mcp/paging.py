"""Keeps answers within their tokens: rows that do not fit are left out, and named by where to go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from gateline.mcp.tool import Answer, written
from gateline.model.token_count import tokens_of

Row = TypeVar("Row", bound=BaseModel)
Made = TypeVar("Made", bound=Answer)
_RESERVE = 60
"""Tokens for what is said of what was left out, and of a bound."""
_LONGEST = 400


def paged(answer: Made, field: str, rows: Sequence[Row], key: Callable[[Row], str], page: Page) -> Made:
    """An answer with as many rows as fit, from the one after `page.after` on."""
    keys = [key(row) for row in rows]
    lost = bool(page.after) and page.after not in keys
    first = keys.index(page.after) + 1 if page.after in keys else 0
    room = page.budget - answer.tokens - _RESERVE
    kept: list[Row] = []
    for row in rows[first:]:
        room -= tokens_of(written(row)) + 1
        if room < 0 and kept:
            break
        kept.append(row)
    left = len(rows) - first - len(kept)
    told = answer.with_(**{field: tuple(kept)}, left_out=left, after=key(kept[-1]) if left else "")
    return told.with_(warning=_joined(told.warning, _LOST)) if lost else told


_LOST = "the row named by `after` no longer exists: the list starts again"


class Page(BaseModel):
    """Where the rows begin, and how many tokens the answer may have."""

    after: str = ""
    budget: int


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def short(text: str, most: int = _LONGEST) -> str:
    """A text from the workspace, cut where it is long."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} more characters)"


def cut(text: str, tokens: int) -> tuple[str, str]:
    """The whole lines of a text that fit into so many tokens, and what is left of it."""
    kept: list[str] = []
    size = 0
    lines = text.splitlines(keepends=True)
    for line in lines:
        size += len(line)
        if size > tokens * 4 and kept:
            break
        kept.append(line)
    return "".join(kept), "".join(lines[len(kept) :])
