"""The editor's own model, for work that the client gave a token for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pygls.exceptions import JsonRpcException

from gateline.protocol.asking import AskedMessage, AskedPrompt, AskModelParams, AskModelResult
from gateline.protocol.asking_methods import ASK_MODEL
from gateline.services.models.editor import EditorModelError, Said, Sent
from gateline.services.models.form import SAMPLING

if TYPE_CHECKING:
    from gateline.lsp.server import Server

_LONGEST = 300
"""Characters of a reason."""


class EditorModel:
    """Asks the client of a server; an `Editor`."""

    def __init__(self, server: Server, folder: str, token: str) -> None:
        """`folder`: the URI of whose content is sent; `token`: what the client gave for it."""
        self._server = server
        self._folder = folder
        self._token = token

    async def ask(self, sent: Sent) -> Said:
        """What its model says. Cancelling cancels it in the editor. Raises EditorModelError."""
        try:
            given = await self._server.protocol.ask(ASK_MODEL.name, self._params(sent))
        except JsonRpcException as error:
            raise EditorModelError(f"the editor's model: {_told(error.message)}") from None
        try:
            said = AskModelResult.model_validate(given)
        except ValidationError as error:
            wrong = error.errors(include_input=False)[0]
            key = ".".join(map(str, wrong["loc"])) or "result"
            raise EditorModelError(
                f"the editor does not answer {ASK_MODEL.name} as the protocol says: {key}: {wrong['msg']}"
            ) from None
        counted = (said.input_tokens, said.output_tokens)
        return Said(said.text, said.model, None if None in counted else sum(filter(None, counted)))

    def _params(self, sent: Sent) -> dict[str, Any]:
        return AskModelParams(
            token=self._token,
            folder=self._folder,
            prompt=AskedPrompt(name=sent.prompt, version=sent.version, digest=sent.digest),
            messages=tuple(AskedMessage(role=one.role, content=one.content) for one in sent.messages),
            temperature=SAMPLING,
            seconds=sent.seconds,
            tokens=sent.tokens,
        ).model_dump(mode="json", by_alias=True)


def _told(message: str) -> str:
    first = message.strip().partition("\n")[0]
    return first[:_LONGEST] or "an error without a reason"
