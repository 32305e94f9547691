from __future__ import annotations

import json
from pathlib import Path

import pytest

from stockroom import storage
from stockroom.__main__ import main
from stockroom.storage import Warehouse


def test_a_warehouse_survives_the_disk(warehouse: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "warehouse.json"
    storage.save(warehouse, file)
    again = storage.load(file)
    assert list(again.catalog) == list(warehouse.catalog)
    assert again.inventory.levels() == warehouse.inventory.levels()


def test_damage_is_noticed(warehouse: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "warehouse.json"
    storage.save(warehouse, file)
    record = json.loads(file.read_text(encoding="utf-8"))
    record["products"][0]["pieces"] = 900
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ValueError, match="damaged"):
        storage.load(file)


def test_low_stock_from_the_shell(
    warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "warehouse.json"
    storage.save(warehouse, file)
    assert main(["low-stock", str(file)]) == 0
    assert capsys.readouterr().out.split() == ["A-17", "anvil", "2"]
