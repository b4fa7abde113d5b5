"""`kg.upkeep.Upkeep` on SQLite."""


class SqliteUpkeep:
    """What `SqliteStore` does beyond answering questions."""
