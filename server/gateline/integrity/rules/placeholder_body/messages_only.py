"""GTL614 of deeds: a new function is to save, send or delete something, and only says that it was done."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.normalised_body import said_plainly
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.placeholder_body import CODE
from gateline.model.finding import Finding, Weight

_DEEDS = re.compile(
    r"save|store|write|persist|dump|delete|remove|drop|purge|flush|clear|send|mail|email|notify|post|publish"
    r"|upload|download|export|import|sync|push|create|insert|update|rename|move|copy|archive|backup|restore"
    r"|install|uninstall|register|unregister|schedule|cancel|apply|migrate|commit|submit|lock|unlock|encrypt"
    r"|compress|close|shutdown|reset|refund|charge|pay|ship|book|reserve|enable|disable|ban|block|invite"
    r"|subscribe|unsubscribe"
)
"""What leaves something behind, so that no answer alone does it."""
_DONE = {
    "send": "sent",
    "write": "written",
    "pay": "paid",
    "submit": "submitted",
    "ship": "shipped",
    "drop": "dropped",
    "ban": "banned",
    "commit": "committed",
    "backup": "backed",
    "shutdown": "down",
    "reset": "reset",
    "cancel": "cancelled",
}
_NO_DEED = re.compile(
    r"null|noop|no-?op|nothing|fake|dummy|stub|mock|dry|memory|base|abstract|default|never|ignore|sentence|message",
    re.IGNORECASE,
)


def find(evidence: Evidence) -> Iterator[Finding]:
    """The new functions whose whole work is the word that it was done."""
    bases = (pair.base for pair in evidence.both.product if pair.base)
    known = {name.rpartition(".")[2] for module in bases for name in module.all_functions}
    for pair in evidence.both.product:
        if pair.now is None or pair.path.endswith(".pyi"):
            continue
        for name, function in pair.now.all_functions.items():
            if function.name not in known and _only_tells(name, function, pair.now):
                message = f"`{name}` is new and only reports success"
                yield at_node(CODE, pair.now, function, message, Weight.COUNTS)


def _only_tells(name: str, function: Function, module: Module) -> bool:
    deed = function.name.lower().lstrip("_").partition("_")[0]
    owner = module.classes.get(name.rpartition(".")[0])
    said = ast.get_docstring(function) or ""
    if not _DEEDS.fullmatch(deed) or function.decorator_list or _NO_DEED.search(f"{name} {said}"):
        return False
    if owner is not None and owner.bases:
        return False
    value = _answer(function)
    if value is None or any(isinstance(n, ast.Call | ast.Await) for n in ast.walk(value)):
        return False
    is_true = isinstance(value, ast.Constant) and value.value is True
    return _claims(said) and (is_true or _says(value, deed))


def _answer(function: Function) -> ast.expr | None:
    """What a function answers that does nothing else."""
    match said_plainly(without_docstring(function)):
        case [ast.Return(value=ast.expr() as value)]:
            return value
        case [ast.Assign(targets=[ast.Name(id=name)], value=value), ast.Return(value=ast.Name(id=given))]:
            return value if name == given else None
        case _:
            return None


def _claims(said: str) -> bool:
    """Whether a docstring begins with something that is done: `Deletes`, `Copies`."""
    first = re.match(r"[A-Za-z]+", said)
    verb = first[0].lower() if first else ""
    forms = (verb, verb.removesuffix("s"), verb.removesuffix("es"), f"{verb.removesuffix('ies')}y")
    return any(map(_DEEDS.fullmatch, forms))


def _says(value: ast.expr, deed: str) -> bool:
    """Whether a text in an answer has the deed as done."""
    ending = f"{deed[:-1]}ied" if deed.endswith("y") else f"{deed.removesuffix('e')}ed"
    texts = [str(n.value).lower() for n in ast.walk(value) if isinstance(n, ast.Constant)]
    done = {_DONE.get(deed, ending), "done", "ok", "success", "succeeded"}
    return any(word in done for text in texts for word in re.findall(r"[a-z]+", text))
