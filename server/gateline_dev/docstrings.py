"""What stands below the fields of a model, as their descriptions in its JSON Schema.

pydantic can read them itself, but then it parses the source of every model at each start of the server.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from itertools import pairwise

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema


class Described(GenerateJsonSchema):
    """Makes schemas whose properties are described by the docstrings of the fields."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """The schema of one model."""
        made = super().model_schema(schema)
        fields = schema["cls"].model_fields
        for name, text in docstrings(schema["cls"]):
            made["properties"][fields[name].alias or name]["description"] = text
        return made


def docstrings(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Each documented field of a model, with its docstring. Raises OSError when there is no source."""
    (defined,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(defined, ast.ClassDef)
    for field, below in pairwise(defined.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                yield name, inspect.cleandoc(text)
