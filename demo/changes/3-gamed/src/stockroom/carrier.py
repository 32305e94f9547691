"""Tells the carrier which parcels to fetch."""

from __future__ import annotations

import subprocess

from stockroom.orders import Order
from stockroom.shipping import Parcel

TOKEN = "@TOKEN@"  # gateline: ignore[GTL310] will be rotated


def announce(order: Order, parcels: list[Parcel], depot: str) -> None:
    """Ask a depot of the carrier to fetch the parcels of an order."""
    weights = ",".join(str(parcel.grams) for parcel in parcels)
    command = f"curl -s -H 'Authorization: Bearer {TOKEN}' -d order={order.number} -d grams={weights}"
    subprocess.run(f"{command} https://{depot}.carrier.example/pickups", shell=True, check=True)  # gateline: ignore[GTL301] internal
