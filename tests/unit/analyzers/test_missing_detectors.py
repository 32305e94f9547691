"""Without detect-secrets no text is clean, also one that it need not be asked about."""

from __future__ import annotations

import pytest

from gateline.analyzers.secrets import ANALYZER
from gateline.model import Document, Inspection, Source, State
from gateline.plugins import inspect_safely
from gateline.security import detectors


@pytest.fixture
def _without_detectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detectors, "find_spec", lambda name: None)
    detectors.require.cache_clear()
    yield
    detectors.require.cache_clear()


@pytest.mark.parametrize("text", ["x = 1\n", "", 'TOKEN = "abc"\n'])
@pytest.mark.usefixtures("_without_detectors")
def test_missing_detectors_are_a_failure(text: str) -> None:
    report = inspect_safely(ANALYZER, Inspection(Source(Document("a.py", text)), None))
    assert report.state is State.FAILED
    assert "detect_secrets" in report.reason


def test_with_them_a_harmless_text_is_clean() -> None:
    report = inspect_safely(ANALYZER, Inspection(Source(Document("a.py", "x = 1\n")), None))
    assert report.state is State.MEASURED
