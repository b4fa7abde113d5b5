"""TRACE: reasoning chains, triple by triple, from the retrieved passages' graph (TRACE §3)."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from ....kg.answers import RIVAL, Answer, Chain, Quote
from ....kg.types import Passage
from ...prompts.showing import triple_text
from ...reader.judging.lacking import WITHHELD
from ...registry import Count, CountOrNone, Passages
from ...session.budget import Reserve
from ...session.session import ANSWER, Session
from .chains import Beam, Builder, Search, supported
from .decomposed import composed, descriptions
from .explaining import explaining, read
from .ranking import Ranker
from .reading import READ_TRIPLES, cited, read_triples
from .selectors import BySimilarity, Selector, by_model
from .wording import LEAST, WordRanker

Reads = Literal["triples", "passages"]
Evidence = Literal["chains", "top", "random", "all"]

_WITH_MODEL, _AT_ONCE, _IN_STEPS = 10, 8, 5  # passages, see `Trace`
READING = Reserve(calls=1, tokens=512 + ANSWER.max_tokens)
"""Kept back from the search for chains: what reading them takes."""


@dataclass(frozen=True)
class Trace:
    """Rank triples, select the next one, keep the best chains, read (TRACE Algorithm 1).

    Without a language model retrieval and the reader find the answer, and chains then lead to it.
    Where a default depends on the model, None stands for it.

    Args:
        passages: retrieved, read, and searched for triples (N); 10 with a model, as many as the
            papers' questions come with (Appendix C.1); without one 8, of a question that describes
            what it asks about 5 at each step: more of them look alike there.
        candidates: triples the ranker offers at each step (K; the paper tunes 15 to 30, Appendix
            C.4).
        max_hops: L; 4 with a model as in the paper, 3 explain best without (docs/trace.md).
        beams: b (Appendix C.4); 1 is greedy.
        chains: R (Appendix C.4).
        spread: beams start in different passages and do not compete before the end; by default
            without a model only.
        ranked: the triple ranker; without it the first triples in the passages' order, as many as
            there are letters, are the candidates.
        adaptive_stop: the option "no need for additional triples" (§3.3).
        selector: None: the model, else similarity, led to the reader's answer.
        reads: what the model reads: the chains' triples (TRACE-Triple) or the passages they vote
            for (TRACE-Doc).
        evidence: what stands for chains in the ablations: the triples nearest to the question,
            random ones, or all of them.
        top: how many of these (T).
        expand: after its first triple a chain may go on beyond the retrieved passages, with any
            triple that shares an entity with it; by default with a model only. Triples without a
            vector are encoded first, up to 1,000 a question (`ingest --embed-triples` makes all).
        demonstrations: that the selector's prompt shows, those nearest to the question.
    """

    name: ClassVar[str] = "trace"
    passages: Passages | None = None
    candidates: Count = 25
    max_hops: Count | None = None
    beams: Count = 5
    chains: Count = 5
    spread: bool | None = None
    ranked: bool = True
    adaptive_stop: bool = True
    selector: Selector | None = None
    reads: Reads = "triples"
    evidence: Evidence = "chains"
    top: Count = 20
    expand: bool | None = None
    demonstrations: CountOrNone = 3

    @property
    def needs_model(self) -> bool:
        """Whether it reads evidence that only a language model can read."""
        return (self.reads, self.evidence) != ("triples", "chains")

    def answer(self, session: Session) -> Answer:
        if session.has_model:
            session.retrieve(session.question, self.passages or _WITH_MODEL)
            return self._read(session)
        return self._explained(session)

    # -- without a language model: chains lead to what the reader found
    def _explained(self, session: Session) -> Answer:
        described = descriptions(session, session.question)
        limit = self.passages or (_IN_STEPS if described else _AT_ONCE)
        session.retrieve(session.question, limit)
        found = session.found
        by_words = self.ranked and not self.expand and self.selector is None
        ranker = WordRanker(session, self.candidates) if by_words else self._ranker(session)
        steps = composed(session, read(session, ranker.statements), described, limit)
        session.keep(steps.passages)
        reading, stated = steps.reading, ranker.stated
        explains = BySimilarity(reading.text)  # a guess is explained as well
        selector = self.selector or (replace(explains, least=LEAST) if by_words else explains)
        beams = self._search(session, ranker, selector)
        if self.selector is None:
            beams = explaining(session, beams, reading, ranker.statements)
            for statement in reading.support:
                stated.setdefault(statement.triple, [statement.passage_id])
        chains = supported(beams[: self.chains], stated)
        rivals = (text for text, p in reading.candidates[1:] if reading.answered and p >= RIVAL)
        told = {one.passage.id for one in steps.passages}
        most = 1.0 if reading.answered else WITHHELD  # as the reason says that it lacks some
        return session.answered(
            reading.text if reading.answered else "",
            [(session.meant(text), min(p, most)) for text, p in reading.candidates],
            confidence=min(reading.confidence, most),
            chains=chains,
            passages=cited(
                found,
                _beyond(ranker, chains),
                chains,
                (reading.text, *rivals),
                told,
                first=reading.passage_id,
            ),
            shown=tuple(passage.id for passage in found),
            quote=Quote(reading.passage_id, reading.sentence) if reading.sentence else None,
            missing=reading.missing,
            withheld=reading.withheld,
            subanswers=steps.subanswers,
        )

    # -- with one: it selects and reads
    def _read(self, session: Session) -> Answer:
        session.model.reserve = READING
        ranker = self._ranker(session)
        if self.evidence == "chains":
            selector = self.selector or by_model(session, self.demonstrations)
            beams = self._search(session, ranker, selector)
        else:
            beams = [self._without_chains(session, ranker)]
        chains = supported(beams, ranker.stated)
        beyond = _beyond(ranker, chains)
        citations = cited(session.found, beyond, chains)
        if self.reads == "triples" and chains:
            text = read_triples(session, chains)
        else:
            held = {passage.id: passage for passage in (*session.found, *beyond)}
            text = session.read([held[citation.passage_id] for citation in citations])
        shown = _shown(chains, session)
        return session.answered(text, chains=chains, passages=citations, shown=shown)

    def _ranker(self, session: Session) -> Ranker:
        expand = session.has_model if self.expand is None else self.expand
        return Ranker(session, self.candidates, ranked=self.ranked, expand=expand)

    def _search(
        self, session: Session, ranker: Ranker | WordRanker, selector: Selector
    ) -> list[Beam]:
        plain = not session.has_model
        search = Search(
            self.max_hops or (3 if plain else 4),
            self.beams,
            self.chains,
            plain if self.spread is None else self.spread,
            self.adaptive_stop,
        )
        return Builder(session, search, selector, ranker).run()

    def _without_chains(self, session: Session, ranker: Ranker) -> Beam:
        """The ablations: triples that were not chosen one after the other (Table 2, top-T)."""
        started, triples, question = time.perf_counter(), list(ranker.stated), session.question
        if self.evidence == "random":
            triples = random.Random(question).sample(triples, min(self.top, len(triples)))
        elif self.evidence == "top":
            triples = [triple for triple, _ in ranker.nearest()[: self.top]]
        lines = "\n".join(map(triple_text, triples))
        session.steps.add(f"triples ({self.evidence})", question, lines, triples, started)
        return Beam(tuple(triples))


def _beyond(ranker: Ranker | WordRanker, chains: Sequence[Chain]) -> list[Passage]:
    """Passages of the chains that were not retrieved, in the chains' order."""
    voted = (p for chain in chains for step in chain.triples for p in step.passage_ids)
    return [ranker.passages[id_] for id_ in dict.fromkeys(voted) if id_ in ranker.passages]


def _shown(chains: Sequence[Chain], session: Session) -> tuple[str, ...]:
    """Passages that the model read, or whose triples it read."""
    reading = session.steps.done[-1]
    if reading.name != READ_TRIPLES:
        return tuple(passage.id for passage in session.shown)
    read = {step.triple.id: step.passage_ids for chain in chains for step in chain.triples}
    return tuple(dict.fromkeys(id_ for triple in reading.evidence for id_ in read[triple]))
