"""A sub-question's answer, with how sure it is and what it rests on (GE-Reasoning §3.3, §3.4)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ....kg.answers import SupportedTriple
from ....kg.candidates import RankedTriple
from ....kg.errors import BadRequest
from ....kg.text.words import normal_form, stable_id
from ....kg.types import Passage, Statement, Triple
from ....kg.vectors import DECIMALS, dots
from ....models.language import Completion, Decoding
from ...extraction import FORM, locate
from ...matching import vote
from ...prompts.showing import SECTIONS
from ...reader.kinds import contradicts
from ...registry import Cosine, Count, Passages, Share, Temperature
from ...replies.answers import told
from ...replies.triples import triples
from ...session.session import ANSWER, Filling, Session
from ..claims import claimed
from ..looking import looked_up
from ..rgnn_ret import answered_lines
from .question_graph import Edge, Variable

EXTRACT = "ge_reasoning/extract"
TRIPLES = Decoding(FORM, SECTIONS, max_tokens=384)
_STOCHASTIC = 0.6  # section 3.3: where samples have to differ, though replies are greedy


@dataclass(frozen=True)
class SubAnswering:
    """How sub-questions are answered: hyperparameters of `GEReasoning`, which says what they do."""

    k1: Share = 0.8
    passages: Passages = 2
    temperature: Temperature = 0.6
    seed: int = 0
    retrieval: Literal["unsure", "always", "never"] = "unsure"
    reads: Literal["triples", "passages"] = "triples"
    query: Literal["subquestion", "question"] = "subquestion"
    confidence: Literal["probability", "agreement"] = "probability"
    samples: Count = 5
    graph_triples: Count = 20
    near: Cosine = 0.5

    def __post_init__(self) -> None:
        if self.samples < 2:
            raise BadRequest("samples of ge_reasoning is at least 2: one alone always agrees.")


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """An answer to a sub-question.

    Args:
        text: "" for none.
        confidence: 0 to 1.
        triples: that the prompt showed, with the passages that state them.
        passages: ids of those that the prompt showed, or that state its triples.
        held: the graph held it, and no model was asked.
    """

    text: str
    confidence: float
    triples: tuple[SupportedTriple, ...] = ()
    passages: tuple[str, ...] = ()
    held: bool = False


@dataclass
class Answering:
    """Answers the sub-questions of one question.

    Attributes:
        stated: triples that were extracted, with what states them.
        beyond: passages of triples that the graph held, by id.
    """

    method: SubAnswering
    session: Session
    stated: dict[str, Statement] = field(default_factory=dict)
    beyond: dict[str, Passage] = field(default_factory=dict)
    _extracted: dict[str, list[Triple]] = field(default_factory=dict)
    _known: dict[str, list[Passage] | list[Triple]] = field(default_factory=dict)
    _agreeing: bool = False

    # -- from the graph, before a model is asked
    def held(self, edge: Edge, asked: Variable) -> SubAnswer | None:
        """Find what the graph holds at the other end of a bound one; None for nothing that fits.

        Of the triples about it the one whose relation is nearest to the one asked for; that
        similarity stands for the confidence. Without one, what Wikidata states of it, where the
        graph is linked to that, and states one value alone.
        """
        entity = str(edge.tail if edge.head == asked else edge.head)
        found = looked_up(self.session, entity, edge.relation, self.method.graph_triples, -1.0)
        for score, ranked in self._nearest(edge.relation, found.triples):
            triple = ranked.triple
            other = triple.tail if triple.head_id == normal_form(entity) else triple.head
            if not contradicts(asked.type, other):
                ids = tuple(s.passage_id for s in ranked.statements)
                self.beyond |= {id_: found.passages[id_] for id_ in ids}
                return SubAnswer(other, score, (SupportedTriple(triple, ids),), ids, True)
        return self._claimed(entity, edge.relation, asked) if edge.tail == asked else None

    def _claimed(self, entity: str, relation: str, asked: Variable) -> SubAnswer | None:
        told = claimed(self.session, entity, relation, self.method.near)
        fitting = [pair for pair in told if not contradicts(asked.type, pair[1])]
        if len(fitting) != 1:
            return None
        [(triple, value)] = fitting
        return SubAnswer(value, 1.0, (SupportedTriple(triple, ()),), held=True)

    def _nearest(
        self, relation: str, found: Sequence[RankedTriple]
    ) -> list[tuple[float, RankedTriple]]:
        relations = [relation, *(one.triple.relation for one in found)]
        vectors = self.session.encoder.encode_queries(relations)
        scores = (round(float(score), DECIMALS) for score in dots(vectors[1:], vectors[0]))
        near = [(s, o) for s, o in zip(scores, found, strict=True) if s >= self.method.near]
        return sorted(near, key=lambda one: (-one[0], one[1].triple.id))

    # -- from the model
    def answer(self, asked: str, pairs: Mapping[str, str], turn: int) -> SubAnswer:
        """Answer a sub-question; where that is not sure, again with what is retrieved.

        Args:
            pairs: sub-questions before, with their answers.
            turn: of the loop, from 0: each has seeds of its own.
        """
        method = self.method
        first = SubAnswer("", 0.0)
        if method.retrieval != "always":
            first = self._told(asked, pairs, turn, ())
            if method.retrieval == "never" or (first.text and first.confidence >= method.k1):
                return first
        knowledge = self._knowledge(asked)
        return self._told(asked, pairs, turn, knowledge) if knowledge else first

    def _told(
        self,
        asked: str,
        pairs: Mapping[str, str],
        turn: int,
        knowledge: "Sequence[Passage] | Sequence[Triple]",
    ) -> SubAnswer:
        gaps = {"subquestion": asked, "answered": answered_lines(pairs) or "none"}
        shows = bool(knowledge) and isinstance(knowledge[0], Triple)
        gaps |= {"passages" if shows else "triples": "none"}
        said = self._said(knowledge, gaps, turn)
        text, confidence = self._agreed(said) if self._agreeing else _sure(said)
        passages = tuple(p.id for p in knowledge if isinstance(p, Passage))
        supported = tuple(
            SupportedTriple(one, (self.stated[one.id].passage_id,))
            for one in knowledge
            if isinstance(one, Triple)
        )
        stating = dict.fromkeys((*passages, *(id_ for s in supported for id_ in s.passage_ids)))
        return SubAnswer(text, confidence, supported, tuple(stating))

    def _said(
        self,
        knowledge: "Sequence[Passage] | Sequence[Triple]",
        gaps: Mapping[str, str],
        turn: int,
    ) -> list[Completion]:
        method, session = self.method, self.session
        self._agreeing = self._agreeing or method.confidence == "agreement"
        seed = method.seed + turn * method.samples
        decoding = replace(ANSWER, temperature=method.temperature, seed=seed)

        def sampled(count: int, how: Decoding) -> list[Completion]:
            return session.sample(count, "ge_reasoning/answer", knowledge, how, **gaps)  # pyright: ignore[reportArgumentType]

        said = [] if self._agreeing else sampled(1, decoding)
        if said and said[0].confidence() is None:
            self._agreeing = True
            self._note("log-probabilities", f"{session.model.name} gives none")
        if self._agreeing:
            if not said or not method.temperature:
                decoding = replace(decoding, temperature=method.temperature or _STOCHASTIC)
                said = []
            left = method.samples - len(said)
            more = replace(decoding, seed=decoding.seed + len(said))
            said += sampled(left, more) if left else []
        return said

    def _agreed(self, said: Sequence[Completion]) -> tuple[str, float]:
        if not said:
            return "", 0.0
        text, share = vote([told(one.text) for one in said])[0]
        how = f"{share:.2f} of {len(said)} samples (samples={self.method.samples})"
        self._note("agreement", f"confidence is agreement: {text or 'unknown'!r}, {how}")
        return text, share

    def _note(self, name: str, says: str) -> None:
        so = f"{says}; confidence is the agreement of samples={self.method.samples}."
        output = so if name == "log-probabilities" else f"{says}."
        self.session.steps.add(name, "", output, (), time.perf_counter())

    # -- structural knowledge refinement
    def _knowledge(self, asked: str) -> "list[Passage] | list[Triple]":
        if asked not in self._known:
            query = asked if self.method.query == "subquestion" else self.session.question
            found = self.session.search(query, self.method.passages)
            refined = self.method.reads == "triples"
            self._known[asked] = self._relevant(asked, self._extract(found)) if refined else found
        return self._known[asked]

    def _extract(self, passages: Sequence[Passage]) -> list[Triple]:
        new = [passage for passage in passages if passage.id not in self._extracted]
        said = self.session.ask_each(EXTRACT, [Filling([one]) for one in new], TRIPLES)
        for passage, one in zip(new, said, strict=True):
            slots = triples(one.text, cut_off=one.finish == "length") if one else None
            self._extracted[passage.id] = [self._stated(passage, *three) for three in slots or ()]
        every = [one for passage in passages for one in self._extracted[passage.id]]
        named = (one for one in every if one.head_id and one.tail_id)
        return list({one.id: one for one in named}.values())

    def _stated(self, passage: Passage, head: str, relation: str, tail: str) -> Triple:
        triple = Triple(head, relation, tail, self._extractor)
        statement = Statement(passage.id, triple, *locate(passage.text, triple))
        return self.stated.setdefault(triple.id, statement).triple

    @property
    def _extractor(self) -> str:
        model, prompt = self.session.model, self.session.parts.template(EXTRACT)
        made_by = stable_id(model.fingerprint, prompt.text, *map(str, prompt.demonstrations))
        return f"{model.name} {EXTRACT} {made_by[:12]}"

    def _relevant(self, asked: str, every: list[Triple]) -> list[Triple]:
        """Those that the model repeats of them; none that it makes up."""
        if not every:
            return []
        filling = Filling(every, {"subquestion": asked})
        [said] = self.session.ask_each("ge_reasoning/relevant", [filling], TRIPLES)
        kept = triples(said.text, cut_off=said.finish == "length") if said else None
        wanted = {tuple(map(normal_form, slots)) for slots in kept or ()}
        slots = ((one, (one.head, one.relation, one.tail)) for one in every)
        return [one for one, three in slots if tuple(map(normal_form, three)) in wanted]


def _sure(said: Sequence[Completion]) -> tuple[str, float]:
    """The answer, and the geometric mean of the probabilities of its tokens (§3.3)."""
    if not said:
        return "", 0.0
    text = told(said[0].text)
    return text, said[0].confidence(text) or 0.0
