"""Where an answer's evidence stands: which words of which document state each triple of a chain."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..kg.answers import Answer, Chain, Citation, SupportedTriple
from ..kg.store import Graph
from ..kg.text.marking import Excerpt, stating
from ..kg.types import Passage


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence that states a triple, with the passage it is of."""

    passage: Citation
    quote: Excerpt


def located(graph: Graph, answer: Answer) -> Answer:
    """Say where each step of the chains is stated, and of which documents the passages are."""
    ids = [id_ for chain in answer.chains for step in chain.triples for id_ in step.passage_ids]
    cited = [citation.passage_id for citation in answer.passages]
    passages = graph.passages(list(dict.fromkeys([*cited, *ids])))
    documents = graph.documents({passage.document_id for passage in passages.values()})
    spans = {
        (statement.passage_id, statement.triple.id): (statement.start, statement.end)
        for statement in graph.triples_of(list(dict.fromkeys(ids)))
        if statement.start is not None and statement.end is not None
    }

    def placed(step: SupportedTriple) -> SupportedTriple:
        found = tuple(spans.get((id_, step.triple.id)) for id_ in step.passage_ids)
        return replace(step, spans=found)

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
    return replace(answer, chains=tuple(chains), passages=tuple(map(of, answer.passages)))


def sentences(step: SupportedTriple, answer: Answer) -> Iterator[Stated]:
    """Excerpt what states a step of a chain, in each cited passage where that is known."""
    cited = {citation.passage_id: citation for citation in answer.passages}
    words = step.triple.head, step.triple.tail
    for passage_id, span in zip(step.passage_ids, step.spans, strict=False):
        citation = cited.get(passage_id)
        if citation is not None and span is not None:
            yield Stated(citation, stating(citation.text, citation.title, *span, words))
