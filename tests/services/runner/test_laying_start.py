"""A runner whose interpreter is none, asked about another tree, says why as it does about today's."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.services.tests.laying import LayingRunner
from gateline.services.tests.options import TestOptions


@pytest.mark.parametrize("script", ["exit 0", "exit 3", "kill -9 $$"])
async def test_what_cannot_start_says_why(script: str, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    runner = LayingRunner(TestOptions(tmp_path, str(python)))
    try:
        run = await runner.discover({"data.json": b"{}"})
        assert "ended before it answered" in run.reason
        assert "ended before it answered" in (await runner.run(None, {"data.json": b"{}"})).reason
    finally:
        await runner.stop()
