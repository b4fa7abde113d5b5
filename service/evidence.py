"""Where triples come from: the words that state those of an answer, and a model that extracts."""

import contextlib
import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..kg.answers import Answer, Chain, Citation, Quote, Stated, SupportedTriple
from ..kg.errors import BadRequest, EmptyGraph
from ..kg.store import Graph
from ..kg.text.marking import places_of, stating
from ..kg.types import Passage, Triple, Vector
from ..models.kept_vectors import KeptVectors
from ..reasoning.sources import DOCUMENTS, SOURCES, WIKIDATA, Source, checked

if TYPE_CHECKING:
    from ..models.encoder import Encoder
    from ..models.language import LanguageModel
    from ..reasoning.extraction import ModelTriples
    from ..reasoning.session.parts import Parts


MAX_KEPT = 10_000  # vectors of what Wikidata states, 15 MB
_FIGURE = re.compile(r"[-−–+]?\d(?:[\d.,]*\d)?")


class EvidenceGraph:
    """The graph as questions see it: with Wikidata's statements, where these are evidence."""

    def __init__(self, store: Graph, encoder: "Encoder") -> None:
        self._store, self._encoder = store, encoder
        self._kept = KeptVectors(MAX_KEPT)

    def of(
        self, sources: Collection[str] | None, within: Collection[str] | None
    ) -> tuple[Graph, tuple[Source, ...]]:
        """Make it for one question; give the sources, too.

        Args:
            sources: None for all, and for documents alone where passages are given.
            within: the passages that are asked alone.

        Raises:
            BadRequest: no such sources.
        """
        if sources is not None:
            used = checked(sources)
        else:
            used = SOURCES if within is None else (DOCUMENTS,)
        if WIKIDATA not in used or not self._store.wikidata.stated():
            return self._store, used
        from ..reasoning.claims import ClaimedGraph

        return ClaimedGraph.over(self._store, self._encoded), used

    def _encoded(self, texts: Sequence[str]) -> Vector:
        """Encode names of properties and what is stated, which questions meet again."""
        encode, dimension = self._encoder.encode_queries, self._encoder.fingerprint.dimension
        return self._kept.of(texts, encode, dimension)


class Considered(NamedTuple):
    """An answer of which nothing was written down yet, and what it was found with."""

    answer: Answer
    parts: "Parts"


@contextlib.contextmanager
def naming_the_graph(store: Graph) -> Iterator[None]:
    """Say of which graph there is nothing, and whether its file or folder is what is lacking.

    Raises:
        EmptyGraph: whatever is done raises it.
    """
    try:
        yield
    except EmptyGraph as error:
        where, file = store.where, Path(store.where)
        command = f"hoptrail ingest PATH --graph {shlex.quote(where)}"
        if "://" in where or file.exists():
            raise EmptyGraph(error.cause, f"Fill it first: {command}") from None
        if file.parent.is_dir():
            lacking, first = f"There is no graph {where}: no such file.", "make it"
        else:
            lacking = f"There is no graph {where}: its folder does not exist."
            first = "make the folder, then the graph"
        raise EmptyGraph(lacking, f"Check the name, or {first}: {command}") from None


def located(graph: Graph, answer: Answer) -> Answer:
    """Say where each step of the chains is stated, and of which documents the passages are."""
    ids = [id_ for chain in answer.chains for step in chain.triples for id_ in step.passage_ids]
    cited = [citation.passage_id for citation in answer.passages]
    quotes = [answer.quote, *(one.quote for one in answer.subanswers)]
    ids += [quote.passage_id for quote in quotes if quote]
    passages = graph.passages(list(dict.fromkeys([*cited, *ids])))
    documents = graph.documents({passage.document_id for passage in passages.values()})
    spans = {
        (statement.passage_id, statement.triple.id): (statement.start, statement.end)
        for statement in graph.triples_of(list(dict.fromkeys(ids)))
        if statement.start is not None and statement.end is not None
    }

    def placed(step: SupportedTriple) -> SupportedTriple:
        found = ((passages.get(id_), spans.get((id_, step.triple.id))) for id_ in step.passage_ids)
        stated = (
            _stated(passage, step.triple, span) for passage, span in found if passage and span
        )
        return replace(step, stated=tuple(stated))

    def of(citation: Citation) -> Citation:
        passage = passages.get(citation.passage_id)
        return citation if passage is None else _of(citation, passage)

    def _of(citation: Citation, passage: Passage) -> Citation:
        document = documents.get(passage.document_id)
        return replace(
            citation,
            document_id=passage.document_id,
            position=passage.position,
            source=document.source if document else "",
        )

    chains = (Chain(tuple(map(placed, chain.triples)), chain.score) for chain in answer.chains)
    first = answer.guesses[0].text if answer.guesses else answer.text
    read = (first, *(one.text for one in answer.subanswers))
    quote, *others = (
        _placed(one, passages.get(one.passage_id), text) if one else None
        for one, text in zip(quotes, read, strict=True)
    )
    steps = zip(answer.subanswers, others, strict=True)
    return replace(
        answer,
        chains=tuple(chains),
        passages=tuple(map(of, answer.passages)),
        quote=quote,
        subanswers=tuple(replace(step, quote=read_in) for step, read_in in steps),
    )


def _placed(quote: Quote, passage: Passage | None, read: str) -> Quote:
    """Say where a sentence stands in its passage, and which words of it were read."""
    spaced = r"\s+".join(map(re.escape, quote.text.split()))  # it is in one line
    found = re.search(spaced, passage.text) if passage and spaced else None
    if passage is None or found is None:
        return quote
    start, end = found.span()
    heading = passage.heading_at(start)
    if end - start != len(quote.text):  # blanks stand there, too, which marks would miss
        return replace(quote, heading=heading, start=start, end=end)
    marked = places_of(passage.text, start, end, read)
    if not marked and (figure := _FIGURE.search(read)):  # its unit is in the column's name
        marked = places_of(passage.text, start, end, figure.group())
    return replace(quote, heading=heading, start=start, end=end, marked=marked)


def _stated(passage: Passage | None, triple: Triple, span: tuple[int, int] | None) -> Stated | None:
    if passage is None or span is None:
        return None
    ends = triple.head, triple.tail
    place = passage.text, passage.title, *span
    found = stating(*place, ends, passage.language, triple.relation)
    return Stated(passage.id, replace(found, heading=passage.heading_at(found.start)))


def model_triples(model: "LanguageModel | None", encoder: "Encoder") -> "ModelTriples":
    """Make what extracts triples by a language model.

    Raises:
        BadRequest: there is no model.
    """
    from ..reasoning.extraction import ModelTriples

    if model is None:
        raise BadRequest(
            "Triples by a model need a language model: --model file.gguf, or HOPTRAIL_MODEL "
            "(docs/models.md)."
        )
    return ModelTriples(model, encoder.encode_passages)
