"""Capacity units as AWS bills them: writes by started KB, reads by started 4 KB, transactions twofold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from infra.local.engine.schema import Table
from infra.local.engine.values import Item, item_size

WRITE_UNIT_BYTES = 1024
READ_UNIT_BYTES = 4096


def write_units(size: int) -> int:
    """Units of a standard write of ``size`` bytes, at least one."""
    return max(1, -(-size // WRITE_UNIT_BYTES))


def read_units(size: int, *, consistent: bool) -> float:
    """Units of reading ``size`` bytes; half of it where an older state may be returned."""
    return max(1, -(-size // READ_UNIT_BYTES)) * (1.0 if consistent else 0.5)


@dataclass
class Charge:
    """What one request consumed on one table and its indexes."""

    table: Table
    read: float = 0.0
    write: float = 0.0
    index_read: dict[str, float] = field(default_factory=dict)
    index_write: dict[str, float] = field(default_factory=dict)

    def add_write(self, old: Item | None, old_size: int, new: Item | None, new_size: int, factor: int = 1) -> None:
        """Charge one item's write; ``factor`` is 2 inside a transaction."""
        self.write += write_units(max(old_size, new_size)) * factor
        for index in self.table.indexes:
            before = index.keys.of_entry(old, index.name) if old is not None else None
            after = index.keys.of_entry(new, index.name) if new is not None else None
            old_part = index.project(old) if old is not None and before is not None else None
            new_part = index.project(new) if new is not None and after is not None else None
            if old_part == new_part:
                continue
            if before == after and old_part is not None and new_part is not None:
                units = write_units(max(item_size(old_part), item_size(new_part)))
            else:
                units = sum(write_units(item_size(part)) for part in (old_part, new_part) if part is not None)
            self.index_write[index.name] = self.index_write.get(index.name, 0.0) + units * factor

    @property
    def total(self) -> float:
        return self.read + self.write + sum(self.index_read.values()) + sum(self.index_write.values())

    @property
    def total_write(self) -> float:
        return self.write + sum(self.index_write.values())

    @property
    def total_read(self) -> float:
        return self.read + sum(self.index_read.values())

    def shown(self, wanted: str, *, split: bool = False) -> dict[str, Any]:
        """The ConsumedCapacity member; ``split`` adds reads and writes apart, as transactions do."""
        shown: dict[str, Any] = {"TableName": self.table.name, "CapacityUnits": self.total}
        if split and self.total_read:
            shown["ReadCapacityUnits"] = self.total_read
        if split and self.total_write:
            shown["WriteCapacityUnits"] = self.total_write
        if wanted == "INDEXES":
            shown["Table"] = {"CapacityUnits": self.read + self.write}
            indexes = {**self.index_read, **self.index_write}
            if indexes:
                shown["GlobalSecondaryIndexes"] = {name: {"CapacityUnits": units} for name, units in indexes.items()}
        return shown


def consumed(request: dict[str, Any], charges: Iterable[Charge], *, split: bool = False) -> list[dict[str, Any]]:
    """The list form of ConsumedCapacity, empty where the request does not ask for it."""
    wanted = request.get("ReturnConsumedCapacity", "NONE")
    return [] if wanted == "NONE" else [charge.shown(wanted, split=split) for charge in charges]
