"""What one of gateline's own methods is."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Method:
    """A request of the client, or of the server, or, without a result, a notification of the server."""

    name: str
    params: str
    """Module and class, as in `types:EvaluateParams`."""
    result: str | None
    doc: str
    example: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """Params as they go over the wire."""
    example_result: Mapping[str, Any] | None = None
    of_server: bool = False
    """Whether it is a request that the client answers."""

    @property
    def is_request(self) -> bool:
        """Whether there is an answer."""
        return self.result is not None

    @property
    def is_answered_here(self) -> bool:
        """Whether the server answers it."""
        return self.is_request and not self.of_server

    def params_type(self) -> type[BaseModel]:
        """The class of the params."""
        return _load(self.params)

    def result_type(self) -> type[BaseModel] | None:
        """The class of the answer; None for a notification."""
        return _load(self.result) if self.result else None


def _load(name: str) -> type[BaseModel]:
    module, _, attribute = name.partition(":")
    found: type[BaseModel] = getattr(importlib.import_module(f"gateline.protocol.{module}"), attribute)
    return found
