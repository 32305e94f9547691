"""The ways in which somebody has gateline repair an error: what shows it is piped in, tests may be run."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gateline_dev.autodebug.workspace import Workspace

_PROOF = re.compile(r"(?:can be|was) repaired: .* \[(V\d)")
_FIX = (sys.executable, "-m", "gateline", "fix")


@dataclass(frozen=True)
class Repaired:
    """What gateline did about the error of a workspace; the files are changed already."""

    seconds: float
    """From the question to the answer."""
    told: str
    """What it said."""

    @property
    def proof(self) -> str:
        """How far the repairs were verified: `V1` to `V3`, the least of them; empty without any."""
        return min(_PROOF.findall(self.told), default="")


Door = Callable[[Workspace], Repaired]


def shown(workspace: Workspace) -> Repaired:
    """`gateline fix` on what the command printed; what is shown first is applied, as by who believes it."""
    answer = _fixed(workspace)
    workspace.apply(answer.told)
    return answer


def written(workspace: Workspace) -> Repaired:
    """`gateline fix --write`: only clear winners are made."""
    return _fixed(workspace, "--write")


def _fixed(workspace: Workspace, *options: str) -> Repaired:
    seen = workspace.seen()
    began = time.perf_counter()
    answer = workspace.run([*_FIX, "--tests", *options, "--traceback", "-"], seen)
    return Repaired(time.perf_counter() - began, answer.stdout)


DOORS: Mapping[str, Door] = MappingProxyType({"shown": shown, "written": written})
