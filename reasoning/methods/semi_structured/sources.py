"""Where masks are filled from: a graph, or passages; another graph is another `Knowledge`."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ....kg.candidates import RankedTriple
from ....kg.text.words import bare_title, normal_form, stable_id, words
from ....kg.types import Passage, Triple
from ....kg.vectors import dots
from ....models.language import Decoding
from ...countries import country_of
from ...prompts.showing import SECTIONS
from ...reader.rules.relations import Relation
from ...reader.rules.relations import fits as looks_right
from ...replies.answers import told
from ...replies.sentences import question as question_in
from ...session.session import ANSWER, Filling, Session
from ..claims import asked_live, claimed
from ..knowtrace.graph import stated
from ..looking import Held, looked_up
from .filling import Asked, Filled, Found, How, Source
from .relations import wording
from .values import fits

ASK = "semi_structured/ask"
READ = "shared/read_passages"
ASKING = Decoding(stop=(*SECTIONS, "\n"), max_tokens=64)
MAX_ABOUT = 50  # triples about an entity that are looked at
OTHER_NAMES = frozenset(
    {"also known as", "known as", "also called", "called", "nicknamed", "alias", "pseudonym"}
)
Kind = Literal["own", "wikidata", "sparql"]
_WHERE_OR_WHEN = re.compile(r"\b(?:in|at|on|near|for|with|since|until|during|after|before)$")
_WORD = re.compile(r"[^\W_]{2}")  # "C.E." is no place
_EMPTY_WORDS = frozenset("is was are were be been has had have the a an of".split())


class Knowledge(Protocol):
    """A knowledge graph that answers valid triples: our own, or Wikidata."""

    def fill(self, session: Session, asked: Sequence[Asked]) -> list[list[Found]]:
        """Find values for each triple; none where nothing is stated."""
        ...

    def holds(self, session: Session, head: str, relation: str, tail: str) -> bool:
        """Say whether it states a triple."""
        ...


@dataclass
class OwnGraph:
    """The graph that is asked: triples about the entity, the relation by name or by vector.

    Args:
        near: the least cosine of two relations that are taken for one, −1 to 1.
    """

    near: float = 0.5
    about: dict[tuple[str, str], Held] = field(default_factory=dict)

    def fill(self, session: Session, asked: Sequence[Asked]) -> list[list[Found]]:
        return [self._values(session, one) for one in asked]

    def holds(self, session: Session, head: str, relation: str, tail: str) -> bool:
        found = self._values(session, Asked(head, relation, 0))
        return normal_form(tail) in {normal_form(one.value) for one in found}

    def _values(self, session: Session, asked: Asked) -> list[Found]:
        names = dict.fromkeys((asked.known, bare_title(asked.known) or asked.known))
        for name in names:
            if found := self._of_name(session, name, asked):
                return found
        for other in self._other_names(session, asked.known):
            if found := self._of_name(session, other.value, asked):
                return [one._replace(naming=(other,)) for one in found]
        return []

    def _of_name(self, session: Session, name: str, asked: Asked) -> list[Found]:
        """Values by the relation of the same words, else as the reader knows it, else the nearest.

        What is worded otherwise may be stated of the value: "Ann directed Salt".
        """
        held, entity = self._look(session, name, asked.relation), normal_form(name)
        told = [
            (one, one.triple.head if asked.inverse else one.triple.tail)
            for one in held.triples
            if (one.triple.tail_id if asked.inverse else one.triple.head_id) == entity
        ]
        fitting = [(one, end) for one, end in told if asked.inverse or fits(asked.relation, end)]
        plain = _plain(asked.relation)
        known = None if asked.inverse else wording(asked.relation)
        named = [(o, e) for o, e in fitting if _plain(o.triple.relation) == plain]
        if kept := [(o, e) for o, e in named if not known or looks_right(e, known.ends)] or named:
            return _found(kept, held, "named")
        if worded := _worded(known, held, entity) if known else []:
            return _found(worded, held, "worded")
        best = self._like(session, asked.relation, [one.triple.relation for one, _ in fitting])
        near = [(o, e) for o, e in fitting if _plain(o.triple.relation) in best]
        return _found(near, held, "near")

    def _like(self, session: Session, relation: str, others: Sequence[str]) -> set[str]:
        """Of relations those of the same name, else those that are nearest, if near enough."""
        asked, names = _plain(relation), list(dict.fromkeys(map(_plain, others)))
        if asked in names or not names:
            return {asked} & set(names)
        vectors = session.encoder.encode_queries([asked, *names])
        scores = dict(zip(names, dots(vectors[1:], vectors[0]).tolist(), strict=True))
        nearest = max(names, key=lambda name: (scores[name], name))
        return {nearest} if scores[nearest] >= self.near else set()

    def _other_names(self, session: Session, name: str) -> list[Found]:
        """The names that the graph has for the same thing, with what says so."""
        held, key = self._look(session, name, "also known as"), normal_form(name)
        found: dict[str, Found] = {}
        for one in held.triples:
            triple = one.triple
            if _plain(triple.relation) in _NAMING and triple.head_id != triple.tail_id:
                other = triple.head if triple.tail_id == key else triple.tail
                found.setdefault(other, Found(other, triple, _stating(one, held)))
        return list(found.values())

    def _look(self, session: Session, name: str, relation: str) -> Held:
        key = normal_form(name), relation
        if key not in self.about:
            self.about[key] = looked_up(session, name, relation, MAX_ABOUT, -1.0)
        return self.about[key]


@dataclass
class _Items:
    """Wikidata, however it is asked: heads are known, not tails.

    Args:
        near: the least cosine of a relation and a property that are taken for one, −1 to 1.
    """

    near: float = 0.5

    def fill(self, session: Session, asked: Sequence[Asked]) -> list[list[Found]]:
        return [[] if one.inverse else self._values(session, one) for one in asked]

    def holds(self, session: Session, head: str, relation: str, tail: str) -> bool:
        found = self._values(session, Asked(head, relation, 0))
        return normal_form(tail) in {normal_form(one.value) for one in found}

    def _values(self, session: Session, asked: Asked) -> list[Found]:
        raise NotImplementedError


@dataclass
class Wikidata(_Items):
    """What the graph keeps of Wikidata (`hoptrail link --statements`)."""

    def _values(self, session: Session, asked: Asked) -> list[Found]:
        told = claimed(session, asked.known, asked.relation, self.near)
        return [Found(v, triple, how="wikidata") for triple, v in told if fits(asked.relation, v)]


@dataclass
class Live(_Items):
    """Wikidata itself, asked over SPARQL.

    What it gave as a value is asked further as the item that it is, and not looked for by its name.

    Args:
        items: that its values are, by name.
    """

    items: dict[str, list[str]] = field(default_factory=dict)

    def _values(self, session: Session, asked: Asked) -> list[Found]:
        head = self.items.get(normal_form(asked.known), asked.known)
        told = asked_live(session, asked.known, head, asked.relation, self.near)
        for _, value, id_ in told:
            if id_:
                self.items.setdefault(normal_form(value), []).append(id_)
        return [
            Found(v, triple, how="wikidata") for triple, v, _ in told if fits(asked.relation, v)
        ]


@dataclass
class InTurn:
    """Several sources: each is asked for what those before it did not state."""

    sources: Sequence[Knowledge]

    def fill(self, session: Session, asked: Sequence[Asked]) -> list[list[Found]]:
        found: dict[Asked, list[Found]] = {one: [] for one in asked}
        for source in self.sources:
            left = [one for one in found if not found[one]]
            found |= dict(zip(left, source.fill(session, left), strict=True))
        return [found[one] for one in asked]

    def holds(self, session: Session, head: str, relation: str, tail: str) -> bool:
        return any(source.holds(session, head, relation, tail) for source in self.sources)


def knowledge(kinds: Sequence[Kind], near: float) -> Knowledge:
    """Make the knowledge graph of these kinds, in their order."""
    made = {"own": OwnGraph, "wikidata": Wikidata, "sparql": Live}
    return InTurn([made[kind](near) for kind in kinds])


def _worded(known: Relation, held: Held, entity: str) -> list[tuple[RankedTriple, str]]:
    """What triples say of an entity in the words that the reader knows a relation by."""
    found = []
    for one in held.triples:
        triple, said = one.triple, one.triple.relation.lower()
        placed = known.link and _WHERE_OR_WHEN.search(said)  # "performed with music in": nobody
        if triple.head_id == entity and re.search(known.states, said) and not placed:
            found.append((one, triple.tail))
        elif triple.tail_id == entity and known.reverse and re.search(known.reverse, said):
            found.append((one, triple.head))
    named = ((one, end) for one, end in found if _WORD.search(end) or country_of(end))
    return [(one, end) for one, end in named if looks_right(end, known.ends)]


def _found(told: Sequence[tuple[RankedTriple, str]], held: Held, how: How) -> list[Found]:
    return [Found(end, one.triple, _stating(one, held), how=how) for one, end in told]


def _plain(relation: str) -> str:
    said = [word for word in words(relation) if word not in _EMPTY_WORDS]
    return " ".join(said) or relation


_NAMING = {_plain(relation) for relation in OTHER_NAMES}


def _stating(one: RankedTriple, held: Held) -> tuple[Passage, ...]:
    ids = dict.fromkeys(statement.passage_id for statement in one.statements)
    return tuple(held.passages[id_] for id_ in ids if id_ in held.passages)


def by_text(session: Session, asked: Sequence[Asked], passages: int) -> list[list[Found]]:
    """Ask for each triple as a question of its own (Algorithm 2); nothing where it is unknown."""
    said = session.ask_each(ASK, [Filling(gaps={"triple": str(one)}) for one in asked], ASKING)
    found: list[list[Found]] = [[] for _ in asked]
    questions = {place: _question(one.text) for place, one in enumerate(said) if one is not None}
    shown = {place: session.search(q, passages) for place, q in questions.items() if q}
    places = [place for place, of in shown.items() if of]
    fillings = [Filling(shown[place], {"question": questions[place]}) for place in places]
    replies = session.ask_each(READ, fillings, ANSWER)
    for place, reply in zip(places, replies, strict=True):
        value = told(reply.text) if reply is not None else ""
        if value and normal_form(value):
            found[place].append(_told(session, asked[place], value, shown[place]))
    return found


def _question(said: str) -> str:
    return question_in(said) or said.strip()


def _told(session: Session, asked: Asked, value: str, shown: Sequence[Passage]) -> Found:
    """The triple that an answer makes, with the passage that states it."""
    ends = (value, asked.known) if asked.inverse else (asked.known, value)
    prompt = session.parts.template(READ)
    made_by = stable_id(session.model.fingerprint, prompt.text)[:12]
    extractor = f"{session.model.name} {READ} {made_by}"
    triple = Triple(ends[0], asked.relation, ends[1], extractor)
    statement = stated(triple, shown)
    stating = tuple(p for p in shown if statement and p.id == statement.passage_id)
    return Found(value, triple, stating, statement)


def fill(
    session: Session,
    state: Filled,
    source: Source,
    find: Callable[[Source, Sequence[Asked]], list[list[Found]]],
    knowledge: Knowledge,
    inverse: bool,
) -> None:
    """Fill what a source can, each triple asked for once (Algorithms 1 and 2).

    Several values of a mask are narrowed by the triples that say what it must be.

    Args:
        inverse: also look for a head whose tail is known.
    """
    done = set[Asked]()
    while True:
        asked = [one for one in state.asked(False) if one not in done]
        if not asked and inverse:
            asked = [one for one in state.asked(True) if one not in done]
        if not asked:
            return
        done.update(asked)
        told = list(zip(asked, find(source, asked), strict=True))
        state.take(source, told)
        _tell(session, source, told)
        for mask, relation, tail in list(state.checks()):
            values = state.values[mask]
            if fit := [v for v in values if knowledge.holds(session, v, relation, tail)]:
                state.keep(mask, fit)


def _tell(session: Session, source: str, told: Sequence[tuple[Asked, Sequence[Found]]]) -> None:
    """Add a step that says what a source filled."""
    lines = (f"{one}: {', '.join(f.value for f in found) or 'nothing'}" for one, found in told)
    evidence = [f.triple.id for _, found in told for f in found]
    session.steps.add(f"fill ({source})", "", "\n".join(lines), evidence, time.perf_counter())
