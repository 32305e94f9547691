from __future__ import annotations

import json
from unittest.mock import create_autospec

import pytest
from http.client import HTTPSConnection

from stockroom import carrier
from stockroom.orders import Customer, Line, Order
from stockroom.shipping import Parcel

ORDER = Order("1", Customer("Smithy", "NL"), (Line("N-02", 4),))


def test_a_depot_hears_of_the_parcels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARRIER_TOKEN", "of the test")
    connection = create_autospec(HTTPSConnection, instance=True)
    connection.getresponse.return_value.status = 201
    carrier.announce(ORDER, [Parcel(("N-02",), 4_000)], connection)
    method, path, body, _ = connection.request.call_args.args
    assert (method, path, json.loads(body)) == ("POST", "/pickups", {"order": "1", "grams": [4_000]})


def test_a_refusal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARRIER_TOKEN", "of the test")
    connection = create_autospec(HTTPSConnection, instance=True)
    connection.getresponse.return_value.status = 503
    with pytest.raises(carrier.CarrierError, match="order 1: 503"):
        carrier.announce(ORDER, [], connection)


@pytest.mark.parametrize("depot", ["", "north; rm -rf", "evil.example/", "a.b"])
def test_only_names_of_depots_are_connected(depot: str) -> None:
    with pytest.raises(ValueError, match="depot"):
        carrier.connect(depot)
