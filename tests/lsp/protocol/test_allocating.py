"""Threads of the server share one heap, where the C library has several."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PROGRAM = """
import ctypes, sys, tempfile, threading
from gateline.lsp.allocating import from_one_heap
if "one" in sys.argv:
    from_one_heap()
library = ctypes.CDLL(None)
barrier = threading.Barrier(4)
def take():
    library.malloc(1000)
    barrier.wait()
threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
library.fopen.restype = ctypes.c_void_p
library.malloc_info.argtypes = library.fclose.argtypes = None
with tempfile.NamedTemporaryFile() as file:
    stream = ctypes.c_void_p(library.fopen(file.name.encode(), b"w"))
    library.malloc_info(0, stream)
    library.fclose(stream)
    print(file.read().count(b"<heap nr="))
"""


def heaps(*arguments: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def test_all_threads_share_one_heap() -> None:
    try:
        usual = heaps()
    except (subprocess.CalledProcessError, ValueError):
        pytest.skip("this C library does not tell of its heaps")
    assert heaps("one") == 1 < usual


@pytest.mark.parametrize("library", [object(), None])
def test_another_c_library_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, library: object) -> None:
    from gateline.lsp import allocating

    def load(name: None) -> object:
        if library is None:
            raise OSError("no such library")
        return library

    monkeypatch.setattr(allocating.ctypes, "CDLL", load)
    allocating.from_one_heap()
