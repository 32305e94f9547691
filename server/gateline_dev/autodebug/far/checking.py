"""Runs mypy in forked children of a process that has it imported: the far end of `checker`.

It runs in the interpreter of a corpus. A request is a line of JSON, and so is the answer: what mypy printed.
"""

from __future__ import annotations

import json
import os
import sys

import mypy.build  # noqa: F401 - imported once, for all children
from mypy import api


def main() -> None:
    """Answer until standard input ends."""
    # The folder of this program: a case may have a module of the same name as one here.
    del sys.path[0]
    for line in sys.stdin:
        request = json.loads(line)
        source, sink = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(source)
            os.chdir(request["root"])
            os.environ["MYPYPATH"] = "src" if os.path.isdir("src") else "."  # noqa: PTH112
            with os.fdopen(sink, "w", encoding="utf-8") as stream:
                stream.write(api.run(request["arguments"])[0])
            os._exit(0)
        os.close(sink)
        with os.fdopen(source, encoding="utf-8", errors="replace") as stream:
            said = stream.read()
        os.waitpid(pid, 0)
        print(json.dumps(said), flush=True)


main()
