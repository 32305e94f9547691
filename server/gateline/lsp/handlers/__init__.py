"""What is done with each message: one file per area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateline.lsp.handlers import (
    actions,
    commands,
    debugging,
    diagnostics,
    documents,
    hover,
    lifecycle,
    methods,
    restoring,
    workspace,
)

if TYPE_CHECKING:
    from gateline.lsp.server import Server


def register(server: Server) -> None:
    """Hand every handler to pygls."""
    for area in (
        lifecycle,
        documents,
        diagnostics,
        hover,
        actions,
        workspace,
        commands,
        debugging,
        restoring,
        methods,
    ):
        area.register(server)
