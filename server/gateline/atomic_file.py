"""A file is replaced as a whole. Little of the standard library is used: a hook's process imports this."""

from __future__ import annotations

import contextlib
import itertools
import os

_numbers = itertools.count()


def replace_file(file: str | os.PathLike[str], data: bytes, mode: int = 0o600) -> None:
    """Write aside in the same folder, and rename: whoever reads sees the former content or all of this one.

    Where that fails the former content stays, and nothing is left beside it. Raises OSError.
    """
    folder, name = os.path.split(os.fspath(file))
    aside = os.path.join(folder, f".{name}.{os.getpid()}-{next(_numbers)}.new")
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as stream:
            stream.write(data)
        os.replace(aside, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise
