"""Evidence that an answer cites, and how good it is by its dataset's measures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ....kg.answers import Answer
from ....kg.store import Graph
from ....kg.types import Passage, Statement
from ....loaders.questions import fever
from ....loaders.questions.files import Fact, Paragraph, Question
from ...matching import Agreement, agreement
from . import evidence as supporting
from .claims import claim_score
from .evidence import Triple, evidence, joint, paragraph_support
from .gold import Gold
from .labels import label

T = TypeVar("T")

UNKNOWN = -1
"""Number of a sentence in a document whose sentences are not known: no gold one has it."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What an answer rests on, each once and the best first.

    Args:
        documents: of the passages cited, as `Gold` calls them.
        facts: sentences that state the triples.
        triples: of the chains.
    """

    documents: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    triples: tuple[Triple, ...] = ()


def divided(questions: Iterable[Question]) -> dict[str, Paragraph]:
    """Collect the paragraphs whose sentences are known, by their documents' ids."""
    return {p.document_id: p for q in questions for p in q.paragraphs if p.sentences}


def cited(answer: Answer, gold: Gold, graph: Graph, paragraphs: Mapping[str, Paragraph]) -> Cited:
    """Collect what an answer cites.

    Args:
        graph: that it was answered from.
        paragraphs: see `divided`; of FEVER's pages the graph knows the lines.
    """
    steps = [step for chain in answer.chains for step in chain.triples]
    passages = graph.passages(_once(id_ for step in steps for id_ in step.passage_ids))
    held = graph.triples_of(list(passages))
    stated = {(s.passage_id, s.triple): s for s in (*held, *answer.stated)}
    facts = (
        fact
        for step in steps
        for id_ in step.passage_ids
        for fact in _facts(passages[id_], stated.get((id_, step.triple)), paragraphs)
    )
    triples = ((s.triple.head, s.triple.relation, s.triple.tail) for s in steps)
    documents = gold.among(graph.passages([c.passage_id for c in answer.passages]).values())
    return Cited(tuple(documents), _once(facts), _once(triples))


def figures(
    question: Question, text: str, abstained: bool, cites: Cited, gold: Gold
) -> dict[str, float]:
    """Measure what was cited, by name of the figure; only what the question's dataset measures.

    Args:
        text: of the answer, "" when there is none.
        abstained: see `scoring.score`.
        gold: the supporting documents.
    """
    claim = question.dataset == "fever"
    found = _claim(question, label(text, abstained), cites) if claim else {}
    found |= _multi_hop(question, text, cites)
    if gold.sets and question.answerable:
        documents = (paragraph_support(cites.documents, one) for one in gold.sets)
        found["paragraphs_f1"] = max(one.f1 for one in documents)
    return found


def _claim(question: Question, said: str, cites: Cited) -> dict[str, float]:
    score = claim_score(question, said, cites.facts)
    found = {
        "fever_score": score.strict,
        "evidence_precision": score.precision,
        "evidence_recall": score.recall,
    }
    return {name: value for name, value in found.items() if value is not None}


def _multi_hop(question: Question, text: str, cites: Cited) -> dict[str, float]:
    """HotpotQA's and 2WikiMultihopQA's; with all parts that a script joins, or not joined."""
    parts: dict[str, Agreement] = {}
    if question.evidences:
        parts["triples"] = evidence(cites.triples, question)
    if question.supporting_facts and any(p.sentences for p in question.paragraphs):
        parts["facts"] = supporting.facts(cites.facts, question)
        answer = agreement(text, [question.answer, *question.aliases])
        parts["joint"] = joint(answer, *parts.values())
    return {
        f"{name}_{figure}": value
        for name, part in parts.items()
        for figure, value in (("em", part.exact), ("f1", part.f1))
    }


def _facts(
    passage: Passage, statement: Statement | None, paragraphs: Mapping[str, Paragraph]
) -> Iterator[Fact]:
    """The sentences that a passage states a triple in."""
    start, end = (statement.start, statement.end) if statement else (None, None)
    paragraph = paragraphs.get(passage.document_id)
    if start is None or end is None:
        numbers = range(0)
    elif paragraph:
        place = paragraph.text.find(passage.text)
        numbers = paragraph.sentences_in(place + start, place + end)
    else:
        numbers = fever.lines(passage, start, end)
    for number in numbers or (UNKNOWN,):
        yield passage.title, number


def _once(items: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))
