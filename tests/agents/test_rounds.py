"""A few random rounds of edits and questions; `python -m gateline_dev.agents.rounds` makes a thousand."""

from __future__ import annotations

import asyncio

import pytest

from gateline_dev.agents.rounds import run


@pytest.mark.parametrize("with_editor", [False, True])
def test_nothing_is_called_fresh_that_is_not_there(with_editor: bool) -> None:
    outcome = asyncio.run(run(25, seed=3, with_editor=with_editor))
    assert outcome.wrong == []
    assert outcome.counts["fresh"] >= 5
