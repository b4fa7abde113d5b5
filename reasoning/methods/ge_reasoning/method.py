"""GE-Reasoning: a question graph's variables are bound one by one (GE-Reasoning, Algorithm 1)."""

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from ....kg.answers import Answer, Chain, SupportedTriple
from ....kg.question_triples import QuestionTriple
from ...reader.kinds import contradicts
from ...registry import Count, Share
from ...replies.answers import conclusion, told
from ...replies.sentences import question as asks
from ...replies.sentences import thoughts
from ...replies.triples import malformed, triples
from ...session.session import ANSWER, Filling, Session
from ..rgnn_ret import SUB_QUESTION, answered_lines, next_asked
from ..trace.reading import cited
from .answering import TRIPLES, Answering, SubAnswer, SubAnswering
from .question_graph import Edge, QuestionGraph, Variable

NO_GRAPH = "No triple of the question's graph has exactly one variable: a plain chain of thought."


@dataclass(frozen=True)
class GEReasoning(SubAnswering):
    """Write the question as triples with variables; ask for one variable after the other.

    The paper assigns a variable once, and asks no triple that others have bound wholly; here such
    a triple is asked, too (`meeting`): there two ways meet, as in an intersection. An answer of
    another kind than its variable's type, or that it is unknown, is dropped.

    Args:
        k1: confidence below which passages are retrieved; the paper gives no number.
        k2: confidence below which a sub-question with its answer is dropped, and its triple may be
            tried again; 0 is the paper's ablation (table 3). It gives no number.
        passages: for each sub-question (§4.2).
        loops: at most (§3.6).
        temperature: of sub-answers (§3.3).
        seed: of sub-answers, and of which triple is next.
        order: of triples that can be asked: sampled, as the paper does, or the first of those that
            were asked least.
        retrieval: below k1, always or never; never is the paper's closed book (table 4).
        reads: triples that passages were refined to (§3.4), or the passages (table 3).
        query: of retrieval: the sub-question, or the question (table 2).
        question_graph: without it the model asks for itself what is next (table 2).
        types: variables have types (table 5).
        meeting: see above; without is the paper's.
        confidence: probability of the answer's tokens, or agreement of samples. A model that tells
            no probabilities gets the second, and a step says so.
        samples: that agree, 2 at least; the paper has no such thing.
        graph: whether what the graph holds about a bound end answers in place of the model: "first"
            where it has something, "only" without reading a passage or asking the model.
        graph_triples: of these for each sub-question, before they are ranked by their relation.
        near: the least similarity of a relation to the one asked for, −1 to 1.
    """

    name: ClassVar[str] = "ge_reasoning"
    asks_claims: ClassVar[bool] = True
    k2: Share = 0.6
    loops: Count = 10
    order: Literal["sampled", "first"] = "sampled"
    question_graph: bool = True
    types: bool = True
    meeting: bool = True
    graph: Literal["off", "first", "only"] = "off"

    def answer(self, session: Session) -> Answer:
        course = _Course(self, session)
        if not self.question_graph:
            course.ask_without_graph()
        elif course.elicit():
            course.bind()
        else:
            return course.thought()
        return course.concluded()


@dataclass
class _Course:
    """One question under way.

    Attributes:
        pairs: sub-questions with the answers that are kept.
        kept: these answers, in order.
        turns: of the loop that were taken.
        told: the last sub-question for a triple, with its answer, kept or not.
    """

    method: GEReasoning
    session: Session
    graph: QuestionGraph = field(default_factory=QuestionGraph)
    pairs: dict[str, str] = field(default_factory=dict)
    kept: list[SubAnswer] = field(default_factory=list)
    turns: int = 0
    told: dict[Edge, tuple[str, SubAnswer]] = field(default_factory=dict)
    _asked: dict[str, str] = field(default_factory=dict)
    _vain: set[tuple[object, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.answering = Answering(self.method, self.session)
        self._draw = random.Random(f"{self.method.seed} {self.session.question}")

    # -- question graph construction, section 3.1
    def elicit(self) -> bool:
        """Write the question as triples; False when none of them can be asked."""
        started = time.perf_counter()
        prompt = "ge_reasoning/graph" if self.method.types else "ge_reasoning/graph_untyped"
        [said] = self.session.ask_each(prompt, [Filling()], TRIPLES)
        if said is None:
            return True  # the budget does not cover it: nothing more is asked
        found = triples(said.text, cut_off=said.finish == "length") or []
        self.graph = QuestionGraph.of(found, malformed(said.text))
        if self.graph.dropped:
            lost = ", ".join(f"{count} {why}" for why, count in self.graph.dropped.items())
            self._note("dropped", f"Triples of the question: {lost}.", started)
        if not self.graph.usable:
            self._note("fallback", NO_GRAPH, started)
        return self.graph.usable

    # -- the loop, Algorithm 1
    def bind(self) -> None:
        """Ask for one variable after the other, until none is open or the loops are over."""
        for turn in range(self.method.loops):
            left = [one for one in self.graph.open(self.method.meeting) if not self._in_vain(*one)]
            if not left or self.session.spent:
                break
            self.turns += 1
            self._turn(turn, *self._next(left))

    def _next(self, left: Sequence[tuple[Edge, Variable]]) -> tuple[Edge, Variable]:
        if self.method.order == "first":
            return min(left, key=lambda one: one[0].tries)
        return self._draw.choice(left)

    def _turn(self, turn: int, edge: Edge, variable: Variable) -> None:
        started, shown = time.perf_counter(), self.graph.shown(edge, variable)
        edge.tries += 1
        self._vain.add((str(shown), len(self.pairs)))
        asked = self._sub_question(shown)
        if not asked:
            return
        found = self._answered(asked, shown, variable, turn)
        self.told[edge] = asked, found
        if why := self._doubt(found, variable):
            self._note("dropped", f"{asked} {found.text or 'unknown'}: {why}.", started)
            return
        self._keep(asked, found)
        edge.asked = True
        self.graph.values.setdefault(variable.number, found.text)

    def _in_vain(self, edge: Edge, variable: Variable) -> bool:
        """Whether it was asked before, and would be answered the same again."""
        certain = self.method.temperature == 0 or self.method.graph == "only"
        return certain and (str(self.graph.shown(edge, variable)), len(self.pairs)) in self._vain

    def _sub_question(self, shown: Edge) -> str:
        """Put a triple into a question (equation 2); the same is not asked for twice."""
        if (triple := str(shown)) not in self._asked:
            said = self.session.say("ge_reasoning/ask", (), SUB_QUESTION, triple=triple)
            self._asked[triple] = asks(said) or next(iter(thoughts(said)), "")
        return self._asked[triple]

    def _answered(self, asked: str, shown: Edge, variable: Variable, turn: int) -> SubAnswer:
        if self.method.graph != "off":
            held = self.answering.held(shown, variable)
            if held or self.method.graph == "only":
                return held or SubAnswer("", 0.0)
        return self.answering.answer(asked, self.pairs, turn)

    def _doubt(self, found: SubAnswer, variable: Variable | None) -> str:
        """Why an answer is not kept (§3.5); "" where it is."""
        if not found.text:
            return "no answer"
        if variable and contradicts(variable.type, found.text):
            return f"that is no {variable.type}"
        if found.confidence < self.method.k2 and not found.held:
            return f"confidence {found.confidence:.2f} is below {self.method.k2:g}"
        return ""

    def _keep(self, asked: str, found: SubAnswer) -> None:
        self.pairs[asked] = found.text
        self.kept.append(found)

    def ask_without_graph(self) -> None:
        """Let the model ask for itself what is next (the paper's "w/o G-Guidance")."""
        tried: dict[str, str] = {}
        for turn in range(self.method.loops):
            asked = "" if self.session.spent else next_asked(self.session, tried)
            if not asked:
                break
            self.turns += 1
            started = time.perf_counter()
            found = self.answering.answer(asked, self.pairs, turn)
            if why := self._doubt(found, None):
                self._note("dropped", f"{asked} {found.text or 'unknown'}: {why}.", started)
            else:
                self._keep(asked, found)
            tried[asked] = self.pairs.get(asked, "")

    # -- the answer
    def concluded(self) -> Answer:
        """Conclude the answer from the sub-questions and answers that are kept (§3.6)."""
        text = ""
        if self.pairs or self.session.spent:
            lines = answered_lines(self.pairs) or "none"
            said = self.session.say("ge_reasoning/conclude", (), ANSWER, last=True, answered=lines)
            text = conclusion(said) or told(said)
        return self._made(text, "" if self.pairs else "No sub-question has an answer that is sure.")

    def thought(self) -> Answer:
        """Think step by step instead, over passages where there are any to be had."""
        session, closed = self.session, self.method.retrieval == "never"
        found = [] if closed else session.retrieve(session.question, self.method.passages)
        return self._made(conclusion(session.think(found)), "")

    def _made(self, text: str, missing: str) -> Answer:
        session, beyond = self.session, self.answering.beyond
        used = {s.triple.id: s for one in self.kept for s in one.triples}
        chains = (self._chain(list(used.values())),) if used else ()
        every = session.found | {p: 0.0 for p in beyond.values() if p not in session.found}
        shown = dict.fromkeys([*(p.id for p in session.shown), *beyond])
        found = {passage: score for passage, score in every.items() if passage.id in shown}
        answer = session.answered(
            text,
            chains=chains,
            passages=cited(found, (), chains),
            shown=tuple(shown),
            missing=missing if not text else "",
        )
        stated = tuple(self.answering.stated[id_] for id_ in used if id_ in self.answering.stated)
        usage = {"rounds": self.turns, "question_triples": len(self.graph.edges)}
        asked = tuple(map(self._recorded, self.graph.edges))
        return replace(answer, usage={**answer.usage, **usage}, stated=stated, asked=asked)

    def _recorded(self, edge: Edge) -> QuestionTriple:
        """A triple of the question's graph as it is recorded; what was dropped has no evidence."""
        asked, found = self.told.get(edge, ("", None))
        rests_on = found if found and edge.asked else SubAnswer("", 0.0)
        return QuestionTriple(
            str(edge.head),
            edge.relation,
            str(edge.tail),
            head_value="" if isinstance(edge.head, str) else self.graph.value(edge.head),
            tail_value="" if isinstance(edge.tail, str) else self.graph.value(edge.tail),
            sub_question=asked,
            sub_answer=found.text if found else "",
            confidence=found.confidence if found else None,
            kept=edge.asked,
            tries=edge.tries,
            triples=tuple(one.triple.id for one in rests_on.triples),
            passages=rests_on.passages,
        )

    def _chain(self, used: list[SupportedTriple]) -> Chain:
        sure = (max(one.confidence, 1e-9) for one in self.kept)
        return Chain(tuple(used), sum(map(math.log, sure)))

    def _note(self, name: str, says: str, started: float) -> None:
        self.session.steps.add(name, "", says, (), started)
