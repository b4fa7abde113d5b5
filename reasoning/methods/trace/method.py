"""TRACE: reasoning chains, triple by triple, from the retrieved passages' graph (TRACE §3)."""

import random
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ....kg.answers import Answer, Chain, Step, SupportedTriple
from ....kg.errors import BadRequest
from ....kg.types import Passage, Triple
from ...prompts.showing import triple_text
from ...session.budget import Budget, Metered, OnStep, Run
from ...session.parts import Parts
from ...session.session import ANSWER_TOKENS
from .chains import Beam, Builder, Search, Stated, priors, stated_in
from .explaining import explaining, read
from .reading import ModelReader, cited
from .selectors import BySimilarity, Selector, by_model

Reads = Literal["triples", "passages"]
Evidence = Literal["chains", "top", "random", "all"]

READING = Budget(1, 512 + ANSWER_TOKENS)
"""Kept back from the search for chains: what reading them takes."""


@dataclass(frozen=True)
class Trace:
    """Rank triples, select the next one, keep the best chains, read (TRACE Algorithm 1).

    Without a language model retrieval and the reader find the answer, and chains then lead to it.
    Where a default depends on the model, None stands for it.

    Args:
        passages: retrieved, read, and searched for triples (N); 5 without a model, 10 with one, as
            many as the papers' questions come with (Appendix C.1).
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
        expand: triples beyond the retrieved passages that each chain may go on with, at each step
            after the first; only triples with a vector are reached (`ingest --embed-triples`).
        demonstrations: that the selector's prompt shows, those nearest to the question.
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: a value that is none of those above, or a setting that takes a model.
    """

    parts: Parts
    passages: int | None = None
    candidates: int = 25
    max_hops: int | None = None
    beams: int = 5
    chains: int = 5
    spread: bool | None = None
    ranked: bool = True
    adaptive_stop: bool = True
    selector: Selector | None = None
    reads: Reads = "triples"
    evidence: Evidence = "chains"
    top: int = 20
    expand: int = 0
    demonstrations: int = 3
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        for value, known in ((self.reads, Reads), (self.evidence, Evidence)):
            if value not in get_args(known):
                raise BadRequest(f"{value!r} is none of {', '.join(get_args(known))}.")
        counts = (self.passages, self.candidates, self.max_hops, self.beams, self.chains, self.top)
        if any(count is not None and count < 1 for count in counts):
            raise BadRequest("Passages, candidates, hops, beams, chains and top are at least 1.")
        if self.parts.model is None and (self.reads, self.evidence) != ("triples", "chains"):
            raise BadRequest("Reading other evidence takes a language model: set --model.")

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """Answer from the whole graph, or `within` passages.

        Args:
            on_step: called after every step, as it happens.

        Raises:
            As `Parts.retrieve` and, with a language model, `LanguageModel`.
        """
        model = self.parts.model
        metered = (
            Metered(model, Budget(self.max_calls, self.max_tokens), READING) if model else None
        )
        run = Run(metered, on_step)
        default = 5 if model is None else 10
        found = self.parts.retrieve(question, self.passages or default, within)
        lines = "\n".join(f"{score:.3f} {passage.title}" for passage, score in found)
        name = f"retrieve ({self.parts.retriever.name})"
        run.step(name, question, lines, [passage.id for passage, _ in found], run.started)
        if metered is None:
            return self._explained(question, found, within, run)
        return self._read(question, found, within, metered, run)

    # -- without a language model: chains lead to what the reader found
    def _explained(
        self,
        question: str,
        found: list[tuple[Passage, float]],
        within: Collection[str] | None,
        run: Run,
    ) -> Answer:
        statements = self.parts.graph.triples_of([passage.id for passage, _ in found])
        reading = read(self.parts, question, found, statements, run)
        stated = stated_in(statements)
        selector = self.selector or BySimilarity(reading.text)  # a guess is explained as well
        beams = self._search(question, found, stated, selector, within, run)
        if self.selector is None:
            beams = explaining(beams, reading)
            for statement in reading.support:
                stated.setdefault(statement.triple, [statement.passage_id])
        chains = _supported(beams[: self.chains], stated)
        return Answer(
            question=question,
            method="trace",
            text=self.parts.meant(reading.text) if reading.answered else "",
            abstained=not reading.answered,
            confidence=reading.confidence,
            candidates=tuple((self.parts.meant(text), p) for text, p in reading.candidates),
            chains=chains,
            passages=cited(found, self._beyond(found, chains), chains, reading.text),
            steps=tuple(run.steps),
            usage=run.usage,
            shown=tuple(passage.id for passage, _ in found),
        )

    # -- with one: it selects and reads
    def _read(
        self,
        question: str,
        found: list[tuple[Passage, float]],
        within: Collection[str] | None,
        model: Metered,
        run: Run,
    ) -> Answer:
        stated = stated_in(self.parts.graph.triples_of([passage.id for passage, _ in found]))
        if self.evidence == "chains":
            selector = self.selector or by_model(self.parts, model, question, self.demonstrations)
            beams = self._search(question, found, stated, selector, within, run)
        else:
            beams = [self._without_chains(question, stated, run)]
        chains = _supported(beams, stated)
        citations = cited(found, self._beyond(found, chains), chains)
        reader = ModelReader(
            model,
            self.parts.template("trace/read_triples"),
            self.parts.template("shared/read_passages"),
        )
        asked = self.parts.asked(question)
        if self.reads == "triples" and chains:
            text = reader.read_triples(asked, chains, run)
        else:
            held = self.parts.graph.passages([c.passage_id for c in citations])
            text = reader.read_passages(asked, list(held.values()), run)
        text = self.parts.meant(text)
        return Answer(
            question=question,
            method="trace",
            text=text,
            abstained=not text,
            chains=chains,
            passages=citations,
            steps=tuple(run.steps),
            usage=run.usage,
            model=model.name,
            shown=_shown(chains, run.steps[-1]),
        )

    def _search(
        self,
        question: str,
        found: list[tuple[Passage, float]],
        stated: Stated,
        selector: Selector,
        within: Collection[str] | None,
        run: Run,
    ) -> list[Beam]:
        plain = self.parts.model is None
        search = Search(
            self.candidates,
            self.max_hops or (3 if plain else 4),
            self.beams,
            self.chains,
            plain if self.spread is None else self.spread,
            self.ranked,
            self.adaptive_stop,
            self.expand,
        )
        builder = Builder(self.parts, search, selector, question, stated, priors(found), within)
        return builder.run(run)

    def _without_chains(self, question: str, stated: Stated, run: Run) -> Beam:
        """The ablations: triples that were not chosen one after the other (Table 2, top-T)."""
        started, triples = time.perf_counter(), list(stated)
        if self.evidence == "random":
            triples = random.Random(question).sample(triples, min(self.top, len(triples)))
        elif self.evidence == "top":
            triples = self._nearest(question, triples)[: self.top]
        lines = "\n".join(map(triple_text, triples))
        run.step(f"triples ({self.evidence})", question, lines, [t.id for t in triples], started)
        return Beam(tuple(triples))

    def _nearest(self, question: str, triples: Sequence[Triple]) -> list[Triple]:
        vectors = self.parts.triple_vectors(triples) if triples else {}
        query = self.parts.encoder.encode_queries([question])[0]
        return sorted(triples, key=lambda t: -float(vectors[t.id] @ query))

    def _beyond(
        self, found: Sequence[tuple[Passage, float]], chains: Sequence[Chain]
    ) -> list[Passage]:
        """Passages of the chains that were not retrieved, in the chains' order."""
        known = {passage.id for passage, _ in found}
        voted = (p for chain in chains for step in chain.triples for p in step.passage_ids)
        ids = list(dict.fromkeys(id_ for id_ in voted if id_ not in known))
        return list(self.parts.graph.passages(ids).values()) if ids else []


def _shown(chains: Sequence[Chain], reading: Step) -> tuple[str, ...]:
    """Passages that the model read, or whose triples it read."""
    if reading.name == "read passages":
        return reading.evidence
    if reading.name != "read triples":
        return ()
    read = {step.triple.id: step.passage_ids for chain in chains for step in chain.triples}
    return tuple(dict.fromkeys(id_ for triple in reading.evidence for id_ in read[triple]))


def _supported(beams: Sequence[Beam], stated: Stated) -> tuple[Chain, ...]:
    return tuple(
        Chain(tuple(SupportedTriple(t, tuple(stated[t])) for t in beam.triples), beam.score)
        for beam in beams
        if beam.triples
    )
