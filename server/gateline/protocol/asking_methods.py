"""What the server asks the editor, beside what the Language Server Protocol has."""

from __future__ import annotations

from gateline.protocol.method import Method

ASK_MODEL = Method(
    "gateline/model/ask",
    "asking:AskModelParams",
    "asking:AskModelResult",
    "Ask the editor's own model, for a request of the client that gave a `modelToken`. Sent only to a client "
    "whose capabilities have `experimental.gateline.model: true`. The client asks a person before it gives a "
    "token, and answers none that it did not give; a model that is missing, not allowed or out of quota is "
    "an error whose message tells so. The request is cancelled when its time is over, or nobody waits any "
    "more.",
    {
        "token": "f2c1a9be",
        "folder": "file:///home/me/project",
        "prompt": {"name": "assess-candidate", "version": 1, "digest": "8b1a99531c2d3e4f5a6b7c8d"},
        "messages": [{"role": "user", "content": "You assess one change to a Python project. …"}],
        "temperature": 0.1,
        "seconds": 60.0,
        "tokens": 50_000,
    },
    {"text": '{"judgements": []}', "model": "copilot/gpt-4o", "inputTokens": 900, "outputTokens": 210},
    of_server=True,
)

ASKING_METHODS = (ASK_MODEL,)
