"""Writing into Neo4j: `python benchmarks/neo4j_writes.py GRAPH --server URI [--to N]`.

GRAPH is an SQLite graph of real documents, with their vectors; URI an empty database, whose user
and password come from the environment, as for hoptrail. The documents are written by
GraphStore.add, as many passages a transaction as `hoptrail ingest` has, and after each transaction
the very rows that it wrote are written again by plain UNWIND statements (FLOOR), without anything
looked up, counted or derived: under labels of their own, with the same constraints and indexes, in
one transaction, too. So both are measured in turns, at the same size, on the same server. --to N
goes on with copies under other names (renamed.py) until there are N passages.

--kg-writer N instead writes the first N passages by GraphStore.add, and then what that wrote, nodes
and relationships, once each, with neo4j-graphrag's Neo4jWriter, which looks nothing up either, and
needs the plugin APOC on the server.
"""

import argparse
import asyncio
import gc
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from comparators.copying import _batches
from comparators.server import Server
from neo4j_floor import FLOOR, floor, schema_for
from renamed import Names, copies

from hoptrail.kg.errors import BadRequest, HoptrailError
from hoptrail.kg.neo4j.statements import Row, Statements
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Batch, Fingerprint

if TYPE_CHECKING:  # --kg-writer alone needs it
    from neo4j_graphrag.components.types import Neo4jGraph

WARM_UP = 1000  # passages before the clock starts: a server's first transactions are slow
READS = (
    *("info/", "read/", "forget/", "derive/containing", "derive/spellings", "derive/mentioning"),
    *(
        "derive/shared_keywords",
        "derive/titled",
        "derive/all_titles",
        "derive/texts",
        "write/known_triples",
    ),
    "write/clear_failures",
)


@dataclass
class Taken:
    """What transactions took: seconds, and of those by statement; the rows of the last one."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    rows: Counter[str] = field(default_factory=Counter)
    last: list[tuple[str, list[Row]]] = field(default_factory=list)

    def clear(self) -> None:
        """Begin anew."""
        self.seconds.clear()
        self.rows.clear()


class Watched(Statements):
    """Statements that keep what they wrote, and how long they took."""

    def __init__(self, run: Statements, taken: Taken) -> None:
        super().__init__(run._transaction, run._server, run.prefix)
        self._taken = taken

    def __call__(self, name: str, /, **parameters: object) -> list[Row]:
        """As Statements."""
        started = time.perf_counter()
        found = super().__call__(name, **parameters)
        self._taken.seconds[name] += time.perf_counter() - started
        rows = parameters.get("rows")
        if name in FLOOR and isinstance(rows, list):
            self._taken.rows[name] += len(rows)
            self._taken.last.append((name, rows))
        elif not name.startswith(READS):
            raise BadRequest(f"{name} is not known as one that reads, nor is it in FLOOR")
        return found


def watch(store: Neo4jStore, taken: Taken) -> None:
    """Look on while it writes."""
    write = store._server.write

    def watched(work: Callable[[Statements], object]) -> object:
        def looked_on(run: Statements) -> object:
            taken.last.clear()
            return work(Watched(run, taken))

        return write(looked_on)

    store._server.write = watched


@dataclass(frozen=True)
class Measured:
    """What both took between two sizes, in seconds."""

    passages: int
    written: int  # passages
    rows: int
    ours: float
    floor: float

    def cells(self) -> Iterator[str]:
        """Of a table's line."""
        yield f"{self.passages:,}"
        yield f"{self.rows / self.written:.0f}"
        yield f"{self.written / self.ours:.0f}"
        yield f"{self.rows / self.ours:,.0f}"
        yield f"{self.rows / self.floor:,.0f}"
        yield f"{100 * self.floor / self.ours:.0f}"


HEAD = ("passages", "rows a passage", "add: passages/s", "rows/s", "UNWIND: rows/s", "%")


def measure(
    server: Server, batches: Iterator[Batch], given: argparse.Namespace, fingerprint: Fingerprint
) -> Iterator[Measured]:
    """Write in turns."""
    taken = Taken()
    with server.store() as store, server.driver() as driver:
        store.prepare(fingerprint)
        schema_for("Raw", driver, fingerprint.dimension)
        watch(store, taken)
        passages = written = 0
        ours = plain = 0.0
        for batch in batches:
            started = time.perf_counter()
            store.add(batch)
            between = time.perf_counter()
            floor(driver, server.database, taken.last)
            ended = time.perf_counter()
            passages += len(batch.passages)
            if passages <= WARM_UP:
                taken.clear()
                continue
            written += len(batch.passages)
            ours, plain = ours + between - started, plain + ended - between
            if written >= given.every:
                yield Measured(passages, written, taken.rows.total(), ours, plain)
                written, ours, plain = 0, 0.0, 0.0
                if given.statements:
                    profile(taken)
                taken.clear()
            if given.to and passages >= given.to:
                return
        if written:
            yield Measured(passages, written, taken.rows.total(), ours, plain)


class Whole:
    """What transactions wrote, as nodes and relationships, each once."""

    def __init__(self) -> None:
        self.nodes: dict[tuple[str, str], Row] = {}
        self.ties: dict[tuple[str, str, str], Row] = {}

    def take(self, name: str, rows: list[Row]) -> None:
        """Rows of a statement of FLOOR."""
        if name in NODES:
            for row in rows:
                held = dict(row.get("properties", row))  # a triple's row has its ends, too
                held |= {"embedding": row["embedding"]} if "embedding" in row else {}
                self.nodes.setdefault((NODES[name], held["id"]), {}).update(held)
        if name in TIES:
            kind, source, target = TIES[name]
            for row in rows:
                properties = {k: v for k, v in row.items() if k not in (source, target)}
                self.ties[kind, row[source], row[target]] = properties
        if name.startswith("derive/un"):
            for row in rows:
                kind = "SHARES_KEYWORD" if "share" in name else "NAMES"
                self.ties.pop((kind, row["source"], row["target"]), None)
        if name == "write/triples":
            for row in rows:
                triple, head, tail = row["properties"], row["head_id"], row["tail_id"]
                self.ties["HEAD", triple["id"], head] = {}
                self.ties["TAIL", triple["id"], tail] = {}
                if not row["tied"]:
                    stated = {"relation": triple["relation"], "triple_id": triple["id"]}
                    self.ties[f"RELATES_TO {triple['id']}", head, tail] = stated

    def graph(self) -> "Neo4jGraph":
        """As neo4j-graphrag has it."""
        from neo4j_graphrag.components.types import Neo4jGraph, Neo4jNode, Neo4jRelationship

        nodes = []
        for (label, key), row in self.nodes.items():
            vectors = {"embedding": row["embedding"]} if "embedding" in row else {}
            kept = {k: v for k, v in row.items() if k != "embedding" and v is not None}
            nodes.append(
                Neo4jNode(
                    id=f"{label} {key}",
                    label=f"Kg{label}",
                    properties=kept,
                    embedding_properties=vectors,
                )
            )
        ties = []
        for (kind, source, target), row in self.ties.items():
            kind = kind.split()[0]
            a, b = ENDS[kind]
            ties.append(
                Neo4jRelationship(
                    start_node_id=f"{a} {source}",
                    end_node_id=f"{b} {target}",
                    type=f"KG_{kind}",
                    properties={k: v for k, v in row.items() if v is not None},
                )
            )
        return Neo4jGraph(nodes=nodes, relationships=ties)


NODES = {
    "write/documents": "Document",
    "write/passages": "Passage",
    "write/triples": "Triple",
    "derive/new_entities": "Entity",
    "derive/entities": "Entity",
    "derive/terms": "Term",
}
TIES = {
    "write/has_passage": ("HAS_PASSAGE", "document_id", "id"),
    "write/next": ("NEXT", "source", "target"),
    "write/mentions": ("MENTIONS", "passage_id", "entity_id"),
    "write/states": ("STATES", "passage_id", "triple_id"),
    "derive/new_shared_keywords": ("SHARES_KEYWORD", "source", "target"),
    "derive/share_keywords": ("SHARES_KEYWORD", "source", "target"),
    "derive/names": ("NAMES", "source", "target"),
}
ENDS = {
    "HAS_PASSAGE": ("Document", "Passage"),
    "MENTIONS": ("Passage", "Entity"),
    "STATES": ("Passage", "Triple"),
    "HEAD": ("Triple", "Entity"),
    "TAIL": ("Triple", "Entity"),
    "RELATES_TO": ("Entity", "Entity"),
    **dict.fromkeys(("NEXT", "SHARES_KEYWORD", "NAMES"), ("Passage", "Passage")),
}


def against_kg_writer(
    server: Server, batches: Iterator[Batch], passages: int, fingerprint: Fingerprint
) -> str:
    """Both, one after the other."""
    from neo4j_graphrag.components.kg_writer import Neo4jWriter

    taken, whole, ours, written = Taken(), Whole(), 0.0, 0
    with server.store() as store, server.driver() as driver:
        store.prepare(fingerprint)
        watch(store, taken)
        for batch in batches:
            if written >= passages:
                break
            started = time.perf_counter()
            store.add(batch)
            ours += time.perf_counter() - started
            written += len(batch.passages)
            for name, rows in taken.last:
                whole.take(name, rows)
        schema_for("Kg", driver, fingerprint.dimension)
        graph = whole.graph()
        started = time.perf_counter()
        result = asyncio.run(Neo4jWriter(driver, server.database).run(graph))
        theirs = time.perf_counter() - started
    if result.status != "SUCCESS":
        raise BadRequest(f"Neo4jWriter failed: {result.metadata}")
    rows = len(whole.nodes) + len(whole.ties)
    return (
        f"{written:,} passages, {rows:,} nodes and relationships: add {rows / ours:,.0f} a second, "
        f"Neo4jWriter {rows / theirs:,.0f}: {theirs / ours:.1f} times as fast"
    )


def profile(taken: Taken) -> None:
    """Which statements the seconds went to."""
    for name in sorted(taken.seconds, key=taken.seconds.__getitem__, reverse=True):
        if taken.seconds[name] >= 0.1:
            print(f"  {name:28} {taken.seconds[name]:6.1f} s", file=sys.stderr)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", metavar="GRAPH")
    parser.add_argument("--server", metavar="URI", required=True)
    parser.add_argument("--to", type=int, default=0, metavar="N", help="passages [the graph's]")
    parser.add_argument("--every", type=int, default=3000, metavar="N", help="passages a line")
    parser.add_argument("--kg-writer", type=int, default=0, metavar="N", help="passages, see above")
    parser.add_argument("--empty", action="store_true", help="delete what the database holds")
    parser.add_argument("--statements", action="store_true", help="seconds of each statement")
    given = parser.parse_args()
    server = Server(given.server, given.empty)
    try:
        with SqliteStore(given.graph) as source:
            info = source.info()
            if info is None:
                raise BadRequest(f"{source.where} holds no graph")
            batches = list(_batches(source))
        server._empty()
        stream = iter(batches)
        if given.to:
            named = Names([passage for batch in batches for passage in batch.passages])
            stream = (batch for _, batch in copies(batches, named))
        gc.freeze()  # an ingestion does not have all batches in its memory
        if given.kg_writer:
            print(against_kg_writer(server, stream, given.kg_writer, info.fingerprint))
            return
        print("", *HEAD, "", sep=" | ")
        print("|--:" * len(HEAD) + "|")
        for row in measure(server, stream, given, info.fingerprint):
            print("", *row.cells(), "", sep=" | ", flush=True)
    except HoptrailError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
