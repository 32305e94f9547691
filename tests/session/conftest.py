"""Open documents with a type checker that answers as told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking_desk import Desk


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Nothing is open."""
    made = Desk()
    yield made
    made.analysis.stop()
