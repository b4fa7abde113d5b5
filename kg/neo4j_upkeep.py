"""`kg.upkeep.Upkeep` on Neo4j."""


class Neo4jUpkeep:
    """What `Neo4jStore` does beyond answering questions."""
