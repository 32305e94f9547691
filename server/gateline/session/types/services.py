"""What a session asks of a type checker. Each ability that not every checker has is a protocol of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from gateline.model import Report
from gateline.services.types.checked import Checked

Texts = Mapping[str, str | None]
"""Texts laid over the disk, by path; None: there is no such file."""

Reports = Mapping[str, Report]
"""One report a path."""


class Checker(Protocol):
    """A type checker that is told of every text and file."""

    async def update(self, texts: Texts) -> Checked:
        """The findings in these texts and in what they changed elsewhere, from the resident engine."""
        ...

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files on disk that no text is laid over were written."""
        ...

    async def close(self, path: str) -> bool:
        """The text at a path is taken back: from now on the file counts; whether that holds another text."""
        ...

    async def stop(self) -> None:
        """End all processes."""
        ...


class TypeService(Checker, Protocol):
    """What verdicts are made of: `services.typecheck.TypeChecker`, or `services.ty.TyChecker`."""

    async def plain(self, texts: Texts) -> Reports:
        """What an ordinary run of the checker says about these texts."""
        ...


@runtime_checkable
class Peeking(Protocol):
    """A checker that looks at other texts without keeping them."""

    async def peek(self, texts: Texts) -> tuple[Reports, Reports]:
        """The findings without and with these texts, in them and in what they affect."""
        ...


@runtime_checkable
class Readying(Protocol):
    """A checker that answers about other texts only after it has built something."""

    async def ready(self, texts: Texts) -> None:
        """Build it with these texts, which stay; what is found in them nobody wants to know."""
        ...


@runtime_checkable
class Warming(Protocol):
    """A checker whose process takes a while to start."""

    def warm(self) -> None:
        """Start it before it is asked. Returns at once."""
        ...


@runtime_checkable
class Consenting(Protocol):
    """A checker of which a part may only run after somebody agreed."""

    def waits_for_consent(self) -> bool:
        """Whether it has said nothing of types because nobody did."""
        ...


@runtime_checkable
class Expecting(Protocol):
    """A checker that answers sooner about several new texts at once."""

    def expect(self, texts: Texts) -> None:
        """These will be asked about: the next answer may speak of them as well. Returns at once."""
        ...

    async def plain_soon(self, texts: Texts) -> Reports:
        """What an ordinary run says of these texts, and only of them, as soon as that can be told."""
        ...


@runtime_checkable
class Previewing(Protocol):
    """A checker that can say soon what an edit inside one function brings."""

    async def preview(self, path: str, text: str) -> Checked:
        """The findings in a text of which only a function's body changed; nothing after other edits."""
        ...


class FastService(Checker, Protocol):
    """What answers first; `services.ty.TyChecker` is the real one."""

    async def alone(self, path: str, text: str) -> Report:
        """The findings in one other text at a path, beside those of `update`."""
        ...
