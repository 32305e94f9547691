"""GTL635: the settings or waivers that judge a change were edited in it. Shown, whatever they say now."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from gateline.integrity.change_view import Both
from gateline.integrity.enforcement.changed_settings import at_key, replaced_tools
from gateline.integrity.enforcement.settings import Key, Tables, both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_line
from gateline.integrity.rules.check_switched_off.settings import weakened
from gateline.integrity.rules.settings_edited import CODE
from gateline.integrity.rules.threshold_lowered.settings import lowered
from gateline.model.document import Document
from gateline.model.finding import Finding, Weight
from gateline.model.governing import governs
from gateline.model.waiver import FILE


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
        how = f"{named} changed: the base's settings judge this change; the new ones apply to later changes"
        yield at_key(CODE, evidence.both, keys[0], before, now, how, Weight.ADVICE)
    yield from _waivers(evidence.both)


def _waivers(both: Both) -> Iterator[Finding]:
    """The waiver file, where it says something else than before, on its first line that does."""
    sides = [row for row in both.others if FILE in (row.path, row.base.path if row.base else "")]
    before = next((row.base for row in sides if row.base and row.base.path == FILE), None)
    now = next((row.current for row in sides if row.current and row.path == FILE), None)
    if _said(before) == _said(now):
        return
    known = frozenset(before.lines) if before else frozenset()
    shown, path = (now, FILE) if now else (before, sides[0].path)
    lines = now.lines if now else ()
    line = next((n for n, text in enumerate(lines) if text not in known and text.strip()), 0)
    how = "waivers changed: the base's waivers apply to this change; the new ones apply to later changes"
    yield at_line(CODE, path, shown.text if shown else "", line, how, Weight.ADVICE)


def _said(waivers: Document | None) -> object:
    """What a waiver file says: comments and layout are nothing."""
    try:
        return {} if waivers is None else tomllib.loads(waivers.text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return waivers


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
