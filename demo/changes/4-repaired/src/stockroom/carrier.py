"""Tells the carrier which parcels to fetch."""

from __future__ import annotations

import json
import os
from http.client import HTTPSConnection

from stockroom.orders import Order
from stockroom.shipping import Parcel


class CarrierError(Exception):
    """The carrier refused."""


def connect(depot: str) -> HTTPSConnection:
    """A connection to a depot of the carrier. Raises ValueError for what is no name of one."""
    if not (depot.isascii() and depot.isalnum()):
        raise ValueError(f"{depot!r} is no name of a depot: letters and digits only")
    return HTTPSConnection(f"{depot}.carrier.example", timeout=10)


def announce(order: Order, parcels: list[Parcel], connection: HTTPSConnection) -> None:
    """Ask a depot to fetch the parcels of an order. Raises CarrierError."""
    body = json.dumps({"order": order.number, "grams": [parcel.grams for parcel in parcels]})
    headers = {"Authorization": f"Bearer {os.environ['CARRIER_TOKEN']}", "Content-Type": "application/json"}
    connection.request("POST", "/pickups", body, headers)
    answer = connection.getresponse()
    if answer.status != 201:
        raise CarrierError(f"order {order.number}: {answer.status} {answer.reason}")
