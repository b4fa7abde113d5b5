"""A question's chain from its dependency parse, without a language model."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ....kg.text.words import terms
from ...reader.asked.question import kind_of
from ...replies.chains import Link, MaskedChain
from .names import STAND_INS, Named, stood_in
from .relations import called, question_of
from .values import of_lives

if TYPE_CHECKING:
    from collections.abc import Callable

    from spacy.tokens import Doc, Token

    Parse = Callable[[Iterable[str]], Iterator[Doc]]

_COMPOSED = frozenset("birth death burial origin citizenship residence".split())
_PERSONS = re.compile(r"(?:person|man|woman|one|people)")
_SAYS_NOTHING = frozenset("who whom what which is was are were the".split())
_WH = ("WDT", "WP", "WRB", "WP$")
_ONE = "|".join(STAND_INS)
_PAIR = re.compile(rf"\b({_ONE})\b[^?]*?,? (?:and|or)\b[^?]*?\b({_ONE})\b")
_WORD = re.compile(r"[\w-]+")
_DIED = re.compile(r"\bdie[ds]?\b|\bdeath\b")
_BORN = re.compile(r"\bborn\b|\bbirth\b|\b(?:older|younger|oldest|youngest|elder)\b")
_CAME_OUT = re.compile(r"\b(?:releas\w+|publish\w+|came out|come out|premier\w+)\b")
_BEGAN = re.compile(r"\b(?:found\w*|establish\w+|form\w+|open\w+|start\w+|built|created)\b")
_NATION = re.compile(r"\b(?:nationalit\w+|citizens?\w*)\b")
_COUNTRY = re.compile(r"\bcountr\w+\b")
_MAKERS = ("director", "composer", "performer", "singer", "author", "writer", "producer", "founder")


class Question(NamedTuple):
    """A question as a chain.

    Args:
        asks: by mask, the question for it alone, "{}" where what it is asked of stands.
    """

    chain: MaskedChain
    asks: dict[int, str]


def chain_of(question: str, parse: "Parse") -> Question | None:
    """Write a question as a chain; None for one that names nothing to begin at.

    Names are stood in for while the rest is parsed. "The R of X", "X's R" and "the N that …" are
    triples each, from the inside out; the question around them is the last.
    """
    compares = kind_of(question) in ("yesno", "choice")
    named = stood_in(question, joined=not compares)
    if not named.names:
        return None
    if compares:
        return _compared(named)
    [doc] = parse([named.text])
    return _Walk(doc, named).whole()


def _compared(named: Named) -> Question | None:
    """Two branches that a comparison sets against each other."""
    found = _PAIR.search(named.text)
    relations = _of_comparison(named.text.lower())
    if found is None or not relations:
        return None
    links, asks, number = list[Link](), dict[int, str](), 0
    for name in (named.names[found[1]], named.names[found[2]]):
        head = name
        for relation in relations:
            number += 1
            links.append(Link(head, relation, f"#{number}"))
            asks[number] = question_of(relation)
            head = f"#{number}"
        if relations[-1] == "date of birth" and of_lives(named.text):
            number += 1
            links.append(Link(links[-1].head, "date of death", f"#{number}"))
            asks[number] = question_of("date of death")
    return Question(MaskedChain(tuple(links), 0), asks)


def _of_comparison(said: str) -> list[str]:
    """What is compared: the maker's date or country, or the thing's own."""
    maker = next((m for m in _MAKERS if re.search(rf"\b{m}s?\b", said)), "")
    relations = list(called(maker)) if maker else []
    if of_lives(said):
        return [*relations, "date of birth"]
    if "same" in said.split() or _NATION.search(said):
        if _NATION.search(said):
            return [*relations, "country of citizenship"]
        if _COUNTRY.search(said):
            return [*relations, "country of citizenship" if maker else "country"]
        if re.search(r"\b(?:city|town|place)\b", said) and _BORN.search(said):
            return [*relations, "place of birth"]
        return []
    if _DIED.search(said):
        return [*relations, "date of death"]
    if _BEGAN.search(said):
        return [*relations, "inception"]
    if _CAME_OUT.search(said):
        return [*relations, "publication date"]
    return [*relations, "date of birth"] if _BORN.search(said) else []


@dataclass
class _Walk:
    """One question's parse, from the inside out."""

    doc: "Doc"
    named: Named
    links: list[Link] = field(default_factory=list)
    asks: dict[int, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def whole(self) -> Question | None:
        asking = next((t for t in self.doc if t.tag_ in _WH), None)
        if asking is None:
            return None
        end = self._around(asking)
        found = re.fullmatch(r"#(\d+)", end)
        if found is None or self._left():
            return None
        return Question(MaskedChain(tuple(self.links), int(found[1])), self.asks)

    def _left(self) -> set[str]:
        """Stems of the question that no triple accounts for: it would answer another question."""
        names = {stem for name in self.named.names.values() for stem in terms(name)}
        every = terms(self._in_full(self.doc.text))
        return set(every) - names - {stem for said in self.said for stem in terms(said)}

    # -- what the question asks of the thing that it speaks of
    def _around(self, asking: "Token") -> str:
        nouns = [t for t in self.doc if self._outermost(t, asking)]
        if not nouns:
            return ""
        noun = max(nouns, key=lambda t: (self._depth(t), -t.i))
        span = self._span(noun)
        before, after = self.doc[: span[0]].text_with_ws, self.doc[span[1] :].text
        head = self.thing(noun)
        rest = f"{before} {after}"
        left = set(self._said(rest).split())
        self.said.append(rest)
        placed = self.links and self.links[-1].relation.startswith(("place", "date"))
        if left <= _SAYS_NOTHING or (placed and left <= _SAYS_NOTHING | {"where", "when"}):
            return head
        relations = called(self._said(rest))
        ask = self._in_full(f"{before}{{}}{self.doc[span[1] - 1].whitespace_}{after}")
        return self._add(head, relations or (self._relation(rest),), ask if not relations else "")

    def _outermost(self, token: "Token", asking: "Token") -> bool:
        """Whether a noun with a name in it is part of no other, and not the one asked for."""
        if not self._holds_name(token) or token.pos_ not in ("NOUN", "PROPN", "NUM", "X"):
            return False
        if asking in token.subtree or not (self._is_name(token) or self._relational(token)):
            return False
        return not any(self._relational(t) and asking not in t.subtree for t in token.ancestors)

    def _depth(self, token: "Token") -> int:
        return sum(self._relational(t) for t in token.subtree)

    def _span(self, token: "Token") -> tuple[int, int]:
        places = [t.i for t in token.subtree]
        return min(places), max(places) + 1

    # -- things
    def _is_name(self, token: "Token") -> bool:
        return token.text in self.named.names

    def _holds_name(self, token: "Token") -> bool:
        return any(self._is_name(t) for t in token.subtree)

    def _relational(self, token: "Token") -> bool:
        """Whether a noun is of something that a name leads to: "the mother of Alda"."""
        if self._is_name(token) or token.pos_ not in ("NOUN", "PROPN"):
            return False
        return self._held(token) is not None

    def _held(self, token: "Token") -> "Token | None":
        """What hangs on a noun and holds a name: of whom, whose, a clause, a name before it."""
        kinds = ("poss", "prep", "relcl", "acl", "compound", "nmod", "appos", "agent")
        found = [t for t in token.children if t.dep_ in kinds and self._holds_name(t)]
        order = {kind: place for place, kind in enumerate(kinds)}
        return min(found, key=lambda t: (order[t.dep_], t.i), default=None)

    def thing(self, token: "Token") -> str:
        """The name that a noun is, or the mask of what it is."""
        if self._is_name(token):
            return self.named.names[token.text]
        held = self._held(token)
        if held is None:
            return self._in_full(self.doc[slice(*self._span(token))].text)
        if held.dep_ in ("relcl", "acl"):
            return self._clause(token, held)
        if held.dep_ == "appos" and self._is_name(held):
            return self.named.names[held.text]
        return self._of(token, held)

    def _of(self, token: "Token", held: "Token") -> str:
        """For "the place of birth of Alda" and "Alda's mother"."""
        phrase = self._phrase(token)
        inner = held
        if held.dep_ == "prep":
            inner = next((t for t in held.children if t.dep_ in ("pobj", "pcomp")), held)
            if inner.lemma_ in _COMPOSED and not self._is_name(inner):
                phrase += f" of {inner.text}"
                inner = self._held(inner) or inner
                inner = next((t for t in inner.children if t.dep_ == "pobj"), inner)
            elif held.lower_ != "of":
                phrase = f"{phrase} {held.lower_}"
        composed = next((t for t in token.children if t.dep_ == "prep" and t is not held), None)
        if composed is not None and composed.lower_ == "of":
            of = next((t for t in composed.children if t.dep_ == "pobj"), None)
            if of is not None and not self._holds_name(of):
                phrase += f" of {of.text}"
        head = self.thing(inner)
        self.said.append(phrase)
        relations = called(phrase) or (phrase,)
        whose = (
            "Who" if kind_of(f"Which {token.lemma_} is it?", token.lemma_) == "person" else "What"
        )
        ask = "" if called(phrase) else f"{whose} is the {phrase} of {{}}?"
        if held.dep_ == "prep" and held.lower_ != "of" and not called(phrase):
            ask = f"{whose} is the {phrase} {{}}?"
        return self._add(head, relations, ask)

    def _clause(self, token: "Token", verb: "Token") -> str:
        """For "the woman who portrayed Alda" and "the town where Alda was born"."""
        below = {t.i for t in verb.subtree}
        inner = [
            t
            for t in verb.subtree
            if (self._is_name(t) or self._relational(t))
            and not any(a.i in below and self._relational(a) for a in t.ancestors)
        ]
        noun = max(inner, key=lambda t: (self._depth(t), -t.i))
        own = [t for t in verb.subtree if t.tag_ not in _WH or t.i > verb.i]
        start, stop = self._span(noun)
        before = self.doc[min(t.i for t in own) : start].text_with_ws
        after = self.doc[stop : max(t.i for t in own) + 1].text
        gap = self.doc[stop - 1].whitespace_
        head = self.thing(noun)
        asked = self._asking(token, verb)
        ask = self._in_full(f"{asked} {before}{{}}{gap}{after}?")
        subject = any(t.dep_ in ("nsubj", "nsubjpass") and t.tag_ in _WH for t in verb.children)
        said = self._said(f"{asked} {before} {after}")
        self.said += [said, token.text]
        relations = called(said) or called(f"which {token.lemma_} {said}")
        if relations:
            return self._add(head, relations)
        relation = self._relation(f"{before} {after}")
        inverse = (subject or verb.dep_ == "acl") and stop > verb.i
        return self._add(head, (relation,), ask, inverse)

    def _asking(self, token: "Token", verb: "Token") -> str:
        where = any(t.tag_ == "WRB" for t in verb.children)
        noun = self._phrase(token)
        if where:
            return f"In which {noun}"
        if _PERSONS.fullmatch(token.lemma_):
            return "Who"
        return f"Which {noun}" + (" was" if verb.dep_ == "acl" and verb.tag_ == "VBN" else "")

    # -- words
    def _phrase(self, token: "Token") -> str:
        kinds = ("amod", "compound", "nmod", "nummod")
        before = [t for t in token.lefts if t.dep_ in kinds and not self._is_name(t)]
        own = _WORD.match(self.doc.text, token.idx)  # "father-in-law" in one
        said = [t.lower_ for t in before if not self._holds_name(t)]
        return " ".join([*said, own.group().lower() if own else token.lower_])

    def _relation(self, rest: str) -> str:
        """The words of a question that are left for a relation."""
        said = re.sub(r"[^\w\s'’-]", " ", self._in_full(rest))
        skip = {"the", "a", "an", "did", "does", "do", "what", "which", "who", "whom", "how"}
        return " ".join(w for w in said.split() if w.lower() not in skip) or "is"

    def _said(self, rest: str) -> str:
        return re.sub(r"[^\w\s'’-]", " ", rest).lower()

    def _in_full(self, text: str) -> str:
        for alone, name in self.named.names.items():
            text = re.sub(rf"\b{alone}\b", lambda _, name=name: name, text)
        return text

    def _add(
        self, head: str, relations: Iterable[str], ask: str = "", inverse: bool = False
    ) -> str:
        for relation in relations:
            number = len(self.asks) + 1
            mask, said = f"#{number}", relation.replace(">>", " ").replace("#", " ")
            self.links.append(Link(mask, said, head) if inverse else Link(head, said, mask))
            self.asks[number] = ask or question_of(relation)
            head = mask
        return head
