"""Work of minutes in a process of its own, which is gone when the work is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateline.services.child import Child
from gateline.session.compare.comparing import Asked
from gateline.session.compare.requests import Compare
from gateline.session.compare.service import FAR
from gateline.session.far_work import Refused
from gateline.session.refinement.requests import Asked as Refined
from gateline.session.refinement.requests import Run
from gateline.session.refinement.service import FAR as LOOP


@pytest.mark.deep
@pytest.mark.parametrize("module", [FAR, LOOP])
async def test_the_process_ends_with_its_work(tmp_path: Path, module: str) -> None:
    request = Compare(tmp_path, Asked(("a", "b"))) if module == FAR else Run(tmp_path, Refined("add", ("a",)))
    child = Child(module)
    heard: list[object] = []
    try:
        await child.ask(request, 60, heard.append)
        async with asyncio.timeout(60):
            while child.pid is not None:
                await asyncio.sleep(0.02)
    finally:
        await child.stop()
    assert isinstance(heard[-1], Refused)
