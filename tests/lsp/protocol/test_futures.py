"""What the protocol keeps of messages that were handled: nothing."""

from __future__ import annotations

import json

from gateline.lsp.server import Server

URI = "file:///tmp/none.py"


def message(server: Server, method: str, params: dict[str, object], number: int | None = None) -> None:
    """As it comes from a client."""
    told = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        told["id"] = number
    protocol = server.protocol
    protocol.handle_message(json.loads(json.dumps(told), object_hook=protocol.structure_message))


class Writer:
    """Takes what the server says."""

    def __init__(self) -> None:
        self.said: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.said.append(data)

    def close(self) -> None: ...


async def test_nothing_is_kept_of_keys_that_were_typed() -> None:
    server, writer = Server(), Writer()
    server.protocol.set_writer(writer)
    message(server, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
    document = {"uri": URI, "languageId": "python", "version": 1, "text": ""}
    message(server, "textDocument/didOpen", {"textDocument": document})
    for version in range(2, 50):
        changes = [{"text": f"x = {version}\n"}]
        identity = {"uri": URI, "version": version}
        message(server, "textDocument/didChange", {"textDocument": identity, "contentChanges": changes})
    buffer = server.buffer(URI)
    assert buffer is not None and buffer.text == "x = 49\n"
    assert any(b'"id": 1' in part or b'"id":1' in part for part in writer.said)
    assert server.protocol._request_futures == {}
