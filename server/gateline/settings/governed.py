"""The settings that judge a change: the base's, where they decide how it is judged, else the present ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gateline.model.governing import governs
from gateline.settings.keys import dotted, leaves
from gateline.settings.load import Loaded
from gateline.settings.places import Key
from gateline.settings.table import Table, at, put
from gateline.settings.validation import settings_from


def governed(present: Loaded, base: Loaded, label: str) -> Loaded:
    """The present settings with what `base`, the settings of the base, say of how a change is judged.

    `label` names the base in the origins, for people. What is wrong with the base's own file is not told: it
    is not what somebody writes now.
    """
    ours, theirs = (loaded.settings.model_dump(by_alias=True) for loaded in (present, base))
    origins = dict(present.origins)
    for key in _differing(ours, theirs):
        put(ours, map(str, key), at(theirs, key))
        origins[dotted(key)] = f"{base.origins[dotted(key)]} of {label}"
    return replace(present, settings=settings_from(ours), origins=origins)


def _differing(ours: Table, theirs: Table) -> Iterator[Key]:
    for key, _ in leaves():
        if governs(dotted(key)) and at(ours, key) != at(theirs, key):
            yield key
