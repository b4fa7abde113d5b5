"""The graph on a Neo4j server, where people query it with Cypher and walk it in Neo4j Browser."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import ClassVar, Self, TypeVar

from ...cypher import PREFIX, query
from ..answers import LAST, Answer, Recorded
from ..candidates import Bridge, Candidates, PassageCandidate, RankedTriples, Ways
from ..graph_info import check_encoder, older
from ..notes import NoteKind
from ..store import MAX_COPIES
from ..text.words import normal_form, stable_id
from ..types import (
    Batch,
    DocumentInfo,
    Entity,
    Failure,
    Fingerprint,
    Found,
    GraphInfo,
    Link,
    LinkKind,
    Passage,
    Scored,
    Statement,
    Triple,
    Vector,
)
from ..vectors import DECIMALS
from ..wikidata.evidence import claim_rows
from . import answers, rows, traverse, write
from .answers import TRIPLE
from .derive import Titles
from .graph import ServedGraph
from .linked import Neo4jLinks
from .migrate import migrate
from .records import nodes
from .restore import check_free
from .schema import make_schema
from .server import OWN, Neo4jServer, Variables
from .statements import ROWS_WITH_VECTORS, Row, Statements, whole
from .traverse import lucene
from .upkeep.maintenance import Neo4jMaintenance

Result = TypeVar("Result")

FETCH = 100  # candidates of an index, at least: it looks better for more, and ties can go by id
KINDS = ("document", "passage", "entity", "triple", "question", "answer")


class Neo4jStore:
    """GraphStore on a Neo4j server, 5.26 or newer, any edition; safe for several threads.

    Args:
        uri: `neo4j://`, `bolt://`, `neo4j+s://`, …; may hold user and password.
        user: "neo4j" when neither this nor the URI says.
        password: none for a server that asks for none.
        database: its name on the server.
        variables: where these come from; one that chose the server puts no new graph beside what
            others keep there.
        prefix: of the labels of its nodes: several graphs, and others' nodes, share a database.

    Raises:
        BadRequest: no prefix.
    """

    embeds_triples: ClassVar[bool] = True

    def __init__(
        self,
        uri: str,
        user: str | None = None,
        password: str | None = None,
        database: str = "neo4j",
        variables: Variables = OWN,
        prefix: str = PREFIX,
    ) -> None:
        self._server = Neo4jServer(uri, user, password, database, variables, prefix)
        self._graph = ServedGraph(self._server)
        self._titles = Titles()
        self.where = self._server.where

    def prepare(self, fingerprint: Fingerprint) -> None:
        info = self.info()
        if info is not None:
            check_encoder(self.where, info.fingerprint, fingerprint)
        if info is None:
            self._graph.check_chosen()
            self._server.read(lambda run: check_free(run, self.where))
            make_schema(self._server, fingerprint.dimension)
            self._server.write(lambda run: run("info/write", info=rows.new_info(fingerprint)))
        migrate(self._server)
        self.expect(fingerprint)  # perhaps a faster process has prepared it

    def info(self) -> GraphInfo | None:
        return self._graph.info()

    def expect(self, fingerprint: Fingerprint) -> None:
        self._graph.expect(fingerprint)

    def close(self) -> None:
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    # -- writing ----------------------------------------------------------------------------------
    def add(self, batch: Batch) -> None:
        def work(run: Statements) -> tuple[int, bool]:
            row = self._graph.look(run)
            if len(batch.passages):
                self._graph.check_vectors(row, batch.embeddings)
            for vector in batch.triple_embeddings.values():
                self._graph.check_vectors(row, vector)
            changes = (row or {}).get("changes", 0)
            return changes, write.add(run, batch, self._titles, changes, self._server.beside)

        changes, alone = self._graph.write(work)
        self._titles.settle(changes, batch.passages, alone)

    def remove(self, document_ids: Collection[str]) -> int:
        if self.info() is None:
            return 0
        found = [0]  # of each attempt: after a commit that only seemed to fail the next finds none
        self._graph.write(lambda run: found.append(write.remove(run, document_ids)))
        return max(found)

    def set_triple_embeddings(self, embeddings: Mapping[str, Vector]) -> None:

        def work(run: Statements) -> None:
            row = self._graph.look(run)
            for vector in embeddings.values():
                self._graph.check_vectors(row, vector)
            write.keep_triple_vectors(run, embeddings)

        if embeddings and self._graph.known() is not None:
            self._graph.write(work)

    def note(self, kind: NoteKind, maker: str, values: Mapping[str, bytes]) -> None:
        if values and self._graph.known() is not None:
            self._graph.write(lambda run: write.note(run, kind, maker, values))

    def record(self, answer: Answer) -> None:
        claims = claim_rows(answer, self.wikidata)
        self._graph.write(lambda run: write.record(run, answer, claims))

    def forget_answers(self, ids: Collection[str]) -> int:
        if not ids or self.info() is None:
            return 0
        found = [0]  # of each attempt, as for `remove`
        self._graph.write(lambda run: found.append(write.forget_answers(run, ids)))
        return max(found)

    def evidence_query(self, answer_id: str) -> str:
        if not re.fullmatch("[0-9a-f]{24}", answer_id):  # the only value that stands in any text
            return ""
        lines = query("browser/evidence", prefix=self._server.prefix).splitlines()
        text = " ".join(line.strip() for line in lines if not line.startswith("//"))
        return text.replace("$id", f"'{answer_id}'")

    def keep_parameters(self, kind: str, text: str) -> None:
        self._graph.write(lambda run: run("info/keep_parameters", id=whole(kind), text=whole(text)))

    def parameters(self, kind: str) -> str | None:
        found = self._graph.read(lambda run: run("info/parameters", id=kind))
        return found[0]["text"] if found else None

    def forget_parameters(self, kind: str) -> bool:
        if self.info() is None:
            return False
        return bool(self._graph.write(lambda run: run("info/forget_parameters", id=kind)))

    def documents(self, ids: Collection[str] | None = None) -> dict[str, DocumentInfo]:
        if ids is None:
            found = list(nodes(self._graph.read, "document", rows.names("document", DocumentInfo)))
            return {row["id"]: rows.made("document", DocumentInfo, row["held"]) for row in found}
        return self._nodes("read/documents", "document", DocumentInfo, sorted(set(ids)))

    def documents_after(self, after: str, limit: int) -> list[DocumentInfo]:
        limit, names = max(limit, 0), rows.names("document", DocumentInfo)
        asked = {"after": after, "limit": limit + 1, "names": names}  # `after` comes first, too
        found = self._graph.read(lambda run: run("read/all_documents", **asked))
        held = [row["held"] for row in found if row["id"] != after][:limit]
        return [rows.made("document", DocumentInfo, one) for one in held]

    def passage_counts(self, document_ids: Collection[str]) -> dict[str, int]:
        asked = list(dict.fromkeys(document_ids))
        found = {row["id"]: row["passages"] for row in self._for_ids("read/passage_counts", asked)}
        return {key: found[key] for key in asked if key in found}

    def failures(self) -> list[Failure]:
        return [Failure(**row) for row in self._graph.read(lambda run: run("read/failures"))]

    def passages(self, ids: Collection[str]) -> dict[str, Passage]:
        return self._nodes("read/passages", "passage", Passage, ids)

    def passages_of(self, document_ids: Collection[str]) -> list[str]:
        ids = sorted(set(document_ids))
        return [row["id"] for row in self._graph.read(lambda run: run("read/passages_of", ids=ids))]

    def copies(self, passage_ids: Collection[str]) -> dict[str, list[str]]:
        ids = list(dict.fromkeys(passage_ids))
        found = self._for_ids("read/copies", ids, limit=MAX_COPIES)
        copies = {id_: row["copies"] for row in found for id_ in row["asked"]}
        return {id_: copies[id_] for id_ in ids if id_ in copies}

    def extractors(self, passage_ids: Collection[str]) -> dict[str, str]:
        asked = list(dict.fromkeys(passage_ids))
        found = {row["id"]: row["extractor"] for row in self._for_ids("read/extractors", asked)}
        return {key: found[key] for key in asked if key in found}

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        return self._nodes("read/entities", "entity", Entity, ids)

    def triples(self, ids: Collection[str]) -> dict[str, Triple]:
        return self._nodes("read/triples", "triple", Triple, ids)

    def triple_embeddings(self, ids: Collection[str]) -> dict[str, Vector]:
        asked = list(dict.fromkeys(ids))
        held: dict[str, list[float]] = {}
        for start in range(0, len(asked), ROWS_WITH_VECTORS):
            part = asked[start : start + ROWS_WITH_VECTORS]
            held |= dict(self._graph.near(None, "read/triple_embeddings", ids=part)["found"])
        return {key: rows.vector(held[key]) for key in asked if key in held}

    def noted(self, kind: NoteKind, maker: str, passage_ids: Collection[str]) -> dict[str, bytes]:
        asked = list(dict.fromkeys(passage_ids))
        named = {"kind": write.noted(kind), "maker_of": write.maker_of(kind), "maker": maker}
        return {row["id"]: row["value"] for row in self._for_ids("notes/read", asked, **named)}

    def nearest_passages(
        self, vector: Vector, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """See Graph.nearest_passages; from the vector index, exactly only `within` some."""
        if within is not None:
            return self._similar("search/nearest_passages_within", vector, limit, ids=list(within))
        return self._similar("search/nearest_passages", vector, limit, fetch=max(limit, FETCH))

    def keyword_search(
        self, text: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """See Graph.keyword_search; by Lucene, `within` some passages by their own words."""
        if limit <= 0 or self._graph.known() is None:
            return []
        if within is not None:
            return self._keywords_within(text, limit, within)
        if not (asked := lucene(text)):
            return []
        parameters = {"lucene": asked, "limit": limit, "fetch": limit + FETCH}
        return rows.scored(self._graph.read(lambda run: run("search/keywords", **parameters)))

    def _keywords_within(self, text: str, limit: int, within: Collection[str]) -> list[Scored]:
        asked, ids = traverse.telling(text), list(dict.fromkeys(within))
        if not asked or not ids:
            return []
        name = "search/keywords_within"
        [row] = self._graph.read(lambda run: run(name, ids=ids, stems=asked))
        texts = {id_: (title, body, language) for id_, title, body, language in row["found"]}
        counts = dict(row["frequencies"]), row["passages"]
        return traverse.keywords_within(asked, texts, *counts, limit)

    def candidates(
        self,
        vector: Vector,
        text: str,
        titles: Collection[str],
        stems: Collection[str],
        pool: int,
        within: Collection[str] | None = None,
    ) -> Candidates:
        ask = partial(self._graph.near, vector)
        if within is not None:
            found = traverse.candidates_within(ask, vector, text, stems, pool, within)
        else:
            found = traverse.candidates(ask, vector, text, titles, stems, pool)
        if found.found and not found.frequencies and self._graph.older():
            raise older(self.where, "how many passages hold a word")
        return found

    def bridges(
        self,
        scores: Mapping[str, float],
        vector: Vector,
        stems: Collection[str],
        ways: Ways,
        known: Mapping[str, PassageCandidate],
        within: Collection[str] | None = None,
    ) -> list[Bridge]:
        ask = partial(self._graph.near, vector)
        return traverse.bridges(ask, scores, vector, stems, ways, known, within)

    def propagate(
        self,
        distances: Mapping[str, float],
        senders: Collection[str],
        alpha: float,
        vector: Vector,
        kinds: Collection[LinkKind],
        within: Collection[str] | None = None,
    ) -> dict[str, float]:
        ask = partial(self._graph.near, vector)
        return traverse.propagate(ask, distances, senders, alpha, vector, kinds, within)

    def rank_triples(
        self,
        chains: Sequence[Sequence[Triple]],
        passage_ids: Collection[str],
        queries: Vector,
        limit: int | None,
        within: Collection[str] | None = None,
        beyond: bool = True,
    ) -> RankedTriples:
        ask = partial(self._graph.near, queries)
        return traverse.rank_triples(ask, chains, passage_ids, queries, limit, within, beyond)

    def triples_of(self, passage_ids: Collection[str]) -> list[Statement]:
        ids = list(dict.fromkeys(passage_ids))
        return rows.statements_of(self._for_ids("read/statements_of", ids, names=TRIPLE), ids)

    def triples_about(self, entity_ids: Collection[str], limit: int = 100) -> list[Statement]:
        found = self._limited("read/statements_about", entity_ids, limit, names=TRIPLE)
        return [rows.statement(row) for row in found]

    def mentioning(self, entity_ids: Collection[str], limit: int = 100) -> list[str]:
        return [row["id"] for row in self._limited("read/mentioning", entity_ids, limit)]

    def mentioned(self, passage_ids: Collection[str]) -> dict[str, list[str]]:
        ids = list(dict.fromkeys(passage_ids))
        read = self._for_ids("read/mentioned", ids)
        found = {row["passage_id"]: sorted(row["entity_ids"]) for row in read}
        return {key: found[key] for key in ids if key in found}

    def neighbours(self, passage_ids: Collection[str], kinds: Collection[LinkKind]) -> list[Link]:
        found = self._for_ids("read/neighbours", sorted(set(passage_ids)), kinds=list(kinds))
        return rows.links(found, set(passage_ids))

    def find(self, name: str, limit: int = 10) -> list[Found]:
        limit = max(limit, 0)
        parameters = {"name": name, "entity_id": normal_form(name), "limit": limit}
        parameters |= {"question_id": stable_id("question", name)}
        found = [
            Found(**row) for row in self._graph.read(lambda run: run("read/find", **parameters))
        ]
        return sorted(set(found), key=lambda one: (KINDS.index(one.kind), one.id))[:limit]

    def answers(self, ids: Collection[str]) -> list[Answer]:
        return answers.read(self._graph.read, ids)

    def recorded(self, after: str, limit: int) -> list[Recorded]:
        return self._recorded("answers/recorded", {"after": after, "limit": max(limit, 0)})

    def newest(self, limit: int, before: tuple[str, str] | None = None) -> list[Recorded]:
        created_at, id_ = before or LAST
        asked = {"created_at": rows.as_time(created_at), "id": id_, "limit": max(limit, 0)}
        return self._recorded("answers/newest", asked)

    def _recorded(self, name: str, asked: Row) -> list[Recorded]:
        found = self._graph.read(lambda run: run(name, **asked))
        return [Recorded(**row | {"created_at": rows.as_text(row["created_at"])}) for row in found]

    def backtrace(self, answer_id: str) -> list[str]:
        found = self._graph.read(lambda run: run("answers/backtrace", id=answer_id))
        return [row["id"] for row in found]

    def statistics(self) -> dict[str, int]:
        return self._graph.read(lambda run: run("read/statistics"))[0]

    @property
    def wikidata(self) -> Neo4jLinks:
        return Neo4jLinks(self._graph)

    @property
    def maintenance(self) -> Neo4jMaintenance:
        return Neo4jMaintenance(self._graph)

    def _for_ids(self, name: str, ids: Sequence[str], **others: object) -> list[Row]:
        return self._graph.read(lambda run: run.for_ids(name, ids, **others)) if ids else []

    def _nodes(
        self, name: str, kind: str, make: type[Result], ids: Collection[str]
    ) -> dict[str, Result]:
        """Dataclasses of these ids, in the order asked."""
        asked, names = list(dict.fromkeys(ids)), rows.names(kind, make)
        found = {row["id"]: row["held"] for row in self._for_ids(name, asked, names=names)}
        return {key: rows.made(kind, make, found[key]) for key in asked if key in found}

    def _limited(self, name: str, ids: Collection[str], limit: int, **others: object) -> list[Row]:
        listed = sorted(set(ids))
        if not listed or limit <= 0:
            return []
        return self._graph.read(lambda run: run(name, ids=listed, limit=limit, **others))

    def _similar(self, name: str, vector: Vector, limit: int, **others: object) -> list[Scored]:
        others |= {"vector": rows.floats(vector), "limit": max(limit, 0), "decimals": DECIMALS}
        return [Scored(*found) for found in self._graph.near(vector, name, **others)["found"]]
