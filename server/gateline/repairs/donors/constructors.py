"""How an object of a class is made where its arguments are at hand under the names of the parameters."""

from __future__ import annotations

import ast

from gateline.repairs.analysis.code import Code, Function, parameters
from gateline.repairs.analysis.scopes import attributes_of_self
from gateline.repairs.donors.call_arguments import default_of


def made_of_names(code: Code, cls: ast.ClassDef, function: Function) -> str:
    """A call of a class in a function; "" where something that it needs has another name there."""
    maker = next((n for n in cls.body if isinstance(n, Function) and n.name == "__init__"), None)
    own, holder = {a.arg for a in parameters(function)}, code.class_of(function)
    me = function.args.args[0].arg if function.args.args else ""
    kept = set(attributes_of_self(holder)) if holder is not None else set()
    given: list[str] = []
    for arg in maker.args.args[1:] if maker is not None else ():
        if arg.arg in kept:
            given.append(f"{me}.{arg.arg}")
        elif maker is not None and default_of(maker, arg.arg) is not None:
            break
        elif arg.arg in own:
            given.append(arg.arg)
        else:
            return ""
    return f"{cls.name}({', '.join(given)})"
