"""Linux: what tests write into the project vanishes, what they read is the unsaved text, and no network.

A process takes a file system and a network of its own, without rights that it did not have. Over the
project's folder lies a writable layer in memory; the unsaved texts are written into it, so that programs
that the tests start see them too. Where the system forbids this, `probe` says what is left.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any, Iterable, NamedTuple

from .contents import layer

_NEW_FILES, _NEW_USER, _NEW_NETWORK = 0x20000, 0x10000000, 0x40000000
_PRIVATE, _DETACH = 0x40000 | 0x4000, 2
_DEATH_SIGNAL, _SUBREAPER = 1, 36
_LOOPBACK_UP = 0x8914
_CAPABILITIES = 0x20080522
"""The third version of the structure that `capset` takes."""
LARGEST = 1 << 30
"""Bytes that a run may write into the project and the folder for temporary files."""


class Sandbox(NamedTuple):
    """What a process closes itself into."""

    files: bool
    """Writes into the project vanish with the process."""
    network: bool
    """Only its own loopback is there."""
    user: bool
    """It needs a user namespace for that, because it is not root."""

    def enter(self) -> None:
        """Take what is one's own from now on. Raises OSError."""
        if not (self.files or self.network):
            return
        user, group = os.getuid(), os.getgid()
        kinds = (_NEW_FILES * self.files) | (_NEW_NETWORK * self.network) | (_NEW_USER * self.user)
        _call("unshare", kinds)
        if self.user:
            _write("/proc/self/setgroups", "deny")
            _write("/proc/self/uid_map", f"{user} {user} 1")
            _write("/proc/self/gid_map", f"{group} {group} 1")
        if self.network:
            _loopback()

    def own(self) -> None:
        """In a child of a process that entered: files of its own."""
        if self.files:
            _call("unshare", _NEW_FILES)

    def lay(
        self,
        root: str,
        private: str,
        overlay: dict[str, bytes | None],
        modes: dict[str, str] | None = None,
    ) -> None:
        """Lay a fresh layer with these files over `root`; `private` holds it and temporary files."""
        if not self.files:
            os.makedirs(os.path.join(private, "tmp"), exist_ok=True)
            return
        here = os.getcwd()
        left = [(layer.opened(os.path.join(private, name)), name) for name in ("tmp", "upper")]
        _mount(None, "/", None, _PRIVATE, None)
        _mount("tmpfs", private, "tmpfs", 0, f"size={LARGEST},mode=700")
        for name in ("upper", "work", "tmp"):
            os.mkdir(os.path.join(private, name))
        options = f"lowerdir={root},upperdir={private}/upper,workdir={private}/work"
        _mount("overlay", root, "overlay", 0, options + ",userxattr" * self.user)
        for source, name in left:
            layer.carry(source, os.path.join(private, "tmp") if name == "tmp" else root)
        layer.write(root, overlay, modes or {})
        # The folder under the layer is another one.
        os.chdir(here)

    def lift(self, root: str, private: str, overlay: Iterable[str]) -> None:
        """Take the layer off: what is on disk counts, also what is written there from now on.

        New files that were written into it, beside those of the overlay, are laid under the next ones.
        """
        if self.files:
            here = os.getcwd()
            _call("umount2", os.fsencode(root), _DETACH)
            os.chdir(here)
            layer.keep_new(os.path.join(private, "upper"), root, overlay)

    def beneath(self, private: str) -> str:
        """Where new files are after `lift`; empty without a layer."""
        return os.path.join(private, "upper") if self.files else ""

    def drop(self) -> None:
        """Give up the rights over one's own namespace: files closed to the user are closed to the tests."""
        if self.user:
            header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
            _call("capset", header, (ctypes.c_uint32 * 6)())


def probe(root: str, private: str, network: bool) -> Sandbox:
    """The most that this system allows; `network` is whether there should be one."""
    if not sys.platform.startswith("linux"):
        return Sandbox(False, False, False)
    user = os.geteuid() != 0
    layered = not set(root) & set(",:\\") and not _mounted_below(root)
    for files, alone in ((layered, not network), (layered, False), (False, not network)):
        wish = Sandbox(files, alone, user)
        if (files or alone) and _works(wish, root, private):
            return wish
    return Sandbox(False, False, False)


def _works(wish: Sandbox, root: str, private: str) -> bool:
    """Try in a process that is thrown away: a half-entered sandbox cannot be left."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            wish.enter()
            wish.lay(root, private, {}, {})
            wish.lift(root, private, ())
            wish.own()
            wish.lay(root, private, {}, {})
            wish.drop()
            os.listdir(root)
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def die_with_parent() -> None:
    """Linux: be killed when the parent ends, however it ends."""
    if sys.platform.startswith("linux"):
        _call("prctl", _DEATH_SIGNAL, 9, 0, 0, 0)


def adopt_orphans() -> None:
    """Linux: processes below this one whose parent ends become its children, so that it can end them."""
    if sys.platform.startswith("linux"):
        _call("prctl", _SUBREAPER, 1, 0, 0, 0)


def _call(name: str, *arguments: Any) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _mount(source: Any, target: str, kind: Any, flags: int, options: Any) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    _call("mount", texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])


def _mounted_below(root: str) -> bool:
    """Whether something is mounted inside the folder: a layer over it would hide that."""
    inside = (root.rstrip("/") + "/").encode("unicode_escape")
    with open("/proc/self/mountinfo", "rb") as file:
        return any(line.split()[4].startswith(inside) for line in file)


def _loopback() -> None:
    import fcntl
    import socket
    import struct

    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _LOOPBACK_UP, struct.pack("16sh", b"lo", 0x41))


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
