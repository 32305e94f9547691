"""How often Python looks for garbage: seldom while the server is imported, of which nearly all stays."""

from __future__ import annotations

import gc

_USUAL = gc.get_threshold()
_SELDOM = 10_000
"""New objects after which it is looked for."""


def seldom() -> None:
    """Until all is imported."""
    gc.set_threshold(_SELDOM, *_USUAL[1:])


def rest() -> None:
    """As usual again, but no more at what there is by now: nothing of it is ever garbage."""
    gc.freeze()
    gc.set_threshold(*_USUAL)
