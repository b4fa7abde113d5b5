"""A Neo4j server that holds a copy of the graph that is measured."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import neo4j

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.store import GraphStore

from .copying import copy

ANY = "MATCH (n) RETURN 1 LIMIT 1"
EMPTY = "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 500 ROWS"


@dataclass
class Server:
    """A Neo4j server; user, password and database come from the environment, as for hoptrail.

    Args:
        uri: without a password.
        may_empty: whether what the database holds may be deleted; so once it holds a copy.
    """

    uri: str
    may_empty: bool

    def __post_init__(self) -> None:
        self.user = os.environ.get("HOPTRAIL_NEO4J_USER", "neo4j")
        self.password = os.environ.get("HOPTRAIL_NEO4J_PASSWORD", "")
        self.database = os.environ.get("HOPTRAIL_NEO4J_DATABASE", "neo4j")

    def store(self) -> Neo4jStore:
        """The graph on it."""
        return Neo4jStore(self.uri, self.user, self.password, self.database)

    def driver(self) -> neo4j.Driver:
        """For what the store does not do."""
        return neo4j.GraphDatabase.driver(self.uri, auth=(self.user, self.password))

    @contextmanager
    def holding(self, graph: GraphStore) -> Iterator[Neo4jStore]:
        """The server with a copy of this graph on it, made unless it is there.

        Raises:
            BadRequest: it holds something else, which may not be deleted.
        """
        with self.store() as there:
            same = there.documents().keys() == graph.documents().keys()
        if not same:
            self._empty()
        with self.store() as there:
            if not same:
                copy(graph, there)
                self.may_empty = True
            yield there

    def _empty(self) -> None:
        with self.driver() as driver, driver.session(database=self.database) as session:
            if not self.may_empty and session.run(ANY).single() is not None:
                raise BadRequest(
                    f"{self.uri} is not empty. Name an empty database, or give --empty to delete "
                    "what this one holds."
                )
            session.run(EMPTY).consume()
