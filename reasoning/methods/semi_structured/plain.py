"""The same without a language model: the parse makes the chain, the reader reads the texts."""

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ....kg.answers import Answer, Quote
from ....kg.text.words import normal_form
from ....kg.types import Passage, Statement, Triple
from ...countries import country_of
from ...reader import ReaderPassage, Reading
from ...reader.asked.names import inside, key, same_name
from ...reader.asked.question import kind_of
from ...reader.judging.lacking import THRESHOLD, unsure
from ...replies.chains import Link, MaskedChain
from ...session.session import Session
from ..trace.explaining import explaining
from .answering import answered
from .filling import Asked, Filled, Found, How, Source
from .grammar import Question, chain_of
from .relations import question_of, wording
from .sources import Knowledge, fill
from .values import of_one_country

PASSAGES = 5  # the reader's weights were fitted to so many
SURE: dict[How, float] = {
    "": 0.9,
    "named": 0.98,
    "worded": 0.98,
    "near": 0.5,
    "read": 0.75,
    "wikidata": 0.97,
}
"""How often a value is right, at most, by how its relation was found. One answer that was read
suffices for an assertion, two in a row do not: the reader is surest of whole questions."""
UNSURE = THRESHOLD - 0.01


@dataclass
class Plain:
    """One question under way.

    Attributes:
        read: what the reader made of a question, by its words.
        tried: likewise, of a triple, by that.
    """

    session: Session
    sources: Sequence[Source]
    knowledge: Knowledge
    passages: int = PASSAGES
    inverse: bool = True
    read: dict[str, Reading] = field(default_factory=dict)
    tried: dict[Asked, Reading] = field(default_factory=dict)

    def answer(self) -> Answer:
        """Fill the question's chain; what it leaves open is read from the question's passages."""
        started, session = time.perf_counter(), self.session
        found = chain_of(session.question, session.parts.parse)
        said = str(found.chain) if found else "The question's grammar gives no chain."
        session.steps.add("chain", "", said, (), started)
        state = self.filled(found) if found else None
        if state and len(state.chain.links) == 1 and "read" in {f.how for _, f in state.by}:
            state = None  # the question itself was read
        return self._answered(state)

    def filled(self, found: Question) -> Filled:
        """Fill a chain source by source; the model is passed over."""
        state = Filled(found.chain)

        def find(source: Source, asked: Sequence[Asked]) -> list[list[Found]]:
            if source == "kg":
                return self.knowledge.fill(self.session, asked)
            return [self._by_text(one, found.asks) for one in asked]

        for source in self.sources:
            if source != "model":
                fill(self.session, state, source, find, self.knowledge, self.inverse)
        return state

    # -- text
    def _by_text(self, asked: Asked, asks: Mapping[int, str]) -> list[Found]:
        form = asks.get(asked.mask) or question_of(asked.relation)
        reading = self.tried[asked] = self._reading(form.replace("{}", asked.known))
        if not reading.answered or normal_form(reading.text) == normal_form(asked.known):
            return []
        if not _says(reading, asked.relation):
            return []
        statement = _stating(reading)
        ends = (reading.text, asked.known) if asked.inverse else (asked.known, reading.text)
        triple = (
            statement.triple if statement else Triple(ends[0], asked.relation, ends[1], "reader")
        )
        of = self.session.graph.passages([reading.passage_id]) if reading.passage_id else {}
        passages: tuple[Passage, ...] = tuple(of.values())
        return [Found(reading.text, triple, passages, how="read", sure=reading.confidence)]

    def _reading(self, question: str) -> Reading:
        """Read the passages that a question retrieves, once."""
        if question not in self.read:
            session, started = self.session, time.perf_counter()
            passages = session.search(question, self.passages)
            stated: dict[str, list[Statement]] = {passage.id: [] for passage in passages}
            for statement in session.graph.triples_of(list(stated)):
                stated[statement.passage_id].append(statement)
            given = [ReaderPassage(p, stated[p.id], session.found[p]) for p in passages]
            reading = session.parts.reader.read(question, given)
            says = f"{reading.text} (p = {reading.confidence:.2f}, {reading.rule or 'scorer'})"
            support = [statement.triple.id for statement in reading.support]
            session.steps.add("read", question, says, support, started)
            self.read[question] = reading
        return self.read[question]

    # -- the answer
    def _answered(self, state: Filled | None) -> Answer:
        """Weigh what the chain says against what the reader makes of the whole question."""
        session, whole = self.session, self._reading(self.session.question)
        said = _apart(state.concluded(session.question), whole.text) if state else []
        agree = bool(said) and _same(said[0], whole.text)
        sure = whole.confidence if agree or not state else doubted(whole, state)
        chances = {whole.text: sure} if whole.text and not self._asked(whole.text) else {}
        if state is not None and said:
            one = certainty(state) / len(said)  # of several values nothing says which is meant
            chances = weighed(said[0], one, chances)
            chances |= dict.fromkeys(said[1:], min(one, chances[said[0]]))
        elif state is not None:
            guess, chance = self._guess(state)
            chances = {guess: min(chance, UNSURE), **chances} if guess else chances
        ranked = sorted(chances.items(), key=lambda one: -one[1])
        best, confidence = ranked[0] if ranked else ("", 0.0)
        sure = confidence >= THRESHOLD
        most = 1.0 if sure else UNSURE
        by_chain = bool(said) and _same(best, said[0])
        shown = state if by_chain and state else self._of_whole(whole)
        quote = Quote(whole.passage_id, whole.sentence) if whole.sentence else None
        return answered(
            session,
            shown,
            [best] if sure else [],
            confidence,
            {},
            candidates=[(session.meant(text), min(chance, most)) for text, chance in ranked[:3]],
            confidence=min(confidence, most),
            quote=None if by_chain else quote,
            missing="" if sure else _missing(whole, best, confidence),
            withheld=not sure and whole.withheld and best == whole.text,
        )

    def _asked(self, text: str) -> bool:
        """Whether an answer is words of the question, which lets choose from nothing."""
        question = self.session.question
        open_ = kind_of(question) not in ("choice", "yesno")
        return open_ and inside(key(text), key(question))

    def _guess(self, state: Filled) -> tuple[str, float]:
        """What the reader took for the last mask, too unsure to fill it; "" for nothing."""
        final = state.chain.final
        if not final or state.left != [final]:
            return "", 0.0
        asked = [one for one in state.asked(False) if one.mask == final and one in self.tried]
        if not asked:
            return "", 0.0
        reading = self.tried[asked[0]]
        return reading.text, certainty(state) * reading.confidence

    def _of_whole(self, whole: Reading) -> Filled:
        """The reader's own steps, if they tell its answer, as a chain that is filled."""
        support = whole.support if explaining(self.session, [], whole, ()) else ()
        stated = [s.triple for s in support]
        passages = self.session.graph.passages([s.passage_id for s in support])
        links = tuple(Link(t.head, t.relation, f"#{n}") for n, t in enumerate(stated, 1))
        state = Filled(MaskedChain(links, len(links)))
        for number, statement in enumerate(support, 1):
            triple, passage = statement.triple, passages.get(statement.passage_id)
            found = Found(triple.tail, triple, (passage,) if passage else (), how="read")
            state.take("text", [(Asked(triple.head, triple.relation, number), [found])])
        return state


def _missing(whole: Reading, best: str, confidence: float) -> str:
    """Why nothing is asserted: what keeps the reader's answer back, else how sure the best is."""
    if not best or whole.answered:
        return whole.missing or "no source fills the question's chain"
    return unsure(confidence) if whole.missing == unsure(whole.confidence) else whole.missing


def _apart(values: Sequence[str], read: str) -> list[str]:
    """Values of other names, in their order; the one that was read in the texts comes first."""
    found: dict[str, str] = {}
    for value in sorted(values, key=lambda value: not _same(value, read)):
        name = key(value)
        if not any(inside(name, other) or inside(other, name) for other in found):
            found[name] = value
    return list(found.values())


def certainty(state: Filled) -> float:
    """How sure the values of a chain are, all together: 0 to 1.

    A relation that is merely near to the one asked for is a guess.
    """
    sure: dict[int, float] = {}
    for asked, found in state.by:
        held = state.values.get(asked.mask, [])
        if any(_same(found.value, value) for value in held):
            one = min(found.sure, SURE[found.how])
            sure[asked.mask] = max(one, sure.get(asked.mask, 0.0))
    return math.prod(sure.values())


def doubted(whole: Reading, state: Filled) -> float:
    """The confidence of a reading of the whole question that its chain does not bear out.

    Below what is asserted where the chain is of known relations, unless a rule compared dates or
    followed a path: else the answer to one step may have been taken for that to all, or two places
    for two countries.
    """
    known = all(wording(link.relation) for link in state.chain.links)
    ruled = whole.rule in ("date", "path", "word", "both") or _of_countries(whole)
    return min(whole.confidence, UNSURE) if known and not ruled else whole.confidence


def weighed(text: str, chance: float, others: Mapping[str, float]) -> dict[str, float]:
    """Weigh two answers, each with the chance that it is right by itself.

    Where both are the same, one of them has to be right; else at most one is.
    """
    if not others:
        return {text: chance}
    [(other, its)] = others.items()
    if _same(text, other):
        return {text: 1 - (1 - chance) * (1 - its)}
    mine, theirs, neither = chance * (1 - its), its * (1 - chance), (1 - chance) * (1 - its)
    total = mine + theirs + neither or 1.0
    return {text: mine / total, other: theirs / total}


def _of_countries(whole: Reading) -> bool:
    """Whether a rule's verdict on two countries is one on countries, and none on towns."""
    said = [s.triple.tail for s in whole.support if country_of(s.triple.tail)]
    met = of_one_country(said[:1], said[1:]) if len(said) == 2 else None
    return whole.rule == "country" and met is not None and whole.text == ("yes" if met else "no")


def _same(one: str, other: str) -> bool:
    return same_name(key(one), key(other))


def _says(reading: Reading, label: str) -> bool:
    """Whether the sentence read speaks of a relation that is known: who directed composed nothing.

    A path follows the relation itself; a country needs no word beside it.
    """
    known = wording(label)
    if known is None or reading.rule in ("path", "word"):
        return True
    if known.name in ("country", "nationality"):
        return country_of(reading.text) is not None
    said = re.sub(r"[$^]", "", f"{known.states}|{known.accounts_for}")
    return bool(re.search(said, reading.sentence.lower()))


def _stating(reading: Reading) -> Statement | None:
    """What states the answer, where a triple of the graph does."""
    goal = normal_form(reading.text)
    last = reading.support[-1] if reading.support else None
    ends = (last.triple.head_id, last.triple.tail_id) if last else ()
    return last if goal in ends else None
