"""GTL635: the settings that judge a change were edited in it. Shown, whatever they ask for now."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.integrity.both import Both
from gateline.integrity.configured import at_key, replaced_tools
from gateline.integrity.evidence import Evidence
from gateline.integrity.switched_off import weakened
from gateline.integrity.tables import Key, Tables, both_tables
from gateline.integrity.thresholds import lowered
from gateline.model.finding import Finding, Weight
from gateline.model.governing import governs

CODE = "GTL635"


def find(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each file, at the first key that differs; what is weaker is told by its own rule."""
    before, now = both_tables(evidence.both)
    files: dict[str, list[Key]] = {}
    for key in dict.fromkeys([*now.entries, *before.entries]):
        if _is_edited(key, before, now):
            entry = now.entries.get(key) or before.entries[key]
            files.setdefault(entry.document.path, []).append(key)
    for keys in files.values():
        named = ", ".join(f"`{name}`" for _, name in keys)
        how = f"{named}: the base's settings judge this change, these the ones after it"
        yield at_key(CODE, evidence.both, keys[0], before, now, how, Weight.ADVICE)


def weakened_tools(both: Both) -> frozenset[str]:
    """The tools that are told to ask for less, or to look for less, than in the base."""
    before, now = both_tables(both)
    keys = {*before.entries, *now.entries}
    gone = replaced_tools(before, now)
    return frozenset(
        key[0]
        for key in keys
        if key[0] not in gone and (lowered(key, before, now) or weakened(key, before, now))
    )


def _is_edited(key: Key, before: Tables, now: Tables) -> bool:
    tool, name = key
    if tool != "gateline" or not governs(name) or before.get(*key) == now.get(*key):
        return False
    return not (lowered(key, before, now) or weakened(key, before, now))
