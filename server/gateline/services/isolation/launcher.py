"""Closes itself in, and becomes a program. Started with `-I -S`: the standard library alone, no site.

Bubblewrap: limits, then `bwrap` takes over, which ends all processes with itself.
Landlock and rlimits: a guard that adopts orphans stays outside, and ends all that is left when the program
ends, or whoever started it.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import struct
import sys
import time
from contextlib import suppress
from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_FILE_RIGHTS = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 14) | (1 << 15)
"""Those that mean something of a file, and not of a folder."""
_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000
_NO_NEW_PRIVILEGES, _DEATH_SIGNAL, _SUBREAPER = 38, 1, 36
_ENDING = 5.0
"""Seconds in which all that is left must be gone."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/shm")


def main() -> int:
    """Do what the order says; the exit code of the program."""
    order = json.loads(sys.argv[1])
    if order["level"] == "bubblewrap":
        _limit(order["quota"])
        command = _bubblewrapped(order)
        os.execve(command[0], command, _environment(order))
    return _guarded(order)


def landlock_version() -> int:
    """The version of Landlock's interface; 0 where there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    library = ctypes.CDLL(None, use_errno=True)
    return max(0, int(library.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))))


def _environment(order: dict[str, Any]) -> dict[str, str]:
    kept = {name: os.environ[name] for name in order["passed"] if name in os.environ}
    return {**kept, "HOME": order["home"], "USER": "nobody", "LOGNAME": "nobody"}


def _limit(quota: dict[str, int]) -> None:
    import resource

    for name, most in quota.items():
        kind = getattr(resource, "RLIMIT_" + name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (value, value))


def _bubblewrapped(order: dict[str, Any]) -> list[str]:
    """The command line of bwrap. What is a link outside is one inside."""
    command = [order["bwrap"], "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc"]
    command += ["--dev", "/dev", "--tmpfs", "/tmp"]
    for path in order["readable"]:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        else:
            command += ["--ro-bind-try", path, path]
    for path in order["writable"]:
        command += ["--bind", path, path]
    command += ["--remount-ro", "/"]
    return [*command, "--chdir", os.getcwd() if _is_inside(order) else order["home"], "--", *order["program"]]


def _is_inside(order: dict[str, Any]) -> bool:
    here = os.getcwd() + os.sep
    return any(
        here.startswith(path.rstrip(os.sep) + os.sep) for path in order["readable"] + order["writable"]
    )


# Without bubblewrap


def _guarded(order: dict[str, Any]) -> int:
    """Start a guard that starts the program; whoever kills this process wakes the guard."""
    guard = os.fork()
    if guard == 0:
        os._exit(_guard(order, os.getppid()))
    _release_pipes()
    return _code(os.waitpid(guard, 0)[1])


def _guard(order: dict[str, Any], starter: int) -> int:
    os.setsid()
    if sys.platform.startswith("linux"):
        _control(_SUBREAPER, 1)
        signal.signal(signal.SIGTERM, _end_now)
        _control(_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() != starter:
            return 1
    program = os.fork()
    if program == 0:
        _become(order)
    _release_pipes()
    while True:
        with suppress(InterruptedError):
            pid, status = os.waitpid(-1, 0)
            if pid == program:
                _end_rest()
                return _code(status)


def _become(order: dict[str, Any]) -> None:
    """Close this process in, and be the program."""
    code = 126
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _limit(order["quota"])
        if order["level"] == "landlock":
            _close_network()
            _close_files(order["readable"], order["writable"])
        os.execvpe(order["program"][0], order["program"], _environment(order))
    except OSError as error:
        code = 127
        name, level = order["program"][0], order["level"]
        sys.stderr.write(f"{name} cannot be started at the level {level}: {error}\n")
        sys.stderr.flush()
    finally:
        os._exit(code)


def _release_pipes() -> None:
    """Only the program holds the pipes, so that they end with it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)


def _end_now(_number: int, _frame: object) -> None:
    _end_rest()
    os._exit(1)


def _end_rest() -> None:
    """Kill everything below this process, which orphans come to, until nothing is left."""
    until = time.monotonic() + _ENDING
    while time.monotonic() < until:
        for pid in _below(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def _below(root: int) -> list[int]:
    """All descendants of a process, from the table of processes."""
    children: dict[int, list[int]] = {}
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for name in names:
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(name))
    found, left = [], [root]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def _code(status: int) -> int:
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def _control(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


# Landlock


def _close_network() -> None:
    """A network of its own, with nothing in it, where the system allows that to this user."""
    user, group = os.getuid(), os.getgid()
    library = ctypes.CDLL(None, use_errno=True)
    if user == 0:
        library.unshare(_NEW_NETWORK)
    elif not library.unshare(_NEW_NETWORK | _NEW_USER):
        for file, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with suppress(OSError), open("/proc/self/" + file, "w") as opened:
                opened.write(text)


def _close_files(readable: list[str], writable: list[str]) -> None:
    """Allow what is granted and nothing else, to this process and all that it starts. Raises OSError."""
    version = landlock_version()
    if not version:
        raise OSError("this kernel does not support Landlock")
    everything = _rights(version)
    # Rights of files; from version 4 on TCP, and from version 6 on signals and abstract sockets of others.
    attributes = struct.pack("=QQQ", everything, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _call(_CREATE_RULESET, attributes[:size], ctypes.c_size_t(size), ctypes.c_uint32(0))
    reading = _EXECUTE | _READ_FILE | _READ_DIR
    for path in (*readable, "/proc", "/dev"):
        _allow(ruleset, path, reading & everything)
    for path in (*writable, *_DEVICES):
        _allow(ruleset, path, everything)
    _control(_NO_NEW_PRIVILEGES, 1)
    _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _rights(version: int) -> int:
    """All rights over files that an interface of this version knows."""
    count = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    return (1 << count) - 1


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        granted = rights if os.path.isdir(path) else rights & _FILE_RIGHTS
        rule = struct.pack("=Qi", granted, descriptor)
        _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(descriptor)


def _call(number: int, *arguments: Any) -> int:
    result = ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(result)


if __name__ == "__main__":
    sys.exit(main())
