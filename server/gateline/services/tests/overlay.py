"""What is laid over the project's files: unsaved texts, and the bytes of another tree."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass

EXECUTABLE, LINK = "100755", "120000"
"""Modes as git has them."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file with another mode than that of a plain one."""

    data: bytes
    """Of a symbolic link: what it leads to."""
    mode: str


Content = str | bytes | Blob | None
"""An unsaved text, a file's bytes, or None: there is no such file."""
Overlay = Mapping[str, Content]
"""By path relative to the root."""


def wired(overlay: Overlay) -> dict[str, str | dict[str, str] | None]:
    """An overlay as plain data for the far side: texts as they are, bytes in base 64."""
    return {path: _wired(content) for path, content in overlay.items()}


def _wired(content: Content) -> str | dict[str, str] | None:
    match content:
        case bytes():
            return {"data": _encoded(content), "mode": ""}
        case Blob():
            return {"data": _encoded(content.data), "mode": content.mode}
        case _:
            return content


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
