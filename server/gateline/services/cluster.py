"""Workers on other machines: a Dask scheduler as an executor. Dask is imported when somebody connects.

Whoever reaches a scheduler runs code on its workers, and what workers answer is unpickled here: both sides
trust each other, so what leaves this machine is encrypted and both ends have certificates.
"""

from __future__ import annotations

import ipaddress
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from distributed import Client, Security

_SECONDS = 10.0
"""So long a scheduler may take to answer."""
_SCHEMES = ("tcp", "tls")
_CERTIFICATES = {"ca_file": "CA_FILE", "cert": "CLIENT__CERT", "key": "CLIENT__KEY"}
"""What Dask calls them, and the end of the variable that names each."""
_VARIABLE = "DASK_DISTRIBUTED__COMM__TLS__"


class ClusterError(Exception):
    """A cluster cannot be used; the message names its address, and the next step."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A scheduler that answered, and has workers."""

    client: Client
    workers: tuple[str, ...]
    """Their addresses."""

    @property
    def executor(self) -> Executor:
        """Runs functions on the workers; a function whose worker dies runs again on another."""
        made: Executor = self.client.get_executor()
        return made

    def everywhere(self, function: Callable[..., Any], *arguments: object) -> dict[str, Any]:
        """What a function answers on each worker, or the exception that it raised. Blocks."""
        found: dict[str, Any] = self.client.run(function, *arguments, on_error="return")
        return found


def refuse(address: str) -> None:
    """Raise ClusterError where an address is none, or where what is sent there could be read by others."""
    scheme, host, port = _parts(address)
    if scheme not in _SCHEMES or not host or not port:
        raise ClusterError(
            f"{address!r} is not the address of a scheduler; give one as in tcp://127.0.0.1:8786 or "
            "tls://HOST:8786"
        )
    if scheme != "tls" and not _is_loopback(host):
        raise ClusterError(
            f"{address} is not on this machine, and not encrypted: whoever can reach the network could read "
            f"the code and run their own; start the scheduler and its workers with certificates, and give "
            f"tls://{address.partition('://')[2]}"
        )


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster of a scheduler, until the context ends. Blocks. Raises ClusterError."""
    refuse(address)
    client = _client(address)
    try:
        workers = tuple(sorted(client.nthreads()))
        if not workers:
            raise ClusterError(f"{address} has no workers; start one with `dask worker {address}`")
        for worker in workers:
            _refuse_worker(worker, address)
        yield Cluster(client, workers)
    finally:
        client.close(timeout=_SECONDS)


def _client(address: str) -> Client:
    try:
        from distributed import Client, Security
    except ImportError as error:
        raise ClusterError(
            f"to compare on {address}, Dask is needed; install it with `pip install 'gateline[cluster]'`"
        ) from error
    security = _security(address, Security)
    try:
        with warnings.catch_warnings():
            # What differs and matters is told by name, per worker.
            warnings.simplefilter("ignore")
            return Client(address, security=security, timeout=_SECONDS, set_as_default=False)
    except (OSError, TimeoutError) as error:
        why = str(error).splitlines()[0] if str(error) else "no answer"
        raise ClusterError(
            f"no scheduler answered at {address} within {_SECONDS:g} s ({why}); start one with "
            "`dask scheduler`, or check the address"
        ) from error
    except (ImportError, ValueError, TypeError) as error:
        raise ClusterError(
            f"the scheduler at {address} cannot be used: {error}; install the same version of Dask on both "
            "sides"
        ) from error


def _security(address: str, kind: type[Security]) -> Security:
    """What encrypts, as Dask's own settings name it. Raises ClusterError where something is missing."""
    if not address.startswith("tls:"):
        return kind(require_encryption=False)
    made = kind(require_encryption=True)
    known = made.get_tls_config_for_role("client")
    missing = [_VARIABLE + end for name, end in _CERTIFICATES.items() if not known.get(name)]
    if missing:
        raise ClusterError(
            f"{address} needs certificates, and none is named; set {', '.join(missing)} to their files, or "
            "write them into Dask's settings"
        )
    try:
        made.get_connection_args("client")
    except OSError as error:
        raise ClusterError(
            f"the certificates for {address} cannot be read ({error}); check the files that "
            f"{_VARIABLE}… or Dask's settings name"
        ) from error
    return made


def _refuse_worker(worker: str, address: str) -> None:
    """A scheduler may be reached by a tunnel, and its workers then talk in the open."""
    scheme, host, _ = _parts(worker)
    if scheme != "tls" and not (scheme == "inproc" or _is_loopback(host)):
        raise ClusterError(
            f"the worker {worker} of {address} is not on this machine, and not encrypted; start scheduler "
            "and workers with certificates (`dask worker --tls-cert …`)"
        )


def _parts(address: str) -> tuple[str, str, int]:
    try:
        found = urlsplit(address)
        return found.scheme, found.hostname or "", found.port or 0
    except ValueError:
        return "", "", 0


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
