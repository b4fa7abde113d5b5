"""The Hoptrail class: everything the command line does, for Python."""

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ..kg.answers import Answer, Step
from ..kg.errors import BadRequest, EncoderMismatch, SchemaMismatch, StoreUnavailable
from ..kg.graph_info import now
from ..kg.store import GraphStore
from ..kg.text.words import clean
from ..kg.types import Document
from ..loaders import Meter, Options, gathered
from ..loaders.sources import as_source
from ..models.encoder import PACKAGED, Encoder, SentenceEncoder
from ..models.kept_vectors import KeptVectors
from ..models.language import LanguageModel
from ..models.opening import open_model
from ..models.parser import Pipeline
from .evidence import Considered, EvidenceGraph, located, model_triples, naming_the_graph
from .given import at_least, budget_of, encoder_of, options_of, sources_of, store_of, text_of
from .hits import Hit
from .kept_reader import KeptReader
from .live import live
from .settings import DEFAULT_GRAPH, DEFAULT_RETRIEVER, METHODS, TRIPLES, Settings
from .upkeep import Upkeep
from .written import watched

if TYPE_CHECKING:
    from ..kg.ingest.pipeline import Report
    from ..loaders.rdf import RdfMapping
    from ..reasoning.methods import Method
    from ..reasoning.retrieval import AnyRetriever
    from ..reasoning.session.budget import Budget
    from .graph.reembed import Move

MODEL_BATCH = 64  # passages a transaction where a model extracts, which may take seconds for each


class Hoptrail(Upkeep):
    """A graph with its encoder, pipeline and model, opened at first use.

    Args:
        graph: a file, a `neo4j://` or `bolt://` URI, or a store.
        encoder: what --encoder takes, or an encoder; default the packaged all-MiniLM-L6-v2. A graph
            refuses another than the one it was made with.
        pipeline: the spaCy pipeline for names and parses.
        model: what --model takes: a GGUF file, "openai:URL#name" or "none"; or a language model,
            which stays the caller's to close.
        reader: weights that `hoptrail train reader` wrote; default HOPTRAIL_READER, else the
            packaged ones.
    """

    def __init__(
        self,
        graph: str | Path | GraphStore = DEFAULT_GRAPH,
        *,
        encoder: Encoder | str | None = None,
        pipeline: Pipeline | None = None,
        model: LanguageModel | str | None = None,
        reader: str | Path | None = None,
    ) -> None:
        super().__init__(store_of(graph), encoder_of(encoder))
        self.pipeline = pipeline or Pipeline()
        self.model = open_model(model) if isinstance(model, str) else model
        self._own_model = self.model if isinstance(model, str) else None
        self._live = live(self.encoder)
        self.reader = reader or os.environ.get("HOPTRAIL_READER")
        self._evidence = EvidenceGraph(self.store, self.encoder)
        self._triples = KeptVectors()
        self._reading = KeptReader(self.store, self.pipeline, self.reader)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Open what the command line's options name."""
        encoder = SentenceEncoder(
            settings.encoder or PACKAGED,
            clean(settings.query_prefix),
            clean(settings.passage_prefix),
        )
        pipeline = Pipeline(settings.pipeline) if settings.pipeline else None
        return cls(settings.store(), encoder=encoder, pipeline=pipeline, model=settings.model)

    def close(self) -> None:
        """Give the connection back, and the memory of a model that was named; idempotent."""
        super().close()
        if self._own_model is not None:
            self._own_model.close()

    def ingest(
        self,
        *sources: str | Path | Document | Iterable[str | Path | Document],
        passage_tokens: int = 200,
        overlap: int = 0,
        embed_triples: bool | None = None,
        keep_parses: bool = True,
        triples: str = "parse",
        regenerate: bool = False,
        prune: bool = False,
        reading: Options | None = None,
        meter: Meter | None = None,
        progress: "Callable[[Report], None]" = lambda report: None,
        report: "Report | None" = None,
    ) -> "Report":
        """Put files, folders and documents into the graph; safe to repeat, resumes when stopped.

        Args:
            sources: paths, patterns such as `docs/**/*.pdf`, "-" for standard input, or documents
                of your own (`Document`), one by one, in lists, sets or generators. A generator of
                documents is read as they are taken up.
            passage_tokens: encoder tokens a passage has at most.
            overlap: sentences repeated from the passage before.
            embed_triples: encode triples now instead of when a question first needs them, 2.8 times
                the encoding; None: on a server, which ranks them where they are.
            keep_parses: with the graph, some 1.2 kB a passage; else a question makes those of the
                passages that it reads, 20 ms each.
            triples: where they come from: "parse", or "model", which needs a language model.
            regenerate: also take up unchanged documents whose triples another parse or model gave.
            prune: afterwards remove documents from these files or below these folders that are no
                longer there; not those of a source that could not be read.
            reading: how files are read: which fields of records are what, and the like.
            meter: counts the bytes read; a `WrittenMeter` also those that are written.
            progress: called after every batch.
            report: a new one, which is filled; another thread may read it meanwhile.

        Returns:
            Counts, the sources that failed and why, seconds by stage.

        Raises:
            BadRequest: something is no source, a path does not exist, there is no model to extract
                triples, or `prune` with but the first `Options.limit` documents; nothing has been
                read then.
            EncoderMismatch, StoreUnavailable, ModelMissing: see their messages.
        """
        from ..kg.ingest.pipeline import BATCH, Ingestion, Tools
        from ..kg.ingest.prune import SeenDocuments
        from ..loaders.remote import is_url
        from ..loaders.sources import STDIN, require
        from ..models.sentences import encoding
        from ..reasoning.reader.noting import notings

        given = sources_of(sources)
        tools = Tools(
            lambda: self.encoder.fingerprint,
            self.encoder.encode_passages,
            self.encoder.count_tokens,
            self.pipeline,
            notes=notings(self.pipeline) if keep_parses else {},
            sentences=encoding(self.encoder),
        )
        if triples == "model":
            extracted = model_triples(self.model, self.encoder)
            tools = replace(tools, extract=extracted, extractor=lambda: extracted.extractor)
        elif triples != "parse":
            raise BadRequest(f"No triples from {triples!r}; there are: {', '.join(TRIPLES)}.")
        ingestion = Ingestion(
            self.store,
            tools,
            passage_tokens,
            overlap,
            self.store.embeds_triples if embed_triples is None else embed_triples,
            batch=BATCH if tools.extract is None else MODEL_BATCH,
            gone=lambda source: not (is_url(source) or os.path.lexists(source)),
            regenerate=regenerate,
        )
        if prune and reading and reading.limit:
            raise BadRequest("--prune needs to see all documents; leave --limit out.")
        found, seen = watched(gathered(given, reading, meter), meter), SeenDocuments()
        report = ingestion.run(seen.passing(found) if prune else found, progress, report)
        if prune:
            paths = [s for s in given if isinstance(s, str | Path) and str(s) != STDIN]
            places = [as_source(path) for path in require(paths, reading or Options())]
            report.removed = self.store.remove(seen.vanished(self.store, places))
        return report

    def import_rdf(self, *files: str | Path, mapping: "RdfMapping | None" = None) -> "int | Report":
        """Read RDF: a graph that `export` wrote, whose records are counted; or ingest others'."""
        from .graph.rdf import restore, spooled, things

        with spooled([Path(file) for file in files]) as spool:
            count = restore(self.store, spool, self.encoder)
            return self.ingest(things(spool, mapping).documents()) if count is None else count

    def reembed(
        self,
        *,
        triples: bool = False,
        progress: "Callable[[Move], None]" = lambda move: None,
    ) -> "Move":
        """Move the graph to this object's encoder, or go on with that; it stays readable meanwhile.

        Until new vectors of all passages, and of the triples that have one, take the place of the
        old ones, searches with the old encoder go on. Killed at any point, the same call goes on
        with what is missing; a move that was begun to another encoder is thrown away.

        Args:
            triples: also encode the triples that have no vector yet; with the graph's own encoder,
                too.
            progress: called after every chunk of texts.

        Raises:
            EmptyGraph: there is no graph.
            EncoderMismatch: another process has begun a move to yet another encoder.
        """
        from .graph.reembed import reembed

        return reembed(self.store, self.encoder, triples, progress)

    def warm(self) -> None:
        """Load encoder, parser, reader and model now, which the first question else waits for."""
        from ..kg.text.stemming import asked

        self.check_encoder().encode_queries(["?"])
        list(self.pipeline(["?"]))
        asked("Where?")  # what tells languages apart
        self._reading.warm()
        if self.model is not None:
            self.model.count_tokens("?")

    def search(
        self,
        question: str,
        *,
        retriever: "AnyRetriever" = DEFAULT_RETRIEVER,
        limit: int = 10,
        within: Collection[str] | None = None,
        where: str | Iterable[str] | None = (),
        sources: Collection[str] | None = None,
    ) -> list[Hit]:
        """Rank passages for a question; after them what Wikidata states of it.

        Args:
            retriever: its name, settings after colons: "hop:shares=0.5"; a retriever over this
                graph, such as Hop(hop.store, hop.encoder, shares=0.5); or what makes one of a graph
                and an encoder, such as functools.partial(Hop, shares=0.5).
            limit: how many passages at most.
            within: only these passage ids.
            where: only passages of documents that fulfil these conditions, see `documents`.
            sources: as for `ask`.

        Raises:
            BadRequest: an empty question or none, a limit below 1, an unknown retriever, one of
                another graph, or one that needs a language model where there is none.
            NotFound: no document fulfils the conditions.
            EmptyGraph: nothing has been ingested.
        """
        from ..reasoning.retrieval import BM25
        from ..reasoning.retrieval import retriever as by_name
        from ..reasoning.session.copies import copies_of
        from ..reasoning.session.parts import retrieve

        question, limit = text_of(question), at_least(1, limit)
        by_words = isinstance(retriever, str) and retriever.partition(":")[0].strip() == BM25.name
        encoder = self.encoder if by_words else self.check_encoder()
        chosen = by_name(retriever, self.store, encoder)
        within = self._within(within, where)
        graph, _ = self._evidence.of(sources, within)
        with naming_the_graph(self.store):
            found = retrieve(graph, chosen, question, limit, within)
        near = {passage.id: others for passage, _, others in found}
        copies = copies_of(graph, list(near), near, within)
        documents = graph.documents({passage.document_id for passage, *_ in found})
        places = {id_: document.source for id_, document in documents.items()}
        return [
            Hit(p, float(score), copies[p.id], places.get(p.document_id, ""), question)
            for p, score, _ in found
        ]

    def ask(
        self,
        question: str,
        *,
        method: "str | Method | type[Method]" = METHODS[0],
        retriever: "AnyRetriever | None" = None,
        within: Collection[str] | None = None,
        where: str | Iterable[str] | None = (),
        sources: Collection[str] | None = None,
        options: Sequence[str] = (),
        budget: "Budget | None" = None,
        record: bool | None = None,
        on_step: Callable[[Step], None] = lambda step: None,
    ) -> Answer:
        """Answer a question with chains and passages, or abstain explicitly.

        Args:
            method: its name, settings after colons: "trace:reads=passages"; or the method itself:
                `Trace(reads="passages")`.
            retriever: as for `search`; None takes the method's own, or "hop" where it has none.
            within: answer from these passage ids alone.
            where: answer from documents alone that fulfil these conditions, see `documents`.
            sources: what evidence may be: "documents", and "wikidata" for the statements that
                `link` and `state` brought; None for both, and for the documents alone where
                `within` or `where` chooses some.
            options: what the answer is one of, 2 to 26; takes a language model, which chooses.
            budget: the most that the question may cost; in the method's word, "rag:max_calls=3".
            record: write question, answer and evidence into the graph; None: unless it abstains.
            on_step: called after every step of the method, as it happens.

        Raises:
            BadRequest: an empty question, an unknown method or retriever, one option or too many,
                or options without a language model.
            NotFound: no document fulfils the conditions.
            EmptyGraph: nothing has been ingested.
            ModelMissing, ModelUnavailable: the language model can't be used.
        """
        asked = self.consider(
            question,
            method=method,
            retriever=retriever,
            within=within,
            where=where,
            sources=sources,
            options=options,
            budget=budget,
            on_step=on_step,
        )
        try:
            return self.keep(asked, record)
        except (StoreUnavailable, SchemaMismatch, EncoderMismatch) as error:
            # What can't be written down is still an answer.
            warnings.warn(f"The answer was not recorded: {error}", stacklevel=2)
            return asked.answer

    def consider(
        self,
        question: str,
        *,
        method: "str | Method | type[Method]" = METHODS[0],
        retriever: "AnyRetriever | None" = None,
        within: Collection[str] | None = None,
        where: str | Iterable[str] | None = (),
        sources: Collection[str] | None = None,
        options: Sequence[str] = (),
        budget: "Budget | None" = None,
        on_step: Callable[[Step], None] = lambda step: None,
        nearest: bool = False,
    ) -> Considered:
        """Answer as `ask` does and write nothing: `keep` does that, now or later.

        Writing waits for another writer, such as an ingestion; a service answers first.

        Args:
            nearest: take options without a language model, too, and of them the one that what is
                read comes nearest to; what it comes near to none of stands. For measuring.
        """
        from ..reasoning import methods
        from ..reasoning.retrieval import retriever as by_name
        from ..reasoning.session.budget import UNLIMITED
        from ..reasoning.session.parts import Parts

        question = text_of(question)
        options = options_of(options, chosen=nearest or self.model is not None)
        made, limits = methods.configured(method, budget_of(budget) or UNLIMITED)
        wanted = methods.retriever_of(made, retriever, DEFAULT_RETRIEVER)
        chosen = by_name(wanted, self.store, self.check_encoder())
        reader = self._reading.reader
        within = self._within(within, where)
        graph, used = self._evidence.of(sources, within)
        tools = (self.encoder, self.pipeline, chosen, reader, self.model)
        parts = Parts(graph, *tools, sources=used, live=self._live, kept=self._triples)
        with naming_the_graph(self.store):
            answer = methods.answer(
                made,
                parts,
                question,
                within=within,
                options=options,
                budget=limits,
                on_step=on_step,
            )
        return Considered(replace(located(graph, answer), created_at=now()), parts)

    def keep(self, asked: Considered, record: bool | None = None) -> Answer:
        """Write down what `consider` found, as `ask` does; return the answer as it is recorded.

        Args:
            record: None: unless it abstains, whose vectors are kept all the same; False writes
                nothing.

        Raises:
            StoreUnavailable, SchemaMismatch, EncoderMismatch: it is not recorded.
        """
        answer, parts = asked
        if record is False:
            return answer
        wanted = bool(record) or not answer.abstained
        if wanted and self.store.embeds_triples:
            parts.triple_vectors([statement.triple for statement in answer.stated])
        if wanted:  # first: it may state the triples that were encoded
            self.store.record(answer)
        self.store.set_triple_embeddings(parts.encoded)
        self._reading.keep_new(parts.retriever)
        return replace(answer, recorded_as=answer.id) if wanted else answer
