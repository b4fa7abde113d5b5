"""What verbs state: subject, verb, and whatever hangs on it through objects and prepositions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .facts import Fact, fact
from .reading import Argument, Reading
from .tokens import (
    CONDITIONS,
    MODALS,
    NEVER,
    RELATIVES,
    SUBJECTS,
    UNFULFILLED,
    conjuncts,
    prepositional,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_VERB_PARTS = frozenset({"auxpass", "neg", "prt"})
_OBJECTS = frozenset({"dobj", "attr", "oprd", "dative"})
_PREPOSITIONS = frozenset({"prep", "agent", "dative"})
_BORROWS_SUBJECT = frozenset({"conj", "xcomp", "advcl", "ccomp", "pcomp"})
_OBJECT_RELATIVES = frozenset({"which", "that", "whom"})
DEEPEST = 2  # nouns a relation may pass through: "won prize for novel about …"
FARTHEST = 4  # clauses between a verb and the subject it borrows


def is_clause(token: "Token") -> bool:
    """Find out whether a token heads a clause of its own."""
    return token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass")


def is_supposed(verb: "Token") -> bool:
    """Find out whether a clause says what may be and not what is: "if the file exists"."""
    return any(child.dep_ == "mark" and child.lower_ in CONDITIONS for child in verb.children)


def _is_purpose(verb: "Token") -> bool:
    """Whether it says what something is for: "tools to control it", "in order to win"."""
    return verb.dep_ in ("acl", "advcl") and any(c.tag_ == "TO" for c in verb.children)


def clause_facts(reading: Reading, verb: "Token") -> Iterator[Fact | None]:
    """Read the facts that one clause states."""
    if is_supposed(verb) or (reading.divided and _is_purpose(verb)):
        return
    is_copula = verb.lemma_ == "be"
    relation = _verb_words(verb)
    spoken_of = _spoken_of(reading, verb)
    for subject in spoken_of:
        for head, role in _heads(reading, subject, is_copula):
            for words, token in governed(reading, verb, relation):
                if token.i == subject.i or reading.is_measure(token):
                    continue
                said = _with_role(role, words, is_copula and words == relation)
                yield fact(head, said, reading.argument(token))
        if verb.i == reading.opening.copula > 0:
            yield from _description(reading, subject)
        if verb.dep_ == "relcl" and _is_object_relative(verb):  # "the album which she released"
            yield fact(reading.argument(subject), relation, reading.argument(verb.head))


def _spoken_of(reading: Reading, verb: "Token") -> "list[Token]":
    own = (*SUBJECTS, "expl")
    if verb.i == reading.opening.copula > 0 and not any(c.dep_ in own for c in verb.children):
        return [verb]  # a title such as "Jump for Glory" parses as anything but a subject
    return subjects(reading, verb)


def _description(reading: Reading, subject: "Token") -> Iterator[Fact | None]:
    """Year and nationality after the passage's first "is": "a 1954 Norwegian drama film".

    By position, since class nouns in a row are parsed in many ways.
    """
    head = reading.argument(subject)
    if head is None or head.text != reading.title:
        return
    for span in reading.opening.description:
        if span.label == "DATE":
            yield fact(head, "year", reading.whole(span))
        else:
            origin = "nationality" if reading.is_person else "country of origin"
            yield fact(head, origin, reading.whole(span))


def subjects(reading: Reading, verb: "Token", distance: int = 0) -> "list[Token]":
    """Find what a verb speaks of: its subject, the noun it modifies, the subject it continues."""
    if any(child.dep_ == "expl" for child in verb.children):
        return []
    own = [t for child in verb.children if child.dep_ in SUBJECTS for t in conjuncts(child)]
    if verb.dep_ == "acl" or (own and verb.dep_ == "relcl" and own[0].lower_ in RELATIVES):
        return own if own and verb.dep_ == "acl" else referent(reading, verb.head)
    if own or verb.dep_ not in _BORROWS_SUBJECT or distance == FARTHEST:
        return own
    head = verb.head
    while head.pos_ not in ("VERB", "AUX") and head.dep_ in ("prep", "conj"):
        head = head.head
    return subjects(reading, head, distance + 1) if head.pos_ in ("VERB", "AUX") else []


def governed(
    reading: Reading, node: "Token", relation: str, depth: int = 0
) -> "Iterator[tuple[str, Token]]":
    """Find what a verb or noun governs, as (relation, token).

    The relation grows by the prepositions and nouns passed through: "won prize for".
    """
    for child in node.children:
        if child.dep_ in _OBJECTS and child.pos_ != "ADP":
            for token in conjuncts(child):
                yield relation, token
                if depth < DEEPEST and (token is child or not reading.is_name(token)):
                    yield from governed(
                        reading, token, f"{relation} {_called(reading, token)}", depth + 1
                    )
        elif child.dep_ in _PREPOSITIONS:
            yield from _after_preposition(reading, child, relation, depth)
        elif child.dep_ == "acomp":
            yield relation, child
            yield from governed(reading, child, f"{relation} {child.lower_}", depth + 1)
        elif child.dep_ == "conj" and child.pos_ == "VERB" and depth == 0:
            yield from _shared_agent(node, child, relation)
        elif child.dep_ == "npadvmod" and reading.is_name(child):
            yield relation + (" on" if reading.label(child) == "DATE" else ""), child


def _after_preposition(
    reading: Reading, preposition: "Token", relation: str, depth: int
) -> "Iterator[tuple[str, Token]]":
    for joined in conjuncts(preposition):
        if joined.pos_ not in ("ADP", "SCONJ", "VERB") and joined is not preposition:
            continue
        words = f"{relation} {joined.lower_}"
        objects = list(prepositional(joined))
        for token in objects:
            yield words, token
            yield from ((words, place) for place in reading.around(token))
            if depth < DEEPEST and not reading.is_name(token):
                yield from governed(reading, token, f"{words} {_called(reading, token)}", depth + 1)
        before = relation if objects else words  # "from within X"; but "from 7 to 10 in X"
        said = {reading.mention.get(token.i) for token in objects} - {None}
        for further in joined.children:
            for token in prepositional(further) if further.dep_ == "prep" else ():
                if reading.mention.get(token.i) not in said:
                    yield f"{before} {further.lower_}", token


def _shared_agent(verb: "Token", joined: "Token", relation: str) -> "Iterator[tuple[str, Token]]":
    """X wrote it too where it was "written and directed by X"."""
    if any(child.dep_ == "agent" for child in verb.children):
        return
    for agent in joined.children:
        if agent.dep_ == "agent":
            yield from ((f"{relation} by", token) for token in prepositional(agent))


def _heads(
    reading: Reading, subject: "Token", is_copula: bool
) -> list[tuple[Argument | None, str]]:
    """(head, role) of a subject: "his father was …" speaks of him, in the role "father"."""
    if reading.is_name(subject) or subject.pos_ != "NOUN":
        return [(reading.argument(subject), "")]
    for child in subject.children:  # "The physicist X was born …": X was
        span = reading.mention.get(child.i) if child.dep_ == "appos" else None
        if span is not None and span.start == subject.i + 1:
            return [(reading.argument(child), "")]
    owners: list[tuple[Argument | None, str]] = []
    for child in subject.children:
        if child.dep_ == "poss":
            owners.append((reading.argument(child), subject.lower_))
        elif child.dep_ == "prep" and child.lower_ == "of":
            owners += [(reading.argument(t), subject.lower_) for t in prepositional(child)]
    if owners:
        return owners
    said = reading.argument(subject)
    if is_copula and said and said.text != reading.title and subject.i > reading.opening.copula:
        vague = reading.is_person and any(t.tag_ == "JJ" for t in subject.lefts)
        if not vague:  # "The director is X"
            return [(reading.topic(subject), said.text.lower())]
    return [(said, "")]


def _with_role(role: str, words: str, is_plain: bool) -> str:
    if not role:
        return words
    return role if is_plain else f"{role} {words}"


def referent(reading: Reading, noun: "Token") -> "list[Token]":
    """Find what a modified noun stands for: X in "X is a film directed by Y"."""
    top = noun
    while top.dep_ == "conj":
        top = top.head
    if reading.is_name(noun):
        return [noun]
    if top.dep_ == "attr" and top.head.lemma_ == "be" and top.head.dep_ != "relcl":
        found = [t for t in subjects(reading, top.head) if t.i != noun.i]
        return found or ([top.head] if top.head.i == reading.opening.copula else [noun])
    if top.dep_ == "appos" and reading.is_name(top.head):
        return [top.head]
    return [noun]


def _is_object_relative(verb: "Token") -> bool:
    near = [*verb.children, *(t for c in verb.children if c.dep_ == "prep" for t in c.children)]
    return any(t.lower_ in _OBJECT_RELATIVES and t.dep_ in ("dobj", "pobj") for t in near)


def _verb_words(verb: "Token") -> str:
    parts = [c for c in verb.children if c.dep_ in _VERB_PARTS or c.lower_ in NEVER]
    parts += [c for c in verb.children if c.dep_ == "aux" and c.lower_ in MODALS]
    parts += [no for c in parts if c.lower_ == "longer" for no in c.children]
    words = " ".join(t.lower_ for t in sorted([*parts, verb], key=lambda t: t.i))
    if verb.dep_ == "xcomp" and verb.head.lemma_ in UNFULFILLED:
        return f"{_verb_words(verb.head)} to {words}"
    return words


def _called(reading: Reading, token: "Token") -> str:
    span = reading.mention.get(token.i)
    if any(child.lower_ == "no" for child in token.children):
        return f"no {token.lower_}"
    return reading.words(span.start, span.end) if span else token.lower_
