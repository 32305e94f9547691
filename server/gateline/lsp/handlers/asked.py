"""What the handlers of requests share: whom they ask, and how a failure is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from pydantic import BaseModel

    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server
    from gateline.session.session import Session

UNDECIDED = -32001
"""The error code when a change cannot be judged: no base, no such document, a tool that failed."""


@contextlib.contextmanager
def failures() -> Iterator[None]:
    """What stops a request is an answer for people, not a fault of ours."""
    from gateline.services.child import ChildError
    from gateline.session.errors import UndecidedError, UsageError
    from gateline.store.database import StoreError
    from gateline.store.savepoints.values import SavepointError

    try:
        yield
    except (UsageError, UndecidedError, ChildError, StoreError, SavepointError) as error:
        raise JsonRpcException(str(error), UNDECIDED) from None


def session_at(ls: Server, uri: str | None) -> Session:
    """The session of the folder with or around a URI, else of the first. Raises JsonRpcException."""
    folder: Folder | None = ls.folders.at(uri)
    if folder is None or folder.session is None:
        raise JsonRpcException("no folder is open", UNDECIDED)
    return folder.session


def wire(result: BaseModel) -> dict[str, Any]:
    """A result as it is sent."""
    return result.model_dump(mode="json", by_alias=True)
