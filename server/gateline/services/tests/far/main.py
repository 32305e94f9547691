"""What `start.py` does when imports are in order."""

from __future__ import annotations

import socket

from . import framing
from .channel import Channel
from .collector import Collector
from .keeper import Keeper


def main(arguments: list[str]) -> None:
    """Be the keeper; or, with `--collect` and the number of a socket, a collector that runs once."""
    if arguments[:1] == ["--collect"]:
        channel = Channel(socket.socket(fileno=int(arguments[1])))
        Collector(channel.receive()[0], channel).main()
    Keeper(*framing.take_stdio()).serve()
