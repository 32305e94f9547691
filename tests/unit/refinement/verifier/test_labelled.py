"""The labelled texts of `corpora/verifier`, each with the checks that do not hold."""

from __future__ import annotations

import pytest

from gateline.refinement.verifier import commit, plan, specification
from gateline_dev.verifier.corpus import SPLITS, Labelled, labelled, verified

TEXTS = [text for split in SPLITS for text in labelled(split)]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{text.split}-{text.point}-{text.name}")
def test_the_verdict_and_its_reasons(text: Labelled) -> None:
    found = verified(text)
    assert tuple(sorted({reason.check for reason in found.reasons})) == text.checks
    assert found.sufficient == text.sufficient


def test_each_check_that_texts_can_break_is_broken_by_one() -> None:
    broken = {check for text in TEXTS for check in text.checks}
    known = {c.id for c in (*specification.CHECKS, *plan.CHECKS, *commit.TEXT_CHECKS)}
    assert broken >= known - {"plan.names"}


def test_sufficient_and_insufficient_texts_are_balanced() -> None:
    for split in SPLITS:
        good = [text for text in TEXTS if text.split == split and text.sufficient]
        bad = [text for text in TEXTS if text.split == split and not text.sufficient]
        assert len(good) + len(bad) >= 36
        assert min(len(good), len(bad)) >= 12
