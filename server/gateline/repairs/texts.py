"""The texts of a workspace in memory, and repaired ones laid over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gateline.model import Knowledge


@dataclass(frozen=True, slots=True)
class Texts:
    """A workspace of which only the texts are known."""

    texts: Mapping[str, str] = field(default_factory=dict)

    def text(self, path: str) -> str | None:
        """The text at `path`."""
        return self.texts.get(path)

    def paths(self) -> Sequence[str]:
        """The paths that have a text."""
        return sorted(self.texts)

    def modules(self) -> Sequence[str]:
        """None is known."""
        return ()

    def exports(self, module: str) -> Sequence[str] | None:
        """Nothing is known of `module`."""
        return None

    def homes(self, name: str) -> Sequence[str]:
        """Nothing is known of `name`."""
        return ()

    def source(self, module: str) -> str | None:
        """No module of others is known."""
        return None


@dataclass(frozen=True, slots=True)
class Overlay:
    """A workspace in which some texts are already repaired. What is known otherwise is as old as below."""

    below: Knowledge
    texts: Mapping[str, str]

    def text(self, path: str) -> str | None:
        """The repaired text, or the one below."""
        return self.texts[path] if path in self.texts else self.below.text(path)

    def paths(self) -> Sequence[str]:
        """All paths of both."""
        return sorted({*self.below.paths(), *self.texts})

    def modules(self) -> Sequence[str]:
        """As below."""
        return self.below.modules()

    def exports(self, module: str) -> Sequence[str] | None:
        """As below."""
        return self.below.exports(module)

    def homes(self, name: str) -> Sequence[str]:
        """As below."""
        return self.below.homes(name)

    def source(self, module: str) -> str | None:
        """As below."""
        return self.below.source(module)
