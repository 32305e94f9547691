"""What the tests of memory are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.memory_desk import MemoryDesk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[MemoryDesk]:
    made = MemoryDesk(tmp_path)
    yield made
    made.close()
