"""KnowTrace: explore what is missing, complete it from passages (KnowTrace, Algorithm 1)."""

import functools
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from ....kg.answers import Answer, Chain, SupportedTriple
from ....kg.text.words import normal_form, stable_id
from ....kg.types import Passage, Statement, Triple
from ....models.language import Completion, Decoding, OutputForm
from ...extraction import FORM
from ...prompts.showing import SECTIONS, triple_lines
from ...registry import Cosine, Count, Passages
from ...replies.answers import conclusion
from ...replies.exploring import Pair, Plan, plan
from ...replies.plain import spoken
from ...replies.triples import Slots, triples
from ...replies.unknown import is_unknown
from ...session.session import THOUGHTS, Filling, Session
from ..looking import looked_up
from ..trace.reading import cited
from .graph import QuestionGraph, as_paths, stated
from .trajectory import Completed, Concluded, Explored, Said, filtered

Shows = Literal["triplets", "paths", "text"]
Use = Literal["off", "first", "only"]

COMPLETE = "knowtrace/complete"
_LINE = r"[^\n]+"
_PAIR = r"\n- [^\n]+: [^\n]+"


@functools.cache
def exploration(pairs: int) -> Decoding:
    """An answer, or so many lines of guidance at most: a small model repeats one until cut off."""
    told, asked = rf"yes\nThought: {_LINE}\nAnswer: {_LINE}", rf"no\nGuidance:(?:{_PAIR})"
    form = OutputForm(
        rf"""
root ::= "Sufficient: " (yes | no)
yes ::= "yes\nThought: " [^\n]+ "\nAnswer: " [^\n]+
no ::= "no\nGuidance:" pair{{1,{pairs}}}
pair ::= "\n- " [^\n]+ ": " [^\n]+
""",
        rf"Sufficient: (?:{told}|{asked}{{1,{pairs}}})",
    )
    return Decoding(form, SECTIONS, max_tokens=384, adapter="explore")


COMPLETION = Decoding(FORM, SECTIONS, max_tokens=384, adapter="complete")
TELLING = Decoding(stop=SECTIONS, max_tokens=512)


@dataclass(frozen=True)
class KnowTrace:
    """Explore and complete in turns; the evidence is what leads from where it began to the answer.

    The paper ends after L rounds; here also a round that brings nothing new does, and then the
    answer is thought from what is known, or there is none.

    Args:
        rounds: L; the paper gives no number, its questions take 2.4 to 3.8 (Table 5).
        passages: retrieved for each entity–relation pair (N, §4.1.3).
        pairs: looked up in a round, at most; the paper sets no bound.
        shows: how prompts show what is known (§3.2): triplets, paths, or text, which takes one more
            generation a round.
        graph: whether triples that the graph holds about an entity stand for a completion: "first"
            where it has some, "only" without ever reading a passage, as with a graph that was
            traced or extracted before.
        graph_triples: of these for each pair, those most like its guidance.
        near: the least similarity to the pair of one that counts, −1 to 1.
    """

    name: ClassVar[str] = "knowtrace"
    rounds: Count = 5
    passages: Passages = 5
    pairs: Count = 8
    shows: Shows = "triplets"
    graph: Use = "off"
    graph_triples: Count = 5
    near: Cosine = 0.5

    def answer(self, session: Session) -> Answer:
        return self.run(session)[0]

    def run(self, session: Session) -> tuple[Answer, list[Said]]:
        """Answer the session's question; give also what was said on the way, for training."""
        course = _Course(self, session)
        for number in range(1, self.rounds + 1):
            if not course.explore() or not course.complete(number):
                break
        return course.answered(), course.said


@dataclass
class _Course:
    """One question under way.

    Attributes:
        said: what the model said, in order.
        rounds: of completion, and the exploration that answered.
        stated: triples read in passages, with what states them.
        beyond: passages of triples that the graph held, by id.
    """

    method: KnowTrace
    session: Session
    graph: QuestionGraph = field(default_factory=QuestionGraph)
    plan: Plan | None = None
    said: list[Said] = field(default_factory=list)
    rounds: int = 0
    stated: list[Statement] = field(default_factory=list)
    beyond: dict[str, Passage] = field(default_factory=dict)

    # -- knowledge exploration, equation 1
    def explore(self) -> bool:
        """Ask what is missing; False when the model answered, or said nothing that helps."""
        started = time.perf_counter()
        [said] = self.session.ask_each(
            "knowtrace/explore", [self._known()], exploration(self.method.pairs)
        )
        if said is None:
            self.plan = None
            return False
        self.rounds += 1
        known = f"{self.session.question}\n{self.graph.spellings}"
        self.plan = plan(said.text, known)
        if self.plan is None or self.plan.dropped:
            lines = self.plan.dropped if self.plan else "all"
            self._drop(f"{lines} lines of guidance", started)
        if self.plan is None:
            return False
        self.said.append(Explored(self.session.steps.done[-1].prompt, self.plan, {}))
        return not self.plan.sufficient

    def _known(self) -> Filling:
        """What is known, as the prompt shows it."""
        shown = self.graph.shown
        if not shown:
            return Filling(gaps={"triples": "none"})
        if self.method.shows == "text":
            [told] = self.session.ask_each("knowtrace/tell", [Filling(shown)], TELLING)
            if told:
                return Filling(gaps={"triples": spoken(told.text)})
        return Filling(shown, lines=as_paths if self.method.shows == "paths" else triple_lines)

    # -- knowledge completion, equation 2
    def complete(self, number: int) -> bool:
        """Look pairs up, side by side; False when they bring nothing new."""
        assert self.plan is not None
        before = len(self.graph.triples)
        pairs = self.graph.new(self.plan.pairs, self.method.pairs)
        left = [pair for pair in pairs if not self._held(number, pair)]
        if self.method.graph != "only":
            self._read(number, left)
        return len(self.graph.triples) > before

    def _held(self, number: int, pair: Pair) -> bool:
        """Take what the graph holds about a pair; whether that is new.

        So a pair that is asked for again, since that was not it, is read about.
        """
        if self.method.graph == "off":
            return False
        before, known = len(self.graph.triples), self.graph.entities
        found = looked_up(self.session, *pair, self.method.graph_triples, self.method.near)
        self.beyond |= found.passages
        for one in found.triples:
            self.graph.add(number, pair, one.triple, [s.passage_id for s in one.statements])
        self._brought(pair, [one.triple for one in found.triples], known)
        return len(self.graph.triples) > before

    def _read(self, number: int, pairs: Sequence[Pair]) -> None:
        """Complete pairs from passages."""
        session, texts = self.session, {p: f"{p.entity}: {p.guidance}" for p in pairs}
        found = {p: session.search(text, self.method.passages) for p, text in texts.items()}
        self.graph.read.update(pairs)
        pairs = [pair for pair in pairs if found[pair]]
        fillings = [Filling(found[p], {"entity": p.entity, "guidance": p.guidance}) for p in pairs]
        started, before = time.perf_counter(), len(session.steps.done)
        said = session.ask_each(COMPLETE, fillings, COMPLETION)
        dropped = 0
        for at, (pair, one) in enumerate(zip(pairs, said, strict=True)):
            if one is not None:
                told, lost = _told(one)
                dropped += lost
                known = self.graph.entities
                brought = [self._take(number, pair, slots, found[pair]) for slots in told]
                self._brought(pair, brought, known)
                prompt = session.steps.done[before + at].prompt
                self.said.append(Completed(prompt, tuple(dict.fromkeys(brought))))
        if dropped:
            self._drop(f"{dropped} lines that are no triples", started)

    def _take(self, number: int, pair: Pair, slots: Slots, passages: Sequence[Passage]) -> Triple:
        triple = Triple(*slots, self.extractor)
        told = stated(triple, passages)
        held = self.graph.add(number, pair, triple, [told.passage_id] if told else [])
        if told and held is triple:
            self.stated.append(told)
        return held

    def _brought(self, pair: Pair, brought: Sequence[Triple], known: Collection[str]) -> None:
        self.graph.lead(pair, brought, known)
        explored = next(one for one in reversed(self.said) if isinstance(one, Explored))
        explored.brought[pair] = tuple(dict.fromkeys(brought))

    def _drop(self, what: str, started: float) -> None:
        self.session.steps.add("dropped", "", f"{what} are left out.", (), started)

    @property
    def extractor(self) -> str:
        """The model and the prompt, as `Triple.extractor` holds them."""
        model, prompt = self.session.model, self.session.parts.template(COMPLETE)
        made_by = stable_id(model.fingerprint, prompt.text, *map(str, prompt.demonstrations))
        return f"{model.name} {COMPLETE} {made_by[:12]}"

    # -- the answer, and the way back
    def answered(self) -> Answer:
        """Make the answer with its evidence."""
        session = self.session
        thought, text = self._concluded()
        tracing = self.graph.tracing(f"{thought}\n{text}" if text else "")
        chains = tuple(
            Chain(tuple(SupportedTriple(t, self.graph.passages[t]) for t in way), 0.0)
            for way in tracing.ways()
        )
        shown = dict.fromkeys([*(p.id for p in session.shown), *self.beyond])
        every = session.found | {p: 0.0 for p in self.beyond.values() if p not in session.found}
        found = {passage: score for passage, score in every.items() if passage.id in shown}
        answer = session.answered(
            text, chains=chains, passages=cited(found, (), chains), shown=tuple(shown)
        )
        lost, count = filtered(self.said, set(tracing.evidence()), session.model.count_tokens)
        usage = {"rounds": self.rounds, "traced_tokens": count, "filtered_tokens": lost}
        return replace(
            answer, usage={**answer.usage, **usage}, tracing=tracing, stated=tuple(self.stated)
        )

    def _concluded(self) -> tuple[str, str]:
        """Thought and answer; where exploration ended without, they are asked for."""
        if self.plan and self.plan.sufficient:
            return self.plan.thought, self.plan.answer
        if not self.graph.triples:
            return "", ""
        known = self._known()
        self.session.model.release()
        [said] = self.session.ask_each("knowtrace/answer", [known], THOUGHTS)
        if said is None:
            return "", ""
        thought, text = spoken(said.text), conclusion(said.text)
        prompt = self.session.steps.done[-1].prompt
        if text:
            self.said.append(Concluded(prompt, thought, text))
        return thought, text


def _told(said: Completion) -> tuple[list[Slots], int]:
    """The triples of a completion, and how many lines are none or name nothing."""
    found = triples(said.text, cut_off=said.finish == "length")
    if found is None:
        return [], 1
    whole = [slots for slots in found if _names(slots)]
    return whole, len(found) - len(whole)


def _names(slots: Slots) -> bool:
    head, tail = normal_form(slots.head), normal_form(slots.tail)
    return bool(head and tail) and head != tail and not is_unknown(slots.tail)
