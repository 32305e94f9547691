"""What is declared of gateline's own methods holds: types, examples, handlers, and the written pages."""

from __future__ import annotations

import jsonschema
import pytest

from gateline.lsp.server import Server
from gateline.protocol.methods import METHODS, REQUESTS, Method
from gateline_dev.generate_protocol import render

EACH = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


@EACH
def test_the_examples_are_valid(method: Method) -> None:
    sent = method.params_type().model_validate(method.example)
    assert sent.model_dump(mode="json", by_alias=True, exclude_unset=True) == method.example
    if method.is_request:
        answered = method.result_type().model_validate(method.example_result)
        assert answered.model_dump(mode="json", by_alias=True, exclude_unset=True) == method.example_result


@EACH
def test_every_type_is_explained(method: Method) -> None:
    assert method.doc.endswith(".")
    for kind in filter(None, (method.params_type(), method.result_type())):
        assert kind.__doc__
        assert all(f.description or f.annotation for f in kind.model_fields.values())


def test_every_request_has_one_handler() -> None:
    handled = {name for name in Server().protocol.fm.features if name.startswith("gateline/")}
    assert handled == REQUESTS


def test_the_schemas_accept_the_examples() -> None:
    import json

    written = render()
    for method in METHODS:
        name = method.name.removeprefix("gateline/").replace("/", ".")
        example = dict(method.example)
        if not method.is_request:
            example = method.params_type().model_validate(example).model_dump(mode="json", by_alias=True)
        jsonschema.validate(example, json.loads(written[f"schemas/protocol/{name}.params.json"]))
        if method.is_request:
            schema = json.loads(written[f"schemas/protocol/{name}.result.json"])
            jsonschema.validate(
                method.result_type()
                .model_validate(method.example_result)
                .model_dump(mode="json", by_alias=True),
                schema,
            )
