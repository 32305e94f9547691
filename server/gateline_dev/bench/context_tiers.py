"""Context retrieval with all tiers: how soon it answers while the transformer embeds, and afterwards."""

from __future__ import annotations

import tempfile

from gateline_dev.bench.context_speed import add, said_by
from gateline_dev.bench.trial import Trial

BUSY, IDLE = "tiers busy", "tiers idle"
EMBEDDED, RATE, WITHOUT, MEGABYTES = "embedded", "embedded a second", "answers without", "tiers MB"


async def context_tiers(trial: Trial) -> None:
    """Raises OSError where the transformer cannot take part: then there is nothing to measure."""
    root = trial.copy.root / trial.project.target.split("/")[0]
    with tempfile.TemporaryDirectory(prefix="gateline-context-") as cache:
        found = await said_by("all_tiers", root, cache=cache)
    if "missing" in found:
        raise OSError(found["missing"])
    if found["state"] != "ready":
        raise OSError(f"not everything was embedded: {found['state']}")
    add(trial, BUSY, found["busy"])
    add(trial, IDLE, found["idle"])
    trial.result.note(EMBEDDED, found["embedded"])
    trial.result.note(RATE, found["embedded"] / found["embedding"])
    trial.result.note(WITHOUT, found["without"])
    trial.result.note(MEGABYTES, found["MB"])
