"""Stands between an editor and a server, and writes down when each message passed: `stamps.py FILE COMMAND…`.

A line for each change and each list of findings: version, codes, nanoseconds of the monotonic clock, which is
the clock of Neovim's `hrtime`, and of the wall's, which is the clock of a browser.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from typing import BinaryIO, TextIO

_AHEAD = time.time_ns() - time.monotonic_ns()
NOTED = {"textDocument/didChange", "textDocument/publishDiagnostics"}


def message(source: BinaryIO) -> bytes | None:
    """One message with its header; None at the end."""
    length, header = 0, b""
    while line := source.readline():
        header += line
        if line == b"\r\n":
            return header + source.read(length)
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return None


def note(raw: bytes, at: int, book: TextIO) -> None:
    """Write down what is of interest in a message."""
    said = json.loads(raw.split(b"\r\n\r\n", 1)[1])
    if said.get("method") in NOTED:
        params = said["params"]
        version = params.get("version") or params.get("textDocument", {}).get("version")
        codes = [found["code"] for found in params.get("diagnostics", ())]
        wall = at + _AHEAD
        row = {"method": said["method"], "version": version, "at": at, "wall": wall, "codes": codes}
        book.write(json.dumps(row) + "\n")


def carry(source: BinaryIO, target: BinaryIO, book: TextIO) -> None:
    """Pass messages on, first of all, and note them then."""
    while (raw := message(source)) is not None:
        at = time.monotonic_ns()
        target.write(raw)
        target.flush()
        note(raw, at, book)
    target.close()


def main(file: str, *command: str) -> int:
    """Serve until both sides are done."""
    with (
        open(file, "w", buffering=1) as book,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server,
    ):
        assert server.stdin and server.stdout
        down = threading.Thread(target=carry, args=(server.stdout, sys.stdout.buffer, book), daemon=True)
        down.start()
        carry(sys.stdin.buffer, server.stdin, book)
        down.join()
        return server.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
