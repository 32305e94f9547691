"""What may be asked by the second door: gateline's own requests, about the workspace it was opened for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams, JsonRpcMethodNotFound

from gateline.lsp.handlers.methods import answered
from gateline.protocol.methods import METHODS

if TYPE_CHECKING:
    from gateline.lsp.server import Server

_BY_NAME = {method.name: method for method in METHODS if method.is_answered_here}
_OF_EDITOR = ("modelToken", "model_token")
"""Gives the model of the editor, which only the person in front of it may."""


async def answer(ls: Server, root: Path, name: str, params: object) -> dict[str, Any]:
    """The result of one of gateline's own requests; without a `uri`, of the folder at `root`.

    Files are looked at first: nobody tells of those that an agent writes. Raises JsonRpcException.
    """
    method = _BY_NAME.get(name)
    if method is None:
        raise JsonRpcMethodNotFound(f"{name} is not a request of gateline")
    if not isinstance(params, dict | None):
        raise JsonRpcInvalidParams(f"params: must be an object, not {type(params).__name__}")
    given = dict(params or {})
    for key in _OF_EDITOR:
        if given.get(key) is not None:
            raise JsonRpcInvalidParams(f"{key}: only the editor gives its own model; leave the key out")
    if "uri" in method.params_type().model_fields:
        given["uri"] = given.get("uri") or root.as_uri()
    return await answered(ls, method, given)
