"""What mypy puts off once too often.

A function that uses a type which is not known yet is checked again later, up to three times in all; the last
time mypy says that it cannot tell the type. After an edit it gives up after the second time and says nothing
(mypy 2.4, `update_module_isolated`), so that the error of an ordinary run is missing.
"""

from __future__ import annotations

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import Plugin
from mypy.server.update import FineGrainedBuildManager


class Finishing(Plugin):
    """Looks again at what is still put off: the one hook that mypy calls between that and forgetting it."""

    def __init__(self, options: Options, manager: FineGrainedBuildManager) -> None:
        super().__init__(options)
        self._manager = manager

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """Finish the module; there are no further dependencies."""
        checker = self._manager.graph[file.fullname].type_checker()
        while checker.check_second_pass(allow_constructor_cache=False):
            pass
        return set()
