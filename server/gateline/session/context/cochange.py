"""Which files changed together, by the history of a workspace."""

from __future__ import annotations

from collections.abc import Mapping

from cachetools import LRUCache

from gateline.context.together import shares
from gateline.git import GitError
from gateline.session.workspace.git import Git

_COMMITS = 200
"""The newest commits of a file: older ones speak of other code."""
_PATIENCE = 1.0
"""Seconds. A history that takes longer to look through is left alone."""
_REMEMBERED = 100


class Together:
    """Asks git once for each file and commit."""

    def __init__(self, git: Git | None) -> None:
        self._git = git
        self._known: LRUCache[tuple[str, str], Mapping[str, float]] = LRUCache(_REMEMBERED)

    def of(self, path: str) -> Mapping[str, float]:
        """By path, how often another file changed with this one, from 0 to 1. Nothing without git. Blocks."""
        head = self._git.commit("HEAD") if self._git is not None else None
        if self._git is None or head is None:
            return {}
        if (head, path) not in self._known:
            try:
                found = shares(self._git.commits_of(path, _COMMITS, _PATIENCE), path)
            except GitError as error:
                # Imported here: nobody waits for it at the start.
                import logging

                logging.getLogger(__name__).info(
                    "what changes together with %s is not known: %s", path, error
                )
                found = {}
            self._known[head, path] = found
        return self._known[head, path]
