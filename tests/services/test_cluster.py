"""A scheduler's address, and what is refused before anything is sent there."""

from __future__ import annotations

import socket
import sys

import pytest

from gateline.services import cluster
from gateline.services.cluster import ClusterError, connected, refuse


@pytest.mark.parametrize(
    "address",
    [
        "tcp://127.0.0.1:8786",
        "tcp://localhost:1",
        "tcp://[::1]:8786",
        "tls://10.0.0.7:8786",
        "tls://a.example:1",
    ],
)
def test_this_machine_and_what_is_encrypted_may_be_asked(address: str) -> None:
    refuse(address)


@pytest.mark.parametrize(
    "address",
    ["tcp://10.0.0.7:8786", "tcp://a.example:8786", "tcp://0.0.0.0:8786", "tcp://localhost.a.example:1"],
)
def test_what_others_could_read_is_refused(address: str) -> None:
    with pytest.raises(ClusterError, match=r"not encrypted.*certificates, and give tls://") as refused:
        refuse(address)
    assert address in str(refused.value)


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1:8786", "tcp://", "tcp://127.0.0.1", "http://a:1", "tcp://a:b"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ClusterError, match="is not the address of a scheduler; give one as in tcp://"):
        refuse(address)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ClusterError, match=r"pip install 'gateline\[cluster\]'"),
        connected("tcp://127.0.0.1:1"),
    ):
        pytest.fail("it is connected")


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr(cluster, "_SECONDS", 0.3)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"no scheduler answered at {address}"), connected(address):
            pytest.fail("it is connected")


def test_certificates_that_are_not_named_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with pytest.raises(ClusterError, match=r"set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, .*CLIENT__CERT"):
        cluster._client("tls://127.0.0.1:1")


@pytest.mark.parametrize("worker", ["tcp://10.0.0.8:4001", "ucx://10.0.0.8:4001"])
def test_workers_that_talk_in_the_open_are_refused(worker: str) -> None:
    with pytest.raises(
        ClusterError, match=f"the worker {worker} of tcp://127.0.0.1:1 is not on this machine"
    ):
        cluster._refuse_worker(worker, "tcp://127.0.0.1:1")


def test_workers_here_and_encrypted_ones_may_be_asked() -> None:
    for worker in ("tcp://127.0.0.1:4001", "tls://10.0.0.8:4001", "inproc://192.168.1.2/7/1"):
        cluster._refuse_worker(worker, "tcp://127.0.0.1:1")
