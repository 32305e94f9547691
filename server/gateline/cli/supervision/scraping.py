"""`gateline metrics --prometheus` and `--serve`: what is counted, for Prometheus."""

from __future__ import annotations

import ipaddress
import signal
import threading
from functools import partial
from pathlib import Path
from types import ModuleType

import click

from gateline.atomic_file import replace_file
from gateline.cli import terminal
from gateline.cli.ending import Mistake, Undecided
from gateline.session.observability.reading import with_queue
from gateline.store.database import StoreError

_READABLE = 0o644
"""The collector that reads the file is another user."""


def write(root: Path, file: str) -> None:
    """Write all metrics of the workspace at `root`; `-` is standard output. Raises Mistake, Undecided."""
    client = _client()
    try:
        text: str = client.text(partial(with_queue, root))
        if file == "-":
            terminal.emit(text, machine=True)
        else:
            replace_file(file, text.encode(), _READABLE)
    except StoreError as error:
        raise Undecided(str(error)) from error
    except OSError as error:
        raise Mistake(f"--prometheus {file}: {error.strerror}") from error


def serve(root: Path, asked: str) -> None:
    """Serve them until Ctrl+C, or SIGTERM, by which services are ended. Raises Mistake."""
    address, port = _place(asked)
    client = _client()
    try:
        stop = client.serve(partial(with_queue, root), address, port)
    except OSError as error:
        raise Mistake(f"--serve {asked}: {error.strerror}; choose another port") from error
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    click.echo(f"metrics of {root} at http://{asked}/metrics; press Ctrl+C to stop", err=True)
    try:
        ended.wait()
    except KeyboardInterrupt:
        pass
    finally:
        stop()


def _place(asked: str) -> tuple[str, int]:
    """The address and the port. Raises Mistake for one that others could reach."""
    address, _, port = asked.rpartition(":")
    address = address.strip("[]")
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise Mistake(f"--serve {asked!r} has no port; give an address and a port, as in 127.0.0.1:9464")
    try:
        is_loopback = ipaddress.ip_address(address).is_loopback
    except ValueError:
        raise Mistake(f"--serve {asked!r}: {address!r} is not an IP address; give 127.0.0.1:{port}") from None
    if not is_loopback:
        raise Mistake(
            f"--serve {asked!r} can be reached from other machines; give "
            f"127.0.0.1:{port} and put a proxy in front of it"
        )
    return address, int(port)


def _client() -> ModuleType:
    try:
        from gateline.session.observability import prometheus
    except ImportError:
        raise Mistake(
            '--prometheus and --serve need the Prometheus client: pip install "gateline[metrics]"'
        ) from None
    return prometheus
