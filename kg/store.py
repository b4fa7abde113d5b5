"""What a graph must be able to do, in batches; `sqlite.store` and `neo4j.store` do it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, Self

from .answers import Answer, Recorded
from .candidates import Bridge, Candidates, PassageCandidate, RankedTriples, Ways
from .linked import KeepsLinks, LinkedGraph
from .maintenance import Maintenance
from .notes import KeepsNotes, NotedPassages
from .types import (
    Batch,
    DocumentInfo,
    Entity,
    Failure,
    Fingerprint,
    GraphInfo,
    Link,
    LinkKind,
    Passage,
    Scored,
    Statement,
    Triple,
    Vector,
)

MAX_COPIES = 100
"""Of one text, as `copies` gives them: what more there are is boilerplate."""
NOTHING_VALID = " (nothing valid)"
"""Ends the name of an extractor whose answer for a passage held no triple; see `extractors`."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something a name may mean."""

    kind: Literal["document", "passage", "entity", "triple", "question", "answer"]
    id: str
    name: str


class Graph(NotedPassages, Protocol):
    """What questions ask of a graph, in a file or on a server; all of it only reads.

    Constructors touch nothing; the first operation connects. Every operation raises
    StoreUnavailable when file or server can't be reached or refuses the user, UnsupportedServer
    when the server is too old, and SchemaMismatch when a newer version wrote the graph, or an older
    one that did not write what is asked for. Reading a graph that does not exist yet finds it empty
    and creates nothing. Unknown ids are passed over. Every list is in a defined order, equal on
    every store.
    """

    where: str
    """File or URI, without a password: for messages."""

    @property
    def wikidata(self) -> LinkedGraph:
        """What is kept of Wikidata: items, what leads to them, what is stated of them."""
        ...

    def info(self) -> GraphInfo | None:
        """Return the GraphInfo node, None before the first `prepare`."""
        ...

    def expect(self, fingerprint: Fingerprint) -> None:
        """Take every vector given from now on for one of this encoder; so does `prepare`.

        Raises:
            EncoderMismatch: the graph carries another, now, or when a later call with vectors sees
                that somebody moved it.
        """
        ...

    def statistics(self) -> dict[str, int]:
        """Count what the graph holds.

        Documents, passages, entities, triples, statements, mentions, next, shares_keyword (pairs),
        names, relates_to, questions, answers, failures, embedded_triples; in this order.
        """
        ...

    def parameters(self, kind: str) -> str | None:
        """Return the fitted parameters of a kind as JSON text, None when none were kept."""
        ...

    def close(self) -> None:
        """Give connections back; idempotent."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(self, *exc_info: object) -> None: ...

    # -- by id
    def documents(self, ids: Collection[str] | None = None) -> dict[str, DocumentInfo]:
        """Return the documents of these ids, sorted by id; all of them when `ids` is None."""
        ...

    def documents_after(self, after: str, limit: int) -> list[DocumentInfo]:
        """Return the first documents whose id is greater, by id; "" begins."""
        ...

    def passage_counts(self, document_ids: Collection[str]) -> dict[str, int]:
        """Count the passages of documents, by id, in the order asked."""
        ...

    def passages(self, ids: Collection[str]) -> dict[str, Passage]:
        """Return the passages of these ids, in the order asked."""
        ...

    def passages_of(self, document_ids: Collection[str]) -> list[str]:
        """Return the ids of the passages of documents, by (document id, position)."""
        ...

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        """Return the entities of these ids, in the order asked."""
        ...

    def triples(self, ids: Collection[str]) -> dict[str, Triple]:
        """Return the triples of these ids, in the order asked."""
        ...

    def triple_embeddings(self, ids: Collection[str]) -> dict[str, Vector]:
        """Return the vectors (d,) of those triples that have one, by id."""
        ...

    def copies(self, passage_ids: Collection[str]) -> dict[str, list[str]]:
        """Find the passages with the same text as each of these, itself among them, by id.

        The same but for white space and case (`words.text_key`), whatever their titles and
        documents; the first MAX_COPIES of a text. In a graph of an older version, none.
        """
        ...

    def nearest_passages(
        self, vector: Vector, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Find passages by cosine similarity (−1 to 1), best first, ties by id.

        Args:
            vector: float32 (d,), unit length.
            limit: how many at most.
            within: only these passage ids: a question's own paragraphs, as in the papers.

        Raises:
            EncoderMismatch: d is not the graph's dimension.
        """
        ...

    def keyword_search(
        self, text: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Find passages by BM25 over title (twice the weight) and text: any of the words, stemmed.

        The text is plain words (`text.words` without `text.STOP`): query syntax of the engine in it
        means nothing. Scores are above 0; no words, nothing found.
        """
        ...

    def candidates(
        self,
        vector: Vector,
        text: str,
        titles: Collection[str],
        stems: Collection[str],
        pool: int,
        within: Collection[str] | None = None,
    ) -> Candidates:
        """Find the passages that a hop begins with, at one look.

        The pool + 1 nearest, the `pool` best by BM25, and the first passages of documents that have
        one of these normal titles. `within`: all of these passages, and nothing else.
        """
        ...

    def bridges(
        self,
        scores: Mapping[str, float],
        vector: Vector,
        stems: Collection[str],
        ways: Ways,
        known: Mapping[str, PassageCandidate],
        within: Collection[str] | None = None,
    ) -> list[Bridge]:
        """Find where one hop leads from the passages of these scores, by (source, target id).

        Along NAMES, either way, and MENTIONS of entities that 2 passages or more mention and whose
        `terms` are not all among the question's stems: what the question names leads nowhere new.
        Not to the passage itself; `within`: only to these. Of passages that are not `known` the
        `ways.links` strongest: by the best score * link that leads there, ties by id.
        """
        ...

    def propagate(
        self,
        distances: Mapping[str, float],
        senders: Collection[str],
        alpha: float,
        vector: Vector,
        kinds: Collection[LinkKind],
        within: Collection[str] | None = None,
    ) -> dict[str, float]:
        """Pass messages once (GNN-Ret §3.2): return the receivers' new distances, sorted by id.

        Every neighbour of a sender, over edges of these kinds in either direction, becomes
        alpha * its own distance + (1 - alpha) * the smallest distance of the senders next to it. A
        sender that is another's neighbour receives too; a copy of a sender hears nothing of it.

        Args:
            distances: (integrated) distances 0 to 2, of all senders and of every passage where it
                is no longer 1 - cosine similarity to `vector`; that is the others'.
            senders: passage ids; those without a distance send nothing.
            within: only these passages receive.

        Raises:
            EncoderMismatch: d is not the graph's dimension.
        """
        ...

    def rank_triples(
        self,
        chains: Sequence[Sequence[Triple]],
        passage_ids: Collection[str],
        queries: Vector,
        limit: int | None,
        within: Collection[str] | None = None,
        beyond: bool = True,
    ) -> RankedTriples:
        """Find where chains go on (TRACE equation 4): the triples nearest to question + chain.

        Among those that the passages state and, `beyond` these, all that share an entity (head or
        tail) with the chain's. Compared exactly, by the triples' vectors; equally near ones by
        (passage as asked, start, triple id), those beyond after them. Left out is what
        `candidates.may_chain` refuses, and what joins the same two ends as a triple of the chain or
        reads like it. All that have no vector come besides, so that nothing goes missing unseen.

        Args:
            chains: the triples of each, which need not be in the graph.
            passage_ids: whose triples every chain may go on with.
            queries: float32 (chains, d), unit length.
            limit: how many a chain; None: all there are, also what would be left out.
            within: what lies beyond is stated by these passages.

        Raises:
            EncoderMismatch: d is not the graph's dimension.
        """
        ...

    # -- surroundings
    def triples_of(self, passage_ids: Collection[str]) -> list[Statement]:
        """Return what passages state, by (passage as asked, start (unknown last), triple id)."""
        ...

    def triples_about(self, entity_ids: Collection[str], limit: int = 100) -> list[Statement]:
        """Return statements with one of these entities at an end, by (triple id, passage id)."""
        ...

    def mentioning(self, entity_ids: Collection[str], limit: int = 100) -> list[str]:
        """Return the ids of passages that MENTION one of these entities, sorted."""
        ...

    def mentioned(self, passage_ids: Collection[str]) -> dict[str, list[str]]:
        """Return the ids of the entities each passage mentions, sorted, by passage as asked."""
        ...

    def neighbours(self, passage_ids: Collection[str], kinds: Collection[LinkKind]) -> list[Link]:
        """Return edges of these kinds at passages, each once, by (kind, source, target).

        For SHARES_KEYWORD `source` is the asked passage; when both ends were asked, the smaller id.
        """
        ...

    def find(self, name: str, limit: int = 10) -> list[Found]:
        """Find what a name may mean, in the order of the kinds of `Found`, then by id.

        A node's id; a document's title or source; an entity's name, in any spelling; a question's
        exact text.
        """
        ...

    def answers(self, ids: Collection[str]) -> list[Answer]:
        """Return the recorded answers of these ids, newest first, then by id.

        Ids of answers, of questions, or of passages and triples that their evidence holds. `steps`
        and `candidates` are not recorded.
        """
        ...

    def recorded(self, after: str, limit: int) -> list[Recorded]:
        """Return the first recorded answers whose id is greater, by id; "" begins."""
        ...

    def newest(self, limit: int, before: tuple[str, str] | None = None) -> list[Recorded]:
        """Return recorded answers, the newest first, those of one moment by id from the last on.

        Args:
            before: time and id of an answer: only those that come after it in this order.
        """
        ...

    def backtrace(self, answer_id: str) -> list[str]:
        """Walk back through the graph that was traced for a recorded answer: `Tracing.evidence`.

        Returns:
            The ids of the triples on the ways from where it began to what the answer names, in the
            order in which they were traced.
        """
        ...


class GraphStore(Graph, KeepsNotes, Protocol):
    """A graph that can be written to, each call one transaction.

    A write first brings a graph of an older version up to date.
    """

    embeds_triples: ClassVar[bool]
    """Whether ingestion encodes triples at once where nobody says: where a server ranks them."""

    def prepare(self, fingerprint: Fingerprint) -> None:
        """Create what is missing (schema, indexes, GraphInfo), and wait until indexes serve.

        A graph of an older version becomes one of this version.

        Raises:
            EncoderMismatch: the graph carries another fingerprint.
        """
        ...

    def add(self, batch: Batch) -> None:
        """Write whole documents, replacing those of the same id (what only they held goes).

        Everything derived is exact when the transaction ends, as if the graph had been built
        afresh: NEXT between consecutive positions; entities' names, aliases and document
        frequencies; SHARES_KEYWORD between passages with common mentions of entities that 2 to
        KEYWORD_CAP passages mention; NAMES from a passage to position 0 of every document whose
        title its text contains (`titles.named_titles`), also from older passages to new titles,
        never to a document that has its own (normal) title; RELATES_TO from head to tail for every
        triple that is not tied. An entity without mentions and triples goes. Of a repeated mention
        (same passage and entity) or statement (same passage and triple) the first counts.

        Raises:
            BadRequest: nobody prepared the graph, or a text holds half of a surrogate pair.
            EncoderMismatch: the vectors' dimension is not the graph's.
        """
        ...

    def remove(self, document_ids: Collection[str]) -> int:
        """Undo the adding of these documents exactly; return how many there were.

        Recorded answers stay, less what went.
        """
        ...

    def set_triple_embeddings(self, embeddings: Mapping[str, Vector]) -> None:
        """Keep vectors (d,) of triples that had none, by triple id."""
        ...

    def record(self, answer: Answer) -> None:
        """Write Question, Answer and evidence; the same answer again only renews created_at.

        STEP and CITES, TRACED, BEGAN_AT and LED_TO of its own graph, and what it `stated`: triples
        of passages, as `add` writes them. What the graph does not hold is passed over.
        """
        ...

    def forget_answers(self, ids: Collection[str]) -> int:
        """Take recorded answers out, and questions that have no other; return how many answers."""
        ...

    def evidence_query(self, answer_id: str) -> str:
        """Write the query that draws a recorded answer's evidence, for Neo4j Browser, in one line.

        Its id stands in it. "" where the graph is no server's, and for what is not an answer's id.
        """
        ...

    def keep_parameters(self, kind: str, text: str) -> None:
        """Keep fitted parameters with their provenance (JSON text), instead of those of that kind.

        Raises:
            BadRequest: nobody prepared the graph.
        """
        ...

    def forget_parameters(self, kind: str) -> bool:
        """Take out the fitted parameters of a kind; return whether there were any."""
        ...

    def failures(self) -> list[Failure]:
        """Return the sources that could not be read, by source."""
        ...

    def extractors(self, passage_ids: Collection[str]) -> dict[str, str]:
        """Name what extracted the triples of passages, by id, in the order asked, where known.

        Also of those without any: after a name that ends in NOTHING_VALID because what it said held
        no triple, after any other because the passage states nothing.
        """
        ...

    @property
    def wikidata(self) -> KeepsLinks: ...  # noqa: D102 - as Graph's, to be written to

    @property
    def maintenance(self) -> Maintenance:
        """What is done with a graph as a whole: moved, checked, mended."""
        ...
