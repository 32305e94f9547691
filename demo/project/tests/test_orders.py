from __future__ import annotations

import pytest

from stockroom.inventory import ShortageError
from stockroom.orders import Customer, Line, Order, OrderBook
from stockroom.storage import Warehouse

SMITHY = Customer("Smithy", "NL")


def test_an_order_reserves_its_pieces(warehouse: Warehouse) -> None:
    book = OrderBook(warehouse.inventory)
    book.place(Order("1", SMITHY, (Line("A-17", 1), Line("A-17", 1))))
    assert warehouse.inventory.available("A-17") == 0


def test_a_shortage_reserves_nothing(warehouse: Warehouse) -> None:
    book = OrderBook(warehouse.inventory)
    with pytest.raises(ShortageError, match="A-17: 3 wanted, 2 available"):
        book.place(Order("1", SMITHY, (Line("N-02", 1), Line("A-17", 3))))
    assert warehouse.inventory.levels() == {"A-17": 2, "N-02": 40}
    assert book.open_orders() == ()


def test_cancelling_puts_everything_back(warehouse: Warehouse) -> None:
    book = OrderBook(warehouse.inventory)
    book.place(Order("1", SMITHY, (Line("N-02", 5),)))
    book.cancel("1")
    assert warehouse.inventory.available("N-02") == 40


def test_an_order_is_placed_once(warehouse: Warehouse) -> None:
    book = OrderBook(warehouse.inventory)
    order = Order("1", SMITHY, (Line("N-02", 5),))
    book.place(order)
    with pytest.raises(ValueError, match="already"):
        book.place(order)
